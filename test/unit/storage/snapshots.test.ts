/** Snapshots: saving and loading, unchanged chunks, damage and the operators' tools. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { WorldImage } from '../../../core/ports.ts'
import type { PostgresStore } from '../../../storage/journal.ts'
import { packImageAtOnce } from '../../../storage/snapshot-format.ts'
import { diffImages, inspectSnapshot, verifySnapshots } from '../../../storage/snapshot-tools.ts'
import { listSnapshots, loadSnapshot, saveSnapshot } from '../../../storage/snapshots.ts'
import {
  commitRows,
  imageAt,
  openStore,
  plain,
  readAll,
  someBytes,
  type TestDatabase,
  testDatabase,
} from './fixture.ts'

/** Stores a snapshot, and prints the priorities of all threads. */
const LOW_PRIORITY = `(async () => {
  const { readdirSync, readFileSync } = require('node:fs')
  const [, base, connection, batch] = process.argv
  const { createPacker } = await import(new URL('../../../storage/packer.js', base))
  const { KEEPING_DEFAULT } = await import(new URL('../../../storage/keeping.js', base))
  const { imageAt } = await import(new URL('fixture.js', base))
  const packer = createPacker(JSON.parse(connection), { keep: KEEPING_DEFAULT })
  await packer.save(imageAt(Number(batch)))
  const tasks = readdirSync('/proc/self/task')
  const stats = tasks.map((task) => readFileSync('/proc/self/task/' + task + '/stat', 'utf8'))
  console.log(stats.map((stat) => stat.split(') ')[1].split(' ')[16]).join(' '))
  await packer.close()
})()`

let database: TestDatabase
let store: PostgresStore

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  store = await openStore(database.connection)
})
afterEach(async () => {
  await store.close()
})
afterAll(async () => {
  await database.close()
})

const countOf = async (table: string): Promise<number> => {
  const rows = await database.sql<{ count: number }[]>`
    select count(*)::int as count from ${database.sql(table)}`
  return rows[0].count
}

/** Makes many columns of every size around the bounds of parts and chunks. */
function bigImage(batch: number): WorldImage {
  const sizes = [0, 1, 16_383, 16_384, 65_536, 262_143, 262_144, 262_145, 3_000_001]
  const columns = sizes.map((size, index) => ({
    name: `c${index}`,
    kind: 'u8',
    width: 1,
    bytes: someBytes(size, index + 3),
  }))
  const entries = Array.from({ length: 9_000 }, (_, i): [string, string] => [`k${i}`, `{"n":${i}}`])
  return imageAt(batch, {
    tables: [
      { name: 'big', high: 1, nextSeq: 2, free: [], freed: [], columns },
      {
        name: 'many',
        high: 1,
        nextSeq: 2,
        free: [4_000_000_000],
        freed: [],
        columns: Array.from({ length: 300 }, (_, i) => ({
          name: `m${i}`,
          kind: 'i32',
          width: 2,
          bytes: someBytes(40 + i, i),
        })),
      },
    ],
    records: [{ name: 'r', entries }],
    texts: Array.from({ length: 5_000 }, (_, i) => `text ${i}`),
    freeTexts: Array.from({ length: 700 }, (_, i) => i),
  })
}

test('a store without snapshots has no world to load', async () => {
  expect(await store.latestSnapshot()).toBeUndefined()
  expect(await readAll(store, 0)).toEqual([])
})

test('the first snapshot is loaded without a journal', async () => {
  await store.saveSnapshot(imageAt(0))
  expect(plain(await store.latestSnapshot())).toEqual(plain(imageAt(0)))
})

test('an image of several MB is loaded as it was saved', async () => {
  const image = bigImage(await commitRows(store, 2))
  await store.saveSnapshot(image)
  expect(plain(await store.latestSnapshot())).toEqual(plain(image))
})

test('packing reports the slices of time that it took on this thread', async () => {
  const slices: [number, number][] = []
  const sinceMs = performance.now()
  const image = bigImage(await commitRows(store, 1))
  await store.saveSnapshot(image, (startMs, ms) => slices.push([startMs, startMs + ms]))
  expect(slices.length).toBeGreaterThan(0)
  let endMs = sinceMs
  for (const [from, to] of slices) {
    expect(from).toBeGreaterThanOrEqual(endMs)
    expect(to).toBeGreaterThanOrEqual(from)
    endMs = to
  }
  expect(endMs).toBeLessThanOrEqual(performance.now())
})

test.runIf(process.platform === 'linux')(
  'no thread that stores a snapshot raises the low priority of its server',
  async () => {
    const batch = await commitRows(store, 1)
    const { stdout } = await promisify(execFile)('nice', [
      ...['-n', '15', process.execPath, '-e', LOW_PRIORITY],
      import.meta.url,
      JSON.stringify(database.connection),
      `${batch}`,
    ])
    expect(Math.min(...stdout.trim().split(' ').map(Number))).toBeGreaterThanOrEqual(15)
    expect((await listSnapshots(database.sql))[0].batch).toBe(batch)
  },
)

test('chunks that did not change are not stored again', async () => {
  const first = bigImage(await commitRows(store, 1))
  await store.saveSnapshot(first)
  const chunks = await countOf('snapshot_chunk')
  await store.saveSnapshot(bigImage(await commitRows(store, 1)))
  expect(await countOf('snapshot_chunk')).toBeLessThanOrEqual(chunks)
  const big = bigImage(await commitRows(store, 1))
  big.tables[0].columns[8].bytes[1_500_000] ^= 1
  const [{ name, entries }] = big.records
  const image = { ...big, records: [{ name, entries: [...entries, ['new', '{}'] as const] }] }
  await store.saveSnapshot(image)
  expect(await countOf('snapshot_chunk')).toBeLessThanOrEqual(chunks + 3)
  expect(plain(await store.latestSnapshot())).toEqual(plain(image))
})

test('a snapshot of a batch that is not in the journal yet waits for its row', async () => {
  const saved = store.saveSnapshot(imageAt(store.headBatch + 1))
  await new Promise((done) => setTimeout(done, 300))
  expect((await listSnapshots(database.sql))[0].batch).toBe(store.headBatch)
  await commitRows(store, 1)
  await saved
  expect((await listSnapshots(database.sql))[0].batch).toBe(store.headBatch)
})

test('a damaged snapshot is skipped and logged, and its chunk is stored anew', async () => {
  const log: string[] = []
  await store.close()
  store = await openStore(database.connection, { log: (_, __, text) => log.push(text) })
  const older = imageAt(await commitRows(store, 1))
  await store.saveSnapshot(older)
  const newer = imageAt(await commitRows(store, 1))
  newer.tables[0].columns[1].bytes[0] ^= 255
  await store.saveSnapshot(newer)
  const { sql } = database
  await sql`
    update snapshot_chunk set bytes = set_byte(bytes, 20, get_byte(bytes, 20) # 4)
    where sha256 = (select sha256 from snapshot_part where place = 1
      order by snapshot_id desc limit 1)`
  expect(plain(await store.latestSnapshot())).toEqual(plain(older))
  expect(log.join()).toMatch(/is damaged/)
  const verified = await verifySnapshots(sql)
  expect(verified[0]).toMatchObject({ batch: newer.batch, ok: false })
  expect(verified[1]).toMatchObject({ batch: older.batch, ok: true, journalRows: 1 })
  await store.saveSnapshot({ ...newer, batch: await commitRows(store, 1) })
  expect((await store.latestSnapshot())?.batch).toBe(store.headBatch)
})

test('a snapshot that cannot be stored does not disturb commits', async () => {
  await database.sql`alter table snapshot_part rename to hidden`
  await expect(store.saveSnapshot(imageAt(store.headBatch))).rejects.toThrow()
  await commitRows(store, 1)
  await database.sql`alter table hidden rename to snapshot_part`
  await store.saveSnapshot(imageAt(store.headBatch))
})

test('the tools show the contents of snapshots and differences between them', async () => {
  const before = imageAt(await commitRows(store, 1))
  const { id } = await saveSnapshot(database.sql, packImageAtOnce(before))
  const inspected = await inspectSnapshot(database.sql, id)
  expect(inspected.tables[0]).toEqual({ name: 'ships', rows: 999, columns: 2 })
  expect(inspected.storedBytes).toBeGreaterThan(300_000)
  const later = imageAt(before.batch)
  later.tables[0].columns[1].bytes[701] ^= 1
  const [{ name, entries }] = later.records
  const changed = [entries[0], [entries[1][0], '{}'] as const, ['c', '1'] as const]
  const after = { ...later, records: [{ name, entries: changed }] }
  expect(diffImages(before, await loadSnapshot(database.sql, id)).same).toBe(true)
  const diff = diffImages(before, after)
  expect(diff.columns).toEqual([{ table: 'ships', column: 'fuel', rows: 1 }])
  expect(diff.records).toEqual([
    { records: 'factions', added: 1, removed: 0, changed: 1, examples: ['b', 'c'] },
  ])
})
