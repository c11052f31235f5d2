/**
 * Rate limits: sliding windows and leaking buckets by address or player, and time-outs that grow
 * for an address that is refused too often. Every map is bounded. Source: accounts.md section 10.
 */
import {
  BARE_ANSWERS_BURST_MAX,
  BARE_ANSWERS_PER_SECOND_MAX,
  BATTLE_ORDERS_PER_TICK_MAX,
  CONNECTS_PER_MINUTE,
  DOCUMENTS_PER_MINUTE,
  DOOR_REFUSALS_MAX,
  DOOR_REQUESTS_BURST_MAX,
  DOOR_REQUESTS_PER_SECOND_MAX,
  FAILED_LOGINS_PER_MINUTE,
  FAILED_LOGINS_PER_NAME_AND_MINUTE,
  IMMEDIATE_TEXT_BYTES_PER_MINUTE,
  IMMEDIATES_PER_MINUTE,
  LIMITER_KEYS_MAX,
  LINK_POLLS_PER_MINUTE,
  NEW_PLAYERS_PER_ADDRESS_AND_DAY,
  PAGE_REQUESTS_PER_MINUTE,
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
import type { ArchiveTurns } from './archive-turns.ts'
import { evictOldest, type Leak, leakLevel, setLevel } from './leaks.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Admits `limit` uses per key in any span of `spanMs`. */
interface SlidingWindow {
  readonly limit: number
  readonly spanMs: number
  readonly keysMax: number
  /** Times of the admitted uses by key, oldest first. Keys are in the order of their last use. */
  readonly hits: Map<string, number[]>
}

/** Returns an empty window; above `keysMax` keys the least recently used one is dropped. */
export function slidingWindow(
  limit: number,
  spanMs: number,
  keysMax: number = LIMITER_KEYS_MAX,
): SlidingWindow {
  return { limit, spanMs, keysMax, hits: new Map() }
}

/**
 * Returns the milliseconds until the window has room for this key, or 0; removes uses older than
 * the window.
 */
function pruneAndWait(window: SlidingWindow, key: string, nowMs: number): number {
  const times = window.hits.get(key)
  if (!times) return 0
  let expired = 0
  while (expired < times.length && times[expired] <= nowMs - window.spanMs) expired += 1
  if (expired > 0) times.splice(0, expired)
  return times.length < window.limit ? 0 : times[0] + window.spanMs - nowMs
}

/** Forgets the keys that were last used longer ago than the window; they are in order of use. */
function forgetIdle({ hits, spanMs }: SlidingWindow, nowMs: number): void {
  for (const [key, times] of hits) {
    if ((times.at(-1) ?? 0) > nowMs - spanMs) return
    hits.delete(key)
  }
}

/** Counts a use of the key and returns 0; if there is no room, returns the milliseconds to wait. */
export function take(window: SlidingWindow, key: string, nowMs: number): number {
  const wait = pruneAndWait(window, key, nowMs)
  if (wait > 0) return wait
  const times = window.hits.get(key) ?? []
  times.push(nowMs)
  window.hits.delete(key)
  window.hits.set(key, times)
  evictOldest(window.hits, window.keysMax)
  forgetIdle(window, nowMs)
  return 0
}

/** Tracks the refusals of an address; enough of them within a minute start a time-out. */
interface Escalation {
  /** Times of the refusals of the last minute, oldest first. */
  readonly times: number[]
  /** Index into TIMEOUT_MINUTES of the next time-out. */
  level: number
  /** End of the latest time-out. */
  untilMs: number
  /** Time of the latest refusal. */
  lastMs: number
}

/** Whether a request is admitted, answered with a refusal, or its connection closed unread. */
export type Admission = 'passed' | 'refused' | 'cut_off'

const TEXT_PER_MS = IMMEDIATE_TEXT_BYTES_PER_MINUTE / MINUTE_MS
const DOOR_PER_MS = DOOR_REQUESTS_PER_SECOND_MAX / 1000
const BARE_PER_MS = BARE_ANSWERS_PER_SECOND_MAX / 1000

/** Until when requests with a body are refused, and how many have been refused so far. */
interface Shut {
  untilMs: number
  refusals: number
}

/** State of all rate limits of a server. */
export interface Gate {
  /** False with `LIMITS=off`: only limits of the game apply. */
  readonly isLimited: boolean
  readonly clock: Clock
  readonly windows: Readonly<Record<WindowName, SlidingWindow>>
  /** Battle orders in the latest tick with any, by player. */
  readonly battle: Map<string, { tick: number; count: number }>
  /** Bytes of text in immediate commands, by player. */
  readonly text: Map<string, Leak>
  /** HTTP requests of any kind, by address. */
  readonly door: Map<string, Leak>
  /** Answers without a body, by address. */
  readonly bare: Map<string, Leak>
  /** Logins and addresses whose requests with a body are refused, and until when. */
  readonly shut: Map<string, Shut>
  /** Number of MCP calls that wait for a rate limit, by address. */
  readonly waits: Map<string, number>
  /** Reads of the archive, by player. */
  readonly reads: ArchiveTurns
  /** Refusals and time-outs, by address. */
  readonly escalations: Map<string, Escalation>
}

const WINDOWS = {
  session: () => slidingWindow(SESSION_ATTEMPTS_PER_MINUTE, MINUTE_MS),
  failedLogin: () => slidingWindow(FAILED_LOGINS_PER_MINUTE, MINUTE_MS),
  failedName: () => slidingWindow(FAILED_LOGINS_PER_NAME_AND_MINUTE, MINUTE_MS),
  connect: () => slidingWindow(CONNECTS_PER_MINUTE, MINUTE_MS),
  public: () => slidingWindow(PUBLIC_REQUESTS_PER_MINUTE, MINUTE_MS),
  page: () => slidingWindow(PAGE_REQUESTS_PER_MINUTE, MINUTE_MS),
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
 * Windows that admit nothing while the address is in time-out. The others count what these have
 * admitted. Source: accounts.md section 10 (in a time-out every request is a 429).
 */
const TIMEOUT_WINDOWS: ReadonlySet<WindowName> = new Set([
  'session',
  'connect',
  'public',
  'page',
  'openapi',
  'catalog',
])

export function createGate(config: Pick<NetConfig, 'limits'>, clock: Clock): Gate {
  const windows = Object.fromEntries(
    Object.entries(WINDOWS).map(([name, make]) => [name, make()]),
  ) as Record<WindowName, SlidingWindow>
  return {
    isLimited: config.limits,
    clock,
    windows,
    battle: new Map(),
    text: new Map(),
    door: new Map(),
    bare: new Map(),
    shut: new Map(),
    waits: new Map(),
    reads: new Map(),
    escalations: new Map(),
  }
}

/** Rounds milliseconds up to whole seconds. */
const seconds = (ms: number): number => Math.ceil(ms / 1000)

/**
 * Counts a use of a window by an address and returns 0; if refused, returns the seconds to wait.
 */
export function passAddress(gate: Gate, name: WindowName, ip: string): number {
  if (!gate.isLimited) return 0
  const timeout = TIMEOUT_WINDOWS.has(name) ? timedOutFor(gate, ip) : 0
  if (timeout > 0) return timeout
  return seconds(take(gate.windows[name], ip, gate.clock.monoMs()))
}

/** Returns the seconds until this key may use the window again, or 0. Counts nothing. */
export function blockedFor(gate: Gate, name: WindowName, key: string): number {
  if (!gate.isLimited) return 0
  return seconds(pruneAndWait(gate.windows[name], key, gate.clock.monoMs()))
}

/** Returns the seconds for which this address is still in time-out, or 0. */
export function timedOutFor(gate: Gate, ip: string): number {
  const escalation = gate.isLimited ? gate.escalations.get(ip) : undefined
  if (!escalation) return 0
  return seconds(Math.max(0, escalation.untilMs - gate.clock.monoMs()))
}

/**
 * Counts a refusal of a session attempt (the first row of section 10) or of a new socket by an
 * address. The fiftieth within 60 s starts the next time-out.
 */
function recordRejection(gate: Gate, ip: string): void {
  const now = gate.clock.monoMs()
  let escalation = gate.escalations.get(ip)
  escalation ??= { times: [], level: 0, untilMs: 0, lastMs: now }
  gate.escalations.delete(ip)
  gate.escalations.set(ip, escalation)
  evictOldest(gate.escalations, LIMITER_KEYS_MAX)
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

/**
 * Counts a use of a window whose refusals lead to a time-out of the address, and returns 0; if
 * refused, returns the seconds to wait.
 */
function passCounted(gate: Gate, name: WindowName, ip: string): number {
  if (!gate.isLimited) return 0
  const wait = passAddress(gate, name, ip)
  if (wait > 0) recordRejection(gate, ip)
  return wait
}

/**
 * Counts a session creation, login or registration by an address and returns 0; if refused, returns
 * the seconds to wait.
 */
export const passSessionAttempt = (gate: Gate, ip: string): number =>
  passCounted(gate, 'session', ip)

/**
 * Counts a login by token and returns 0; if refused, returns the seconds to wait. Counts by player,
 * since many may share an address. This is a limit of the game: it applies with `LIMITS=off` too.
 * Source: WIRE 8, item 2.
 */
export function passTokenLogin(gate: Gate, player: number): number {
  return seconds(take(gate.windows.tokenLogin, String(player), gate.clock.monoMs()))
}

/**
 * Counts a new WebSocket of an address and returns 0; if refused, returns the seconds to wait.
 * Source: interface, WebSocket close codes (4003: persistent violations escalate to a block of the
 * address).
 */
export const passConnect = (gate: Gate, ip: string): number => passCounted(gate, 'connect', ip)

/**
 * Counts an immediate command of a player and its bytes of text and returns 0; if refused, returns
 * the seconds to wait. This is a limit of the game: it applies with `LIMITS=off` too.
 */
export function passImmediate(gate: Gate, player: number, textBytes: number): number {
  const now = gate.clock.monoMs()
  const key = String(player)
  const level = leakLevel(gate.text, key, TEXT_PER_MS, now) + textBytes
  const excess = level - IMMEDIATE_TEXT_BYTES_PER_MINUTE
  if (excess > 0) return seconds(excess / TEXT_PER_MS)
  const wait = take(gate.windows.immediate, key, now)
  if (wait > 0) return seconds(wait)
  setLevel(gate.text, key, { level, atMs: now })
  return 0
}

/**
 * Counts an HTTP request of any kind from a login or an address, and returns whether it is
 * admitted. Refusals are counted too; after too many of them requests are cut off without an
 * answer, as refusing must not keep a core busy.
 */
export function passDoor(gate: Gate, sender: string): Admission {
  if (!gate.isLimited) return 'passed'
  const now = gate.clock.monoMs()
  const level = leakLevel(gate.door, sender, DOOR_PER_MS, now) + 1
  if (level > DOOR_REQUESTS_BURST_MAX + DOOR_REFUSALS_MAX) return 'cut_off'
  setLevel(gate.door, sender, { level, atMs: now })
  return level > DOOR_REQUESTS_BURST_MAX ? 'refused' : 'passed'
}

/** Counts an answer without a body to an address; returns false if there are too many of them. */
export function passBodilessAnswer(gate: Gate, ip: string): boolean {
  if (!gate.isLimited) return true
  const now = gate.clock.monoMs()
  const level = leakLevel(gate.bare, ip, BARE_PER_MS, now) + 1
  if (level > BARE_ANSWERS_BURST_MAX) return false
  setLevel(gate.bare, ip, { level, atMs: now })
  return true
}

/**
 * Refuses requests with a body from a login or an address for a while, because one was sent too
 * fast.
 */
export function shutBodies(gate: Gate, sender: string): void {
  const now = gate.clock.monoMs()
  const shut = gate.shut.get(sender)
  const untilMs = now + SHUT_BODIES_MS
  // Called for every chunk that arrives too fast, so the map is changed only if necessary.
  if (shut && now < shut.untilMs) {
    shut.untilMs = untilMs
    return
  }
  const refusals = shut && now < shut.untilMs + SHUT_BODIES_MS ? shut.refusals : 0
  gate.shut.delete(sender)
  gate.shut.set(sender, { untilMs, refusals })
  evictOldest(gate.shut, LIMITER_KEYS_MAX)
}

/**
 * Returns whether a request with a body of a login or an address is admitted, and counts refusals.
 * After too many of them requests are cut off: reading a body costs more than closing its
 * connection.
 */
export function passBodyHead(gate: Gate, sender: string): Admission {
  const shut = gate.shut.get(sender)
  if (!shut || gate.clock.monoMs() >= shut.untilMs) return 'passed'
  shut.refusals += 1
  return shut.refusals > SHUT_REFUSALS_MAX ? 'cut_off' : 'refused'
}

/** Counts a battle order of a player; returns false if there are too many in this tick. */
export function passBattleOrder(gate: Gate, player: number, tick: number): boolean {
  const key = String(player)
  const orders = gate.battle.get(key)
  if (orders?.tick === tick) {
    orders.count += 1
    return orders.count <= BATTLE_ORDERS_PER_TICK_MAX
  }
  gate.battle.delete(key)
  gate.battle.set(key, { tick, count: 1 })
  evictOldest(gate.battle, LIMITER_KEYS_MAX)
  return true
}
