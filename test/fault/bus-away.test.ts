/** NATS killed under load, at the lengths of CI and of a soak; bus-away.ts says how. */
import { expect, test } from 'vitest'
import { sharedDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { takeBusAway } from './bus-away.ts'

test('without the bus queries are answered, results come late, and nothing fails', async () => {
  const database = await sharedDatabase()
  try {
    const options = { database, seed: seedOr(6), seconds: soaked([1], [1, 10, 60]) }
    const { summary, broken } = await takeBusAway(options)
    console.log(summary)
    expect(broken).toEqual([])
  } finally {
    await database.close()
  }
}, 300_000)
