/** Commits of batches: refused writes, lost connections, and the lock of the world. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ArchiveWrite } from '../../../core/archive-calls.ts'
import { ForeignWriterError, WorldLockedError } from '../../../storage/errors.ts'
import { type PostgresStore, readJournal } from '../../../storage/journal.ts'
import { archiveWrites } from '../../archive-writes.ts'
import {
  commitRows,
  journalRow,
  openStore,
  readAll,
  type TestDatabase,
  testDatabase,
} from './fixture.ts'
import { type DatabaseProxy, startProxy } from './proxy.ts'

let database: TestDatabase
let proxy: DatabaseProxy
let store: PostgresStore | undefined

beforeAll(async () => {
  database = await testDatabase()
  proxy = await startProxy(database.connection)
})
afterEach(async () => {
  proxy.up()
  await store?.close()
  store = undefined
})
afterAll(async () => {
  await proxy.close()
  await database.close()
})

const say = (ref: number, content: string): ArchiveWrite => ({
  method: 'postChat',
  ref,
  args: { channel: 'local', scope: 'local:p', senderId: 's', sender: 'S', content },
})
const countChat = async (content: string): Promise<number> => {
  const rows = await database.sql<{ count: number }[]>`
    select count(*)::int as count from chat where content = ${content}`
  return rows[0].count
}

test('rows are read from the journal as they were committed, in order', async () => {
  store = await openStore(database.connection)
  const from = store.headBatch
  const first = journalRow(from + 1)
  expect(await store.commit(first, [])).toEqual(first)
  const second = journalRow(from + 2, { part: 1, tick: from + 1 })
  const committed = await store.commit(second, [say(1, 'one'), say(2, 'two')])
  expect(Object.keys(committed.archived)).toEqual(['1', '2'])
  expect(await readAll(store, from)).toEqual([first, committed])
  expect(await readAll(store, from + 1)).toEqual([committed])
})

test('a reopened store continues where the journal ends', async () => {
  store = await openStore(database.connection)
  const head = await commitRows(store, 450)
  await store.close()
  store = await openStore(database.connection)
  expect(store.headBatch).toBe(head)
  await commitRows(store, 1)
  expect((await readAll(store, head - 450)).length).toBe(451)
})

test('the journal can be read while it is written, to ever later batches', async () => {
  store = await openStore(database.connection)
  const from = store.headBatch
  let isWriting = true
  const writing = commitRows(store, 300).finally(() => {
    isWriting = false
  })
  const ends: number[] = []
  while (isWriting) {
    let end = from
    for await (const { batch } of readJournal(database.sql, from)) end = batch
    ends.push(end)
  }
  await writing
  expect(ends.length).toBeGreaterThan(2)
  expect(ends).toEqual([...ends].sort((a, b) => a - b))
  expect((await readAll(store, from)).length).toBe(300)
})

test('a refused archive write leaves its outcome in the row and spares the rest', async () => {
  store = await openStore(database.connection)
  const row = journalRow(store.headBatch + 1)
  const bad = { method: 'deleteLogEntry', ref: 5, args: { player: 1, index: 3 } }
  const committed = await store.commit(row, archiveWrites([say(4, 'before'), bad, say(6, 'after')]))
  expect(committed.archived[5]).toMatchObject({ ok: false, code: 'invalid_index' })
  expect(committed.archived[6]).toMatchObject({ ok: true })
  expect(await countChat('after')).toBe(1)
  expect((await readAll(store, row.batch - 1))[0]).toEqual(committed)
})

test('a batch is rolled back if a write without a ref is refused', async () => {
  store = await openStore(database.connection)
  const row = journalRow(store.headBatch + 1)
  const bad = { method: 'deleteLogEntry', args: { player: 1, index: 3 } }
  await expect(store.commit(row, archiveWrites([say(4, 'rolled back'), bad]))).rejects.toThrow(
    'nobody waits',
  )
  expect(await countChat('rolled back')).toBe(0)
  expect(await readAll(store, row.batch - 1)).toEqual([])
  await store.commit(row, [])
})

test('data that the database refuses fails only its own write', async () => {
  store = await openStore(database.connection)
  const row = journalRow(store.headBatch + 1)
  const fine = { method: 'addLogEntry', ref: 8, args: { player: 1, entry: 'x' } }
  const createPlayer = (ref: number) => ({
    method: 'createPlayer',
    ref,
    secret: { passwordHash: 'ab'.repeat(32) },
    args: {
      playerId: '11111111-2222-4333-8444-555555555555',
      number: 1,
      username: 'U',
      usernameKey: 'u',
      empire: 'e',
    },
  })
  const committed = await store.commit(row, archiveWrites([createPlayer(1), createPlayer(2), fine]))
  expect(committed.archived[1].ok).toBe(true)
  expect(committed.archived[2]).toMatchObject({ ok: false, code: 'internal_error' })
  expect(committed.archived[8].ok).toBe(true)
})

test('texts with NUL, lone surrogates, quotes and braces are stored', async () => {
  store = await openStore(database.connection)
  const texts = ['a\u0000b', '\ud800', '"{,}\\"', "'; drop table chat; --", '\u001b[31m\r\n']
  const row = journalRow(store.headBatch + 1)
  await store.commit(
    row,
    texts.map((text, index) => say(index + 1, text)),
  )
  const rows = await database.sql<{ content: string }[]>`
    select content from chat where batch = ${row.batch} order by id`
  expect(rows.map((found) => found.content)).toEqual(['a\ufffdb', '\ufffd', ...texts.slice(2)])
})

test('a commit whose answer was lost is read back and not written twice', async () => {
  store = await openStore(proxy.connection)
  const before = proxy.cuts
  await store.commit(journalRow(store.headBatch + 1), [say(1, 'warm')])
  proxy.cutAnswer('COMMIT\0')
  const row = journalRow(store.headBatch + 1)
  const committed = await store.commit(row, archiveWrites([say(1, 'once')]))
  expect(proxy.cuts).toBe(before + 1)
  expect(committed.archived[1].ok).toBe(true)
  expect(await countChat('once')).toBe(1)
  expect(await readAll(store, row.batch - 1)).toEqual([committed])
  proxy.cutAnswer('INSERT 0 1')
  const next = journalRow(row.batch + 1)
  expect(await store.commit(next, [])).toEqual(next)
  expect(proxy.cuts).toBe(before + 2)
})

test('a commit that never arrived is written again', async () => {
  store = await openStore(proxy.connection)
  const before = proxy.cuts
  proxy.cutRequest('commit')
  const row = journalRow(store.headBatch + 1)
  const committed = await store.commit(row, archiveWrites([say(1, 'again')]))
  expect(proxy.cuts).toBe(before + 1)
  expect(await countChat('again')).toBe(1)
  expect(await readAll(store, row.batch - 1)).toEqual([committed])
})

async function until(isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) await new Promise((done) => setTimeout(done, 20))
}

test('a commit waits while the database is away, which is reported once', async () => {
  const notices: string[] = []
  store = await openStore(proxy.connection, {
    onUnavailable: () => notices.push('away'),
    onAvailable: () => notices.push('back'),
  })
  await commitRows(store, 1)
  proxy.down()
  const row = journalRow(store.headBatch + 1)
  const commit = store.commit(row, archiveWrites([say(1, 'patience')]))
  await until(async () => notices.length > 0)
  expect(notices).toEqual(['away'])
  proxy.up()
  await commit
  expect(notices).toEqual(['away', 'back'])
  expect(await countChat('patience')).toBe(1)
})

test('a second server is refused, with the reason', async () => {
  store = await openStore(database.connection)
  await expect(openStore(database.connection)).rejects.toThrow(WorldLockedError)
  await expect(openStore(database.connection)).rejects.toThrow(/another server runs the world/)
  await store.close()
  store = await openStore(database.connection)
})

/** Selects the lock of this schema alone: other files use the same database at the same time. */
const ourLock = () => database.sql`
  locktype = 'advisory' and granted and ((classid::bigint << 32) | objid::bigint) =
    hashtextextended(${`orrery:${database.connection.schema}`}, 0)`

const endLock = async (): Promise<void> => {
  await database.sql`select pg_terminate_backend(pid) from pg_locks where ${ourLock()}`
}

/** Returns the process that holds the lock. */
const holder = async (): Promise<number | undefined> => {
  const held = await database.sql<{ pid: number }[]>`select pid from pg_locks where ${ourLock()}`
  return held[0]?.pid
}

test('a server that lost its lock to another cannot commit', async () => {
  store = await openStore(proxy.connection)
  await commitRows(store, 1)
  // While it is cut off, the first cannot take the lock again before the second does.
  proxy.down()
  await endLock()
  const second = await openStore(database.connection, { lockWaitMs: 2_000 })
  proxy.up()
  await expect(store.commit(journalRow(store.headBatch + 1), [])).rejects.toThrow(WorldLockedError)
  await commitRows(second, 1)
  await second.close()
})

test('a server that lost its lock takes it again if it is free', async () => {
  store = await openStore(database.connection)
  await commitRows(store, 1)
  const first = await holder()
  await endLock()
  // The ended process holds the lock a moment longer.
  await until(async () => ![undefined, first].includes(await holder()))
  await expect(openStore(database.connection)).rejects.toThrow(WorldLockedError)
  await commitRows(store, 1)
  await expect(openStore(database.connection)).rejects.toThrow(WorldLockedError)
})

test('a commit fails if another writer has written its batch', async () => {
  store = await openStore(database.connection)
  await commitRows(store, 1)
  const batch = store.headBatch + 1
  await database.sql`
    insert into journal (batch, tick, part, rules_version, wall_ms, body, hash, checksum)
    values (${batch}, 1, 0, 1, 0, 'x'::bytea, null, 'y'::bytea)`
  await database.sql`update world set head_batch = ${batch}`
  await expect(store.commit(journalRow(batch), [])).rejects.toThrow(ForeignWriterError)
  await database.sql`delete from journal where batch = ${batch}`
  await database.sql`update world set head_batch = ${batch - 1}`
})
