/**
 * An archive in memory for tests without PostgreSQL: the methods that write inside a batch.
 */
import type { ArchiveWrite } from '../core/archive-calls.ts'
import { type ErrorCode, fail, type Outcome, ok } from '../core/errors.ts'
import type { JournalRow } from '../core/ports.ts'

type Args = Readonly<Record<string, unknown>>

interface Kept {
  readonly batch: number
  readonly args: Args
}

export interface MemoryArchive {
  readonly rows: Map<string, Kept[]>
  write(write: ArchiveWrite, row: JournalRow): Outcome<unknown>
  /** Refuses the next write of a method with this code. */
  refuse(method: string, code: ErrorCode): void
}

const LOG_ENTRIES_MAX = 20

export function memoryArchive(): MemoryArchive {
  const rows = new Map<string, Kept[]>()
  const logs = new Map<string, { entry: unknown; at: number }[]>()
  const refusals = new Map<string, ErrorCode>()
  let nextId = 1

  const logOf = (player: unknown) => {
    const key = String(player)
    const log = logs.get(key) ?? []
    logs.set(key, log)
    return log
  }
  const methods: Record<string, (args: Args, row: JournalRow) => Outcome<unknown>> = {
    postChat: (_args, row) => ok({ id: nextId++, timestamp: new Date(row.wallMs).toISOString() }),
    addLogEntry: (args, row) => {
      const log = logOf(args.player)
      log.unshift({ entry: args.entry, at: row.wallMs })
      log.splice(LOG_ENTRIES_MAX)
      return ok({ index: 0, created_at: new Date(row.wallMs).toISOString() })
    },
    deleteLogEntry: (args) => {
      const log = logOf(args.player)
      const index = Number(args.index)
      if (index < 0 || index >= log.length) return fail('invalid_index')
      log.splice(index, 1)
      return ok({ remaining_count: log.length })
    },
    createThread: () => ok({ thread_id: String(nextId++) }),
    createReply: () => ok({ reply_id: String(nextId++) }),
  }
  return {
    rows,
    refuse(method, code) {
      refusals.set(method, code)
    },
    write(write, row) {
      const refused = refusals.get(write.method)
      if (refused !== undefined) {
        refusals.delete(write.method)
        return fail(refused)
      }
      const args = write.args as Args
      const kept = rows.get(write.method) ?? []
      kept.push({ batch: row.batch, args })
      rows.set(write.method, kept)
      return methods[write.method]?.(args, row) ?? ok({})
    },
  }
}
