/**
 * A very small world that has run for a while: a player on each channel, some ticks, some
 * snapshots, and journal rows after the last one. For programs that test what is stored.
 */
import { createHash } from 'node:crypto'
import { CHANNELS } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import type { WorldImage } from '../../core/ports.ts'
import { RULES_VERSION } from '../../core/version.ts'
import type { Sql } from '../../storage/db.ts'
import { readJournal } from '../../storage/journal.ts'
import { loadLatest } from '../../storage/snapshots.ts'
import { noLog } from '../../storage/store-log.ts'
import type { TestDatabase } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'

const TINY = { maxEntities: 2_000, tickMs: 1_000 } as const
const SNAPSHOT_EVERY = 6
/** Not a multiple of SNAPSHOT_EVERY, so that some ticks follow the last snapshot. */
const TICKS = 15
const REGISTRATION_CODE = 'x'

const settings = {
  MAX_ENTITIES: String(TINY.maxEntities),
  TICK_MS: String(TINY.tickMs),
  SNAPSHOT_EVERY: String(SNAPSHOT_EVERY),
  SNAPSHOT_KEEP: '2',
  HASH_EVERY: '1',
}

/** Starts a server on a schema; the caller steps its ticks. */
export const startTiny = (database: TestDatabase, schema: string): Promise<TestServer> =>
  startTestServer(database, { schema, settings })

/** Lets some players act and steps some ticks. */
export async function liveTiny(server: TestServer): Promise<void> {
  const clients = await Promise.all(
    CHANNELS.map(async (channel, i) => {
      const client = await connect(server.url, channel)
      const made = await client.call('register', {
        username: `Old Hand ${i}`,
        empire: 'nebula',
        registration_code: REGISTRATION_CODE,
      })
      if (!made.ok) throw new Error(`cannot register: ${made.code}`)
      await client.call('captains_log_add', { entry: `first entry of ${i}` })
      return client
    }),
  )
  for (const client of clients.slice(1)) await server.play(client, 'undock')
  await clients[0].call('chat', { channel: 'local', content: 'Kept from an old release.' })
  const { tick } = server.link.state()
  await server.link.step(Math.max(1, TICKS - tick))
  for (const client of clients) await client.close()
}

/** The world that a start would have. */
export interface Recovered {
  readonly image: WorldImage | undefined
  /** Digest of the snapshot used and of every row after it. */
  readonly digest: string
}

/** Reads the world as a start does; throws the error with which a start would end. */
export async function recover(sql: Sql): Promise<Recovered> {
  const image = await loadLatest(sql, { log: noLog, repair: true })
  const sum = createHash('sha256')
  if (image) {
    const { tables, records, texts, freeTexts, ...plain } = image
    for (const { columns, ...table } of tables) {
      sum.update(JSON.stringify(table))
      for (const { bytes, ...column } of columns) sum.update(JSON.stringify(column)).update(bytes)
    }
    sum.update(JSON.stringify([records, texts, freeTexts, plain]))
  }
  const options = { rulesVersion: RULES_VERSION }
  for await (const row of readJournal(sql, image?.batch ?? 0, options))
    sum.update(JSON.stringify(row))
  return { image, digest: sum.digest('hex') }
}
