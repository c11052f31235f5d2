/** NATS killed under load, for one second in `npm test` and for up to a minute in a soak. */
import { expect, test } from 'vitest'
import { sharedDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { takeBusAway } from './bus-away.ts'

test('an absent bus delays results but fails no query and loses no command', async () => {
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
