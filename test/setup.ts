/**
 * Runs before every test file: worlds that ticked in a test are checked in full at its end, and the
 * next ones lie on their memory. Hooks of files run between these.
 */
import { afterAll, afterEach, beforeEach } from 'vitest'
import { beginTest, endFile, endTest } from './after-tests.ts'

beforeEach(beginTest)
afterEach(endTest)
afterAll(endFile)
