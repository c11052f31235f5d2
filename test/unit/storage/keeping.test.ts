/**
 * What is kept of the past: tiers of snapshots, and the compressed journal after the oldest one.
 * Whatever is pruned or interrupted, each tick within reach can be restored.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { WorldImage } from '../../../core/ports.ts'
import { connect, disconnect, sleep } from '../../../storage/db.ts'
import { type PostgresStore, readJournal } from '../../../storage/journal.ts'
import {
  KEEPING_DEFAULT,
  type Keeping,
  pruneWorld,
  readKept,
  tiersOf,
} from '../../../storage/keeping.ts'
import { listCosts, readJournalSize, readReach } from '../../../storage/reach.ts'
import { restoreWorld } from '../../../storage/restore.ts'
import { packImageAtOnce } from '../../../storage/snapshot-format.ts'
import { listSnapshots, loadSnapshot, saveSnapshot } from '../../../storage/snapshots.ts'
import { exportWorld, importWorld } from '../../../storage/transfer.ts'
import {
  commitRows,
  imageAt,
  journalRow,
  openStore,
  someBytes,
  type TestDatabase,
  testDatabase,
} from './fixture.ts'

/** Ten minutes: six ticks an hour, 144 a day. */
const TICK_MS = 600_000
const EVERYTHING: Keeping = { ...KEEPING_DEFAULT, bytesMax: Number.MAX_SAFE_INTEGER }
const NOTHING: Keeping = { ...EVERYTHING, newest: 1, allHours: 0, hourlyDays: 0, dailyDays: 0 }

/** A process that prints when it is ready, and prunes on request. */
const PRUNER = `(async () => {
  const [, base, connection, keep] = process.argv
  const { connect } = await import(new URL('../../../storage/db.js', base))
  const { pruneWorld } = await import(new URL('../../../storage/keeping.js', base))
  const sql = connect(JSON.parse(connection), { name: 'pruner' })
  await sql\`select 1\`
  process.stdin.once('data', async () => {
    await pruneWorld(sql, JSON.parse(keep))
    process.exit(0)
  })
  console.log('ready')
})()`

let database: TestDatabase
let store: PostgresStore

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  store = await openStore(database.connection)
})
afterEach(() => store.close())
afterAll(() => database.close())

/** Makes a small image with one column that changes with each batch and one that never does. */
const smallImage = (batch: number): WorldImage =>
  imageAt(batch, {
    tickMs: TICK_MS,
    tables: [
      {
        name: 'ships',
        high: 9,
        nextSeq: 12,
        free: [],
        freed: [],
        columns: [
          { name: 'same', kind: 'u8', width: 1, bytes: someBytes(20_000, 1) },
          { name: 'other', kind: 'u8', width: 1, bytes: someBytes(20_000, batch + 2) },
        ],
      },
    ],
  })

async function takeSnapshot(ticks: number): Promise<number> {
  const batch = await commitRows(store, ticks)
  await saveSnapshot(database.sql, packImageAtOnce(smallImage(batch)))
  return batch
}

/** Reads each snapshot and every row after the oldest; returns the batches of the snapshots. */
async function expectWhole(): Promise<number[]> {
  const { sql } = database
  const kept = await listSnapshots(sql)
  for (const row of kept) expect((await loadSnapshot(sql, row.id)).batch).toBe(row.batch)
  const oldest = kept.at(-1)?.batch ?? 0
  let batch = oldest
  for await (const row of readJournal(sql, oldest)) {
    expect(row).toEqual(journalRow(++batch))
  }
  expect(batch).toBe(store.headBatch)
  const unused = await sql`
    select 1 from snapshot_chunk c where not exists (
      select 1 from snapshot_part p where p.sha256 = c.sha256)
    union all
    select 1 from journal join journal_block on batch between first_batch and last_batch`
  expect(unused.length).toBe(0)
  return kept.map((row) => row.batch)
}

test('tiers keep fewer snapshots with age: all, the first of an hour, the first of a day', () => {
  const ticks = Array.from({ length: 1_000 }, (_, i) => 999 - i)
  const keep = { ...EVERYTHING, allHours: 1, hourlyDays: 1, dailyDays: 3 }
  const snapshots = ticks.map((tick) => ({ batch: tick, tick }))
  const tiers = tiersOf(snapshots, keep, TICK_MS)
  const keptAs = (tier: string): number[] => ticks.filter((_, index) => tiers[index] === tier)
  expect(keptAs('newest')).toEqual([999, 998, 997])
  expect(keptAs('all')).toEqual([996, 995, 994])
  expect(keptAs('hourly')).toEqual(ticks.filter((t) => t % 6 === 0 && t > 855 && t < 994))
  expect(keptAs('daily')).toEqual([720, 576])
})

test('of two snapshots of one batch one is kept', () => {
  const twice = [3, 3, 2].map((batch) => ({ batch, tick: 1 }))
  expect(tiersOf(twice, NOTHING, TICK_MS)).toEqual(['newest', undefined, undefined])
  expect(tiersOf(twice, { ...NOTHING, newest: 2 }, TICK_MS)).toEqual([
    'newest',
    undefined,
    'newest',
  ])
})

test('rows before the newest snapshots are compressed', async () => {
  for (let i = 0; i < 6; i++) await takeSnapshot(5)
  await pruneWorld(database.sql, EVERYTHING)
  expect(await expectWhole()).toEqual([30, 25, 20, 15, 10, 5])
  const size = await readJournalSize(database.sql)
  expect(size).toMatchObject({ batch: 30, tick: 30, rows: 10, compressedRows: 15 })
  expect(size.compressedBytes).toBeLessThan(size.uncompressedBytes / 2)
  // Rows before the oldest snapshot are removed.
  const blocks = await database.sql`select first_batch, last_batch from journal_block order by 1`
  expect([...blocks].map((row) => [row.first_batch, row.last_batch])).toEqual([
    [6, 10],
    [11, 15],
    [16, 20],
  ])
  expect(await readReach(database.sql)).toMatchObject([
    { rulesVersion: 1, fromTick: 5, toTick: 30 },
  ])
})

test('a changed byte of compressed rows is detected, and later rows can be read', async () => {
  const { sql } = database
  const [block] = await sql<{ first_batch: number; last_batch: number; body: Buffer }[]>`
    select first_batch, last_batch, body from journal_block order by first_batch limit 1`
  const read = async (after: number): Promise<void> => {
    for await (const _ of readJournal(sql, after));
  }
  for (const place of [0, 1, block.body.length >> 1, block.body.length - 1]) {
    const body = Buffer.from(block.body)
    body[place] ^= 16
    await sql`update journal_block set body = ${body} where first_batch = ${block.first_batch}`
    await expect(read(block.first_batch - 1)).rejects.toThrow(/damaged/)
    await read(block.last_batch)
  }
  await sql`update journal_block set body = ${block.body} where first_batch = ${block.first_batch}`
  await expectWhole()
})

test('removing a snapshot frees the bytes that only it needs', async () => {
  const costs = await listCosts(database.sql)
  for (const { aloneBytes, sharedBytes } of costs) {
    expect(aloneBytes).toBeGreaterThan(5_000)
    expect(sharedBytes).toBeGreaterThan(5_000)
  }
  const bytes = async (): Promise<number> => {
    const rows = await database.sql<{ bytes: number }[]>`
      select (select sum(length(bytes)) from snapshot_chunk)::bigint
        + (select sum(pg_column_size(layout)) from snapshot where complete)::bigint as bytes`
    return rows[0].bytes
  }
  const before = await bytes()
  const oldest = costs[costs.length - 1]
  await pruneWorld(database.sql, { ...NOTHING, newest: costs.length - 1 })
  expect(before - (await bytes())).toBe(oldest.aloneBytes)
  await expectWhole()
})

test('the oldest snapshots are removed beyond the bytes allowed, but not the newest', async () => {
  await commitRows(store, 3)
  const before = await expectWhole()
  const costs = await listCosts(database.sql)
  const size = await readJournalSize(database.sql)
  const bytesKept =
    costs.reduce((sum, { aloneBytes }) => sum + aloneBytes, costs[0].sharedBytes) +
    size.bytes +
    size.compressedBytes
  await pruneWorld(database.sql, { ...EVERYTHING, bytesMax: bytesKept })
  expect(await expectWhole()).toEqual(before)
  await pruneWorld(database.sql, { ...EVERYTHING, bytesMax: bytesKept - 1 })
  expect(await expectWhole()).toEqual(before.slice(0, -1))
  await pruneWorld(database.sql, { ...EVERYTHING, bytesMax: 1 })
  expect(await expectWhole()).toEqual(before.slice(0, 3))
})

test('ticks within reach belong to the rules version that made them', async () => {
  const other = await testDatabase()
  const otherStore = await openStore(other.connection)
  const run = async (rulesVersion: number, ticks: number): Promise<void> => {
    for (let i = 0; i < ticks; i++) {
      await otherStore.commit(journalRow(otherStore.headBatch + 1, { rulesVersion }), [])
    }
  }
  const snapshot = (rulesVersion: number) =>
    saveSnapshot(other.sql, packImageAtOnce({ ...smallImage(otherStore.headBatch), rulesVersion }))
  try {
    await run(1, 3)
    await snapshot(1)
    await run(1, 2)
    // The next release starts from this snapshot.
    await snapshot(1)
    await run(2, 2)
    await snapshot(2)
    await run(2, 2)
    const reach = [
      { rulesVersion: 2, fromTick: 5, fromBatch: 5, toTick: 9 },
      { rulesVersion: 1, fromTick: 3, fromBatch: 3, toTick: 5 },
    ]
    expect(await readReach(other.sql)).toEqual(reach)
    await pruneWorld(other.sql, { ...EVERYTHING, newest: 1 })
    expect(await readReach(other.sql)).toEqual(reach)
    const blocks = await other.sql`
      select first_batch, rules_version from journal_block order by first_batch`
    expect([...blocks].map((row) => [row.first_batch, row.rules_version])).toEqual([
      [4, 1],
      [6, 2],
    ])
    const read = async (): Promise<void> => {
      for await (const _ of readJournal(other.sql, 3, { rulesVersion: 1 }));
    }
    await expect(read()).rejects.toThrow(/rules/)
    await pruneWorld(other.sql, NOTHING)
    expect(await readReach(other.sql)).toEqual([
      { rulesVersion: 2, fromTick: 7, fromBatch: 7, toTick: 9 },
    ])
  } finally {
    await otherStore.close()
    await other.close()
  }
})

test('a snapshot at a change of settings or rules is kept as long as an older one', async () => {
  const other = await testDatabase()
  const otherStore = await openStore(other.connection)
  const run = async (toBatch: number, overrides: Partial<WorldImage> = {}): Promise<void> => {
    while (otherStore.headBatch < toBatch) {
      const { rulesVersion = 1 } = overrides
      await otherStore.commit(journalRow(otherStore.headBatch + 1, { rulesVersion }), [])
    }
    await saveSnapshot(other.sql, packImageAtOnce({ ...smallImage(toBatch), ...overrides }))
  }
  const kept = async (): Promise<number[]> =>
    (await listSnapshots(other.sql)).map(({ batch }) => batch)
  try {
    for (const batch of [144, 150, 155]) await run(batch, { maxEntities: 1_000 })
    // A start with another setting stores a snapshot of the world it found.
    await run(155, { maxEntities: 2_000 })
    for (const batch of [160, 170]) await run(batch, { maxEntities: 2_000 })
    const changed = { maxEntities: 2_000, rulesVersion: 2 }
    for (const batch of [175, 180, 185, 190]) await run(batch, changed)
    const daily = { ...NOTHING, dailyDays: 3 }
    await pruneWorld(other.sql, daily)
    expect(await kept()).toEqual([190, 175, 170, 155, 144])
    const first = await loadSnapshot(other.sql, (await listSnapshots(other.sql))[3].id)
    expect(first.maxEntities).toBe(2_000)
    expect(await readReach(other.sql)).toMatchObject([
      { rulesVersion: 2, fromTick: 170, toTick: 190 },
      { rulesVersion: 1, fromTick: 144, toTick: 170 },
    ])
    const { tiers } = await readKept(other.sql, await listSnapshots(other.sql), daily)
    expect(tiers).toEqual(['newest', 'turn', 'turn', 'turn', 'daily'])
    await pruneWorld(other.sql, NOTHING)
    expect(await kept()).toEqual([190])
  } finally {
    await otherStore.close()
    await other.close()
  }
}, 60_000)

test('two connections can prune at once', async () => {
  const second = connect(database.connection, { name: 'second' })
  try {
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 5; i++) await takeSnapshot(20)
      await Promise.all([database.sql, second].map((sql) => pruneWorld(sql, EVERYTHING)))
      await expectWhole()
    }
  } finally {
    await disconnect(second)
  }
})

/** Prunes over a connection that the database ends after some milliseconds. */
async function pruneCutOff(keep: Keeping, ms: number): Promise<void> {
  const sql = connect(database.connection, { name: 'cut off' })
  try {
    const [{ pid }] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    const pruned = pruneWorld(sql, keep).catch(() => {})
    await sleep(ms)
    await database.sql`select pg_terminate_backend(${pid})`
    await pruned
  } finally {
    await disconnect(sql, 0)
  }
}

/** Prunes in a process that is killed some milliseconds after it began. */
async function pruneKilled(keep: Keeping, ms: number): Promise<void> {
  const child = spawn(
    process.execPath,
    ['-e', PRUNER, import.meta.url, JSON.stringify(database.connection), JSON.stringify(keep)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  child.stdin.write('go\n')
  await sleep(ms)
  child.kill('SIGKILL')
  await ended
}

const limits = fc.record({
  newest: fc.integer({ min: 1, max: 3 }),
  allHours: fc.integer({ min: 0, max: 2 }),
  hourlyDays: fc.integer({ min: 0, max: 1 }),
  dailyDays: fc.integer({ min: 0, max: 4 }),
  bytesMax: fc.constant(Number.MAX_SAFE_INTEGER),
})
const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ticks: fc.integer({ min: 1, max: 25 }) }) },
  { weight: 3, arbitrary: fc.record({ keep: limits }) },
  { weight: 2, arbitrary: fc.record({ keep: limits, cutMs: fc.integer({ min: 0, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ keep: limits, killMs: fc.integer({ min: 0, max: 25 }) }) },
)

test('all that is kept can be read after a prune is interrupted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 14 }), async (steps) => {
      for (const step of steps) {
        if ('ticks' in step) await takeSnapshot(step.ticks)
        else {
          const before = await listSnapshots(database.sql)
          const tiers = tiersOf(before, step.keep, TICK_MS)
          const due = before.filter((_, index) => tiers[index] !== undefined)
          if ('cutMs' in step) await pruneCutOff(step.keep, step.cutMs)
          else if ('killMs' in step) await pruneKilled(step.keep, step.killMs)
          else await pruneWorld(database.sql, step.keep)
          const kept = await expectWhole()
          expect(kept).toEqual(expect.arrayContaining(due.map(({ batch }) => batch)))
          if (!('cutMs' in step || 'killMs' in step)) expect(kept).toHaveLength(due.length)
        }
      }
    }),
    { numRuns: 6, seed: 21 },
  )
}, 120_000)

test('an export from an old snapshot and a restore to one include compressed rows', async () => {
  for (let i = 0; i < 5; i++) await takeSnapshot(4)
  await pruneWorld(database.sql, EVERYTHING)
  const kept = await expectWhole()
  const oldest = kept[kept.length - 1]
  const file = join(tmpdir(), `orrery-keeping-${process.pid}.orrery`)
  const elsewhere = await testDatabase()
  try {
    const exported = await exportWorld(database.sql, file, { batch: oldest })
    expect(exported.journalRows).toBe(store.headBatch - oldest)
    await importWorld(elsewhere.connection, file)
    let rows = 0
    for await (const _ of readJournal(elsewhere.sql, oldest)) rows++
    expect(rows).toBe(exported.journalRows)
    await pruneWorld(elsewhere.sql, EVERYTHING)
    const target = kept[kept.length - 2]
    await store.close()
    const dry = await restoreWorld(database.connection, target, { dryRun: true })
    const { cut } = await restoreWorld(database.connection, target)
    expect(dry.cut).toEqual(cut)
    expect(cut.journal).toBe(kept[0] - target)
    store = await openStore(database.connection)
    expect(store.headBatch).toBe(target + 1)
    const behind: number[] = []
    for await (const row of readJournal(database.sql, oldest)) behind.push(row.batch)
    expect(behind).toEqual(Array.from({ length: target + 1 - oldest }, (_, i) => oldest + i + 1))
  } finally {
    await elsewhere.close()
    await rm(file, { force: true })
  }
})
