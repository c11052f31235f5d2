/**
 * A database for a test file, in a schema of its own that is dropped at the end: TEST_DATABASE_URL
 * if it is set, else the database of the test run.
 */
import { randomBytes } from 'node:crypto'
import type { JournalRow, WorldImage } from '../../../core/ports.ts'
import { openDatabase } from '../../../storage/database.ts'
import { type ConnectionOptions, connect, disconnect, type Sql } from '../../../storage/db.ts'
import {
  createBatchStore,
  type PostgresStore,
  type StoreOptions,
} from '../../../storage/journal.ts'
import { sharedFolder } from '../../databases.ts'

export interface TestDatabase {
  readonly connection: ConnectionOptions
  /** Connects as the owner of the schema. */
  readonly sql: Sql
  close(): Promise<void>
}

export async function testDatabase(): Promise<TestDatabase> {
  const schema = `t_${randomBytes(6).toString('hex')}`
  const databaseUrl = process.env.TEST_DATABASE_URL
  const opened = await openDatabase({ databaseUrl, dataDir: sharedFolder(), schema })
  await opened.migrate()
  const sql = connect(opened.owner, { name: 'test', connectionsMax: 4 })
  return {
    connection: opened.connection,
    sql,
    async close() {
      await sql`drop schema ${sql(schema)} cascade`
      await disconnect(sql)
    },
  }
}

export const openStore = (
  connection: ConnectionOptions,
  options: Partial<StoreOptions> = {},
): Promise<PostgresStore> =>
  createBatchStore(connection, { rulesVersion: 1, lockWaitMs: 300, ...options })

const WALL_MS = 1_800_000_000_000

export function journalRow(batch: number, overrides: Partial<JournalRow> = {}): JournalRow {
  return {
    batch,
    tick: batch,
    part: 0,
    rulesVersion: 1,
    wallMs: WALL_MS + batch * 1_000,
    inputs: [
      { ref: batch * 10, player: 7, command: 'mine', params: { n: batch }, framing: 'ws1' },
      {
        ref: batch * 10 + 1,
        player: 8,
        command: 'chat',
        params: {},
        framing: 'mcp2',
        requestId: 'r',
      },
    ],
    archived: {},
    hash: batch % 3 === 0 ? `hash ${batch}` : null,
    ...overrides,
  }
}

/** Commits rows after the head of a store and returns its new head. */
export async function commitRows(store: PostgresStore, count: number): Promise<number> {
  for (let i = 0; i < count; i++) await store.commit(journalRow(store.headBatch + 1), [])
  return store.headBatch
}

export async function readAll(store: PostgresStore, after: number): Promise<JournalRow[]> {
  const rows: JournalRow[] = []
  for await (const row of store.journalAfter(after)) rows.push(row)
  return rows
}

/** Returns bytes that compress a little and differ by seed. */
export function someBytes(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(length))
  let state = seed | 1
  for (let i = 0; i < length; i += 2) {
    state = Math.imul(state, 1_664_525) + 1_013_904_223
    bytes[i] = state >>> 24
  }
  return bytes
}

export function imageAt(batch: number, overrides: Partial<WorldImage> = {}): WorldImage {
  return {
    rulesVersion: 1,
    seed: 5,
    tick: batch,
    batch,
    wallMs: WALL_MS,
    hash: `state ${batch}`,
    tables: [
      {
        name: 'ships',
        high: 999,
        nextSeq: 1_200,
        free: [3, 2, 9],
        freed: [12],
        columns: [
          { name: 'alive', kind: 'u8', width: 1, bytes: someBytes(1_000, 1) },
          { name: 'fuel', kind: 'f64', width: 1, bytes: someBytes(700_000, 2) },
        ],
      },
      { name: 'empty', high: 0, nextSeq: 1, free: [], freed: [], columns: [] },
    ],
    records: [
      {
        name: 'factions',
        entries: [
          ['a', '{"x":1}'],
          ['b', '{"name":"\ud83d\ude80"}'],
        ],
      },
      { name: 'none', entries: [] },
    ],
    texts: ['', 'hello', 'ünïcode'],
    freeTexts: [2],
    goods: ['ore', 'ice'],
    shipClasses: ['scout'],
    recipes: ['smelt'],
    facilities: ['smelter', 'bunk'],
    ...overrides,
  }
}

/** Returns the same image with plain arrays, so that two can be compared whole. */
export function plain(image: WorldImage | undefined): unknown {
  if (!image) return undefined
  return {
    ...image,
    tables: image.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => ({
        ...column,
        bytes: Buffer.from(column.bytes).toString('base64'),
      })),
    })),
  }
}
