/**
 * A batch: the ten phases of a tick, or the immediates between two. Both are synchronous and
 * deterministic; what they tell waits in the outbox until the journal row is durable, then
 * `finishBatch` turns it into what leaves.
 */
import { assert } from './assert.ts'
import {
  ACT_ORDER,
  type ArchiveDef,
  type CommandDef,
  type Ensured,
  LATER,
  type MutationDef,
  type Need,
} from './command.ts'
import { type Failure, fail, type Outcome, ok } from './errors.ts'
import type { Emission } from './event.ts'
import { itemsSumToZero } from './goods.ts'
import { stateHash } from './hash.ts'
import { NOBODY_WAITS } from './inbox.ts'
import { checkInvariants } from './invariants.ts'
import { creditsSumToZero } from './ledger.ts'
import type { ParallelSection } from './parallel.ts'
import { owe, playerNumber } from './pending.ts'
import type {
  Answer,
  JournalInput,
  JournalRow,
  PendingAnswer,
  PublishedBatch,
  PublishedEmission,
} from './ports.ts'
import type { Registry } from './registry.ts'
import { initiative } from './rng.ts'
import type { Schedule } from './schedule.ts'
import type { Phase } from './system.ts'
import { type Eid, emptyOutbox, type Outbox, PENDING, type World } from './world.ts'

/** What running batches needs besides the world. */
export interface Engine {
  readonly world: World
  readonly registry: Registry
  readonly schedule: Schedule
  readonly section: ParallelSection
  /** Told when a phase of a tick is over: the loop measures them. */
  phaseOver?(phase: Phase): void
  /** Full checks and a hash every so many ticks; 1 in tests. */
  readonly checkEvery: number
  readonly hashEvery: number
  /**
   * Told before each command (its ref) and after each system (0): the watchdog's sign of life, and
   * what is running.
   */
  beat(ref: number): void
}

/** An archive command of the batch: its answer is known once the write is durable. */
interface Archived {
  readonly def: ArchiveDef
  readonly input: JournalInput
  readonly scope: Record<string, unknown>
  readonly pending: PendingAnswer | undefined
}

export interface BatchRun {
  /** What goes into the journal row. */
  readonly inputs: readonly JournalInput[]
  readonly outbox: Outbox
  readonly archived: readonly Archived[]
  /** Answers known already: immediates, and refusals. */
  readonly answers: Answer[]
  readonly hash: string | null
}

const CORE_CHECKS = [creditsSumToZero, itemsSumToZero]
/** Answers and events of a durable batch between two signs of life. */
const FINISHED_PER_BEAT = 256
const FRAMINGS_WITH_SECTIONS = new Set(['ws2', 'http2', 'mcp2'])

export function definitionOf(registry: Registry, key: string): CommandDef {
  const def = registry.commands.get(key)
  assert(def, `command ${key} is not registered`)
  return def
}

/* ---- ticks ---- */

interface Act {
  readonly pending: { -readonly [K in keyof PendingAnswer]: PendingAnswer[K] }
  readonly def: MutationDef | ArchiveDef
  readonly player: Eid
  done: boolean
}

/** Runs one tick. `inputs`: at most one mutation a player, in any order. */
export function runTick(engine: Engine, inputs: readonly JournalInput[], wallMs: number): BatchRun {
  const { world } = engine
  world.outbox = emptyOutbox()
  world.tick++
  world.wallMs = wallMs
  const acts = admit(engine, inputs)
  engine.phaseOver?.('admit')
  const archived: Archived[] = []
  runPhase(engine, 'arrive')
  runPhase(engine, 'engage')
  act(engine, acts, archived)
  engine.phaseOver?.('act')
  for (const phase of LATER_PHASES) runPhase(engine, phase)
  world.recycle()
  engine.section.endTick()
  checkInvariants(world, engine.registry, CORE_CHECKS, engine.checkEvery)
  const hash = world.tick % engine.hashEvery === 0 ? stateHash(world) : null
  engine.phaseOver?.('check')
  const ordered = acts.map((entry) => inputOf(entry.pending))
  return { inputs: ordered, outbox: world.outbox, archived, answers: [], hash }
}

const LATER_PHASES: readonly Phase[] = ['decide', 'fight', 'produce', 'settle']

function inputOf(pending: PendingAnswer): JournalInput {
  const { ref, player, command, params, framing, requestId } = pending
  return requestId === undefined
    ? { ref, player, command, params, framing }
    : { ref, player, command, params, framing, requestId }
}

/** Phase admit: orders the mutations by initiative; one a player (I3). */
function admit(engine: Engine, inputs: readonly JournalInput[]): Act[] {
  const { world, registry } = engine
  const seen = new Set<number>()
  const order = new Map<number, number>()
  for (const input of inputs) {
    assert(!seen.has(input.player), `player ${input.player} has two mutations in one tick`)
    seen.add(input.player)
    order.set(input.player, initiative(world.seed, world.tick, input.player))
  }
  const rank = (player: number): number => order.get(player) ?? 0
  const sorted = [...inputs].sort((a, b) => rank(a.player) - rank(b.player) || a.player - b.player)
  return sorted.map((input) => {
    const def = definitionOf(registry, input.command)
    assert(def.kind === 'mutation' || def.kind === 'archive', `${input.command} is no mutation`)
    const player = world.rowOf(registry.players.table, input.player)
    assert(player !== 0, `player ${input.player} is unknown`)
    return {
      pending: { ...inputOf(input as PendingAnswer), sinceTick: world.tick },
      def,
      player,
      done: false,
    }
  })
}

function runPhase(engine: Engine, phase: Phase): void {
  const systems = engine.schedule.get(phase)
  assert(systems, `phase ${phase} has no place in the schedule`)
  for (const system of systems) {
    system.run?.(engine.world)
    if (system.split) engine.section.run(engine.world, system)
    engine.beat(0)
  }
  if (phase !== 'act') engine.phaseOver?.(phase)
}

/**
 * Phase act: docking and undocking of everyone, then commands by their order, requests before
 * departures.
 */
function act(engine: Engine, acts: readonly Act[], archived: Archived[]): void {
  for (const entry of acts) {
    engine.beat(entry.pending.ref)
    const refused = meetNeeds(engine.world, entry)
    if (refused) settle(engine, entry, refused)
  }
  engine.beat(0)
  for (const order of ACT_ORDER) {
    if (order === 'departure') runPhase(engine, 'act')
    for (const entry of acts) {
      if (entry.done || orderOf(entry.def) !== order) continue
      engine.world.running.ref = entry.pending.ref
      engine.beat(entry.pending.ref)
      perform(engine, entry, archived)
    }
    engine.beat(0)
  }
  engine.world.running.ref = 0
}

const orderOf = (def: MutationDef | ArchiveDef) => (def.kind === 'mutation' ? def.order : 'plain')

function meetNeeds(world: World, entry: Act): Failure | undefined {
  for (const need of entry.def.needs) {
    const met = need.ensure(world, entry.player, entry.pending.params)
    if (met === undefined) continue
    if (typeof met === 'object') return met
    flag(entry.pending, met)
  }
  return undefined
}

function flag(pending: Act['pending'], ensured: Ensured): void {
  if (ensured === 'auto_docked') pending.autoDocked = true
  else pending.autoUndocked = true
}

function perform(engine: Engine, entry: Act, archived: Archived[]): void {
  const { world } = engine
  const { def, player, pending } = entry
  entry.done = true
  if (def.kind === 'archive') {
    const scope = def.scope(world, player, pending.params)
    if (!scope.ok) world.outbox.settled.push({ pending, outcome: scope })
    else {
      world.outbox.writes.push({ method: def.method, args: scope.result, ref: pending.ref })
      archived.push({ def, input: inputOf(pending), scope: scope.result, pending })
    }
    return
  }
  owe(world, pending)
  const outcome = def.run(world, player, pending.params)
  // A refused command changes nothing (I12), not even when the player was last seen.
  if (outcome === LATER || outcome.ok) engine.registry.players.acted?.(world, player)
  if (outcome !== LATER) settle(engine, entry, outcome)
}

function settle(engine: Engine, entry: Act, outcome: Outcome<unknown>): void {
  entry.done = true
  engine.world.outbox.settled.push({ pending: entry.pending, outcome })
  forget(engine.world, entry.pending.player)
}

function forget(world: World, player: number): void {
  world.records(PENDING).delete(String(player))
}

/* ---- immediates ---- */

/** Refuses an immediate whose needs are not met; it never moves the ship. */
function refusal(world: World, needs: readonly Need[], player: Eid): Failure | undefined {
  for (const need of needs) {
    const refused = need.check(world, player)
    if (refused) return refused
  }
  return undefined
}

/** Runs immediates in order of arrival. Those that refuse change nothing and are not journalled. */
export function runImmediates(
  engine: Engine,
  inputs: readonly JournalInput[],
  wallMs: number,
): BatchRun {
  const { world, registry } = engine
  world.outbox = emptyOutbox()
  world.wallMs = wallMs
  const kept: JournalInput[] = []
  const archived: Archived[] = []
  const answers: Answer[] = []
  for (const input of inputs) {
    const def = definitionOf(registry, input.command)
    const player = input.player === 0 ? 0 : world.rowOf(registry.players.table, input.player)
    world.running.ref = input.ref
    engine.beat(input.ref)
    const outcome = runImmediate(world, def, player, input)
    if (outcome.ok) {
      kept.push(input)
      if (player !== 0 && def.kind !== 'archive') registry.players.acted?.(world, player)
    }
    if (def.kind === 'archive' && outcome.ok) {
      const scope = outcome.result as Record<string, unknown>
      world.outbox.writes.push({ method: def.method, args: scope, ref: input.ref })
      archived.push({ def, input, scope, pending: undefined })
    } else if (input.ref !== NOBODY_WAITS) answers.push(answerTo(world, input, outcome))
  }
  world.running.ref = 0
  engine.beat(0)
  return { inputs: kept, outbox: world.outbox, archived, answers, hash: null }
}

function runImmediate(
  world: World,
  def: CommandDef,
  player: Eid,
  input: JournalInput,
): Outcome<unknown> {
  if (player === 0 && !def.open) return fail('not_authenticated')
  if (def.kind === 'immediate') {
    return refusal(world, def.needs, player) ?? def.run(world, player, input.params)
  }
  assert(def.kind === 'archive', `${input.command} is no immediate`)
  return refusal(world, def.needs, player) ?? def.scope(world, player, input.params)
}

function answerTo(world: World, input: JournalInput, outcome: Outcome<unknown>): Answer {
  const { ref, player, command, framing, requestId } = input
  return { ref, player, command, framing, requestId, stage: 'final', tick: world.tick, outcome }
}

/* ---- after the row is durable ---- */

/** Turns a durable batch into what leaves the server. Runs at replay too: `tell` may write. */
export function finishBatch(engine: Engine, run: BatchRun, row: JournalRow): PublishedBatch {
  const { world } = engine
  world.batch = row.batch
  const answers = run.answers.map((answer) => withArchived(answer, row))
  let done = 0
  const showLife = (): void => {
    if (++done % FINISHED_PER_BEAT === 0) engine.beat(0)
  }
  for (const { pending, outcome } of run.outbox.settled) {
    answers.push(settledAnswer(engine, pending, outcome))
    showLife()
  }
  const emissions: Emission[] = [...run.outbox.emissions]
  for (const entry of run.archived) {
    const written = row.archived[String(entry.input.ref)]
    assert(written, `batch ${row.batch} lacks the outcome of ${entry.input.command}`)
    let outcome = written
    if (written.ok) {
      noteActed(engine, entry.input.player)
      emissions.push(...(entry.def.tell?.(world, entry.scope, written.result) ?? []))
      if (entry.def.answer) outcome = ok(entry.def.answer(world, entry.scope, written.result))
    }
    answers.push(
      entry.pending
        ? settledAnswer(engine, entry.pending, outcome)
        : answerTo(world, entry.input, outcome),
    )
    showLife()
  }
  const published: PublishedEmission[] = []
  for (const emission of emissions) {
    const to = resolveAudience(engine, emission)
    if (to.length > 0) published.push({ type: emission.type, payload: emission.payload, to })
    showLife()
  }
  const ran = run.inputs.map((input) => input.ref)
  return {
    batch: row.batch,
    tick: row.part === 0 ? row.tick : 0,
    ran,
    answers,
    emissions: published,
  }
}

/** Only now: a write that the archive refused is a refused command, and changes nothing (I12). */
function noteActed({ world, registry }: Engine, number: number): void {
  const player = number === 0 ? 0 : world.rowOf(registry.players.table, number)
  if (player !== 0) registry.players.acted?.(world, player)
}

/** An immediate that wrote to the archive itself (register) fails where its write was refused. */
function withArchived(answer: Answer, row: JournalRow): Answer {
  const written = row.archived[String(answer.ref)]
  return written && !written.ok ? { ...answer, outcome: written } : answer
}

function settledAnswer(engine: Engine, pending: PendingAnswer, outcome: Outcome<unknown>): Answer {
  const { world, registry } = engine
  const answer = { ...answerTo(world, inputOf(pending), outcome), ...flagsOf(pending) }
  const def = definitionOf(registry, pending.command)
  const changes = def.kind === 'mutation' || def.kind === 'archive' ? (def.changes ?? []) : []
  if (!outcome.ok || !FRAMINGS_WITH_SECTIONS.has(pending.framing)) return answer
  const player = world.rowOf(registry.players.table, pending.player)
  const sections: Answer['sections'] = {}
  for (const name of changes) sections[name] = world.section(name, player)
  if (pending.autoDocked || pending.autoUndocked) {
    sections.location = world.section('location', player)
  }
  return { ...answer, sections }
}

function flagsOf(pending: PendingAnswer): Pick<Answer, 'autoDocked' | 'autoUndocked'> {
  const flags: { autoDocked?: true; autoUndocked?: true } = {}
  if (pending.autoDocked) flags.autoDocked = true
  if (pending.autoUndocked) flags.autoUndocked = true
  return flags
}

function audienceRows(engine: Engine, audience: Emission['audience']): readonly Eid[] {
  if (audience.kind === 'player') return [audience.row]
  if (audience.kind === 'players') return audience.rows
  const resolve = engine.registry.audiences.get(audience.kind)
  assert(resolve, `no domain resolves audience ${audience.kind}`)
  const rows = resolve(engine.world, 'row' in audience ? audience.row : 0)
  const except = 'except' in audience ? audience.except : undefined
  return except === undefined ? rows : rows.filter((row) => row !== except)
}

/** Numbers of the bound players of an audience. */
function resolveAudience(engine: Engine, emission: Emission): number[] {
  const { world, registry } = engine
  const to: number[] = []
  for (const row of audienceRows(engine, emission.audience)) {
    if (registry.players.isBound(world, row)) to.push(playerNumber(world, row))
  }
  return to
}
