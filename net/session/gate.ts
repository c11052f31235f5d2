/**
 * What stands before every command: buckets by address and player, time-outs that grow, the flood
 * guard of a connection, and which address, origin and host count. Everything is bounded. Source:
 * accounts.md section 10.
 */
import {
  BARE_ANSWERS_BURST_MAX,
  BARE_ANSWERS_PER_SECOND_MAX,
  BATTLE_ORDERS_PER_TICK_MAX,
  BYTES_PER_SECOND_MAX,
  BYTES_WAITING_MAX,
  CONNECTS_PER_MINUTE,
  DOCUMENTS_PER_MINUTE,
  DOOR_REFUSALS_MAX,
  DOOR_REQUESTS_BURST_MAX,
  DOOR_REQUESTS_PER_SECOND_MAX,
  FAILED_LOGINS_PER_MINUTE,
  FAILED_LOGINS_PER_NAME_AND_MINUTE,
  FRAMES_BURST_MAX,
  FRAMES_PER_SECOND_MAX,
  FRAMES_WAITING_MAX,
  IMMEDIATE_TEXT_BYTES_PER_MINUTE,
  IMMEDIATES_PER_MINUTE,
  LIMITER_KEYS_MAX,
  LINK_POLLS_PER_MINUTE,
  NEW_PLAYERS_PER_ADDRESS_AND_DAY,
  PUBLIC_REQUESTS_PER_MINUTE,
  REJECTIONS_BEFORE_TIMEOUT,
  SELF_DESTRUCTS_PER_MINUTE,
  SESSION_ATTEMPTS_PER_MINUTE,
  SHUT_BODIES_MS,
  SHUT_REFUSALS_MAX,
  TIMEOUT_MINUTES,
  TIMEOUT_RESET_MS,
  TOKEN_LOGINS_PER_MINUTE,
} from '../../core/limits.ts'
import type { Clock, NetConfig } from '../ports.ts'
import { type Leak, levelOf, setLevel } from './leaks.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

interface SlidingWindow {
  readonly limit: number
  readonly spanMs: number
  readonly keysMax: number
  /** Times of what was let through, oldest first; keys in the order of last use. */
  readonly hits: Map<string, number[]>
}

export function slidingWindow(
  limit: number,
  spanMs: number,
  keysMax: number = LIMITER_KEYS_MAX,
): SlidingWindow {
  return { limit, spanMs, keysMax, hits: new Map() }
}

/** Milliseconds until the window has room; 0 when it has. */
function waitOf(window: SlidingWindow, key: string, nowMs: number): number {
  const times = window.hits.get(key)
  if (!times) return 0
  let gone = 0
  while (gone < times.length && times[gone] <= nowMs - window.spanMs) gone += 1
  if (gone > 0) times.splice(0, gone)
  return times.length < window.limit ? 0 : times[0] + window.spanMs - nowMs
}

/** Counts one use where there is room; milliseconds to wait where there is none. */
export function take(window: SlidingWindow, key: string, nowMs: number): number {
  const wait = waitOf(window, key, nowMs)
  if (wait > 0) return wait
  const times = window.hits.get(key) ?? []
  times.push(nowMs)
  window.hits.delete(key)
  window.hits.set(key, times)
  if (window.hits.size > window.keysMax) {
    const [oldest] = window.hits.keys()
    window.hits.delete(oldest)
  }
  return 0
}

interface Escalation {
  /** Rejections of the last minute. */
  readonly times: number[]
  level: number
  untilMs: number
  lastMs: number
}

/** A request is let in, told to wait, or its connection is ended unread. */
export type Admission = 'passed' | 'refused' | 'cut_off'

const TEXT_PER_MS = IMMEDIATE_TEXT_BYTES_PER_MINUTE / MINUTE_MS
const DOOR_PER_MS = DOOR_REQUESTS_PER_SECOND_MAX / 1000
const BARE_PER_MS = BARE_ANSWERS_PER_SECOND_MAX / 1000

/** Until when an address sends no bodies, and how often it has tried. */
interface Shut {
  untilMs: number
  refusals: number
}

export interface Gate {
  readonly limits: boolean
  readonly clock: Clock
  readonly windows: Readonly<Record<WindowName, SlidingWindow>>
  readonly battle: Map<string, { tick: number; count: number }>
  readonly text: Map<string, Leak>
  readonly door: Map<string, Leak>
  readonly bare: Map<string, Leak>
  readonly shut: Map<string, Shut>
  /** Calls of MCP that wait for a limit, by address. */
  readonly waits: Map<string, number>
  readonly escalations: Map<string, Escalation>
}

const WINDOWS = {
  session: () => slidingWindow(SESSION_ATTEMPTS_PER_MINUTE, MINUTE_MS),
  failedLogin: () => slidingWindow(FAILED_LOGINS_PER_MINUTE, MINUTE_MS),
  failedName: () => slidingWindow(FAILED_LOGINS_PER_NAME_AND_MINUTE, MINUTE_MS),
  connect: () => slidingWindow(CONNECTS_PER_MINUTE, MINUTE_MS),
  public: () => slidingWindow(PUBLIC_REQUESTS_PER_MINUTE, MINUTE_MS),
  openapi: () => slidingWindow(DOCUMENTS_PER_MINUTE, MINUTE_MS),
  catalog: () => slidingWindow(DOCUMENTS_PER_MINUTE, MINUTE_MS),
  linkPoll: () => slidingWindow(LINK_POLLS_PER_MINUTE, MINUTE_MS),
  newPlayer: () => slidingWindow(NEW_PLAYERS_PER_ADDRESS_AND_DAY, DAY_MS),
  selfDestruct: () => slidingWindow(SELF_DESTRUCTS_PER_MINUTE, MINUTE_MS),
  immediate: () => slidingWindow(IMMEDIATES_PER_MINUTE, MINUTE_MS),
  tokenLogin: () => slidingWindow(TOKEN_LOGINS_PER_MINUTE, MINUTE_MS),
} satisfies Record<string, () => SlidingWindow>
export type WindowName = keyof typeof WINDOWS

/**
 * Buckets at a door: an address in time-out finds it shut. The others count what has come in.
 * Source: accounts.md section 10 (in a time-out every request is a 429).
 */
const DOORS: ReadonlySet<WindowName> = new Set([
  'session',
  'connect',
  'public',
  'openapi',
  'catalog',
])

export function createGate(config: Pick<NetConfig, 'limits'>, clock: Clock): Gate {
  const windows = Object.fromEntries(
    Object.entries(WINDOWS).map(([name, make]) => [name, make()]),
  ) as Record<WindowName, SlidingWindow>
  return {
    limits: config.limits,
    clock,
    windows,
    battle: new Map(),
    text: new Map(),
    door: new Map(),
    bare: new Map(),
    shut: new Map(),
    waits: new Map(),
    escalations: new Map(),
  }
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

/** A use of a bucket by address: seconds to wait, 0 when it was let through. */
export function passAddress(gate: Gate, name: WindowName, ip: string): number {
  if (!gate.limits) return 0
  const timeout = DOORS.has(name) ? timedOutFor(gate, ip) : 0
  if (timeout > 0) return timeout
  const wait = take(gate.windows[name], ip, gate.clock.monoMs())
  return wait === 0 ? 0 : seconds(wait)
}

/** Seconds until this key may try again; 0 when it may now. Counts nothing. */
export function blockedFor(gate: Gate, name: WindowName, key: string): number {
  if (!gate.limits) return 0
  const wait = waitOf(gate.windows[name], key, gate.clock.monoMs())
  return wait === 0 ? 0 : seconds(wait)
}

/** Seconds this address is still in time-out; 0 for none. */
export function timedOutFor(gate: Gate, ip: string): number {
  const escalation = gate.limits ? gate.escalations.get(ip) : undefined
  if (!escalation) return 0
  const left = escalation.untilMs - gate.clock.monoMs()
  return left > 0 ? seconds(left) : 0
}

/**
 * Notes a rejection of the first row of section 10, or of a new socket; the fiftieth in 60 s starts
 * the next time-out.
 */
function recordRejection(gate: Gate, ip: string): void {
  const now = gate.clock.monoMs()
  let escalation = gate.escalations.get(ip)
  if (!escalation) {
    escalation = { times: [], level: 0, untilMs: 0, lastMs: now }
    if (gate.escalations.size >= LIMITER_KEYS_MAX) {
      const [oldest] = gate.escalations.keys()
      gate.escalations.delete(oldest)
    }
  }
  gate.escalations.delete(ip)
  gate.escalations.set(ip, escalation)
  if (now - escalation.lastMs >= TIMEOUT_RESET_MS) escalation.level = 0
  escalation.lastMs = now
  if (escalation.untilMs > now) return
  const { times } = escalation
  while (times.length > 0 && times[0] <= now - MINUTE_MS) times.shift()
  times.push(now)
  if (times.length < REJECTIONS_BEFORE_TIMEOUT) return
  times.length = 0
  escalation.untilMs = now + TIMEOUT_MINUTES[escalation.level] * MINUTE_MS
  escalation.level = Math.min(escalation.level + 1, TIMEOUT_MINUTES.length - 1)
}

/** A bucket whose rejections lead to a time-out: seconds to wait, 0 when it was let through. */
function passCounted(gate: Gate, name: WindowName, ip: string): number {
  if (!gate.limits) return 0
  const wait = passAddress(gate, name, ip)
  if (wait > 0) recordRejection(gate, ip)
  return wait
}

/** A session creation, login or registration: seconds to wait, 0 when it may go on. */
export const passSessionAttempt = (gate: Gate, ip: string): number =>
  passCounted(gate, 'session', ip)

/**
 * A login of a player by token: seconds to wait, 0 when it may go on. By player, since many may
 * share an address; a limit of the game, so `LIMITS=off` keeps it. Source: WIRE 8, item 2.
 */
export function passTokenLogin(gate: Gate, player: number): number {
  const wait = take(gate.windows.tokenLogin, String(player), gate.clock.monoMs())
  return wait === 0 ? 0 : seconds(wait)
}

/**
 * A new WebSocket: seconds to wait, 0 when it may stay. Source: interface, WebSocket close codes
 * (4003: persistent violations escalate to a block of the address).
 */
export const passConnect = (gate: Gate, ip: string): number => passCounted(gate, 'connect', ip)

/**
 * An immediate command of a player with that much text: seconds to wait. Game limit: `LIMITS=off`
 * keeps it.
 */
export function passImmediate(gate: Gate, player: number, textBytes: number): number {
  const now = gate.clock.monoMs()
  const key = String(player)
  const level = levelOf(gate.text, key, TEXT_PER_MS, now) + textBytes
  const over = level - IMMEDIATE_TEXT_BYTES_PER_MINUTE
  if (over > 0) return seconds(over / TEXT_PER_MS)
  const wait = take(gate.windows.immediate, key, now)
  if (wait > 0) return seconds(wait)
  setLevel(gate.text, key, { level, atMs: now })
  return 0
}

/**
 * A request of an address, whatever it asks and whoever is logged in. Refusals are counted too, and
 * end in none: they must not fill a core themselves.
 */
export function passDoor(gate: Gate, ip: string): Admission {
  if (!gate.limits) return 'passed'
  const now = gate.clock.monoMs()
  const level = levelOf(gate.door, ip, DOOR_PER_MS, now) + 1
  if (level > DOOR_REQUESTS_BURST_MAX + DOOR_REFUSALS_MAX) return 'cut_off'
  setLevel(gate.door, ip, { level, atMs: now })
  return level > DOOR_REQUESTS_BURST_MAX ? 'refused' : 'passed'
}

/** An answer without a body to an address; false when it has had too many. */
export function passBodilessAnswer(gate: Gate, ip: string): boolean {
  if (!gate.limits) return true
  const now = gate.clock.monoMs()
  const level = levelOf(gate.bare, ip, BARE_PER_MS, now) + 1
  if (level > BARE_ANSWERS_BURST_MAX) return false
  setLevel(gate.bare, ip, { level, atMs: now })
  return true
}

/** Shuts a login or an address out with its bodies for a while: one came faster than it may. */
export function shutBodies(gate: Gate, sender: string): void {
  const now = gate.clock.monoMs()
  const shut = gate.shut.get(sender)
  const untilMs = now + SHUT_BODIES_MS
  // Called for every chunk that is over the pace: the map is left alone while it can be.
  if (shut && now < shut.untilMs) {
    shut.untilMs = untilMs
    return
  }
  const refusals = shut && now < shut.untilMs + SHUT_BODIES_MS ? shut.refusals : 0
  gate.shut.delete(sender)
  gate.shut.set(sender, { untilMs, refusals })
  if (gate.shut.size <= LIMITER_KEYS_MAX) return
  const [oldest] = gate.shut.keys()
  gate.shut.delete(oldest)
}

/** A request with a body of a sender: what is read of it costs more than to end it unread. */
export function passBodyHead(gate: Gate, sender: string): Admission {
  const shut = gate.shut.get(sender)
  if (!shut || gate.clock.monoMs() >= shut.untilMs) return 'passed'
  shut.refusals += 1
  return shut.refusals > SHUT_REFUSALS_MAX ? 'cut_off' : 'refused'
}

/** A battle order: at most 20 a tick and player. False when it is one too many. */
export function passBattleOrder(gate: Gate, player: number, tick: number): boolean {
  const key = String(player)
  const orders = gate.battle.get(key)
  if (orders?.tick === tick) {
    orders.count += 1
    return orders.count <= BATTLE_ORDERS_PER_TICK_MAX
  }
  gate.battle.delete(key)
  gate.battle.set(key, { tick, count: 1 })
  if (gate.battle.size > LIMITER_KEYS_MAX) {
    const [oldest] = gate.battle.keys()
    gate.battle.delete(oldest)
  }
  return true
}

/** Frames and bytes of one connection, counted before parsing. */
export interface FloodGuard {
  tokens: number
  bytes: number
  atMs: number
  /** Refused without one let through between. */
  refusals: number
}

export const createFloodGuard = (nowMs: number): FloodGuard => ({
  tokens: FRAMES_BURST_MAX,
  bytes: BYTES_PER_SECOND_MAX,
  atMs: nowMs,
  refusals: 0,
})

function refill(guard: FloodGuard, nowMs: number): void {
  const passed = Math.max(0, nowMs - guard.atMs) / 1000
  guard.atMs = nowMs
  guard.tokens = Math.min(FRAMES_BURST_MAX, guard.tokens + passed * FRAMES_PER_SECOND_MAX)
  guard.bytes = Math.min(BYTES_PER_SECOND_MAX, guard.bytes + passed * BYTES_PER_SECOND_MAX)
}

/** Counts a frame, or several that come as one: seconds to wait, 0 when they may be read. */
export function passFrame(guard: FloodGuard, bytes: number, nowMs: number, frames = 1): number {
  refill(guard, nowMs)
  if (guard.tokens < frames || guard.bytes < bytes) {
    guard.refusals += 1
    return 1
  }
  guard.tokens -= frames
  guard.bytes -= bytes
  guard.refusals = 0
  return 0
}

/**
 * Counts a frame, or several that come as one, and says how many milliseconds they have to wait for
 * their turn; undefined when so many wait already that they are refused.
 */
export function reserveFrame(
  guard: FloodGuard,
  bytes: number,
  nowMs: number,
  frames = 1,
): number | undefined {
  refill(guard, nowMs)
  const tokens = guard.tokens - frames
  const left = guard.bytes - bytes
  if (tokens < -FRAMES_WAITING_MAX || left < -BYTES_WAITING_MAX) {
    guard.refusals += 1
    return undefined
  }
  guard.tokens = tokens
  guard.bytes = left
  guard.refusals = 0
  const behind = Math.max(0, -tokens / FRAMES_PER_SECOND_MAX, -left / BYTES_PER_SECOND_MAX)
  return Math.ceil(behind * 1000)
}

/** Counts the bytes of a body whose request was let in before: seconds to wait, 0 for none. */
export function passBody(guard: FloodGuard, bytes: number, nowMs: number): number {
  refill(guard, nowMs)
  if (guard.bytes < bytes) {
    guard.refusals += 1
    return 1
  }
  guard.bytes -= bytes
  return 0
}
