/**
 * A connection of the world to its database, replaced when it stops answering. A dead connection
 * can look healthy to the system for hours (a proxy, a router that dropped its state), while a
 * commit on a slow disk may legitimately take long: a waiting caller probes the database over
 * another connection to find out which of the two it is.
 */
import {
  type ConnectionOptions,
  connect,
  DEADLINE_CODE,
  disconnect,
  type Sql,
  withDeadline,
} from './db.ts'

/** ours: silence after which the database is probed; doubled by each consecutive retry. */
const PROBE_AFTER_MS = 3_000
/** Interval between two probes. */
const PROBE_INTERVAL_MS = 1_000
const PROBE_TIMEOUT_MS = 1_500
/** Time after which the connection is abandoned, whatever the probes say. */
const ANSWER_MS_MAX = 30_000
/** How long to wait for a terminated backend. */
const TERMINATE_TIMEOUT_MS = 1_000

/** A backend process, distinguished from a later one of the same pid by its start. */
interface Backend {
  readonly pid: number
  readonly since: string
}

/** Runs statements on a connection that is replaced when it stops answering. */
export class JournalSession {
  readonly #connection: ConnectionOptions
  readonly #name: string
  #sql: Sql
  /** The backend of the connection; undefined before the first statement on it. */
  #backend: Backend | undefined
  /** Backends of abandoned connections: their statements may still be running. */
  #abandoned: Backend[] = []

  /** `name`: name of the connection in the database. */
  constructor(connection: ConnectionOptions, name: string) {
    this.#connection = connection
    this.#name = name
    this.#sql = this.#open()
  }

  /**
   * Runs statements; rejects with a code that `isTransient` knows once no answer will come. Each
   * earlier attempt (`tries`) doubles the wait before the first probe.
   */
  async run<T>(work: (sql: Sql) => Promise<T>, tries: number): Promise<T> {
    const silentMs = Math.min(PROBE_AFTER_MS * 2 ** tries, ANSWER_MS_MAX)
    await withDeadline(this.#identify(), silentMs)
    const answer = work(this.#sql)
    const end = performance.now() + ANSWER_MS_MAX
    for (let waitMs = silentMs; ; waitMs = PROBE_INTERVAL_MS) {
      try {
        return await withDeadline(answer, waitMs)
      } catch (error) {
        const isSilent = (error as { code?: unknown }).code === DEADLINE_CODE
        if (!isSilent || performance.now() > end || !(await this.#isWorking())) throw error
      }
    }
  }

  /** Replaces the connection: a transaction on the old one may still be running. */
  async renew(): Promise<void> {
    const old = this.#sql
    this.#abandon()
    this.#sql = this.#open()
    await disconnect(old, 0)
  }

  close(): Promise<void> {
    return disconnect(this.#sql)
  }

  #open(): Sql {
    const sql = connect(this.#connection, {
      name: this.#name,
      // The driver reconnects automatically, to another backend.
      onClose: () => {
        if (this.#sql === sql) this.#abandon()
      },
    })
    return sql
  }

  #abandon(): void {
    if (this.#backend) this.#abandoned.push(this.#backend)
    this.#backend = undefined
  }

  /**
   * Identifies the backend, and ends abandoned ones. One that does not end in time does no harm:
   * writers compare the head, or the marker, under a row lock.
   */
  async #identify(): Promise<void> {
    const sql = this.#sql
    if (!this.#backend) {
      const rows = await sql<Backend[]>`
        select pid, backend_start::text as since from pg_stat_activity
        where pid = pg_backend_pid()`
      if (this.#sql === sql) this.#backend = rows[0]
    }
    for (; this.#abandoned.length > 0; this.#abandoned.shift()) {
      const { pid, since } = this.#abandoned[0]
      await sql`
        select pg_terminate_backend(pid, ${TERMINATE_TIMEOUT_MS}::bigint) from pg_stat_activity
        where pid = ${pid} and backend_start::text = ${since}`
    }
  }

  /**
   * Returns true while the backend is working on our statement; false if it waits for us or does
   * not answer either.
   */
  async #isWorking(): Promise<boolean> {
    const backend = this.#backend
    if (!backend) return false
    const probe = connect(this.#connection, { name: 'world probe' })
    try {
      const states = probe<{ working: boolean }[]>`
        select state = 'disabled' or state = 'active'
            and wait_event is distinct from 'ClientRead' as working
        from pg_stat_activity
        where pid = ${backend.pid} and backend_start::text = ${backend.since}`
      return (await withDeadline(states, PROBE_TIMEOUT_MS))[0]?.working ?? false
    } catch {
      return false
    } finally {
      await disconnect(probe, 0)
    }
  }
}
