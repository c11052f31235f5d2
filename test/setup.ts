/**
 * Runs before every test file. Worlds that ticked in a test are checked in full at its end, and
 * their memory is reused by later worlds. Hooks of the files run between these.
 */
import { afterAll, afterEach, beforeEach } from 'vitest'
import { beginTest, endFile, endTest } from './after-tests.ts'

// A file of which no test ran has left its tasks behind.
endFile()
beforeEach(beginTest)
afterEach(endTest)
afterAll(endFile)
