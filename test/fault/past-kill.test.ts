/** kill -9 of the tools of the time machine, with more kills in a soak; see past-kill.ts. */
import { expect, test } from 'vitest'
import { sharedDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { killThePast } from './past-kill.ts'

test('killed prunes, forks and exports damage no world and leave no partial one', async () => {
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
