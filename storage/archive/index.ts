/**
 * The archive: text that no rule of the tick reads, in SQL (DESIGN 1). Writes run in the
 * transaction of a batch, projected ones after its commit (../projector.ts); reads run on main's
 * pool. Each is a named method. A write method gets consecutive calls, so that many of one kind are
 * one statement.
 */
import type { ArchiveRead, KeptFrame, KeptStep } from '../../core/archive-calls.ts'
import { fail, type Outcome } from '../../core/errors.ts'
import { isTransient, type Sql, sleep, withDeadline } from '../db.ts'
import { readKey, readProof } from '../proofs.ts'
import { listActions, listJumps, logActions } from './action-log.ts'
import { logBattles, readBattleLog, readBattleSummary } from './battles.ts'
import type { ReadMethod, ReadName, WriteMethod, WriteName } from './call.ts'
import { addLogEntries, deleteLogEntries, getLogEntry, listLog, readLog } from './captains-log.ts'
import { chatHistory, chatSummary, postChats } from './chat.ts'
import { closeBooks } from './economy.ts'
import { recordFills } from './fills.ts'
import { castVotes, createReplies, createThreads, deleteReplies, deleteThreads } from './forum.ts'
import { countForum, listThreads, readThread } from './forum-reads.ts'
import { dropNotes, readNote, writeNotes } from './notes.ts'
import { filePetitions } from './petitions.ts'
import { createPlayers } from './players.ts'
import { recordPrices } from './prices.ts'
import { keepFrame, keepStep, readFrame, readMoments } from './public-frames.ts'
import {
  listFills,
  listPublicBattles,
  readPriceHistory,
  readPublicBattle,
  readPublicLog,
  sumFills,
  topFills,
} from './public-reads.ts'

export const ARCHIVE_WRITES: { readonly [M in WriteName]: WriteMethod<M> } = {
  createPlayer: createPlayers,
  postChat: postChats,
  addLogEntry: addLogEntries,
  deleteLogEntry: deleteLogEntries,
  logActions,
  logBattles,
  closeBooks,
  recordPrices,
  recordFills,
  filePetition: filePetitions,
  createThread: createThreads,
  createReply: createReplies,
  castVote: castVotes,
  deleteThread: deleteThreads,
  deleteReply: deleteReplies,
  writeNote: writeNotes,
  dropNote: dropNotes,
}

const ARCHIVE_READS: { readonly [M in ReadName]: ReadMethod<M> } = {
  chatHistory,
  chatSummary,
  listLog,
  getLogEntry,
  readLog,
  actionLog: listActions,
  jumps: listJumps,
  battleLog: readBattleLog,
  battleSummary: readBattleSummary,
  listThreads,
  readThread,
  countForum,
  readNote,
  publicBattles: listPublicBattles,
  publicBattle: readPublicBattle,
  publicBattleLog: readPublicLog,
  publicFills: listFills,
  topFills,
  fillStats: sumFills,
  priceHistory: readPriceHistory,
  publicMoments: readMoments,
  publicFrame: readFrame,
  proof: readProof,
  proofKey: readKey,
}

/** Reads that wait until the projection, which is written after the commit, has their batch. */
const READS_PROJECTION: ReadonlySet<ReadName> = new Set<ReadName>([
  'actionLog',
  'battleLog',
  'battleSummary',
])
/** Reads of the forum, which strangers may ask for, too. */
const READS_FORUM: ReadonlySet<ReadName> = new Set<ReadName>([
  'listThreads',
  'readThread',
  'countForum',
])
/** Reads without a login. */
const READS_PUBLIC: ReadonlySet<ReadName> = new Set<ReadName>([
  'publicBattles',
  'publicBattle',
  'publicBattleLog',
  'publicFills',
  'topFills',
  'fillStats',
  'priceHistory',
  'publicMoments',
  'publicFrame',
  'proof',
  'proofKey',
])
/**
 * Maximum number of reads of each kind that run or wait for a connection; more are refused, since a
 * read that nobody waits for any more is still carried out.
 */
const READS_MAX = 128
const PUBLIC_READS_MAX = 32
const PROJECTION_POLL_MS = 5

/**
 * Waits until the archive is complete up to a batch; resolves with false if that takes too long.
 */
type WaitForBatch = (batch: number) => Promise<boolean>

/** Watches the projection; all waiting reads share one query at a time. */
function watchProjection(sql: Sql, timeoutMs: number): WaitForBatch {
  let known = 0
  let asking: Promise<void> | undefined
  const ask = async (waitMs: number): Promise<void> => {
    if (waitMs > 0) await sleep(waitMs)
    const rows = await sql<{ batch: number }[]>`select batch from projection`
    known = Math.max(known, rows[0].batch)
  }
  return async (batch) => {
    const end = performance.now() + timeoutMs
    for (let waitMs = 0; known < batch; waitMs = PROJECTION_POLL_MS) {
      if (performance.now() > end) return false
      asking ??= withDeadline(ask(waitMs), timeoutMs).finally(() => {
        asking = undefined
      })
      await asking
    }
    return true
  }
}

async function readWhenThere(
  sql: Sql,
  { method, args, after = 0 }: ArchiveRead,
  waitForBatch: WaitForBatch,
): Promise<Outcome<unknown>> {
  if (READS_PROJECTION.has(method) && !(await waitForBatch(after))) return fail('persist_timeout')
  // The arguments of a call match its method.
  return (ARCHIVE_READS[method] as ReadMethod<typeof method>)(sql, args as never)
}

/** Main's side of the archive. */
export interface Archive {
  /** Runs a read. Refuses: persist_timeout when the database is unavailable or slow. */
  read(call: ArchiveRead): Promise<Outcome<unknown>>
  /**
   * Stores the public frame of a tick; resolves with false if another process already has. Rejects
   * while the database is away.
   */
  keepFrame(frame: KeptFrame): Promise<boolean>
  /** Stores the changes of a tick; rejects likewise. */
  keepStep(step: KeptStep): Promise<void>
}

const READ_TIMEOUT_MS = 5_000

/**
 * Creates the archive. Public reads use a separate pool if there is one, so that logins do not wait
 * for them.
 */
export function createArchive(
  sql: Sql,
  timeoutMs: number = READ_TIMEOUT_MS,
  publicSql: Sql = sql,
): Archive {
  const waitForBatch = watchProjection(sql, timeoutMs)
  const readerOf = (pool: Sql, readsMax: number) => {
    let reads = 0
    return async (call: ArchiveRead): Promise<Outcome<unknown>> => {
      if (reads >= readsMax) return fail('persist_timeout')
      reads++
      try {
        return await readWhenThere(pool, call, waitForBatch)
      } finally {
        reads--
      }
    }
  }
  const readOwn = readerOf(sql, READS_MAX)
  const readForum = readerOf(publicSql, READS_MAX)
  const readPublic = readerOf(publicSql, PUBLIC_READS_MAX)
  const readerFor = (method: ReadName) => {
    if (READS_FORUM.has(method)) return readForum
    return READS_PUBLIC.has(method) ? readPublic : readOwn
  }
  return {
    async read(call) {
      try {
        return await withDeadline(readerFor(call.method)(call), timeoutMs)
      } catch (error) {
        if (isTransient(error)) return fail('persist_timeout')
        throw error
      }
    },
    keepFrame: (frame) => withDeadline(keepFrame(sql, frame), timeoutMs),
    keepStep: (step) => withDeadline(keepStep(sql, step), timeoutMs),
  }
}
