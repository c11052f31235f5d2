/**
 * Two fleets of real clients fight to the end in one system while spectators watch. Checks whether
 * a frame is lost or out of order, and measures queries, ticks and publishing meanwhile.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { moduleUrl } from '../core/module-url.ts'
import type { Client, Params, Reply } from './client.ts'
import { connect } from './clients.ts'
import { each } from './each.ts'
import { quantile, sorted, spread } from './figures.ts'
import type { SpectatorFigures } from './fleet-spectators.ts'
import { type BattleWatch, watchBattle } from './fleet-watch.ts'
import { preparedLogin } from './prepared-login.ts'
import {
  describeServer,
  ofTicks,
  p99Of,
  type ServerFigures,
  watchServer,
} from './server-figures.ts'

const SPECTATORS = moduleUrl(import.meta.url, './fleet-spectators').pathname
const JOINING_AT_ONCE = 25
const POLL_MS = 20
/** If nothing comes for this many ticks, frames are missing. */
const SILENT_TICKS_MAX = 10
const TROUBLES_SHOWN = 10
/** From the outer ring to the innermost. */
const RINGS = 3

interface BattleOptions {
  readonly url: string
  readonly tickMs: number
  /** Ships per fleet. */
  readonly fleet: number
  readonly spectators: number
  /** The run gives up after this many ticks. */
  readonly ticksMax: number
  print(line: string): void
}

interface Pilot {
  readonly client: Client
  readonly index: number
  readonly name: string
  readonly watch: BattleWatch
  /** Index of its target. */
  foe: number
  /** The last tick known to any pilot when this one died; 0 while alive. */
  diedTick: number
}

interface Fight {
  readonly options: BattleOptions
  readonly pilots: readonly Pilot[]
  readonly spectators: Spectators
  readonly troubles: string[]
  /** The payload of battle_ended; undefined while the battle goes on. */
  ended: Readonly<Record<string, unknown>> | undefined
}

interface BattleFigures {
  readonly pilots: number
  readonly ticks: number
  readonly destroyed: number
  readonly frames: number
  readonly bytes: number
  readonly parsed: number
  /** Frames lost, duplicated or out of order, battles that did not end, and refusals. */
  readonly faults: number
  readonly queries: number
  readonly queryMsP99: number
  readonly tickToSocketsMsP99: number
  readonly tickComputeMsP99: number
  readonly publishMsP99: number
  readonly publishSliceMsMax: number
}

async function logIn(client: Client, index: number): Promise<string> {
  const { username, password } = preparedLogin(index)
  const back = await client.call('login', { username, password })
  if (!back.ok) throw new Error(`cannot log in ${username}: ${back.code} ${back.message}`)
  return username
}

/**
 * Logs a pilot in. Half of the clients use v1, half v2, whose battle frames are equal. The first
 * frames of the leaders are parsed.
 */
async function startPilot({ url, fleet }: BattleOptions, index: number): Promise<Pilot> {
  const watch = watchBattle(index % fleet)
  const channel = index % 2 === 0 ? 'ws1' : 'ws2'
  const client = await connect(url, channel, { onMessage: (message) => watch.take(message) })
  const name = await logIn(client, index)
  return { client, index, name, watch, foe: (index + fleet) % (2 * fleet), diedTick: 0 }
}

/** Returns the last tick known to any pilot. */
const heardTick = (pilots: readonly Pilot[]): number =>
  pilots.reduce((last, { watch }) => Math.max(last, watch.lastTick), 0)

interface Spectators {
  readonly process: ChildProcess
  /** Resolves when all spectators are logged in. */
  readonly ready: Promise<void>
  /** Resolves with their figures once they have ended. */
  readonly figures: Promise<SpectatorFigures>
}

function startSpectators({ url, fleet, spectators }: BattleOptions): Spectators {
  const args = [SPECTATORS, url, String(2 * fleet), String(spectators)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let text = ''
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += String(chunk)
      if (text.startsWith('ready')) resolve()
    })
    child.once('close', () => reject(new Error('the process of the spectators ended')))
  })
  ready.catch(() => {})
  const figures = new Promise<SpectatorFigures>((resolve) => {
    child.once('close', () => resolve(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')))
  })
  return { process: child, ready, figures }
}

async function assemble(options: BattleOptions): Promise<Fight> {
  const pilots = await each(2 * options.fleet, JOINING_AT_ONCE, (index) =>
    startPilot(options, index),
  )
  const spectators = startSpectators(options)
  await spectators.ready
  const fight: Fight = { options, pilots, spectators, troubles: [], ended: undefined }
  for (const pilot of pilots) {
    pilot.client.onPush = ({ type, payload }) => {
      if (type === 'battle_ended') fight.ended = payload
      if (type !== 'player_died') return
      pilot.diedTick = heardTick(pilots)
      for (const other of pilots) if (other.foe === pilot.index) void aim(fight, other)
    }
  }
  return fight
}

const refused = (fight: Fight, what: string, { ok, code, message }: Reply): boolean => {
  if (!ok) fight.troubles.push(`${what}: ${code} ${message}`)
  return !ok
}

/** Refusals that an order may get because a ship has just been destroyed. */
const TOO_LATE = new Set(['invalid_target', 'not_in_battle'])

async function order(fight: Fight, { client }: Pilot, params: Params): Promise<void> {
  const reply = await client.call('battle', params)
  if (!TOO_LATE.has(String(reply.code)) && !fight.ended) refused(fight, 'order', reply)
}

/** Targets the pilot's foe; if that one is destroyed, another, not the same for all pilots. */
async function aim(fight: Fight, pilot: Pilot): Promise<void> {
  const { pilots, options } = fight
  if (pilot.diedTick > 0 || fight.ended) return
  const { fleet } = options
  const enemies = pilots.slice(...(pilot.index < fleet ? [fleet] : [0, fleet]))
  const living = enemies.filter(({ diedTick }) => diedTick === 0)
  if (living.length === 0) return
  if (pilots[pilot.foe].diedTick > 0) pilot.foe = living[pilot.index % living.length].index
  await order(fight, pilot, { action: 'target', target_id: pilots[pilot.foe].name })
}

/** Waits until `holds` returns true, for at most `ms`; returns whether it does. */
async function until(holds: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (!holds() && performance.now() < end) await sleep(POLL_MS)
  return holds()
}

/** Starts the battle: one leader attacks the other, then all join the side of their fleet. */
async function engage(fight: Fight): Promise<void> {
  const { pilots, options } = fight
  const { fleet, tickMs } = options
  const leaders = [pilots[0], pilots[fleet]]
  const attack = await leaders[0].client.call('attack', { target_id: leaders[1].name })
  if (refused(fight, 'attack', attack)) return
  const areIn = await until(
    () => leaders.every(({ watch }) => watch.payload.your_side_id !== undefined),
    SILENT_TICKS_MAX * tickMs,
  )
  if (!areIn) {
    fight.troubles.push('the leaders receive no frames of their battle')
    return
  }
  await each(2 * fleet, JOINING_AT_ONCE, async (index) => {
    const leader = leaders[Math.floor(index / fleet)]
    const pilot = pilots[index]
    if (pilot === leader) return
    const side = leader.watch.payload.your_side_id
    const reply = await pilot.client.call('battle', { action: 'engage', side_id: side })
    refused(fight, 'engage', reply)
  })
}

/** Has all pilots choose a target and advance ring by ring. */
async function charge(fight: Fight): Promise<void> {
  const { pilots, options } = fight
  await until(
    () => pilots.every(({ watch }) => watch.frames > 0),
    SILENT_TICKS_MAX * options.tickMs,
  )
  await each(pilots.length, JOINING_AT_ONCE, (index) => aim(fight, pilots[index]))
  for (let ring = 0; ring < RINGS; ring++) {
    const tick = heardTick(pilots)
    await each(pilots.length, JOINING_AT_ONCE, (index) =>
      order(fight, pilots[index], { action: 'advance' }),
    )
    await until(() => heardTick(pilots) > tick, SILENT_TICKS_MAX * options.tickMs)
  }
}

/** Resolves when the battle is over, or when it takes too long or no frames come. */
async function fightOn(fight: Fight): Promise<void> {
  const { pilots, options } = fight
  let lastTick = heardTick(pilots)
  let heardMs = performance.now()
  for (let logged = 0; !fight.ended; ) {
    await sleep(options.tickMs / 4)
    const tick = heardTick(pilots)
    if (tick > lastTick) heardMs = performance.now()
    lastTick = Math.max(lastTick, tick)
    const first = pilots[0].watch.firstTick
    if (performance.now() - heardMs > SILENT_TICKS_MAX * options.tickMs) break
    if (tick - first > options.ticksMax) break
    if (tick - first < logged + 10) continue
    logged = tick - first
    const dead = pilots.filter(({ diedTick }) => diedTick > 0).length
    options.print(`tick ${logged} of the battle, ${dead} of ${pilots.length} destroyed`)
  }
  if (!fight.ended) fight.troubles.push(`no end by tick ${lastTick}`)
  // Frames of the last tick may still be on the way.
  await sleep(options.tickMs)
}

/** Describes what a pilot missed, if anything, in a battle that ended at `lastTick`. */
function faultOf({ client, watch, diedTick, name }: Pilot, lastTick: number): string | undefined {
  if (client.closed) return `${name} lost its connection: ${client.closed.reason}`
  if (watch.fault) return `${name}: ${watch.fault}`
  if (watch.frames === 0) return `${name} got no frames`
  // A pilot gets no frame of the tick in which their ship is destroyed.
  const due = diedTick > 0 ? Math.min(diedTick, lastTick) - 1 : lastTick
  return watch.lastTick < due ? `${name} last got tick ${watch.lastTick}, not ${due}` : undefined
}

function figuresOf(fight: Fight, server: ServerFigures, seen: SpectatorFigures): BattleFigures {
  const { pilots, troubles } = fight
  troubles.push(...seen.refusals)
  const lastTick = heardTick(pilots)
  for (const pilot of pilots) {
    const fault = faultOf(pilot, lastTick)
    if (fault) troubles.push(fault)
  }
  const queries = sorted(Object.values(seen.queryMs).flat())
  const total = (read: (watch: BattleWatch) => number): number =>
    pilots.reduce((sum, { watch }) => sum + read(watch), 0)
  return {
    pilots: pilots.length,
    ticks: lastTick - pilots[0].watch.firstTick + 1,
    destroyed: pilots.filter(({ diedTick }) => diedTick > 0).length,
    frames: total((watch) => watch.frames),
    bytes: total((watch) => watch.bytes),
    parsed: total((watch) => watch.parsed),
    faults: troubles.length,
    queries: queries.length,
    queryMsP99: quantile(queries, 0.99),
    tickToSocketsMsP99: p99Of(server, 'tick_to_sockets_ms'),
    tickComputeMsP99: p99Of(server, 'tick_compute_ms'),
    publishMsP99: p99Of(server, 'publish_ms'),
    publishSliceMsMax: quantile(ofTicks(server, 'publish_slice_ms'), 1),
  }
}

/** Describes a battle as lines of text. */
function describeBattle(fight: Fight, figures: BattleFigures, seen: SpectatorFigures): string[] {
  const { pilots, ticks, destroyed, frames, bytes, parsed } = figures
  const { winning_side: winner, reason } = fight.ended ?? {}
  const mb = (count: number): string => (count / 1e6).toFixed(1)
  const all = sorted(Object.values(seen.queryMs).flat())
  return [
    `${pilots} pilots, ${ticks} ticks, ${destroyed} destroyed; won by side ${winner}: ${reason}`,
    `battle_update: ${frames} frames, ${mb(bytes)} MB, ${mb(bytes / ticks)} MB per tick; ` +
      `${parsed} parsed`,
    `queries ${figures.queries}: ${spread(all)}`,
    ...Object.entries(seen.queryMs).map(([name, ms]) => `  ${name}: ${spread(sorted(ms))}`),
    ...fight.troubles.slice(0, TROUBLES_SHOWN).map((trouble) => `  ${trouble}`),
    `lost, out of order or refused: ${figures.faults}`,
  ]
}

/** Lets the fleets of a prepared world fight to the end on a running server. */
export async function fightBattle(options: BattleOptions): Promise<BattleFigures> {
  const fight = await assemble(options)
  options.print(`${fight.pilots.length} pilots and ${options.spectators} spectators are logged in`)
  const server = watchServer(options.url, options.tickMs)
  await engage(fight)
  if (fight.troubles.length === 0) {
    await charge(fight)
    await fightOn(fight)
  }
  fight.spectators.process.stdin?.end()
  const seen = await fight.spectators.figures
  server.stop()
  const figures = figuresOf(fight, server, seen)
  for (const line of describeServer(server)) options.print(line)
  for (const line of describeBattle(fight, figures, seen)) options.print(line)
  await Promise.all(fight.pilots.map(({ client }) => client.close()))
  return figures
}
