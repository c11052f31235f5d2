/**
 * The projection writes archive rows after the commit of their batch: exactly once, and before they
 * are read or a snapshot builds on them.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ArchiveWrite } from '../../../core/archive-calls.ts'
import { createArchive } from '../../../storage/archive/index.ts'
import { connect, disconnect, type Sql, type Tx } from '../../../storage/db.ts'
import type { PostgresStore } from '../../../storage/journal.ts'
import { Projector } from '../../../storage/projector.ts'
import { listSnapshots } from '../../../storage/snapshots.ts'
import { imageAt, journalRow, openStore, type TestDatabase, testDatabase } from './fixture.ts'
import { type DatabaseProxy, startProxy } from './proxy.ts'

let database: TestDatabase
let proxy: DatabaseProxy
let blocker: Sql
let store: PostgresStore

beforeAll(async () => {
  database = await testDatabase()
  proxy = await startProxy(database.connection)
  blocker = connect(database.connection, { name: 'blocker', connectionsMax: 1 })
})
afterEach(async () => {
  await store.close()
})
afterAll(async () => {
  await disconnect(blocker)
  await proxy.close()
  await database.close()
})

const logActions = (player: number, ...summaries: string[]): ArchiveWrite => {
  const about = { player, category: 'ship', eventType: 'ship.dock' }
  return {
    method: 'logActions',
    args: { rows: summaries.map((summary) => ({ ...about, summary })) },
  }
}

const summariesOf = async (player: number): Promise<string[]> => {
  const rows = await database.sql<{ summary: string }[]>`
    select summary from action_log where player = ${player} order by id`
  return rows.map(({ summary }) => summary)
}

const marker = async (): Promise<number> => {
  const rows = await database.sql<{ batch: number }[]>`select batch from projection`
  return rows[0].batch
}

const nextRow = (): ReturnType<typeof journalRow> => journalRow(store.headBatch + 1)

/** Keeps the projection from being written while `work` runs. */
async function whileHeld(work: (tx: Tx) => Promise<void>): Promise<void> {
  await blocker.begin(async (tx) => {
    await tx`select batch from projection for update`
    await work(tx)
  })
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 50))

test('actions are written after their commit, in order, and the marker follows', async () => {
  store = await openStore(database.connection)
  await whileHeld(async () => {
    const row = nextRow()
    expect(await store.commit(row, [logActions(1, 'one', 'two')])).toEqual(row)
    await store.commit(nextRow(), [logActions(1, 'three')])
    await store.commit(nextRow(), [])
    expect(await summariesOf(1)).toEqual([])
  })
  await store.projected?.()
  expect(await summariesOf(1)).toEqual(['one', 'two', 'three'])
  expect(await marker()).toBe(store.headBatch)
  await store.commit(nextRow(), [])
  expect(await marker()).toBe(store.headBatch)
})

test('a replay writes what a crash kept from the archive, and nothing twice', async () => {
  store = await openStore(database.connection)
  const before = store.headBatch
  const rows = [1, 2, 3].map((step) => journalRow(before + step))
  const writes = ['there', 'lost', 'lost too'].map((summary) => [logActions(2, summary)])
  await store.commit(rows[0], writes[0])
  await store.projected?.()
  await whileHeld(async () => {
    await store.commit(rows[1], writes[1])
    await store.commit(rows[2], writes[2])
    await store.close()
  })
  store = await openStore(database.connection)
  for (const [i, row] of rows.entries()) await store.project?.(row, writes[i])
  await store.projected?.()
  expect(await summariesOf(2)).toEqual(['there', 'lost', 'lost too'])
  expect(await marker()).toBe(store.headBatch)
})

test('a replay writes nothing that the previous server has written meanwhile', async () => {
  store = await openStore(database.connection)
  const before = store.headBatch
  const rows = [1, 2, 3].map((step) => journalRow(before + step))
  const writes = rows.map((_, i) => [logActions(8, `act ${i}`)])
  await whileHeld(async () => {
    for (const [i, row] of rows.entries()) await store.commit(row, writes[i])
    await store.close()
  })
  await blocker.begin(async (tx) => {
    await tx`update projection set batch = ${before + 3}`
    await tx`
      insert into action_log (player, category, event_type, summary, tick, batch, at)
      select 8, 'ship', 'ship.dock', 'act ' || at, 1, ${before}::bigint + 1 + at, now()
      from generate_series(0, 2) as at`
    store = await openStore(database.connection)
    for (const [i, row] of rows.entries()) await store.project?.(row, writes[i])
    await pause()
  })
  await store.projected?.()
  expect(await summariesOf(8)).toEqual(['act 0', 'act 1', 'act 2'])
  expect(await marker()).toBe(store.headBatch)
  await store.commit(nextRow(), [logActions(8, 'act 3')])
  await store.projected?.()
  expect(await summariesOf(8)).toHaveLength(4)
})

test('a projection whose answer was lost is not written twice', async () => {
  const logged: string[] = []
  store = await openStore(proxy.connection, { log: (_, __, text) => logged.push(text) })
  const before = proxy.cuts
  await store.commit(nextRow(), [logActions(3, 'warm')])
  await store.projected?.()
  proxy.cutAnswer('COMMIT\0', { of: 'orrery world archive' })
  await store.commit(nextRow(), [logActions(3, 'once')])
  await store.projected?.()
  expect(proxy.cuts).toBe(before + 1)
  proxy.cutRequest('commit', { of: 'orrery world archive' })
  await store.commit(nextRow(), [logActions(3, 'again')])
  await store.projected?.()
  expect(proxy.cuts).toBe(before + 2)
  expect(await summariesOf(3)).toEqual(['warm', 'once', 'again'])
  expect(logged.filter((text) => text.startsWith('the archive waits'))).toHaveLength(2)
})

test('a read waits for the writes of its batch', async () => {
  store = await openStore(database.connection)
  const archive = createArchive(database.sql)
  const args = { player: 4, page: 1, pageSize: 10 }
  const read = (after: number) => archive.read({ method: 'actionLog', args, after })
  let outcome: unknown
  await whileHeld(async () => {
    await store.commit(nextRow(), [logActions(4, 'seen')])
    void read(store.headBatch).then((result) => (outcome = result))
    expect(await read(store.headBatch - 1)).toMatchObject({ result: { entries: [] } })
    await pause()
    expect(outcome).toBeUndefined()
    const impatient = createArchive(database.sql, 100)
    expect(
      await impatient.read({ method: 'actionLog', args, after: store.headBatch }),
    ).toMatchObject({ ok: false, code: 'persist_timeout' })
  })
  await expect.poll(() => outcome).toMatchObject({ result: { entries: [{ summary: 'seen' }] } })
})

test('many waiting reads share their queries of the marker', async () => {
  store = await openStore(database.connection)
  let queries = 0
  const counting = new Proxy(database.sql, {
    apply(sql, self, args) {
      if (String(args[0]).includes('from projection')) queries++
      return Reflect.apply(sql, self, args)
    },
  })
  const archive = createArchive(counting)
  const args = { player: 10, page: 1, pageSize: 10 }
  let reads: Promise<unknown>[] = []
  await whileHeld(async () => {
    await store.commit(nextRow(), [logActions(10, 'seen by all')])
    const after = store.headBatch
    reads = Array.from({ length: 50 }, () => archive.read({ method: 'actionLog', args, after }))
    await pause()
  })
  for (const outcome of await Promise.all(reads)) {
    expect(outcome).toMatchObject({ result: { entries: [{ summary: 'seen by all' }] } })
  }
  expect(queries).toBeGreaterThan(0)
  expect(queries).toBeLessThan(50)
})

test('a snapshot is listed only after the archive has its batch', async () => {
  store = await openStore(database.connection)
  let saved = Promise.resolve()
  await whileHeld(async () => {
    await store.commit(nextRow(), [logActions(5, 'before the snapshot')])
    saved = store.saveSnapshot(imageAt(store.headBatch))
    await expect
      .poll(() => database.sql`select from snapshot where batch = ${store.headBatch}`)
      .toHaveLength(1)
    await pause()
    expect(await listSnapshots(database.sql)).toEqual([])
  })
  await saved
  expect((await listSnapshots(database.sql))[0].batch).toBe(store.headBatch)
})

test('a store moves a marker that lags behind its last snapshot to the head', async () => {
  store = await openStore(database.connection)
  await store.commit(nextRow(), [logActions(9, 'by the old one')])
  await store.saveSnapshot(imageAt(store.headBatch))
  await store.close()
  // A release without a projection writes archive rows with the commit and leaves the marker.
  await database.sql`update projection set batch = batch - 1`
  store = await openStore(database.connection)
  expect(await marker()).toBe(store.headBatch)
})

/** Makes the prices of an hour, which the database accepts once. */
const pricesOf = (tick: number): ArchiveWrite => {
  const hour = { tick, bases: ['b'], items: ['ore'], units: [1], credits: [2] }
  return { method: 'recordPrices', args: { ...hour, fills: [1], charted: [true] } }
}

test('data that the database refuses fails only its own write, and is logged', async () => {
  const logged: string[] = []
  store = await openStore(database.connection, { log: (_, __, text) => logged.push(text) })
  const prices = pricesOf(360)
  await store.commit(nextRow(), [prices, logActions(6, 'first')])
  await store.commit(nextRow(), [prices, logActions(6, 'second')])
  await store.projected?.()
  expect(await summariesOf(6)).toEqual(['first', 'second'])
  expect(logged).toHaveLength(1)
  expect(logged[0]).toContain('an archive write was refused')
})

test('a refusal in a batch that the archive already has is not logged', async () => {
  const logged: string[] = []
  const prices = pricesOf(720)
  store = await openStore(database.connection)
  await store.commit(nextRow(), [prices])
  await store.projected?.()
  const row = nextRow()
  await whileHeld(async () => {
    await store.commit(row, [prices])
    await store.close()
  })
  await blocker.begin(async (tx) => {
    await tx`update projection set batch = ${row.batch}`
    store = await openStore(database.connection, { log: (_, __, text) => logged.push(text) })
    await store.project?.(row, [prices])
    await pause()
  })
  await store.projected?.()
  expect(await marker()).toBe(store.headBatch)
  expect(logged).toEqual([])
})

test('commits wait while too many rows wait for the archive', async () => {
  store = await openStore(database.connection)
  const many = Array.from({ length: 30_000 }, () => 'x')
  let isThrough = false
  let last = Promise.resolve()
  await whileHeld(async () => {
    // The first batch is being written, and the others wait behind it.
    for (let i = 0; i < 3; i++) await store.commit(nextRow(), [logActions(7, ...many)])
    last = store.commit(nextRow(), []).then(() => {
      isThrough = true
    })
    await pause()
    expect(isThrough).toBe(false)
  })
  await last
  await store.projected?.()
  expect((await summariesOf(7)).length).toBe(90_000)
})

test('nothing is written past a batch whose rows could not be', async () => {
  store = await openStore(database.connection)
  await store.projected?.()
  const [{ writer }] = await database.sql<{ writer: string }[]>`select writer from world`
  let isLost = true
  const lock = {
    writer,
    ensure: async () => {
      if (isLost) throw new Error('the lock is lost')
    },
    prove: async () => {},
    release: async () => {},
  }
  const before = await marker()
  const projector = new Projector(database.connection, lock, () => {}, before)
  const entry = (batch: number) => ({ batch, tick: 1, wallMs: 1, writes: [logActions(11, 'x')] })
  projector.add(entry(before + 1))
  await expect(projector.settled()).rejects.toThrow('the lock is lost')
  isLost = false
  // A commit under way at that time hands over its batch all the same.
  projector.add(entry(before + 2))
  for (let tries = 0; tries < 10 && (await marker()) === before; tries++) await pause()
  expect([await marker(), await summariesOf(11)]).toEqual([before, []])
  await projector.close()
})
