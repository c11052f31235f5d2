/**
 * A flipped bit, a cut value or a missing row in what is stored is always detected, never silently
 * wrong (RELIABILITY 5, F10). Each damage is done inside a transaction that is rolled back.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WorldImage } from '../../../core/ports.ts'
import type { Sql, Tx } from '../../../storage/db.ts'
import { RulesVersionError, StorageDamageError } from '../../../storage/errors.ts'
import { readJournal } from '../../../storage/journal.ts'
import { listSnapshots, loadSnapshot } from '../../../storage/snapshots.ts'
import {
  commitRows,
  imageAt,
  openStore,
  plain,
  type TestDatabase,
  testDatabase,
} from './fixture.ts'

let database: TestDatabase
let snapshotBatch = 0
let snapshotId = 0
let head = 0
const ROWS = 6

beforeAll(async () => {
  database = await testDatabase()
  const store = await openStore(database.connection)
  snapshotBatch = await commitRows(store, 3)
  await store.saveSnapshot(imageAt(snapshotBatch))
  head = await commitRows(store, ROWS)
  await store.close()
  snapshotId = (await listSnapshots(database.sql))[0].id
})
afterAll(async () => {
  await database.close()
})

const undo = new Error('undo')

/** Returns what a read yields on damaged data, or its error; then the damage is rolled back. */
async function readDamaged<T>(
  damage: (tx: Tx) => Promise<unknown>,
  read: (sql: Sql) => Promise<T>,
) {
  let outcome: { value?: T; error?: unknown } = {}
  await database.sql
    .begin(async (tx) => {
      await damage(tx)
      outcome = await read(tx as unknown as Sql).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      )
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return outcome
}

const replay = async (sql: Sql): Promise<number> => {
  let count = 0
  for await (const _ of readJournal(sql, snapshotBatch)) count++
  return count
}

test('the undamaged journal and snapshot are read', async () => {
  expect((await readDamaged(async () => {}, replay)).value).toBe(ROWS)
  const image = await loadSnapshot(database.sql, snapshotId)
  expect(plain(image)).toEqual(plain(imageAt(snapshotBatch)))
})

/** Flips one bit of a bytea column in one row. */
const flip = (table: string, column: string, { row, at }: { row: number; at: number }) => {
  return (tx: Tx): Promise<unknown> => tx`
    update ${tx(table)} set ${tx(column)} = set_bit(${tx(column)},
      (${at}::bigint % (length(${tx(column)}) * 8))::bigint,
      1 - get_bit(${tx(column)}, (${at}::bigint % (length(${tx(column)}) * 8))::bigint))
    where ctid = (select ctid from ${tx(table)}
      where ${table === 'journal' ? tx`batch > ${snapshotBatch}` : tx`true`}
      order by ctid offset ${row} limit 1)`
}

const spot = fc.record({ row: fc.nat(ROWS - 1), at: fc.nat(1_000_000) })

test('every flipped bit of the journal after the snapshot is detected', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('body', 'checksum'), spot, async (column, where) => {
      const { error } = await readDamaged(flip('journal', column, where), replay)
      expect(error).toBeInstanceOf(StorageDamageError)
    }),
    { numRuns: 200 },
  )
})

test('every changed number or hash, cut body and missing row is detected', async () => {
  for (let batch = snapshotBatch + 1; batch <= head; batch++) {
    const changes: ((tx: Tx) => Promise<unknown>)[] = [
      (tx) => tx`delete from journal where batch = ${batch}`,
      (tx) => tx`update journal set batch = batch + 1000 where batch = ${batch}`,
      (tx) => tx`update journal set hash = coalesce(hash, '') || 'x' where batch = ${batch}`,
      (tx) => tx`
        update journal set body = substr(body, 1, length(body) - 1) where batch = ${batch}`,
      ...['tick', 'part', 'rules_version', 'wall_ms'].map(
        (column) => (tx: Tx) =>
          tx`
          update journal set ${tx(column)} = ${tx(column)} + 1 where batch = ${batch}`,
      ),
    ]
    for (const change of changes) {
      expect((await readDamaged(change, replay)).error).toBeInstanceOf(StorageDamageError)
    }
  }
})

test('rows missing at the end of the journal are detected, however many', async () => {
  for (let batch = snapshotBatch; batch < head; batch++) {
    const cut = (tx: Tx) => tx`delete from journal where batch > ${batch}`
    expect((await readDamaged(cut, replay)).error).toBeInstanceOf(StorageDamageError)
  }
  const cutAll = async (tx: Tx) => {
    await tx`delete from journal`
    await tx`delete from snapshot`
  }
  const readFromGenesis = async (sql: Sql) => {
    for await (const _ of readJournal(sql, 0));
  }
  expect((await readDamaged(cutAll, readFromGenesis)).error).toBeInstanceOf(StorageDamageError)
})

test('every flipped bit of a snapshot is detected or changes nothing', async () => {
  const places = [
    ['snapshot', 'layout'],
    ['snapshot', 'chain'],
    ['snapshot', 'sha256'],
    ['snapshot_part', 'sha256'],
    ['snapshot_chunk', 'sha256'],
    ['snapshot_chunk', 'bytes'],
    ['snapshot_chunk', 'bytes'],
    ['snapshot_chunk', 'bytes'],
  ] as const
  const whole = plain(imageAt(snapshotBatch))
  const chunks = (await database.sql`select 1 from snapshot_chunk`).length
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), spot, async ([table, column], where) => {
      const rows = table === 'snapshot' ? 1 : chunks
      const change = flip(table, column, { row: where.row % rows, at: where.at })
      const load = (sql: Sql): Promise<WorldImage> => loadSnapshot(sql, snapshotId)
      const { value, error } = await readDamaged(change, load)
      if (value) expect(plain(value)).toEqual(whole)
      else expect(error).toBeInstanceOf(StorageDamageError)
    }),
    { numRuns: 200 },
  )
})

test('missing, cut and renumbered rows of a snapshot are detected', async () => {
  const load = (sql: Sql): Promise<WorldImage> => loadSnapshot(sql, snapshotId)
  const changes: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) => tx`delete from snapshot_part where place = 0`,
    (tx) => tx`delete from snapshot_part where place = (select max(place) from snapshot_part)`,
    (tx) => tx`update snapshot_part set place = 10000 - place`,
    (tx) => tx`delete from snapshot_chunk where ctid = (select min(ctid) from snapshot_chunk)`,
    (tx) => tx`update snapshot_chunk set bytes = substr(bytes, 1, length(bytes) - 1)`,
    (tx) => tx`update snapshot_chunk set raw_bytes = raw_bytes + 1`,
    ...['batch', 'tick', 'seed', 'rules_version'].map(
      (column) => (tx: Tx) => tx`update snapshot set ${tx(column)} = ${tx(column)} + 1`,
    ),
    (tx) => tx`update snapshot set hash = 'other'`,
  ]
  for (const change of changes) {
    expect((await readDamaged(change, load)).error).toBeInstanceOf(StorageDamageError)
  }
})

test('a journal of another rules version is refused with advice', async () => {
  const store = await openStore(database.connection, { rulesVersion: 2 })
  const read = async () => {
    for await (const _ of store.journalAfter(snapshotBatch));
  }
  await expect(read()).rejects.toThrow(RulesVersionError)
  await expect(read()).rejects.toThrow(/start the release that wrote it and stop it once/)
  await store.close()
})
