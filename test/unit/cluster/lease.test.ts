/** The lease of the leader: its rules, and the SQL statements that apply them. SCALE 4. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NodeBeat } from '../../../core/bus.ts'
import { LEASE_COURTESY_MS, LEASE_MS, LEASE_RENEW_MS } from '../../../core/limits-cluster.ts'
import { createKeptWrites } from '../../../engine/kept-writes.ts'
import {
  coldReason,
  type Lease,
  mustProve,
  NO_LEASE,
  releasedLease,
  renewedLease,
  standbyStep,
  successorOf,
  takenLease,
} from '../../../engine/lease.ts'
import { connect, disconnect, type Sql } from '../../../storage/db.ts'
import { createBatchStore } from '../../../storage/journal.ts'
import { endSessionsOf, leaseKeeper, readLease, takeLease } from '../../../storage/lease.ts'
import { migrate } from '../../../storage/migrations/index.ts'
import { sharedDatabase, type TestDatabase } from '../../databases.ts'
import { until } from '../../fault/program.ts'

let database: TestDatabase
let sql: Sql
let schema: string
beforeAll(async () => {
  database = await sharedDatabase()
  schema = database.schema()
  await migrate(database.connection(schema))
  sql = connect(database.connection(schema), { name: 'lease test' })
})
afterAll(async () => {
  await disconnect(sql)
  await database.close()
})

const held: Lease = { holder: 7, epoch: 3, expiresMs: 10_000 }

test('a lease that is free or already held can be taken, with a new epoch each time', () => {
  expect(takenLease(NO_LEASE, 7, 100)).toEqual({ holder: 7, epoch: 1, expiresMs: 100 + LEASE_MS })
  expect(takenLease(held, 8, 10_000)).toBeUndefined()
  expect(takenLease(held, 8, 10_001)?.epoch).toBe(4)
  expect(takenLease(held, 7, 5_000)).toEqual({ holder: 7, epoch: 4, expiresMs: 5_000 + LEASE_MS })
})

test('the sessions of a former leader end, and none of another world in the database', async () => {
  const sessionIn = async (name: string) => {
    const session = connect({ ...database.connection(name), node: 8_388_608 }, { name: 'own' })
    const [{ pid }] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`
    return { session, pid }
  }
  const own = await sessionIn(schema)
  const others = await sessionIn(`${schema}_other`)
  await endSessionsOf(sql, 8_388_608, schema)
  const left = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where pid in (${own.pid}, ${others.pid})`
  expect(left.map(({ pid }) => pid)).toEqual([others.pid])
  await Promise.all([disconnect(own.session), disconnect(others.session)])
})

test('only the holder renews or releases a lease, even after it has expired', () => {
  expect(renewedLease(held, 8, 5_000)).toBeUndefined()
  expect(renewedLease(held, 7, 20_000)?.expiresMs).toBe(20_000 + LEASE_MS)
  expect(releasedLease(held, 8, 5_000)).toBe(held)
  expect(takenLease(releasedLease(held, 7, 5_000), 8, 5_000)?.holder).toBe(8)
})

test('a standby leads once the lease is free: with a replica at once, without one after a while', () => {
  const view = { isFree: true, isOwn: false, freeMs: 0, wasAway: false, isFollowing: true }
  expect(standbyStep(view)).toBe('lead')
  expect(standbyStep({ ...view, isFollowing: false })).toBe('wait')
  expect(standbyStep({ ...view, isFollowing: false, freeMs: LEASE_COURTESY_MS })).toBe('lead')
  expect(standbyStep({ ...view, isFree: false })).toBe('wait')
  // While the database was away, a live leader could not renew its lease: it may do so first.
  expect(standbyStep({ ...view, wasAway: true, freeMs: LEASE_MS - 1 })).toBe('wait')
  expect(standbyStep({ ...view, wasAway: true, freeMs: LEASE_MS })).toBe('lead')
  // A thread that led has ended: the next thread of the process takes over.
  expect(standbyStep({ ...view, isFree: false, isOwn: true, isFollowing: false })).toBe('lead')
})

test('a replica may lead only if it still keeps all writes that the archive lacks', () => {
  const replica = { batch: 20, keptFrom: 15, projected: 14, hasSettings: true }
  expect(coldReason(replica)).toBeUndefined()
  expect(coldReason({ ...replica, projected: 13 })).toMatch(/archive/)
  expect(coldReason({ ...replica, keptFrom: 21, projected: 20 })).toBeUndefined()
  expect(coldReason({ ...replica, hasSettings: false })).toMatch(/settings/)
})

test('the writes that a replica keeps for the archive are bounded, the oldest dropped', () => {
  const row = (batch: number) =>
    ({ batch, tick: batch, wallMs: 0 }) as Parameters<ReturnType<typeof createKeptWrites>['add']>[0]
  const write = { method: 'logActions', args: { rows: [{}, {}] } } as never
  const kept = createKeptWrites(10, 5)
  for (const batch of [11, 12, 13]) kept.add(row(batch), [write])
  expect(kept.batches().map(({ row: { batch } }) => batch)).toEqual([12, 13])
  expect(kept.from()).toBe(12)
  kept.written(12)
  expect(kept.batches().map(({ row: { batch } }) => batch)).toEqual([13])
})

test('a leader paused for as long as its lease may last must prove that it leads', () => {
  expect(mustProve(LEASE_MS - LEASE_RENEW_MS - 1)).toBe(false)
  expect(mustProve(LEASE_MS - LEASE_RENEW_MS)).toBe(true)
})

test('the leader hands over only to a live standby that is near the head', () => {
  const node = (number: number, overrides: Partial<NodeBeat> = {}, ageMs = 100) => ({
    beat: { node: number, role: 'standby' as const, leads: false, applied: 100, ...overrides },
    ageMs,
  })
  expect(successorOf([], 100)).toBeUndefined()
  expect(successorOf([node(1, { role: 'gateway' })], 100)).toBeUndefined()
  expect(successorOf([node(1, {}, 60_000)], 100)).toBeUndefined()
  expect(successorOf([node(1, { leads: true })], 100)).toBeUndefined()
  expect(successorOf([node(1)], 10_000)).toBeUndefined()
  expect(successorOf([node(3, { applied: 99 }), node(2), node(1)], 100)).toBe(1)
})

const expire = () => sql`update lease set expires_at = now() - interval '1 second'`

test('the SQL statements take a lease only if it is free or held, and only once', async () => {
  await sql`update lease set holder = 0, epoch = 0, expires_at = '-infinity'`
  expect(await readLease(sql)).toMatchObject({ holder: 0, epoch: 0, isFree: true })
  expect(await takeLease(sql, 7)).toEqual({ epoch: 1, former: 0 })
  expect(await takeLease(sql, 8)).toBeUndefined()
  expect(await takeLease(sql, 7)).toEqual({ epoch: 2, former: 7 })
  const { leftMs, isFree } = await readLease(sql)
  expect(isFree).toBe(false)
  expect(leftMs).toBeGreaterThan(0)
  expect(leftMs).toBeLessThanOrEqual(LEASE_MS)
  await expire()
  const racers = Array.from({ length: 5 }, () =>
    connect(database.connection(schema), { name: 'racer' }),
  )
  const taken = await Promise.all(racers.map((racer, i) => takeLease(racer, 20 + i)))
  expect(taken.filter((lease) => lease !== undefined)).toEqual([{ epoch: 3, former: 7 }])
  for (const racer of racers) await disconnect(racer)
})

test('a keeper renews and releases its lease, and reports its loss to another node', async () => {
  await expire()
  await takeLease(sql, 7)
  const lost: string[] = []
  const keeper = leaseKeeper(database.connection(schema), 7, (text) => void lost.push(text))
  keeper.keep()
  await sql`update lease set expires_at = now() + interval '100 milliseconds'`
  await until('renewed', async () => (await readLease(sql)).leftMs > 1_000)
  await keeper.release()
  expect((await readLease(sql)).isFree).toBe(true)
  const other = leaseKeeper(database.connection(schema), 7, (text) => void lost.push(text))
  other.keep()
  await takeLease(sql, 8)
  await until('lost', () => lost.length > 0)
  expect(lost[0]).toMatch(/^another node leads the world now \(epoch \d+\)/)
  await other.release()
  expect((await readLease(sql)).holder).toBe(8)
})

test('a former leader that still runs cannot commit once its lease is taken', async () => {
  await expire()
  const open = (node: number) =>
    createBatchStore(
      { ...database.connection(schema), node },
      { rulesVersion: 1, lockWaitMs: 5_000, lease: { node, waitMs: 0, taken: () => {} } },
    )
  const row = (batch: number) => ({
    batch,
    tick: batch,
    part: 0,
    rulesVersion: 1,
    wallMs: 1,
    inputs: [],
    archived: {},
    hash: null,
  })
  const first = await open(31)
  await first.commit(row(1), [])
  await expect(open(32)).rejects.toThrow(/another server runs the world .*node 31 leads it/)
  await first.prove()
  await expire()
  const second = await open(32)
  await expect(first.prove()).rejects.toThrow(/another server runs the world/)
  await expect(first.commit(row(2), [])).rejects.toThrow(/another server/)
  await second.commit(row(2), [])
  expect(second.headBatch).toBe(2)
  await first.close()
  await second.close()
})

test('a node cannot take the world from a server that runs without a lease', async () => {
  await expire()
  const alone = await createBatchStore(database.connection(schema), { rulesVersion: 1 })
  const node = 41
  const taking = createBatchStore(
    { ...database.connection(schema), node },
    { rulesVersion: 1, lockWaitMs: 0, lease: { node, waitMs: 0, taken: () => {} } },
  )
  await expect(taking).rejects.toThrow(/another server runs the world .*process/)
  await alone.prove()
  await alone.close()
})
