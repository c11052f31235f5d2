/** Tests the spacing between the turns of a driver. */
import { expect, test } from 'vitest'
import { createSpacing } from './patience.ts'

test('turns stay 11 ms apart although timers fire early', async () => {
  let nowMs = 0
  const earlyMs = 4
  const sleep = async (ms: number): Promise<void> => {
    nowMs += Math.max(1, ms - earlyMs)
  }
  const turn = createSpacing(11, { now: () => nowMs, sleep })
  const turns: number[] = []
  for (let i = 0; i < 20; i++) {
    await turn()
    turns.push(nowMs)
  }
  const gaps = turns.slice(1).map((ms, index) => ms - turns[index])
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(11)
  expect(Math.max(...gaps)).toBeLessThan(15)
})
