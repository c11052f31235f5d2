/**
 * Simulates a world of several nodes from one seed. Loop, leader, follower, forwarding and the main
 * threads of gateways are real; database, bus, time and players are simulated. In phase 1 armed
 * faults strike; in phase 2 nothing fails any more, and everything pending must resolve.
 * Source: SCALE 8.
 */
import { createDice, type Dice } from '../../core/dice.ts'
import { stateHash } from '../../core/hash.ts'
import { createRegistry, type Registry } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { type Audit, createAudit } from './audit.ts'
import type { Bot } from './bot.ts'
import { createBots } from './bots.ts'
import { createSimBus, type SimBus } from './bus.ts'
import { createSaboteur, NODE_CANARY_NAMES, type Saboteur, withAnyUnbind } from './canary.ts'
import { type Candidate, type CandidateOptions, startCandidate } from './candidate.ts'
import { createFaultPlan, drawFaults, type FaultPlan, NODE_FAULT_NAMES } from './faults.ts'
import type { Front } from './front.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { createSimLease, type SimLease } from './lease.ts'
import { createNodeAudit, type NodeAudit } from './node-audit.ts'
import { takeTimers } from './process.ts'
import { createTally, type Tally } from './requests.ts'
import { SimFailure, type SimOptions, type SimResult } from './simulate.ts'
import { smallMapDomain } from './small-map.ts'
import { createStage, type Stage } from './stage.ts'
import { createStorage, type SimStorage } from './storage.ts'
import { genesis, replayedHash } from './twin.ts'

interface NodesOptions extends Pick<SimOptions, 'seed' | 'ticks' | 'faults' | 'canary' | 'onTick'> {
  /** Number of gateways. */
  readonly nodes: number
}

export const NODES_MAX = 3
/** Chance of a seed with two processes that may lead, instead of one, %. */
const PAIRS_PCT = 75
const SHAPE = { tickMs: 2_000, maxEntities: 1_500 }
const STEP_MS = 250
/** Time a gateway is cut off at the end of phase 1, while its players log in elsewhere. */
const CUT_MS = 3_000
const WORLD_NAME = 'simulated'
const WORLD_SEEDS = 4
const BOTS_MIN = 3
const BOTS_MAX = 8
/** Chance that a process that may lead is a standby with a replica, %. */
const STANDBY_PCT = 60
/** Longest jump of the database's clock. */
const JUMP_MS_MAX = 6_000
const PAUSE_MS_MAX = 15_000
const NODE_AWAY_MS_MAX = 8_000
/** Chance that a bot logs in at its usual gateway, %. */
const HOME_PCT = 70
/** Time without faults within which everything accepted is answered and lost logins are unbound. */
const RESOLVE_MS = 24_000
/** Last part of that time, in which nobody connects. */
const QUIET_MS = 8_000
/** Ticks allowed for an answer of which nothing says when it is due, such as a journey on HTTP. */
const JOURNEY_TICKS = 80
/** A world without a tick for this long is stuck. */
const STUCK_MS = 120_000

interface Place {
  readonly name: string
  gateway: Gateway | undefined
  /** When a new gateway starts after one has ended. */
  restartMs: number
}

/** A process that may lead, or the gap until another replaces it. */
interface Seat {
  readonly name: string
  candidate: Candidate | undefined
  /** When a frozen process resumes, or a new one starts after one has ended. */
  resumeMs: number
}

interface Sim {
  readonly options: NodesOptions
  readonly dice: Dice
  readonly registry: Registry
  readonly stage: Stage
  readonly plan: FaultPlan
  readonly audit: Audit
  readonly nodeAudit: NodeAudit
  readonly storage: SimStorage
  readonly bus: SimBus
  readonly saboteur: Saboteur
  readonly tally: Tally
  readonly lease: SimLease
  readonly lead: CandidateOptions
  readonly seats: readonly Seat[]
  readonly places: readonly Place[]
  bots: Bot[]
  tick: number
}

function registryOf(isSabotaged: boolean): Registry {
  const domains = [smallMapDomain, ...DOMAINS]
  return createRegistry(isSabotaged ? withAnyUnbind(domains) : domains)
}

function create(options: NodesOptions, stage: Stage): Sim {
  const { seed, nodes, faults = true, canary } = options
  const dice = createDice(seed)
  const kind = canary === true ? dice.branch('canary').pick(NODE_CANARY_NAMES) : canary || undefined
  const registry = registryOf(kind === 'any_unbind')
  const saboteur = createSaboteur(kind, () => true, Number.POSITIVE_INFINITY)
  const armed = drawFaults(NODE_FAULT_NAMES, faults, dice.branch('armed'))
  const plan = createFaultPlan(armed, dice.branch('faults'))
  const audit = createAudit(stage)
  const first = genesis(registry, 1 + (seed % WORLD_SEEDS), SHAPE)
  const storage = createStorage({ first, plan, dice: dice.branch('storage'), audit, saboteur })
  const nodeAudit = createNodeAudit({ stage, storage, worldName: WORLD_NAME })
  const bus = createSimBus({ stage, plan, dice: dice.branch('bus'), sent: nodeAudit.sent })
  const snapshotEvery = 3 + dice.branch('snapshots').below(12)
  const seats = Array.from(
    { length: dice.branch('candidates').chance(PAIRS_PCT) ? 2 : 1 },
    (_, i): Seat => ({ name: `candidate ${i + 1}`, candidate: undefined, resumeMs: 0 }),
  )
  const lease = createSimLease({ stage, world: WORLD_NAME, head: () => audit.durable.batch })
  const shared = { registry, stage, storage, lease, bus, saboteur }
  const lead: CandidateOptions = {
    ...shared,
    worldName: WORLD_NAME,
    ran: nodeAudit.ran,
    loop: { ...SHAPE, seed: first.seed, snapshotEvery, checkEvery: 8 },
  }
  const sim: Sim = {
    ...shared,
    options,
    dice,
    plan,
    audit,
    nodeAudit,
    lead,
    tally: createTally(),
    seats,
    bots: [],
    tick: 0,
    places: Array.from({ length: nodes }, (_, i) => ({
      name: `gateway ${i + 1}`,
      gateway: undefined,
      restartMs: 0,
    })),
  }
  plan.mainTick = () => sim.tick
  for (const seat of seats) seat.candidate = fillSeat(sim, seat)
  for (const place of sim.places) startGatewayAt(sim, place)
  sim.bots = makeBots(sim)
  return sim
}

function startGatewayAt(sim: Sim, place: Place): void {
  const { registry, stage, plan, storage, audit, bus, lease, saboteur } = sim
  const shared = { registry, stage, plan, storage, audit, bus, lease, saboteur }
  place.gateway = startGateway({ ...shared, worldName: WORLD_NAME, shape: SHAPE }, place.name)
}

function makeBots(sim: Sim): Bot[] {
  const { dice, registry, stage, plan, audit, tally, places } = sim
  const count = BOTS_MIN + dice.branch('bots').below(BOTS_MAX - BOTS_MIN + 1)
  const roads = dice.branch('roads')
  const front = (number: number) => (current?: Front) => {
    const fronts = places.flatMap(({ gateway }) => (gateway ? [gateway.front] : []))
    const open = fronts.filter((candidate) => candidate.link.isUp())
    if (open.length === 0) return undefined
    const others = open.filter((candidate) => candidate !== current)
    const home = places[number % places.length].gateway?.front
    const isHome = home !== undefined && others.includes(home) && roads.chance(HOME_PCT)
    return isHome ? home : roads.pick(others.length > 0 ? others : open)
  }
  const shared = { dice, registry, stage, plan, audit, tally, front }
  return createBots(count, { ...shared, tick: () => sim.tick, hasNodes: true })
}

function fail(sim: Sim, what: string): never {
  const { options, tick } = sim
  const { seed, ticks, nodes, faults = true, canary } = options
  const how = [
    `npm run sim -- --nodes ${nodes} --seed ${seed} --ticks ${ticks}`,
    ...(faults === true ? [] : [`--faults ${faults === false ? 'none' : faults.join(',')}`]),
    ...(canary ? [`--canary${canary === true ? '' : ` ${canary}`}`] : []),
  ].join(' ')
  throw new SimFailure(`${how}\n  tick ${tick}\n  ${what}`)
}

async function settle(sim: Sim): Promise<void> {
  await sim.stage.settle()
  sim.tick = Math.max(sim.tick, sim.audit.durable.tick)
  const broken = sim.stage.firstBroken()
  if (broken !== undefined) fail(sim, broken)
}

/** Resumes candidates that were frozen long enough, and replaces those that ended. */
function watchCandidates(sim: Sim): void {
  const { stage, dice } = sim
  const nowMs = stage.nowMs()
  for (const seat of sim.seats) {
    const { candidate } = seat
    if (candidate?.process.isPaused && seat.resumeMs <= nowMs) candidate.process.resume()
    if (!candidate?.process.isOver) continue
    seat.candidate = undefined
    seat.resumeMs = nowMs + dice.below(NODE_AWAY_MS_MAX)
  }
  for (const seat of sim.seats) {
    if (!seat.candidate && seat.resumeMs <= nowMs) seat.candidate = fillSeat(sim, seat)
  }
}

/** Starts a process, either as a standby or as a server that leads as soon as it may. */
const fillSeat = (sim: Sim, { name }: Seat): Candidate =>
  startCandidate(sim.lead, name, sim.dice.chance(STANDBY_PCT))

/** Lets faults strike that end or freeze whole processes. */
function strikeProcesses(sim: Sim): void {
  const { plan, stage, dice, seats, places, lease } = sim
  const nowMs = stage.nowMs()
  if (plan.strikes('lease_clock')) lease.jump(dice.below(2 * JUMP_MS_MAX) - JUMP_MS_MAX)
  for (const seat of seats) {
    const { candidate } = seat
    if (!candidate?.leads() || candidate.process.isPaused) continue
    if (plan.strikes('leader_end')) candidate.end('leader_end')
    else if (plan.strikes('leader_pause')) {
      candidate.process.isPaused = true
      seat.resumeMs = nowMs + 1 + dice.below(PAUSE_MS_MAX)
    }
  }
  for (const place of places) {
    const { gateway } = place
    if (!gateway?.front.link.isUp()) continue
    if (plan.strikes('node_end')) {
      gateway.end()
      for (const bot of sim.bots) bot.cut(gateway.front)
      place.gateway = undefined
      place.restartMs = nowMs + 1 + dice.below(NODE_AWAY_MS_MAX)
    } else if (plan.ends('replica_end')) gateway.endReplica()
  }
}

/** Returns the world of the leader; undefined if nobody leads. */
const ledWorld = ({ seats }: Sim): World | undefined =>
  seats.find(({ candidate }) => candidate?.leads())?.candidate?.world()

/** Advances virtual time by a step: timers, then storage and bus, then restarts. */
async function passTime(sim: Sim): Promise<void> {
  const { stage, storage, bus, places } = sim
  const before = sim.tick
  stage.advance(STEP_MS)
  await settle(sim)
  storage.step()
  bus.step()
  await settle(sim)
  watchCandidates(sim)
  for (const place of places) {
    if (!place.gateway && place.restartMs <= stage.nowMs()) startGatewayAt(sim, place)
    place.gateway?.front.sweep(STEP_MS)
  }
  await settle(sim)
  if (sim.tick !== before) sim.options.onTick?.(sim.tick)
}

/** Plays phase 1: players act, and armed faults strike. */
async function play(sim: Sim): Promise<void> {
  let lastTickMs = 0
  while (sim.tick < sim.options.ticks) {
    const before = sim.tick
    await passTime(sim)
    strikeProcesses(sim)
    await settle(sim)
    for (const bot of sim.bots) bot.step()
    await settle(sim)
    const nowMs = sim.stage.nowMs()
    if (sim.tick !== before) lastTickMs = nowMs
    if (nowMs - lastTickMs > STUCK_MS) fail(sim, `no tick for ${STUCK_MS / 1000} s`)
  }
}

/**
 * Cuts a gateway off and moves its players to another one: the unbinds that the old gateway sends
 * later must not count.
 */
async function moveAway(sim: Sim): Promise<void> {
  const { plan, places, bus, bots, dice } = sim
  if (!plan.armed.has('bus_partition') || places.length === 1) return
  const { name, gateway } = dice.pick(places)
  bus.cut(name)
  for (const bot of bots) if (gateway && bot.port()?.front === gateway.front) bot.move()
  for (let ms = 0; ms < CUT_MS; ms += STEP_MS) await passTime(sim)
}

/** Plays phase 2: no faults strike any more, and everything pending must resolve. */
async function resolve(sim: Sim): Promise<void> {
  sim.plan.stop()
  sim.storage.heal()
  sim.bus.heal()
  for (const seat of sim.seats) {
    if (seat.candidate?.process.isPaused) seat.candidate.process.resume()
    seat.resumeMs = 0
  }
  for (const place of sim.places) place.restartMs = 0
  await settle(sim)
  const fromTick = sim.tick
  const untilMs = sim.stage.nowMs() + RESOLVE_MS
  while (sim.stage.nowMs() < untilMs) {
    await passTime(sim)
    const isQuiet = sim.stage.nowMs() > untilMs - QUIET_MS
    for (const bot of sim.bots) {
      if (isQuiet) bot.port()?.step()
      else bot.calm()
    }
    await settle(sim)
  }
  if (sim.tick < fromTick + 2) fail(sim, 'liveness: ticks do not continue')
}

/** Checks that every command has been answered and that no event is missing. */
function checkAnswers(sim: Sim): void {
  for (const bot of sim.bots) {
    for (const {
      command,
      id,
      sentTick,
      arrivalTick,
      isAcknowledged,
      hasId,
    } of bot.requests.open()) {
      const allowedTicks = hasId || isAcknowledged ? 2 : JOURNEY_TICKS
      if (sim.tick - Math.max(sentTick, arrivalTick) < allowedTicks) continue
      fail(sim, `liveness: ${command} (${id}) of tick ${sentTick} has no answer at the end`)
    }
    const missing = bot.port()?.missing() ?? []
    if (missing.length > 0) fail(sim, `I10: ${bot.name} never got ${missing[0].slice(0, 200)}`)
  }
}

/** Checks that every replica and a replay of the journal have the leader's state. */
async function compareWorlds(sim: Sim): Promise<string> {
  const { registry, storage, places } = sim
  const world = ledWorld(sim)
  if (!world) return fail(sim, 'nobody leads at the end')
  const hash = stateHash(world)
  for (const { name, gateway } of places) {
    const replica = gateway?.world()
    if (!replica) return fail(sim, `${name} has no replica at the end`)
    if (replica.batch !== world.batch)
      fail(sim, `${name} is at batch ${replica.batch}, the leader at ${world.batch}`)
    if (stateHash(replica) !== hash) fail(sim, `I5: the replica of ${name} has another hash`)
  }
  try {
    const replayed = await replayedHash(registry, storage.first, storage.rows, SHAPE)
    if (replayed !== hash) fail(sim, `I5: the journal replays to ${replayed}, the world is ${hash}`)
  } catch (error) {
    if (error instanceof SimFailure) throw error
    fail(sim, `twin: ${error instanceof Error ? error.stack : String(error)}`)
  }
  return hash
}

function resultOf(sim: Sim, hash: string): SimResult {
  const { options, tick, tally, audit, plan, bots, lease } = sim
  const { answers, refusals, events, codes, commands, done } = tally
  const { rows, inputs } = audit.durable
  const counts = { answers, refusals, events, codes, commands, done, rows, inputs }
  const about = { crashes: lease.view().epoch - 1, struck: plan.struck, bots: bots.length }
  return { seed: options.seed, ticks: tick, hash, ...counts, ...about }
}

/** Runs one simulation. Throws SimFailure at the first broken promise. */
export async function simulateNodes(options: NodesOptions): Promise<SimResult> {
  const stage = createStage()
  const restoreTimers = takeTimers(stage)
  const sim = create(options, stage)
  try {
    await settle(sim)
    await play(sim)
    await moveAway(sim)
    await resolve(sim)
    checkAnswers(sim)
    const world = ledWorld(sim)
    const gateways = sim.places.flatMap(({ gateway }) => gateway ?? [])
    if (world) sim.nodeAudit.checkLogins(world, sim.registry, gateways)
    sim.nodeAudit.checkOutcomes(sim.bots)
    await settle(sim)
    return resultOf(sim, await compareWorlds(sim))
  } finally {
    for (const bot of sim.bots) bot.cut()
    for (const { gateway } of sim.places) gateway?.end()
    for (const { candidate } of sim.seats) candidate?.end('over')
    restoreTimers()
  }
}
