/** Pages of a battle's log, which are bounded by bytes since rows of large battles are long. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATTLE_LOG_PAGE_BYTES } from '../../../core/limits.ts'
import { type Archive, createArchive } from '../../../storage/archive/index.ts'
import type { PostgresStore } from '../../../storage/journal.ts'
import { archiveWrites, type WrittenDown } from '../../archive-writes.ts'
import { journalRow, openStore, type TestDatabase, testDatabase } from './fixture.ts'

let database: TestDatabase
let store: PostgresStore
let archive: Archive

beforeAll(async () => {
  database = await testDatabase()
  archive = createArchive(database.sql)
  store = await openStore(database.connection)
})
afterAll(async () => {
  await store.close()
  await database.close()
})

interface Page {
  readonly entries: readonly { readonly tick: number }[]
  readonly has_more: boolean
}

/** Reads the log of a battle from a tick on. */
async function pageFrom(tickStart: number, limit: number): Promise<Page> {
  const args = { battle: 45, battle_id: 'b45', limit, activeTicks: 12, tickStart }
  const outcome = await archive.read({ method: 'battleLog', args, after: store.headBatch })
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome.result as Page
}

test('a page ends with the row that fills it, and the next page starts after it', async () => {
  const long = 'x'.repeat(BATTLE_LOG_PAGE_BYTES / 3)
  const rows = Array.from({ length: 12 }, (_, i) => {
    const entry = { battle_id: 'b45', system_id: 's', tick: 100 + i, snapshots: [], long }
    return { battle: 45, tick: 100 + i, kills: 0, entry }
  })
  const write = { method: 'logBattles', args: { rows } } as unknown as WrittenDown
  await store.commit(journalRow(store.headBatch + 1, {}), archiveWrites([write]))
  const pages: number[][] = []
  let hasMore = true
  for (let from = 0; hasMore; from = (pages.at(-1)?.at(-1) ?? 0) + 1) {
    const { entries, has_more } = await pageFrom(from, 50)
    pages.push(entries.map(({ tick }) => tick))
    hasMore = has_more
  }
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 3, 3])
  expect(pages.flat()).toEqual(rows.map(({ tick }) => tick))
  expect((await pageFrom(0, 2)).entries).toHaveLength(2)
})
