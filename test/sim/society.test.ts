/** Clans of bots live together; whatever road their world takes, it is the same world. */
import { expect, test } from 'vitest'
import { openSociety } from '../society/society.ts'

const PLAYERS = 75
const TICKS = 60

async function live(workers: number, restarts: readonly number[]): Promise<string> {
  const society = await openSociety({ seed: 1, players: PLAYERS, workers, checkEvery: 5 })
  for (let tick = 1; tick <= TICKS; tick++) {
    await society.tick()
    if (restarts.includes(tick)) await society.restart()
  }
  const hash = society.driven.hash()
  await society.close()
  return hash
}

test('a society is the same on any number of threads, restarted or not', async () => {
  const straight = await live(0, [])
  expect(await live(2, [20, 45])).toBe(straight)
})
