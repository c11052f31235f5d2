/** Gateways killed under load, with more kills in a soak; see gateway-kill.ts. */
import { expect, test } from 'vitest'
import { sharedDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { killGateways } from './gateway-kill.ts'

test('players of killed gateways reconnect, and no command is lost or doubled', async () => {
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
