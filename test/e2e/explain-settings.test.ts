/** `orrery explain` over a change of settings, which no replay crosses. */
import { expect, test } from 'vitest'
import { connect } from '../../bench/clients.ts'
import { givenDatabase } from '../databases.ts'
import { startTestServer } from '../servers.ts'
import { orreryHere } from './cli.ts'

test('explain stops where TICK_MS changed, and says from where it continues', async () => {
  const database = await givenDatabase()
  const begun = await startTestServer(database, {
    isSmallMap: true,
    settings: { TICK_MS: '10000', HASH_EVERY: '1' },
  })
  const { schema } = begun
  const client = await connect(begun.url, 'http1')
  await begun.link.step(1)
  const registered = await begun.play(client, 'register', {
    username: 'Settled',
    empire: 'solarian',
    registration_code: 'any',
  })
  expect(registered.ok).toBe(true)
  await begun.link.step(2)
  await client.close()
  await begun.stop()
  const resumed = await startTestServer(database, {
    schema,
    isSmallMap: true,
    settings: { TICK_MS: '5000', HASH_EVERY: '1' },
  })
  await resumed.link.step(3)
  await resumed.stop()

  const settings = { DATABASE_URL: database.url, DATABASE_SCHEMA: schema }
  const explain = async (...more: string[]) => {
    const ran = await orreryHere(['explain', '--player', 'Settled', ...more], settings)
    expect(ran).toMatchObject({ code: 0 })
    return ran.stdout
  }
  const text = await explain('--from', '0')
  const [, turn, next] =
    /In tick (\d+) TICK_MS or MAX_ENTITIES changed, .+ with --from (\d+)\.\n$/.exec(text) ?? []
  expect(Number(next)).toBe(Number(turn) + 1)
  expect(await explain('--from', next)).not.toContain('changed, and no replay')
  const { happenings, settingsChanged } = JSON.parse(await explain('--from', '0', '--json'))
  expect(settingsChanged).toBe(Number(turn))
  expect(happenings.length).toBeGreaterThan(0)
  await database.close()
})
