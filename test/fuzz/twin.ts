/**
 * The twins of a world that was attacked. One replays its journal, which holds the accepted inputs
 * and nothing else; the other leaves out what its tick or the archive refused. Both must hash as
 * the world did at every checkpoint (I5, I12).
 */
import type { Engine } from '../../core/engine.ts'
import { stateHash } from '../../core/hash.ts'
import type { JournalRow, PublishedBatch } from '../../core/ports.ts'
import { createRegistry, type Registry } from '../../core/registry.ts'
import { runImmediates, runTick } from '../../core/tick.ts'
import type { JournalInput } from '../../core/types.ts'
import { finishBatch } from '../../core/wire/describe.ts'
import { openEngine, replayRow } from '../../engine/start.ts'
import { Player } from '../../systems/account/state.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { bornWorld } from '../born-world.ts'

interface TwinShape {
  readonly seed: number
  readonly tickMs: number
  readonly maxEntities: number
}

export interface Checkpoint {
  readonly tick: number
  readonly hash: string
}

export interface TwinReport {
  readonly rows: number
  readonly inputs: number
  /** Left out of the second twin: refused by their tick, or by the archive. */
  readonly refused: number
  readonly compared: number
  /** The first difference, if any. */
  readonly difference: string | undefined
}

async function freshEngine(registry: Registry, shape: TwinShape): Promise<Engine> {
  return openEngine(bornWorld({ registry, ...shape }), registry)
}

/** Commands that dock while they run; the docking remains if they are refused (travel.md 7). */
const DOCKS_BY_ITSELF = new Set(['refuel'])

/** Returns the refs of inputs without effect: refused in the batch, and not docked or undocked. */
function refusedIn(row: JournalRow, batch: PublishedBatch): Set<number> {
  const refused = new Set<number>()
  for (const answer of batch.answers) {
    const { ref, stage, outcome, command, autoDocked, autoUndocked } = answer
    const moved = autoDocked || autoUndocked || DOCKS_BY_ITSELF.has(command)
    if (stage === 'final' && !outcome.ok && !moved) refused.add(ref)
  }
  return new Set(row.inputs.map((input) => input.ref).filter((ref) => refused.has(ref)))
}

function runWithout(engine: Engine, row: JournalRow, refused: ReadonlySet<number>): void {
  const inputs = row.inputs.filter((input) => !refused.has(input.ref))
  const run =
    row.part === 0 ? runTick(engine, inputs, row.wallMs) : runImmediates(engine, inputs, row.wallMs)
  finishBatch(engine, run, row)
}

/** Copies "last seen", which refused commands update too. */
function copyLastSeen(from: Engine, to: Engine): void {
  to.world.write(Player).lastCommandMs.set(from.world.read(Player).lastCommandMs as never)
}

/** Names the parts of two worlds whose hashes differ; both have been hashed. */
function differingParts(a: Engine, b: Engine): string[] {
  const tables = [...a.world.stores].filter(
    ([name, store]) => String(store.hash) !== String(b.world.stores.get(name)?.hash),
  )
  const records = [...a.world.recordStores].filter(
    ([name, store]) => String(store.hash()) !== String(b.world.recordStores.get(name)?.hash()),
  )
  return [...tables, ...records].map(([name]) => name)
}

/** Compares the twins after refused inputs that the second one did not get. */
function refusedChanged(
  all: Engine,
  accepted: Engine,
  leftOut: readonly JournalInput[],
): string | undefined {
  if (stateHash(all.world) === stateHash(accepted.world)) return undefined
  const inputs = leftOut.map(({ command, params }) => `${command} ${JSON.stringify(params)}`)
  const parts = differingParts(all, accepted).join(', ')
  const { tick } = all.world
  return `tick ${tick}: refused, yet it changed ${parts}: one of ${inputs.join('; ')}`
}

interface TwinWork {
  readonly shape: TwinShape
  readonly checkpoints: readonly Checkpoint[]
  /** Rows with refused inputs between two comparisons; checkpoints are compared in any case. */
  readonly compareEvery: number
  /** Called with each input, and whether its batch refused it. */
  onInput(input: JournalInput, isRefused: boolean): void
}

/** Runs both twins over a journal from its beginning. */
export async function compareTwins(
  journal: AsyncIterable<JournalRow>,
  { shape, checkpoints, compareEvery, onInput }: TwinWork,
): Promise<TwinReport> {
  const registry = createRegistry(DOMAINS)
  const all = await freshEngine(registry, shape)
  const accepted = await freshEngine(registry, shape)
  const hashes = new Map(checkpoints.map(({ tick, hash }) => [tick, hash]))
  const counts = { rows: 0, inputs: 0, refused: 0, compared: 0 }
  let leftOut: JournalInput[] = []
  let rowsLeft = compareEvery
  for await (const row of journal) {
    const refused = refusedIn(row, replayRow(all, row))
    runWithout(accepted, row, refused)
    counts.rows += 1
    counts.inputs += row.inputs.length
    counts.refused += refused.size
    for (const input of row.inputs) onInput(input, refused.has(input.ref))
    if (refused.size > 0) {
      copyLastSeen(all, accepted)
      leftOut.push(...row.inputs.filter(({ ref }) => refused.has(ref)))
      rowsLeft -= 1
    }
    const hash = row.part === 0 ? hashes.get(row.tick) : undefined
    if (rowsLeft <= 0 || (hash !== undefined && leftOut.length > 0)) {
      const changed = refusedChanged(all, accepted, leftOut)
      if (changed) return { ...counts, difference: changed }
      leftOut = []
      rowsLeft = compareEvery
    }
    if (hash === undefined) continue
    counts.compared += 1
    const replayed = stateHash(all.world)
    if (replayed === hash && stateHash(accepted.world) === hash) continue
    const parts = differingParts(all, accepted).join(', ')
    const difference = `tick ${row.tick}: ${hash}, replayed ${replayed}; twins differ in: ${parts}`
    return { ...counts, difference }
  }
  return { ...counts, difference: undefined }
}
