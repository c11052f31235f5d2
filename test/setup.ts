/** Runs before every test file: worlds that ticked in a test are checked in full at its end. */
import { afterEach } from 'vitest'
import { AFTER_TEST } from './after-tests.ts'

afterEach(() => {
  const due = [...AFTER_TEST]
  AFTER_TEST.clear()
  for (const check of due) check()
})
