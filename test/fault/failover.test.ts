/** Leaders that fail under load, with more failures in a soak; see failover.ts. */
import { expect, test } from 'vitest'
import { sharedDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { failAgainAndAgain } from './failover.ts'

const PATIENCE_MS = soaked(900_000, 7_200_000)

test(
  'a standby takes over from a killed, frozen or cut off leader and loses or doubles nothing',
  async () => {
    const database = await sharedDatabase()
    try {
      const { summary, broken } = await failAgainAndAgain({
        database,
        count: soaked(3, 30),
        players: 6,
        gateways: soaked(1, 2),
        seed: seedOr(5),
      })
      console.log(summary)
      expect(broken).toEqual([])
    } finally {
      await database.close()
    }
  },
  PATIENCE_MS,
)
