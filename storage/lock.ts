/**
 * The right to write to a world: an advisory lock on a separate connection, and a token in the
 * world's row that every commit checks, so that a server that lost the lock unnoticed cannot write
 * either (RELIABILITY 5, F11). A node takes the lease first: it may then end the sessions of its
 * previous holder (SCALE 4).
 */
import { randomUUID } from 'node:crypto'
import {
  type ConnectionOptions,
  connect,
  describeConnection,
  disconnect,
  isTransient,
  nodeOfSession,
  type Sql,
  sleep,
  withDeadline,
} from './db.ts'
import { WorldLockedError } from './errors.ts'
import { endSessionsOf, readLease, takeLease } from './lease.ts'

export interface WorldLock {
  /** Token in the world's row while this server may write. */
  readonly writer: string
  /**
   * Takes the lock again if its connection was lost; throws WorldLockedError if another server has
   * it.
   */
  ensure(): Promise<void>
  /**
   * Resolves once no other server can be writing; throws WorldLockedError if one has taken over.
   */
  prove(): Promise<void>
  release(): Promise<void>
}

export interface LeaseOptions {
  /** Incarnation of the process. */
  readonly node: number
  /** How long to wait until the lease is free. */
  readonly waitMs: number
  /** Called once the lease is taken; from then on it expires unless renewed. */
  readonly taken: (epoch: number) => void
}

interface LockOptions {
  /** How long the first attempt waits for the connections of a server that has just died. */
  readonly waitMs?: number
  /** The lease to take before the lock; absent for a single server. */
  readonly lease?: LeaseOptions
}

const WAIT_MS = 3_000
const RETRY_MS = 100
const ANSWER_MS = 10_000

interface Holder {
  readonly pid: number
  readonly name: string
  readonly since: Date
}

const findHolder = async (sql: Sql, key: string): Promise<Holder | undefined> => {
  const rows = await sql<Holder[]>`
    select a.pid, a.application_name as name, a.backend_start as since
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted
      and l.database = (select oid from pg_database where datname = current_database())
      and ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended(${key}, 0)`
  return rows[0]
}

/** Takes the lock of a world; throws WorldLockedError if another server holds it. */
export async function takeWorldLock(
  connection: ConnectionOptions,
  options: LockOptions = {},
): Promise<WorldLock> {
  const lock = new HeldLock(connection, options)
  await lock.take(true)
  return lock
}

const isOfOtherNode = ({ name }: Holder, { node }: LeaseOptions): boolean => {
  const other = nodeOfSession(name)
  return other !== undefined && other !== node
}

class HeldLock implements WorldLock {
  readonly writer = randomUUID()
  readonly #connection: ConnectionOptions
  readonly #waitMs: number
  readonly #lease: LeaseOptions | undefined
  /** The connection that holds the lock. */
  #sql: Sql | undefined
  /** That connection as the database sees it, to recognise it after its end. */
  #held: Holder | undefined
  #taking: Promise<void> | undefined
  #released = false

  constructor(connection: ConnectionOptions, { waitMs = WAIT_MS, lease }: LockOptions) {
    this.#connection = connection
    this.#waitMs = waitMs
    this.#lease = lease
  }

  get #key(): string {
    return `orrery:${this.#connection.schema}`
  }

  async ensure(): Promise<void> {
    if (this.#released) throw new WorldLockedError('the store is closed')
    if (this.#sql === undefined || this.#taking) await this.#retake()
  }

  async prove(): Promise<void> {
    for (;;) {
      try {
        await this.ensure()
        const sql = this.#sql
        if (sql && (await withDeadline(this.#isMine(sql), ANSWER_MS))) return
        if (sql) throw this.#lockedBy(undefined)
      } catch (error) {
        if (!isTransient(error)) throw error
      }
      await sleep(RETRY_MS)
    }
  }

  async release(): Promise<void> {
    this.#released = true
    await this.#taking?.catch(() => {})
    const sql = this.#sql
    this.#sql = undefined
    if (sql) await disconnect(sql)
  }

  async take(first: boolean): Promise<void> {
    const sql = this.#open()
    this.#sql = sql
    try {
      const work = this.#acquire(sql, first)
      await (first ? work : withDeadline(work, ANSWER_MS))
    } catch (error) {
      if (this.#sql === sql) this.#sql = undefined
      await disconnect(sql, 0)
      throw error
    }
  }

  #retake(): Promise<void> {
    this.#taking ??= this.take(false).finally(() => {
      this.#taking = undefined
    })
    return this.#taking
  }

  #open(): Sql {
    const sql = connect(this.#connection, {
      name: `world lock (process ${process.pid})`,
      onClose: () => {
        if (this.#sql !== sql) return
        this.#sql = undefined
        // Otherwise the driver would reconnect, without the lock.
        void disconnect(sql, 0)
        // Retakes the lock at once, before another server can; a failure recurs before the commit.
        if (this.#held && !this.#released) void this.#retake().catch(() => {})
      },
    })
    return sql
  }

  async #acquire(sql: Sql, first: boolean): Promise<void> {
    const lease = first ? this.#lease : undefined
    if (lease) await this.#takeLease(sql, lease)
    const end = performance.now() + this.#waitMs
    while (!(await this.#tryLock(sql))) {
      const holder = await findHolder(sql, this.#key)
      const held = this.#held
      // Our own dead connection, which the database has not noticed yet, or that of a former
      // leader.
      const dead = held && holder?.pid === held.pid && +holder.since === +held.since
      const former = lease && holder && isOfOtherNode(holder, lease)
      if (holder && (dead || former)) await sql`select pg_terminate_backend(${holder.pid})`
      else if (performance.now() > end || (held && !(await this.#isMine(sql)))) {
        throw this.#lockedBy(holder)
      }
      await sleep(RETRY_MS)
    }
    if (first) await sql`update world set writer = ${this.writer}::uuid`
    else if (!(await this.#isMine(sql))) throw this.#lockedBy(undefined)
    this.#held = await findHolder(sql, this.#key)
  }

  /**
   * Takes the lease and revokes the right of its former holder to write, before the world is read.
   */
  async #takeLease(sql: Sql, lease: LeaseOptions): Promise<void> {
    const { node, waitMs, taken } = lease
    const end = performance.now() + waitMs
    for (;;) {
      // A single server or a tool does not use leases and is not interrupted.
      const holder = await findHolder(sql, this.#key)
      const isBusy = holder && nodeOfSession(holder.name) === undefined
      const takenLease = isBusy ? undefined : await takeLease(sql, node)
      if (takenLease) {
        taken(takenLease.epoch)
        const isOther = takenLease.former !== 0 && takenLease.former !== node
        if (isOther) await endSessionsOf(sql, takenLease.former, this.#connection.schema)
        await sql`update world set writer = ${this.writer}::uuid`
        return
      }
      if (performance.now() > end) {
        if (isBusy) throw this.#lockedBy(holder)
        throw this.#ledBy((await readLease(sql)).holder)
      }
      await sleep(RETRY_MS)
    }
  }

  async #tryLock(sql: Sql): Promise<boolean> {
    const rows = await sql<{ taken: boolean }[]>`
      select pg_try_advisory_lock(hashtextextended(${this.#key}, 0)) as taken`
    return rows[0].taken
  }

  /** Returns true while no other server has taken over the world. */
  async #isMine(sql: Sql): Promise<boolean> {
    const rows = await sql<{ mine: boolean }[]>`
      select coalesce(writer = ${this.writer}::uuid, false) as mine from world`
    return rows[0]?.mine ?? false
  }

  #ledBy(node: number): WorldLockedError {
    const where = describeConnection(this.#connection)
    return new WorldLockedError(
      `another server runs the world in schema ${this.#connection.schema} at ${where} (node ` +
        `${node} leads it): stop it first, or start this one with ROLE=standby`,
    )
  }

  #lockedBy(holder: Holder | undefined): WorldLockedError {
    const who = holder ? ` (${holder.name}, since ${holder.since.toISOString()})` : ''
    const where = describeConnection(this.#connection)
    return new WorldLockedError(
      `another server runs the world in schema ${this.#connection.schema} at ${where}${who}: ` +
        'stop it first',
    )
  }
}
