/**
 * The journal's connection: found out when it stops answering, given up, and made anew. A
 * connection can swallow bytes for good and look sound to the system for hours (a proxy, a router
 * that forgot it), while a commit on a slow disk may rightly take as long: whoever waits asks the
 * database, over another connection, which of the two it is.
 */
import {
  type ConnectionOptions,
  connect,
  DEADLINE_CODE,
  disconnect,
  type Sql,
  withDeadline,
} from './db.ts'

/** ours: silence after which the database is asked; doubled by each try in a row. */
const SILENT_MS = 3_000
/** Between two such questions. */
const ASK_EVERY_MS = 1_000
const ASK_MS = 1_500
/** Whatever the database says: then the connection is given up. */
const ANSWER_MS_MAX = 30_000
/** How long a process that is told to end is waited for. */
const END_MS = 1_000
const NAME = 'world'

/** A process of the database, told from a later one of the same number. */
interface Backend {
  readonly pid: number
  readonly since: string
}

export class JournalSession {
  readonly #connection: ConnectionOptions
  #sql: Sql
  /** Who answers on the connection; unknown before the first statement on it. */
  #backend: Backend | undefined
  /** Of connections given up: what they were doing may still be under way. */
  #left: Backend[] = []

  constructor(connection: ConnectionOptions) {
    this.#connection = connection
    this.#sql = this.#open()
  }

  /** Runs statements; rejects with a code that `isAway` knows once no answer will come. */
  async run<T>(work: (sql: Sql) => Promise<T>, tries: number): Promise<T> {
    const silentMs = Math.min(SILENT_MS * 2 ** tries, ANSWER_MS_MAX)
    await withDeadline(this.#meet(), silentMs)
    const answer = work(this.#sql)
    const end = performance.now() + ANSWER_MS_MAX
    for (let waitMs = silentMs; ; waitMs = ASK_EVERY_MS) {
      try {
        return await withDeadline(answer, waitMs)
      } catch (error) {
        const isSilent = (error as { code?: unknown }).code === DEADLINE_CODE
        if (!isSilent || performance.now() > end || !(await this.#isWorking())) throw error
      }
    }
  }

  /** Nothing of the old connection is used any more: its transaction may still be under way. */
  async renew(): Promise<void> {
    const old = this.#sql
    this.#leave()
    this.#sql = this.#open()
    await disconnect(old, 0)
  }

  close(): Promise<void> {
    return disconnect(this.#sql)
  }

  #open(): Sql {
    const sql = connect(this.#connection, {
      name: NAME,
      // The driver connects again by itself, to another process.
      onClose: () => {
        if (this.#sql === sql) this.#leave()
      },
    })
    return sql
  }

  #leave(): void {
    if (this.#backend) this.#left.push(this.#backend)
    this.#backend = undefined
  }

  /** Learns who answers, and ends those who were left: what they did is done or undone then. */
  async #meet(): Promise<void> {
    const sql = this.#sql
    if (!this.#backend) {
      const rows = await sql<Backend[]>`
        select pid, backend_start::text as since from pg_stat_activity
        where pid = pg_backend_pid()`
      if (this.#sql === sql) this.#backend = rows[0]
    }
    for (; this.#left.length > 0; this.#left.shift()) {
      const { pid, since } = this.#left[0]
      await sql`
        select pg_terminate_backend(pid, ${END_MS}::bigint) from pg_stat_activity
        where pid = ${pid} and backend_start::text = ${since}`
    }
  }

  /** True when the database is at work for us; false when it waits for us, or cannot say. */
  async #isWorking(): Promise<boolean> {
    const backend = this.#backend
    if (!backend) return false
    const probe = connect(this.#connection, { name: 'world probe' })
    try {
      const asked = probe<{ working: boolean }[]>`
        select state = 'disabled' or state = 'active'
            and wait_event is distinct from 'ClientRead' as working
        from pg_stat_activity
        where pid = ${backend.pid} and backend_start::text = ${backend.since}`
      return (await withDeadline(asked, ASK_MS))[0]?.working ?? false
    } catch {
      return false
    } finally {
      await disconnect(probe, 0)
    }
  }
}
