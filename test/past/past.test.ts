/** The time machine on a world of bots: 50 ticks in `npm test`, six hours in the soak. */
import { expect, test } from 'vitest'
import { givenDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { runPast } from './past.ts'

const SIZE = soaked(
  { bots: 12, ticks: 50, asks: 4, forks: 1, ahead: 10 },
  { bots: 300, ticks: 2_160, asks: 20, forks: 5, ahead: 2_000 },
)

test('replayed ticks answer as the live world did, and forks end with its hash', async () => {
  const database = await givenDatabase()
  const lines: string[] = []
  try {
    const found = await runPast({
      ...SIZE,
      database,
      seed: seedOr(1),
      say: (text) => void lines.push(text),
      onProgress: () => {},
    })
    expect(found).toMatchObject({ broken: [], answers: SIZE.asks, forks: SIZE.forks })
  } finally {
    await database.close()
  }
  expect(lines.join('\n')).toMatch(/kept as[\s\S]*Within reach of replay: ticks 0 to/)
  expect(lines.join('\n')).toMatch(/credits in circulation/)
}, 7_200_000)
