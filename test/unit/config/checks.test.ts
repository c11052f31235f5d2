/** What the checks of settings say about values that cannot be used. */
import { expect, test } from 'vitest'
import { workers } from '../../../setting-checks.ts'

test('WORKERS is auto or a number, and its refusal names both', () => {
  for (const text of ['auto', '0', '64']) expect(workers(text)).toBeUndefined()
  for (const text of ['Auto', '', '65', '-1', '1.5'])
    expect(workers(text)).toBe('must be auto or a whole number from 0 to 64')
})
