/**
 * Simulates the whole server, without sockets, from one seed. Core, systems, journal code, link,
 * dispatch and fan-out are real; storage, time and players are simulated. In phase 1 armed faults
 * strike; in phase 2 nothing fails any more, and everything pending must resolve.
 * Source: RELIABILITY 5, Simulation.
 */
import { createDice, type Dice } from '../../core/dice.ts'
import { forgetHashes, stateHash } from '../../core/hash.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { WorldImage } from '../../core/ports.ts'
import { createRegistry, type Registry } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { Player } from '../../systems/account/state.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { type Audit, createAudit } from './audit.ts'
import type { Bot } from './bot.ts'
import { createBots } from './bots.ts'
import { CANARY_NAMES, type Canary, canaryDomain, createSaboteur, type Saboteur } from './canary.ts'
import { createFaultPlan, drawFaults, FAULT_NAMES, type FaultPlan } from './faults.ts'
import { createFront, type Front } from './front.ts'
import { createTally, type Tally } from './requests.ts'
import { smallMapDomain } from './small-map.ts'
import { createStage, type Stage } from './stage.ts'
import { createStorage, type SimStorage } from './storage.ts'
import { genesis, reloadedHash, replayedHash } from './twin.ts'
import { createWorldHost, TICK_MS, type WorldHost } from './world-life.ts'

export interface SimOptions {
  readonly seed: number
  readonly ticks: number
  /** Number of kernel threads; 0 by default. */
  readonly workers?: number
  /** True arms about half of all faults, drawn by the seed; a list arms those; false none. */
  readonly faults?: boolean | readonly string[]
  /** Tick after which the world is replaced from snapshot and journal. */
  readonly restoreAt?: number
  /** Sends mutations to the world in another order of players. */
  readonly isShuffled?: boolean
  /** Arms a deliberate bug; true draws which. */
  readonly canary?: boolean | Canary
  onTick?(tick: number): void
  /** Called with the first image of the world and the journal. */
  onEnd?(first: WorldImage, rows: readonly string[]): void
}

export interface SimResult {
  readonly seed: number
  /** Last tick, phase 2 included. */
  readonly ticks: number
  readonly hash: string
  readonly bots: number
  readonly answers: number
  readonly refusals: number
  readonly events: number
  readonly crashes: number
  readonly rows: number
  readonly inputs: number
  readonly struck: ReadonlyMap<string, number>
  readonly codes: ReadonlyMap<string, number>
  readonly commands: ReadonlyMap<string, number>
  readonly done: ReadonlyMap<string, number>
}

export class SimFailure extends Error {
  override readonly name = 'SimFailure'
}

const STEPS_PER_TICK = 4
const STEP_MS = TICK_MS / STEPS_PER_TICK
/** Ticks within which everything pending resolves: the length of phase 2. */
const RESOLVE_TICKS = 20
/** An acknowledged command resolves in the next tick; a slow reader reads it some ticks later. */
const ANSWER_TICKS = 8
/** Longer than any journey on the small map: HTTP does not say when a journey ends. */
const JOURNEY_TICKS = 80
const WORLD_SEEDS = 4
const BOTS_MIN = 12
const BOTS_MAX = 30
/** A world without a tick for this many steps is stuck. */
const STUCK_STEPS = 2_000

interface Sim {
  readonly options: SimOptions
  readonly dice: Dice
  readonly registry: Registry
  readonly stage: Stage
  readonly plan: FaultPlan
  readonly audit: Audit
  readonly storage: SimStorage
  readonly host: WorldHost
  readonly saboteur: Saboteur
  readonly tally: Tally
  front: Front
  bots: Bot[]
  tick: number
  isRestored: boolean
}

interface Armed {
  readonly kind: Canary
  readonly fromTick: number
}

function canaryOf({ canary, ticks }: SimOptions, dice: Dice): Armed | undefined {
  if (!canary) return undefined
  const kind = canary === true ? dice.pick(CANARY_NAMES) : canary
  return { kind, fromTick: 5 + dice.below(Math.max(1, ticks - 10)) }
}

function registryOf(armed: Armed | undefined): Registry {
  const domains = [smallMapDomain, ...DOMAINS]
  return createRegistry(armed ? [...domains, canaryDomain(armed.kind, armed.fromTick)] : domains)
}

function create(options: SimOptions): Sim {
  const { seed, workers = 0, faults = true } = options
  const dice = createDice(seed)
  const armed = canaryOf(options, dice.branch('canary'))
  const registry = registryOf(armed)
  const saboteur = createSaboteur(armed?.kind, () => sim.tick >= (armed?.fromTick ?? 0))
  const stage = createStage()
  const plan = createFaultPlan(
    drawFaults(FAULT_NAMES, faults, dice.branch('armed')),
    dice.branch('faults'),
  )
  const audit = createAudit(stage)
  const first = genesis(registry, 1 + (seed % WORLD_SEEDS))
  const storage = createStorage({ first, plan, dice: dice.branch('storage'), audit, saboteur })
  const host = createWorldHost({
    registry,
    stage,
    plan,
    storage,
    seed: first.seed,
    workers,
    snapshotEvery: 5 + dice.branch('snapshots').below(26),
    isShuffled: options.isShuffled ?? false,
    saboteur,
  })
  const front = createFront({ registry, stage, plan, storage, audit, host, saboteur })
  const tally = createTally()
  const sim: Sim = {
    options,
    dice,
    registry,
    stage,
    plan,
    audit,
    storage,
    host,
    saboteur,
    tally,
    front,
    bots: [],
    tick: 0,
    isRestored: false,
  }
  plan.mainTick = () => sim.front.link.state().tick
  sim.bots = makeBots(sim)
  return sim
}

function makeBots(sim: Sim): Bot[] {
  const { dice, registry, stage, plan, audit, tally } = sim
  return createBots(dice.branch('bots').below(BOTS_MAX - BOTS_MIN + 1) + BOTS_MIN, {
    dice,
    registry,
    stage,
    plan,
    audit,
    tally,
    front: () => () => sim.front,
    tick: () => sim.tick,
  })
}

function fail(sim: Sim, what: string): never {
  const { options, tick, host } = sim
  const { seed, ticks, workers = 0, faults = true, canary } = options
  const how = [
    `npm run sim -- --seed ${seed} --ticks ${ticks}`,
    ...(workers > 0 ? [`--workers ${workers}`] : []),
    ...(faults === true ? [] : [`--faults ${faults === false ? 'none' : faults.join(',')}`]),
    ...(canary ? [`--canary${canary === true ? '' : ` ${canary}`}`] : []),
    ...(options.restoreAt === undefined ? [] : [`--restore-at ${options.restoreAt}`]),
  ].join(' ')
  throw new SimFailure(`${how}\n  tick ${tick}, command ${host.commandNow()}\n  ${what}`)
}

async function settle(sim: Sim): Promise<void> {
  await sim.stage.settle()
  const world = sim.host.current()
  if (world) sim.tick = world.tick
  const broken = sim.stage.firstBroken()
  if (broken !== undefined) fail(sim, broken)
}

/** Advances virtual time by a step: timers, then storage, then the sweep of sessions. */
async function passTime(sim: Sim): Promise<void> {
  const before = sim.tick
  sim.stage.advance(STEP_MS)
  await settle(sim)
  sim.storage.step()
  await settle(sim)
  sim.front.sweep(STEP_MS)
  const { restoreAt } = sim.options
  if (!sim.isRestored && restoreAt !== undefined && sim.tick >= restoreAt) {
    sim.isRestored = true
    sim.host.crash('restored')
    await settle(sim)
  }
  if (sim.tick !== before) sim.options.onTick?.(sim.tick)
}

/**
 * Checks that accepted commands are answered: at the next tick, or soon after the end of a
 * journey.
 */
function checkLiveness(sim: Sim): void {
  for (const bot of sim.bots) {
    for (const sent of bot.requests.open()) {
      const { command, id, sentTick, arrivalTick, isAcknowledged, hasId } = sent
      const pendingTicks = hasId ? RESOLVE_TICKS : JOURNEY_TICKS
      const allowedTicks = isAcknowledged ? ANSWER_TICKS : pendingTicks
      if (sim.tick - Math.max(sentTick, arrivalTick) < allowedTicks) continue
      const when = `of tick ${sentTick} has no answer at tick ${sim.tick}`
      fail(sim, `liveness: ${command} (${id}) ${when}`)
    }
  }
}

/** Lets faults strike that end the world thread or the whole process. */
async function strikeProcess(sim: Sim): Promise<void> {
  const { plan, front, host } = sim
  if (front.link.isUp() && host.current() && plan.ends('crash_at_rest')) host.crash('crash_at_rest')
  if (front.link.isUp() && host.current() && plan.strikes('process_end')) {
    const { registry, stage, storage, audit, saboteur } = sim
    front.cut()
    for (const bot of sim.bots) bot.cut()
    sim.front = createFront({ registry, stage, plan, storage, audit, host, saboteur })
  }
  await settle(sim)
}

/** Plays phase 1: players act, and armed faults strike. */
async function play(sim: Sim): Promise<void> {
  let stuckSteps = 0
  while (sim.tick < sim.options.ticks) {
    const before = sim.tick
    await passTime(sim)
    await strikeProcess(sim)
    if (sim.tick !== before) checkLiveness(sim)
    for (const bot of sim.bots) bot.step()
    await settle(sim)
    stuckSteps = sim.tick === before ? stuckSteps + 1 : 0
    if (stuckSteps > STUCK_STEPS) fail(sim, `no tick for ${STUCK_STEPS} steps`)
  }
}

/** Plays phase 2: no faults strike any more, and everything pending must resolve. */
async function resolve(sim: Sim): Promise<void> {
  sim.plan.stop()
  sim.storage.heal()
  await settle(sim)
  const until = sim.tick + RESOLVE_TICKS
  for (let step = 0; sim.tick < until; step++) {
    if (step > RESOLVE_TICKS * STEPS_PER_TICK * 2) fail(sim, 'liveness: ticks do not continue')
    await passTime(sim)
    for (const bot of sim.bots) bot.calm()
    await settle(sim)
  }
  checkLiveness(sim)
  for (const bot of sim.bots) {
    const missing = bot.port()?.missing() ?? []
    if (missing.length > 0) fail(sim, `I10: ${bot.name} never got ${missing[0].slice(0, 200)}`)
  }
}

/** Checks that the action log and the ledger have the same balances. */
function compareWallets(sim: Sim, world: World): void {
  const { seq, alive, wallet } = world.read(Player)
  for (let row = 1; row <= world.highOf(Player); row++) {
    if (alive[row] === 0) continue
    const logged = sim.audit.balances.get(seq[row]) ?? 0
    const held = balanceOf(world, wallet[row])
    if (logged !== held)
      fail(sim, `action log: player ${seq[row]} holds ${held} credits, the log gives ${logged}`)
  }
}

/** Checks that a rehash, a reload and a replay of the journal have the world's state. */
async function compareTwins(sim: Sim): Promise<string> {
  const { registry, storage, host } = sim
  const world = host.current()
  if (!world) return fail(sim, 'no world lives at the end')
  sim.options.onEnd?.(storage.first, storage.rows)
  const incremental = stateHash(world)
  forgetHashes(world)
  const hash = stateHash(world)
  if (incremental !== hash)
    fail(sim, `I5: the incremental hash is ${incremental}, that of all bytes ${hash}`)
  compareWallets(sim, world)
  try {
    const reloaded = reloadedHash(registry, world)
    if (reloaded !== hash) fail(sim, `I14: the image loads as ${reloaded}, the world is ${hash}`)
    const replayed = await replayedHash(registry, storage.first, storage.rows)
    if (replayed !== hash) fail(sim, `I5: the journal replays to ${replayed}, the world is ${hash}`)
  } catch (error) {
    if (error instanceof SimFailure) throw error
    fail(sim, `twin: ${error instanceof Error ? error.stack : String(error)}`)
  }
  return hash
}

function resultOf(sim: Sim, hash: string): SimResult {
  const { options, tick, tally, host, audit, plan, bots } = sim
  const { answers, refusals, events, codes, commands, done } = tally
  const { rows, inputs } = audit.durable
  const counts = { answers, refusals, events, codes, commands, done, rows, inputs }
  const { seed } = options
  const about = { crashes: host.crashes(), struck: plan.struck, bots: bots.length }
  return { seed, ticks: tick, hash, ...counts, ...about }
}

/** Runs one simulation. Throws SimFailure at the first broken promise. */
export async function simulate(options: SimOptions): Promise<SimResult> {
  const sim = create(options)
  try {
    await settle(sim)
    await play(sim)
    await resolve(sim)
    return resultOf(sim, await compareTwins(sim))
  } finally {
    // Pending commands have timers in main, which would keep the simulation in memory.
    for (const bot of sim.bots) bot.cut()
    sim.front.cut()
    await sim.host.close()
  }
}
