/**
 * The archive: text that no rule of the tick reads, in SQL (DESIGN 1). Writes run inside a batch's
 * transaction, reads on main's pool; each is one named method. A write gets a run of calls, so that
 * many of one kind are one statement.
 */
import { fail, type Outcome } from '../../core/errors.ts'
import type { ArchiveCall } from '../../core/types.ts'
import { isAway, type Sql, withDeadline } from '../db.ts'
import { listActions, logActions } from './action-log.ts'
import { logBattles, readBattleLog, readBattleSummary } from './battles.ts'
import type { ReadMethod, WriteMethod } from './call.ts'
import { addLogEntries, deleteLogEntries, getLogEntry, listLog, readLog } from './captains-log.ts'
import { chatHistory, chatSummary, postChats } from './chat.ts'
import { closeBooks } from './economy.ts'
import { castVotes, createReplies, createThreads, deleteReplies, deleteThreads } from './forum.ts'
import { countForum, listThreads, readThread } from './forum-reads.ts'
import { dropNotes, readNote, writeNotes } from './notes.ts'
import { filePetitions } from './petitions.ts'
import { createPlayers } from './players.ts'
import { recordPrices } from './prices.ts'

export const ARCHIVE_WRITES: Readonly<Record<string, WriteMethod>> = {
  createPlayer: createPlayers,
  postChat: postChats,
  addLogEntry: addLogEntries,
  deleteLogEntry: deleteLogEntries,
  logActions,
  logBattles,
  closeBooks,
  notePrices: recordPrices,
  filePetition: filePetitions,
  createThread: createThreads,
  createReply: createReplies,
  castVote: castVotes,
  deleteThread: deleteThreads,
  deleteReply: deleteReplies,
  writeNote: writeNotes,
  dropNote: dropNotes,
}

export const ARCHIVE_READS: Readonly<Record<string, ReadMethod>> = {
  chatHistory,
  chatSummary,
  listLog,
  getLogEntry,
  readLog,
  actionLog: listActions,
  battleLog: readBattleLog,
  battleSummary: readBattleSummary,
  listThreads,
  readThread,
  countForum,
  readNote,
}

/** Main's side of the archive. */
export interface Archive {
  /** Runs a read; `persist_timeout` when the database is away or slow. */
  read(call: ArchiveCall): Promise<Outcome<unknown>>
}

const READ_TIMEOUT_MS = 5_000

export function createArchive(sql: Sql, timeoutMs: number = READ_TIMEOUT_MS): Archive {
  return {
    async read(call) {
      const method = ARCHIVE_READS[call.method]
      if (!method) throw new Error(`the archive has no read ${call.method}`)
      try {
        return await withDeadline(method(sql, call.args), timeoutMs)
      } catch (error) {
        if (isAway(error)) return fail('persist_timeout')
        throw error
      }
    },
  }
}
