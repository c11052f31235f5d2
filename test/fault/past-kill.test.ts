/** kill -9 of prune, fork and export; forty of them in the soak. */
import { expect, test } from 'vitest'
import { sharedDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { killThePast } from './past-kill.ts'

test('what was within reach stays so, and nothing half-made is left', async () => {
  const database = await sharedDatabase()
  try {
    const { summary, broken } = await killThePast({
      database,
      count: soaked(4, 40),
      seed: seedOr(11),
    })
    console.log(summary)
    expect(broken).toEqual([])
  } finally {
    await database.close()
  }
}, 3_600_000)
