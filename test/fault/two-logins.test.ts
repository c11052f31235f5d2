/** Logins at two gateways at once, at the counts of CI and of a soak; two-logins.ts says how. */
import { expect, test } from 'vitest'
import { sharedDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { raceAgainAndAgain } from './two-logins.ts'

test('of two logins at two gateways one is left, and the other closed', async () => {
  const database = await sharedDatabase()
  try {
    const options = { database, count: soaked(8, 200), players: 4, seed: seedOr(7) }
    const { summary, broken } = await raceAgainAndAgain(options)
    console.log(summary)
    expect(broken).toEqual([])
  } finally {
    await database.close()
  }
}, 600_000)
