/** Texts of notes in SQL: writing, replacing, dropping, restoring and pruning. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Archive, createArchive } from '../../../storage/archive/index.ts'
import { createPruneState, pruneArchive } from '../../../storage/archive/prune.ts'
import type { PostgresStore } from '../../../storage/journal.ts'
import { restoreWorld } from '../../../storage/restore.ts'
import { archiveWrites, type WrittenDown } from '../../archive-writes.ts'
import { imageAt, journalRow, openStore, type TestDatabase, testDatabase } from './fixture.ts'

let database: TestDatabase
let store: PostgresStore
let archive: Archive

beforeAll(async () => {
  database = await testDatabase()
  archive = createArchive(database.sql)
  store = await openStore(database.connection)
})
beforeEach(async () => {
  await database.sql`delete from note_text`
})
afterAll(async () => {
  await store.close()
  await database.close()
})

const write = (note: number, content: string) => ({ method: 'writeNote', args: { note, content } })
const drop = (note: number) => ({ method: 'dropNote', args: { note } })
/** Commits one batch with these writes and returns its number. */
async function commit(...calls: WrittenDown[]): Promise<number> {
  await store.commit(journalRow(store.headBatch + 1), archiveWrites(calls))
  return store.headBatch
}
async function read(note: number): Promise<unknown> {
  const found = await archive.read({ method: 'readNote', args: { note, view: { title: 'T' } } })
  return found.ok ? found.result : found.code
}
const countTexts = async (note: number): Promise<number> => {
  const rows = await database.sql<{ count: number }[]>`
    select count(*)::int as count from note_text where note = ${note}`
  return rows[0].count
}

test('a note is read with its latest text and its details', async () => {
  await commit(write(1, 'Ünï "quoted" \\ text'), write(2, 'Other.'))
  expect(await read(1)).toEqual({ title: 'T', content: 'Ünï "quoted" \\ text' })
  await commit(write(1, 'Again.'), write(1, 'And again.'))
  expect(await read(1)).toEqual({ title: 'T', content: 'And again.' })
  expect(await read(2)).toEqual({ title: 'T', content: 'Other.' })
  expect(await read(3)).toBe('note_not_found')
})

test('a note has room for 100,000 characters', async () => {
  const long = '\u{1f680}'.repeat(100_000)
  await commit(write(1, long))
  expect(await read(1)).toMatchObject({ content: long })
})

test('a dropped note is not found', async () => {
  await commit(write(1, 'One.'), write(2, 'Two.'), write(3, 'Three.'))
  await commit(drop(1), drop(2))
  expect([await read(1), await read(2)]).toEqual(['note_not_found', 'note_not_found'])
  expect(await read(3)).toMatchObject({ content: 'Three.' })
})

test('pruning keeps the texts that a restore to a snapshot needs', async () => {
  await commit(write(1, 'First.'), write(2, 'Kept.'))
  await commit(write(1, 'Second.'))
  await store.saveSnapshot(imageAt(store.headBatch))
  const restoredBatch = store.headBatch
  await commit(write(1, 'Third.'), drop(2), write(3, 'Later.'))
  await pruneArchive(database.sql, createPruneState(), new Date())
  expect([await countTexts(1), await countTexts(2)]).toEqual([2, 1])
  await store.close()
  const { cut } = await restoreWorld(database.connection, restoredBatch)
  expect(cut.note_text).toBe(2)
  expect(await read(1)).toMatchObject({ content: 'Second.' })
  expect(await read(2)).toMatchObject({ content: 'Kept.' })
  expect(await read(3)).toBe('note_not_found')
  store = await openStore(database.connection)
})
