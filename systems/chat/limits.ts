/**
 * How much one player may say, one scope may carry, and one recipient may be told by strangers.
 * Checked when a message is admitted, counted when it has been stored; in between, drafts count
 * what the running batch has admitted.
 */
import { type Failure, fail } from '../../core/errors.ts'
import {
  CHAT_KNOWN_PARTNERS_MAX,
  CHAT_NEW_PARTNERS_PER_HOUR,
  CHAT_SAME_TEXT_IN_10_S_MAX,
  CHAT_SCOPE_PER_MINUTE,
  CHATS_PER_MINUTE,
  STRANGER_PUSHES_FROM_ONE_PER_MINUTE,
  STRANGER_PUSHES_PER_MINUTE,
} from '../../core/limits.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { hashText } from '../../core/rng.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { areAllied } from '../account/rules.ts'
import {
  CHATTERS,
  type Chatter,
  HELD_BACK,
  PUSH_BUDGETS,
  type PushBudget,
  SCOPE_LOADS,
  type ScopeLoad,
} from './columns.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const SAME_TEXT_MS = 10_000

/** A message as the limits see it. */
export interface Said {
  readonly player: Eid
  /** Key of the scope. */
  readonly scope: string
  readonly text: string
  /** The recipient of a private message. */
  readonly partner?: Eid
  /** A scope that strangers share: it has a limit of its own. */
  readonly shared: boolean
}

const numberOf = (view: WorldView, player: Eid): number => view.read(Player).seq[player]

/** A message as it is remembered: a hash of scope and text, and the partner's number or 0. */
interface Remembered {
  readonly hash: number
  readonly partner: number
}

const remember = (view: WorldView, said: Said): Remembered => ({
  hash: hashText(`${said.scope}\n${said.text}`),
  partner: said.partner === undefined ? 0 : numberOf(view, said.partner),
})

/**
 * What the batch that runs now has admitted and not yet stored: without it a burst in one batch
 * would pass unseen. Transient: a batch that could not store something is forgotten with its wall
 * time.
 */
const DRAFTS = defineIndex('chat.drafts', () => ({
  wallMs: -1,
  tick: -1,
  byPlayer: new Map<string, Remembered[]>(),
  byScope: new Map<string, number>(),
}))

function draftsOf(view: WorldView) {
  const drafts = view.index(DRAFTS)
  if (drafts.wallMs !== view.wallMs || drafts.tick !== view.tick) {
    drafts.wallMs = view.wallMs
    drafts.tick = view.tick
    drafts.byPlayer.clear()
    drafts.byScope.clear()
  }
  return drafts
}

function addDraft(view: WorldView, key: string, message: Remembered, scope?: string): void {
  const { byPlayer, byScope } = draftsOf(view)
  byPlayer.set(key, [...(byPlayer.get(key) ?? []), message])
  if (scope !== undefined) byScope.set(scope, (byScope.get(scope) ?? 0) + 1)
}

/** The message has been stored: the records count it from here on. */
function dropDraft(view: WorldView, key: string, message: Remembered, scope?: string): void {
  const { byPlayer, byScope } = draftsOf(view)
  const drafts = byPlayer.get(key) ?? []
  const at = drafts.findIndex((draft) => draft.hash === message.hash)
  if (at < 0) return
  byPlayer.set(key, drafts.toSpliced(at, 1))
  if (scope !== undefined) byScope.set(scope, Math.max(0, (byScope.get(scope) ?? 0) - 1))
}

const SILENT: Chatter = { sent: [], known: [], firsts: [] }

/** Without what has left the windows; a clock set back empties them. */
function recent(chatter: Readonly<Chatter>, nowMs: number): Chatter {
  return {
    sent: chatter.sent.filter(([at]) => at > nowMs - MINUTE_MS && at <= nowMs),
    known: chatter.known,
    firsts: chatter.firsts.filter((at) => at > nowMs - HOUR_MS && at <= nowMs),
  }
}

function withMessage(chatter: Chatter, { hash, partner }: Remembered, nowMs: number): Chatter {
  const sent = [...chatter.sent, [nowMs, hash] as const]
  if (partner === 0) return { ...chatter, sent }
  const isNew = !chatter.known.includes(partner)
  const others = chatter.known.filter((number) => number !== partner)
  return {
    sent,
    known: [...others, partner].slice(-CHAT_KNOWN_PARTNERS_MAX),
    firsts: isNew ? [...chatter.firsts, nowMs] : chatter.firsts,
  }
}

function loadNow(load: Readonly<ScopeLoad> | undefined, nowMs: number): ScopeLoad {
  const minute = divFloor(nowMs, MINUTE_MS)
  if (load?.minute === minute) return load
  return { minute, count: 0, before: load?.minute === minute - 1 ? load.count : 0 }
}

/** Messages of the last 60 s, taking those of the minute before as evenly spread. */
function inLastMinute(load: ScopeLoad, nowMs: number): number {
  const left = MINUTE_MS - (nowMs - load.minute * MINUTE_MS)
  return load.count + divFloor(load.before * left, MINUTE_MS)
}

/**
 * Admits a message into the running batch or says why not: `rate_limited` with `wait_seconds`.
 * Source: social.md section 1, limits.
 */
export function admitChat(view: WorldView, said: Said): Failure | undefined {
  const now = view.wallMs
  const key = String(numberOf(view, said.player))
  const message = remember(view, said)
  const drafts = draftsOf(view)
  let chatter = recent(view.records(CHATTERS).get(key) ?? SILENT, now)
  for (const draft of drafts.byPlayer.get(key) ?? []) chatter = withMessage(chatter, draft, now)
  const refused = tooMuch(chatter, message, now)
  if (refused) return refused
  if (said.shared) {
    const load = loadNow(view.records(SCOPE_LOADS).get(said.scope), now)
    const count = inLastMinute(load, now) + (drafts.byScope.get(said.scope) ?? 0)
    if (count >= CHAT_SCOPE_PER_MINUTE) return wait(5_000, 'Too much is being said here at once.')
  }
  addDraft(view, key, message, said.shared ? said.scope : undefined)
  return undefined
}

function tooMuch(chatter: Chatter, message: Remembered, now: number): Failure | undefined {
  if (chatter.sent.length >= CHATS_PER_MINUTE) {
    return wait(chatter.sent[0][0] + MINUTE_MS - now, 'You have said a lot in this minute.')
  }
  const { hash, partner } = message
  const same = chatter.sent.filter(([at, other]) => other === hash && at > now - SAME_TEXT_MS)
  if (same.length >= CHAT_SAME_TEXT_IN_10_S_MAX) {
    return wait(same[0][0] + SAME_TEXT_MS - now, 'You have just said the same several times.')
  }
  const isNew = partner !== 0 && !chatter.known.includes(partner)
  if (isNew && chatter.firsts.length >= CHAT_NEW_PARTNERS_PER_HOUR) {
    return wait(chatter.firsts[0] + HOUR_MS - now, 'You have written to many strangers lately.')
  }
  return undefined
}

function wait(ms: number, message: string): Failure {
  return fail('rate_limited', { wait_seconds: Math.max(1, divCeil(ms, 1000)) }, message)
}

/** Counts a message that has been stored. */
export function countChat(world: World, said: Said): void {
  const now = world.wallMs
  const chatters = world.records(CHATTERS)
  const key = String(numberOf(world, said.player))
  const message = remember(world, said)
  dropDraft(world, key, message, said.shared ? said.scope : undefined)
  chatters.set(key, withMessage(recent(chatters.get(key) ?? SILENT, now), message, now))
  if (said.partner !== undefined) acquaint(world, said.partner, numberOf(world, said.player))
  if (said.shared) {
    const loads = world.records(SCOPE_LOADS)
    const load = loadNow(loads.get(said.scope), now)
    loads.set(said.scope, { ...load, count: load.count + 1 })
  }
}

/**
 * An answer is not a message to a stranger. Nobody is pushed out: a flood cannot empty the list.
 */
function acquaint(world: World, player: Eid, partner: number): void {
  const chatters = world.records(CHATTERS)
  const key = String(numberOf(world, player))
  const chatter = chatters.get(key) ?? SILENT
  if (chatter.known.includes(partner) || chatter.known.length >= CHAT_KNOWN_PARTNERS_MAX) return
  chatters.set(key, { ...chatter, known: [partner, ...chatter.known] })
}

/**
 * Counts a push that `sender` causes at `recipient` and that cannot be muted (private chat, gifts,
 * offers, invites). False: store the thing, do not push it; the recipient is told a count later.
 * Source: social.md 6, stranger budget.
 */
export function mayPush(world: World, recipient: Eid, sender: Eid): boolean {
  if (areAllied(world, recipient, sender)) return true
  const key = String(numberOf(world, recipient))
  const from = String(numberOf(world, sender))
  const minute = divFloor(world.wallMs, MINUTE_MS)
  const budgets = world.records(PUSH_BUDGETS)
  const stored = budgets.get(key)
  const budget: PushBudget = stored?.minute === minute ? stored : { minute, count: 0, from: {} }
  const fromOne = budget.from[from] ?? 0
  if (
    budget.count >= STRANGER_PUSHES_PER_MINUTE ||
    fromOne >= STRANGER_PUSHES_FROM_ONE_PER_MINUTE
  ) {
    holdBack(world, key)
    return false
  }
  budgets.set(key, {
    minute,
    count: budget.count + 1,
    from: { ...budget.from, [from]: fromOne + 1 },
  })
  return true
}

function holdBack(world: World, key: string): void {
  const held = world.records(HELD_BACK)
  const before = held.get(key)
  held.set(key, {
    sinceMs: before?.sinceMs ?? world.wallMs,
    count: (before?.count ?? 0) + 1,
  })
}

/** Takes the counts that have waited a minute: recipient and number of pushes held back. */
export function takeHeldBack(world: World): [Eid, number][] {
  const held = world.records(HELD_BACK)
  if (held.size === 0) return []
  const due: [Eid, number][] = []
  for (const [key, { sinceMs, count }] of [...held.entries()]) {
    if (world.wallMs < sinceMs + MINUTE_MS) continue
    held.delete(key)
    const recipient = world.rowOf(Player, Number(key))
    if (recipient !== 0) due.push([recipient, count])
  }
  return due
}
