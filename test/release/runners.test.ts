/** A row of a release whose runner is not there would pass unseen: it fails here, by name. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHECKS, fileOf } from './checks.ts'

test.each(CHECKS)('$id has its runner, $file', (check) => {
  expect(existsSync(fileOf(check)), `dist/${check.file} is not there`).toBe(true)
})
