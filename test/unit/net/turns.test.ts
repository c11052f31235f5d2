/** The figures of publishing: slices on the main thread. */
import { expect, test } from 'vitest'
import { createTurns } from '../../../net/publish/turns.ts'

test('a slice lasts until the next one begins, and the longest is reported', async () => {
  let now = 1_000
  const turns = createTurns(() => now)
  now += 30
  const yielded = turns.next()
  now += 500
  await yielded
  now += 7
  expect(turns.end()).toEqual({ busyMs: 37, sliceMs: 30 })
})
