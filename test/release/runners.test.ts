/** The runner of each row of the release check exists, so that no row is skipped unnoticed. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHECKS, fileOf } from './checks.ts'

test.each(CHECKS)('the runner of $id exists: $file', (check) => {
  expect(existsSync(fileOf(check)), `dist/${check.file} is not there`).toBe(true)
})
