/**
 * Runs a world as fast as possible: the caller starts each batch, which is committed to a store as
 * in a server. No clock is read here: by default a tick is one tick length after the last one.
 */
import { randomBytes } from 'node:crypto'
import type { ArchiveWrite } from '../core/archive-calls.ts'
import type { BatchRun, Engine } from '../core/engine.ts'
import { marksToStore } from '../core/id-marks.ts'
import { captureWorld, createImageMemory } from '../core/image.ts'
import { createInbox, receive } from '../core/inbox.ts'
import type { Answer, JournalRow } from '../core/ports.ts'
import { runImmediates, runTick } from '../core/tick.ts'
import { HOUR_TICKS } from '../core/time.ts'
import type { JournalInput } from '../core/types.ts'
import { RULES_VERSION } from '../core/version.ts'
import { finishBatch, rowOfBatch } from '../core/wire/describe.ts'
import { forgetFeeds } from '../core/wire/feed.ts'
import type { ConnectionOptions } from '../storage/db.ts'
import { createBatchStore } from '../storage/journal.ts'
import { anonymousInput } from '../storage/transfer-past.ts'
import type { Tool } from './tool.ts'

export interface Ahead {
  readonly engine: Engine
  /** Runs immediates between two ticks. */
  now(inputs: readonly JournalInput[], wallMs?: number): Promise<readonly Answer[]>
  /** Runs a tick with at most one mutation per player. */
  tick(inputs: readonly JournalInput[], wallMs?: number): Promise<readonly Answer[]>
  /** Takes a last snapshot and closes the store. */
  close(): Promise<void>
}

/** Replaces the credentials of a new player: a password that nobody knows, and no account. */
function withUnknownPassword(write: ArchiveWrite): ArchiveWrite {
  if (write.method !== 'createPlayer') return write
  const { code: _, accountId: __, ...args } = write.args
  return { ...write, args, secret: { passwordHash: randomBytes(32).toString('hex') } }
}

/**
 * Opens a store for the world of `engine`, which must be at the end of its journal; no server may
 * have it open. Takes a snapshot every `snapshotEvery` ticks.
 */
export async function openAhead(
  tool: Tool,
  engine: Engine,
  connection: ConnectionOptions,
  snapshotEvery: number = HOUR_TICKS,
): Promise<Ahead> {
  const { world } = engine
  const { hashEvery, checkEvery, snapshotKeep } = tool.config
  const hashing: Engine = { ...engine, hashEvery, checkEvery }
  const store = await createBatchStore(connection, {
    rulesVersion: RULES_VERSION,
    keep: snapshotKeep,
    log: (_, __, text) => tool.note(text),
  })
  const memory = createImageMemory()
  let part = 0
  const save = (): Promise<void> => store.saveSnapshot(captureWorld(world, memory))
  const commit = async (run: BatchRun): Promise<readonly Answer[]> => {
    const row = { ...rowOfBatch(world, run, part), idMarks: marksToStore(world) }
    const durable = await store.commit(row, run.outbox.writes.map(withUnknownPassword))
    const { answers } = finishBatch(hashing, run, durable)
    // There are no clients to send anything to.
    forgetFeeds(world)
    await engine.section.settled()
    return answers
  }
  return {
    engine,
    async now(inputs, wallMs = world.wallMs) {
      const run = runImmediates(hashing, inputs, wallMs)
      if (run.inputs.length === 0) return run.answers
      part++
      return commit(run)
    },
    async tick(inputs, wallMs = world.wallMs + world.tickMs) {
      part = 0
      const batch = await commit(runTick(hashing, inputs, wallMs))
      if (world.tick % snapshotEvery === 0) await save()
      return batch
    },
    async close() {
      try {
        await store.projected?.()
        await save()
      } finally {
        await store.close()
      }
    },
  }
}

/**
 * Runs a journal row in a world that has diverged from the one in which it was written; leaves out
 * the inputs that this world would not accept.
 */
export function runAgain(ahead: Ahead, row: JournalRow): Promise<readonly Answer[]> {
  const { world, registry } = ahead.engine
  if (row.part !== 0) return ahead.now(row.inputs.map(anonymousInput), row.wallMs)
  const inputs = row.inputs.filter(
    (input) => receive(world, registry, createInbox(), input)?.stage === 'accepted',
  )
  return ahead.tick(inputs, row.wallMs)
}
