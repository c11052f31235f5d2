/**
 * A batch: the ten phases of a tick, or the immediates between two ticks. Both are deterministic;
 * answers and events wait in the outbox until the journal row is durable, then `finishBatch`
 * (core/wire/describe.ts) turns them into messages. A tick runs in steps, between which queries may
 * read the world: at that point whole commands and systems have run, but not the whole tick.
 */
import type { ArchiveWrite } from './archive-calls.ts'
import { assert } from './assert.ts'
import {
  ACT_ORDER,
  type ArchiveDef,
  type ArchiveScope,
  type CommandDef,
  type Ensured,
  ensureAll,
  LATER,
  type MutationDef,
  needsRefusal,
} from './command.ts'
import {
  type Archived,
  admissionRefusal,
  answerTo,
  type BatchRun,
  definitionOf,
  type Engine,
  inputOf,
} from './engine.ts'
import { type Failure, fail, type Outcome } from './errors.ts'
import { itemsSumToZero } from './goods.ts'
import { hashSteps } from './hash.ts'
import { NO_REPLY } from './inbox.ts'
import { checkInvariants, checkSteps } from './invariants.ts'
import { creditsSumToZero } from './ledger.ts'
import { addPending, takeInterrupted } from './pending.ts'
import type { Answer } from './ports.ts'
import { readReferences, unknownRefusal } from './reference.ts'
import { initiative } from './rng.ts'
import { runSteps } from './steps.ts'
import type { Phase, SystemDef } from './system.ts'
import type { DeclaredWrites, Eid, JournalInput, PendingAnswer, World } from './types.ts'
import { emptyOutbox, PENDING } from './world.ts'

const CORE_CHECKS = [creditsSumToZero, itemsSumToZero]

/** Runs every check of a world in full. */
export function checkWorld({ world, registry }: Pick<Engine, 'world' | 'registry'>): void {
  checkInvariants(world, registry, CORE_CHECKS, 1)
}

/* ---- ticks ---- */

/** A mutation of the tick, and how far it has come. */
interface TickMutation {
  /** As the journal keeps it. */
  readonly input: JournalInput
  readonly pending: { -readonly [K in keyof PendingAnswer]: PendingAnswer[K] }
  readonly def: MutationDef | ArchiveDef
  readonly player: Eid
  /** As sent; with ids in place of names once the references are read. */
  params: Readonly<Record<string, unknown>>
  done: boolean
  /** It ran, and its answer comes in a later phase or tick. */
  later: boolean
  /**
   * Code with which a need refuses right after `meetNeeds`, whose move may not suffice: the command
   * may run all the same, and only another code refuses it later.
   */
  unmetCode?: string
}

/** Steps of a tick. What runs between them only reads, so that the result does not depend on it. */
type Steps<T = void> = Generator<void, T>

/** Runs one tick. `inputs`: at most one mutation per player, in any order. */
export const runTick = (
  engine: Engine,
  inputs: readonly JournalInput[],
  wallMs: number,
): BatchRun => runSteps(tickSteps(engine, inputs, wallMs))

/** Runs one tick in steps of one command or system. */
export function* tickSteps(
  engine: Engine,
  inputs: readonly JournalInput[],
  wallMs: number,
): Steps<BatchRun> {
  const { world } = engine
  world.outbox = emptyOutbox()
  world.tick++
  world.wallMs = wallMs
  const mutations = admit(engine, inputs)
  engine.phaseOver?.('admit')
  const archived: Archived[] = []
  yield* runPhase(engine, 'arrive')
  yield* engage(engine, mutations, archived)
  yield* act(engine, mutations, archived)
  engine.phaseOver?.('act')
  for (const phase of LATER_PHASES) yield* runPhase(engine, phase)
  recordLater(engine, mutations)
  world.recycle()
  engine.section.endTick()
  yield
  const checks = [...CORE_CHECKS, ...engine.registry.checks]
  const fullChecks = yield* checkSteps(world, checks, engine.checkEvery)
  const hash = world.tick % engine.hashEvery === 0 ? yield* hashSteps(world) : null
  engine.phaseOver?.('check')
  const ordered = mutations.map(({ input }) => input)
  return { inputs: ordered, outbox: world.outbox, archived, answers: [], hash, fullChecks }
}

const LATER_PHASES: readonly Phase[] = ['decide', 'fight', 'produce', 'settle']

/**
 * Runs the phase admit: puts the mutations in order of initiative; at most one per player (I3).
 */
function admit(engine: Engine, inputs: readonly JournalInput[]): TickMutation[] {
  const { world, registry } = engine
  const { seed, tick } = world
  const ranked = inputs.map((input) => ({ input, rank: initiative(seed, tick, input.player) }))
  ranked.sort((a, b) => a.rank - b.rank || a.input.player - b.input.player)
  let last = 0
  return ranked.map(({ input: given }) => {
    const input = inputOf(given)
    assert(input.player !== last, `player ${last} has two mutations in one tick`)
    last = input.player
    const def = definitionOf(registry, input.command)
    assert(def.kind === 'mutation' || def.kind === 'archive', `${input.command} is not a mutation`)
    const player = world.rowOf(registry.players.table, input.player)
    assert(player !== 0, `player ${input.player} is unknown`)
    const pending = Object.assign(inputOf(given), { sinceTick: tick })
    return { input, pending, def, player, params: input.params, done: false, later: false }
  })
}

const declaredWrites = ({ name, writes }: SystemDef): DeclaredWrites => ({
  by: name,
  tables: new Set(writes.map((table) => table.name)),
})

function* runPhase(engine: Engine, phase: Phase): Steps {
  const systems = engine.schedule.get(phase)
  assert(systems, `phase ${phase} has no place in the schedule`)
  for (const system of systems) {
    if (engine.checksWrites) engine.world.declareWrites(declaredWrites(system))
    system.run?.(engine.world)
    if (system.split) engine.section.run(engine.world, system)
    engine.world.declareWrites(undefined)
    engine.heartbeat(0)
    yield
  }
  if (phase !== 'act' && phase !== 'engage') engine.phaseOver?.(phase)
}

/**
 * Runs the phase engage: players' attacks, those of the AI, then drops the mutations that new
 * battles interrupt. Source: travel.md section 0, phases C and D.
 */
function* engage(engine: Engine, acts: readonly TickMutation[], archived: Archived[]): Steps {
  const attacks = acts.filter((entry) => orderOf(entry.def) === 'attack')
  for (const entry of attacks) {
    engine.heartbeat(entry.pending.ref)
    const refused = meetNeeds(engine, entry)
    if (refused) settle(engine, entry, refused)
    else run(engine, entry, archived)
    yield
  }
  engine.world.running.ref = 0
  yield* runPhase(engine, 'engage')
  const interrupted = takeInterrupted(engine.world)
  for (const entry of acts) {
    if (entry.done || !interrupted.has(entry.player)) continue
    if (entry.def.kind === 'mutation' && entry.def.uninterrupted) continue
    settle(engine, entry, fail('combat_interrupt', { command: entry.pending.command }))
  }
  engine.phaseOver?.('engage')
}

function run(engine: Engine, entry: TickMutation, archived: Archived[]): void {
  engine.world.running.ref = entry.pending.ref
  engine.world.running.framing = entry.pending.framing
  engine.heartbeat(entry.pending.ref)
  runMutation(engine, entry, archived)
}

/**
 * Runs the phase act: docking and undocking of everyone, then commands by their order, requests
 * before departures.
 */
function* act(engine: Engine, acts: readonly TickMutation[], archived: Archived[]): Steps {
  for (const entry of acts) {
    if (entry.done) continue
    engine.heartbeat(entry.pending.ref)
    const refused = meetNeeds(engine, entry)
    if (refused) settle(engine, entry, refused)
    else entry.unmetCode = unmetNeed(engine.world, entry)?.code
    yield
  }
  engine.heartbeat(0)
  for (const order of ACT_ORDER) {
    if (order === 'departure') yield* runPhase(engine, 'act')
    for (const entry of acts) {
      if (entry.done || orderOf(entry.def) !== order) continue
      // An earlier command of this phase may forbid it, such as one that began a match.
      const refused = forbidden(engine, entry) ?? lostNeed(engine.world, entry)
      if (refused) settle(engine, entry, refused)
      else run(engine, entry, archived)
      yield
    }
    engine.heartbeat(0)
  }
  engine.world.running.ref = 0
}

const orderOf = (def: MutationDef | ArchiveDef) => (def.kind === 'mutation' ? def.order : 'plain')

/** Refuses a mutation that has become impossible in this tick, after it was accepted. */
const forbidden = ({ world, registry }: Engine, { def, player }: TickMutation) =>
  admissionRefusal(world, registry, def, player)

/** Returns the first need that is not met now: others may have moved the ship meanwhile. */
const unmetNeed = (world: World, { def, player }: TickMutation): Failure | undefined =>
  needsRefusal(def.needs, world, player)

/** Refuses a mutation whose needs are no longer met: a leader docked or undocked the convoy. */
function lostNeed(world: World, entry: TickMutation): Failure | undefined {
  const lacking = unmetNeed(world, entry)
  return lacking?.code === entry.unmetCode ? undefined : lacking
}

/** Puts ids in place of names in the parameters; returns a check that judges those alone. */
function readParams({ world, registry }: Engine, entry: TickMutation): () => Failure | undefined {
  const { def, player } = entry
  const read = readReferences(world, registry.references, { def, player, params: entry.params })
  if (!read.ok) return () => read
  const { params, unknown } = read.result
  entry.params = params
  return () => {
    const refused = unknownRefusal(def, unknown)
    if (refused || def.kind !== 'mutation') return refused
    return def.judge?.(world, player, params)
  }
}

/**
 * Refuses what is forbidden, then what the parameters make impossible; only then moves the ship
 * to meet the needs: a mistyped command neither docks nor undocks it.
 */
function meetNeeds(engine: Engine, entry: TickMutation): Failure | undefined {
  const inadmissible = forbidden(engine, entry)
  if (inadmissible) return inadmissible
  const { world } = engine
  const { def, player, pending } = entry
  const paramsRefusal = readParams(engine, entry)
  const met = ensureAll(def.needs, world, player, entry.params)
  if (typeof met === 'object') return met
  const refused = paramsRefusal()
  if (refused || !met) return refused
  const ensured = met(world, player)
  if (typeof ensured === 'object') return ensured
  if (ensured) recordMove(pending, ensured)
  // A base may detain a player who has docked there.
  const unmet = ensureAll(def.needs, world, player, entry.params)
  return typeof unmet === 'object' ? unmet : undefined
}

function recordMove(pending: TickMutation['pending'], ensured: Ensured): void {
  if (ensured === 'auto_docked') pending.autoDocked = true
  else pending.autoUndocked = true
}

/** Queues an archive write; `args` come from the `scope` of the definition. */
function queueWrite(world: World, { method }: ArchiveDef, args: ArchiveScope, ref: number): void {
  world.outbox.writes.push({ method, args, ref } as ArchiveWrite)
}

function runMutation(engine: Engine, entry: TickMutation, archived: Archived[]): void {
  const { world } = engine
  const { def, player, pending } = entry
  entry.done = true
  if (def.kind === 'archive') {
    const scope = def.scope(world, player, entry.params)
    if (!scope.ok) world.outbox.settled.push({ pending, outcome: scope })
    else {
      queueWrite(world, def, scope.result, pending.ref)
      archived.push({ def, input: entry.input, scope: scope.result, pending })
    }
    return
  }
  addPending(world, pending)
  const outcome = def.run(world, player, entry.params)
  if (outcome === LATER) {
    entry.later = true
    return
  }
  // A refused command changes nothing (I12), not even when the player was last seen.
  if (outcome.ok) engine.registry.players.recordActed?.(world, player, true)
  settle(engine, entry, outcome)
}

/** Records as active the players whose commands ran in this tick and are answered later. */
function recordLater({ world, registry }: Engine, acts: readonly TickMutation[]): void {
  const refused = new Set<PendingAnswer>()
  for (const { pending, outcome } of world.outbox.settled) if (!outcome.ok) refused.add(pending)
  for (const { later, pending, player } of acts) {
    if (later && !refused.has(pending)) registry.players.recordActed?.(world, player, true)
  }
}

function settle(engine: Engine, entry: TickMutation, outcome: Outcome<unknown>): void {
  entry.done = true
  engine.world.outbox.settled.push({ pending: entry.pending, outcome })
  engine.world.records(PENDING).delete(String(entry.pending.player))
}

/* ---- immediates ---- */

/** Runs immediates in order of arrival. Refused ones change nothing and are not journalled. */
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
    world.running.framing = input.framing
    engine.heartbeat(input.ref)
    const read = readReferences(world, registry.references, { def, player, params: input.params })
    const outcome = read.ok
      ? runImmediate(world, def, player, { ...input, params: read.result.params })
      : read
    if (outcome.ok) {
      kept.push(input)
      if (player !== 0 && def.kind !== 'archive')
        registry.players.recordActed?.(world, player, false)
    }
    if (def.kind === 'archive' && outcome.ok) {
      const scope = outcome.result as ArchiveScope
      queueWrite(world, def, scope, input.ref)
      archived.push({ def, input, scope, pending: undefined })
    } else if (input.ref !== NO_REPLY) answers.push(answerTo(world, input, outcome))
  }
  world.running.ref = 0
  engine.heartbeat(0)
  return { inputs: kept, outbox: world.outbox, archived, answers, hash: null }
}

function runImmediate(
  world: World,
  def: CommandDef,
  player: Eid,
  input: JournalInput,
): Outcome<unknown> {
  if (player === 0 && !def.open) return fail('not_authenticated')
  if (def.kind === 'mutation') {
    assert(def.isImmediate?.(input.params), `${input.command} takes the slot of a tick`)
    const outcome = needsRefusal(def.needs, world, player) ?? def.run(world, player, input.params)
    assert(outcome !== LATER, `${input.command} does not answer at once`)
    return outcome
  }
  assert(def.kind === 'immediate' || def.kind === 'archive', `${input.command} is not an immediate`)
  const refused = needsRefusal(def.needs, world, player)
  if (refused) return refused
  return def.kind === 'archive'
    ? def.scope(world, player, input.params)
    : def.run(world, player, input.params)
}
