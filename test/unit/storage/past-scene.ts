/** A store and its archive for tests of public reads of the past. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { ArchiveRead, ArchiveWriteArgs } from '../../../core/archive-calls.ts'
import { type Archive, createArchive } from '../../../storage/archive/index.ts'
import type { PostgresStore } from '../../../storage/journal.ts'
import { archiveWrites, type WrittenDown } from '../../archive-writes.ts'
import { journalRow, openStore, type TestDatabase, testDatabase } from './fixture.ts'

export const SEED = 77
export const DAY_MS = 86_400_000
export const START_MS = Date.UTC(2031, 0, 10, 12)

interface Past {
  database: TestDatabase
  archive: Archive
  /** Opened for each test. */
  store: PostgresStore
  openStore(): Promise<void>
}

/** The scene that the tests of a file share, set up by `usePast`. */
export const past = {
  async openStore() {
    past.store = await openStore(past.database.connection)
  },
} as Past

/** Gives the tests of a file a database, which is emptied of public rows after each test. */
export function usePast(): void {
  beforeAll(async () => {
    past.database = await testDatabase()
    past.archive = createArchive(past.database.sql)
    await past.openStore()
    await past.store.ensureSeed(SEED)
    await past.store.close()
  })
  beforeEach(() => past.openStore())
  afterEach(async () => {
    await past.store.close()
    const { sql } = past.database
    for (const table of ['fill', 'fill_hour', 'price_hour', 'price_day', 'battle', 'battle_log']) {
      await sql`delete from ${sql(table)}`
    }
    await sql`delete from battle_name`
    await sql`delete from public_frame`
    await sql`delete from public_step`
  })
  afterAll(async () => {
    await past.database.close()
  })
}

/** Commits a batch of a tick with these writes, and waits until the archive has them. */
export async function commitAt(
  tick: number,
  writes: readonly WrittenDown[],
  wallMs = START_MS + tick * 10_000,
): Promise<void> {
  const { store } = past
  await store.commit(journalRow(store.headBatch + 1, { tick, wallMs }), archiveWrites(writes))
  await store.projected?.()
}

export async function read(method: string, args: object): Promise<Record<string, unknown>> {
  const outcome = await past.archive.read({ method, args } as ArchiveRead)
  if (!outcome.ok) return { code: outcome.code }
  return outcome.result as Record<string, unknown>
}

type Trade = readonly [base: string, item: string, units: number, price: number, isNpc?: boolean]

/** Makes the write of a tick's trades. */
export const tape = (...rows: readonly Trade[]): WrittenDown => ({
  method: 'recordFills',
  args: {
    bases: rows.map(([base]) => base),
    items: rows.map(([, item]) => item),
    bought: rows.map(() => true),
    byStation: rows.map(() => false),
    fromStation: rows.map(([, , , , isNpc]) => isNpc === true),
    units: rows.map(([, , units]) => units),
    credits: rows.map(([, , units, price]) => units * price),
    trades: rows.map(() => 1),
  } satisfies ArchiveWriteArgs['recordFills'],
})
