/** Simultaneous logins at two gateways, with more races in a soak; see two-logins.ts. */
import { expect, test } from 'vitest'
import { sharedDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { raceAgainAndAgain } from './two-logins.ts'

test('simultaneous logins of a player at two gateways leave one socket open', async () => {
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
