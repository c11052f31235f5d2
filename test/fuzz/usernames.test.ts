/** Compares the server's check of user names with an independent one. Source: RELIABILITY 5, B6. */
import { expect, test } from 'vitest'
import { tryNames } from './usernames.ts'

const COUNT = 20_000

test('the server accepts exactly the names that the rules allow', async () => {
  const { tried, free, byRule, failures } = await tryNames(COUNT, 1)
  expect(failures).toEqual([])
  expect(tried).toBe(COUNT)
  expect(free).toBeGreaterThan(COUNT / 20)
  for (const rule of [2, 3, 4, 5, 6, 7, 8] as const) {
    expect(byRule.get(rule) ?? 0, `rule ${rule}`).toBeGreaterThan(COUNT / 1_000)
  }
})
