/** Gateways killed under load, at the counts of CI and of a soak; gateway-kill.ts says how. */
import { expect, test } from 'vitest'
import { sharedDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { killGateways } from './gateway-kill.ts'

test('gateways killed: everyone goes on at the other one, nothing is lost or done twice', async () => {
  const database = await sharedDatabase()
  try {
    const options = { database, count: soaked(3, 20), players: 6, seed: seedOr(6) }
    const { summary, broken } = await killGateways(options)
    console.log(summary)
    expect(broken).toEqual([])
  } finally {
    await database.close()
  }
}, 1_800_000)
