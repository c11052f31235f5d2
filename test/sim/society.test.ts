/** A society of bots ends in the same state on kernel threads and after restarts. */
import { expect, test } from 'vitest'
import { openSociety } from '../society/society.ts'

const PLAYERS = 75
const TICKS = 60

async function hashOfSociety(workers: number, restarts: readonly number[]): Promise<string> {
  const society = await openSociety({ seed: 1, players: PLAYERS, workers, checkEvery: 5 })
  for (let tick = 1; tick <= TICKS; tick++) {
    await society.tick()
    if (restarts.includes(tick)) await society.restart()
  }
  const hash = society.driven.hash()
  await society.close()
  return hash
}

test('a society ends with the same hash on kernel threads and after restarts', async () => {
  const straight = await hashOfSociety(0, [])
  expect(await hashOfSociety(2, [20, 45])).toBe(straight)
})
