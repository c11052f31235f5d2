/**
 * `orrery snapshot verify`: checks the checksums of what is stored, and that a replay of the journal
 * leads from each snapshot to the next, and from the newest to the last batch, with equal hashes.
 */
import { Option } from 'commander'
import type { Engine } from '../core/engine.ts'
import { stateHash } from '../core/hash.ts'
import { RULES_VERSION } from '../core/version.ts'
import type { Sql } from '../storage/db.ts'
import { StorageDamageError } from '../storage/errors.ts'
import { readJournal } from '../storage/journal.ts'
import { chainAt } from '../storage/journal-blocks.ts'
import { listSnapshots, loadSnapshot, type SnapshotRow } from '../storage/snapshots.ts'
import { pickSnapshot, reading, SNAPSHOT_NAMES } from './database.ts'
import { count, styled } from './format.ts'
import { DATABASE, type Tool, type ToolDef, ToolError } from './tool.ts'
import { engineOf, journalRowsAfter, lastBatch, replay } from './world.ts'

interface Verified {
  readonly batch: number
  readonly tick: number
  readonly hash: string
  readonly ok: boolean
  /** Batch of the snapshot that the replay began with; absent if there was no replay. */
  readonly replayedFrom?: number
  readonly journalRows?: number
  readonly problem?: string
  /** Why an intact snapshot was not reached by replay. */
  readonly note?: string
}

interface JournalVerified {
  readonly ok: boolean
  readonly from: number
  readonly rows: number
  /** The last batch reached; tick and hash are those at its end. */
  readonly batch: number
  readonly tick: number
  readonly hash?: string
  readonly problem?: string
}

export const verifyTool: ToolDef = {
  usage: 'verify [snapshot]',
  summary: 'check checksums, and replay the journal from the previous snapshot to the same hash',
  help:
    `${SNAPSHOT_NAMES} Without a name: checks all checksums, replays to the newest\n` +
    'snapshot, and checks the journal after it. --all replays from each snapshot to the next, which\n' +
    'takes hours for a year. Exit code 1 if anything is damaged.',
  settings: DATABASE,
  options: [
    new Option('--sums', 'only checksums, no replay'),
    new Option('--all', 'replay all that is kept').conflicts('sums'),
  ],
  run: (tool, [name], options) =>
    reading(tool, async (sql) => {
      const all = [...(await listSnapshots(sql))].reverse()
      const picked = name === undefined ? undefined : await pickSnapshot(sql, name)
      const isQuick = options.sums === true
      const rows = picked ? withPredecessor(all, picked, isQuick) : all
      const verifier = createVerifier(tool, sql)
      const found: Verified[] = []
      for (const [index, row] of rows.entries()) {
        const isNear = options.all === true || index >= rows.length - 2
        const verified = await verifier.snapshot(row, !isQuick && isNear)
        if (!picked || row.id === picked.id) found.push(verified)
        tool.progress('snapshots verified', index + 1, rows.length)
      }
      if (found.length === 0) throw new ToolError('There is no snapshot yet.')
      const journal = picked ? undefined : await verifier.journal()
      const ok = found.every((one) => one.ok) && (journal?.ok ?? true)
      const lines = [...found.map(snapshotText), ...(journal ? [journalText(journal)] : [])]
      return {
        data: { ok, snapshots: found, ...(journal ? { journal } : {}) },
        text: [...lines, ok ? styled('green', 'All intact.') : styled('red', 'Damaged.')].join(
          '\n',
        ),
        failed: !ok,
      }
    }),
}

/** Returns a snapshot and, for a replay, the one before it. */
function withPredecessor(
  all: readonly SnapshotRow[],
  picked: SnapshotRow,
  isQuick: boolean,
): readonly SnapshotRow[] {
  if (isQuick) return [picked]
  const before = all.filter((row) => row.batch < picked.batch)
  return [...before.slice(-1), picked]
}

interface Verifier {
  /** Checks a snapshot; with `isOpened` also opens its world and replays to it from the last. */
  snapshot(row: SnapshotRow, isOpened: boolean): Promise<Verified>
  journal(): Promise<JournalVerified>
}

/** Errors that are findings; anything else is a fault of the tool or the database. */
const isFinding = (error: unknown): error is Error =>
  error instanceof StorageDamageError ||
  error instanceof ToolError ||
  (error instanceof Error && /^(RulesVersionError|AssertionError)$/.test(error.name))

/** Creates a verifier of snapshots in order: each replay begins at the last intact one. */
function createVerifier(tool: Tool, sql: Sql): Verifier {
  let last: { engine?: Engine; batch: number; tick: number; isForeign?: boolean } | undefined
  return {
    async snapshot(row, isOpened) {
      const { batch, tick, hash } = row
      const base = { batch, tick, hash }
      let engine: Engine | undefined
      let foreign: string | undefined
      try {
        const image = await loadSnapshot(sql, row.id, {
          onProgress: (done, all) => tool.progress(`chunks of batch ${batch} read`, done, all),
        })
        await chainAt(sql, batch)
        if (row.rulesVersion !== RULES_VERSION) foreign = `made by rules ${row.rulesVersion}`
        else if (isOpened)
          engine = await engineOf(tool, image, { checkEvery: tool.config.checkEvery })
      } catch (error) {
        if (!isFinding(error)) throw error
        return { ...base, ok: false, problem: error.message }
      }
      const from = last
      last = { engine, batch, tick, isForeign: foreign !== undefined }
      if (foreign) return { ...base, ok: true, note: `${foreign}, so not replayed` }
      if (!isOpened) return { ...base, ok: true }
      if (!from || from.isForeign)
        return { ...base, ok: true, note: 'no intact snapshot before it to replay from' }
      if (!from.engine) return { ...base, ok: true, note: 'not replayed (--all)' }
      if (from.batch === batch)
        return { ...base, ok: true, note: 'same batch as the one before it' }
      const replayed = await replayTo(tool, sql, { engine: from.engine, row })
      return { ...base, replayedFrom: from.batch, ...replayed }
    },
    async journal() {
      const { batch: from, tick, engine } = last ?? { batch: 0, tick: 0 }
      let [rows, batch, lastTick] = [0, from, tick]
      const all = (await lastBatch(sql)) - from
      const result = () => ({ from, rows, batch, tick: lastTick })
      try {
        if (!last) throw new ToolError('there is no intact snapshot before it')
        for await (const row of engine ? journalRowsAfter(sql, from) : readJournal(sql, from)) {
          if (engine) await replay(engine, row)
          rows++
          batch = row.batch
          lastTick = row.tick
          tool.progress('batches after the newest snapshot', rows, all)
        }
        return { ok: true, ...result(), ...(engine ? { hash: stateHash(engine.world) } : {}) }
      } catch (error) {
        if (!isFinding(error)) throw error
        return { ok: false, ...result(), problem: error.message }
      }
    },
  }
}

interface Leg {
  readonly engine: Engine
  readonly row: SnapshotRow
}

/** Replays the journal up to a snapshot's batch. */
async function replayTo(tool: Tool, sql: Sql, { engine, row }: Leg) {
  const { world } = engine
  const start = world.batch
  let journalRows = 0
  try {
    for await (const entry of journalRowsAfter(sql, start)) {
      if (entry.batch > row.batch) break
      await replay(engine, entry)
      tool.progress(`batches replayed to ${row.batch}`, ++journalRows, row.batch - start)
      if (entry.batch === row.batch) break
    }
    if (world.batch !== row.batch) throw new ToolError(`the journal ends at batch ${world.batch}`)
    const hash = stateHash(world)
    if (hash !== row.hash) throw new ToolError(`the replay ends with another hash: ${hash}`)
    return { ok: true, journalRows }
  } catch (error) {
    if (!isFinding(error)) throw error
    return { ok: false, journalRows, problem: error.message }
  }
}

function snapshotText({ batch, tick, ok, problem, note, ...one }: Verified): string {
  const head = `batch ${batch} (tick ${tick}):`
  if (!ok) return `${head} ${styled('red', 'DAMAGED')}: ${problem}`
  if (note !== undefined) return `${head} checksums match; ${note}`
  if (one.replayedFrom === undefined) return `${head} checksums match`
  const rows = count(one.journalRows ?? 0, 'row')
  return `${head} checksums match; ${rows} replayed from batch ${one.replayedFrom} end with its hash`
}

function journalText({ ok, rows, from, batch, tick, hash, problem }: JournalVerified): string {
  if (!ok)
    return `journal: ${styled('red', 'DAMAGED')} after batch ${batch} (tick ${tick}): ${problem}`
  const end = hash === undefined ? '' : `, hash ${hash}`
  return `journal: ${count(rows, 'row')} after batch ${from} intact, to batch ${batch} (tick ${tick})${end}`
}
