/**
 * Limits of chat: how much a player may write, a scope may carry, and strangers may push to one
 * recipient. A message is checked when it is admitted and counted when it has been stored; in
 * between, drafts count what the running batch has admitted. Source: social.md sections 1, 6.
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
import { playerNumber } from '../../core/pending.ts'
import { hashText } from '../../core/rng.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { areAllied } from '../account/model.ts'
import { Player } from '../account/state.ts'
import {
  CHATTERS,
  type Chatter,
  DRAFTS,
  HELD_BACK,
  type MessageDigest,
  PUSH_BUDGETS,
  type PushBudget,
  SCOPE_LOADS,
  type ScopeLoad,
} from './state.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const SAME_TEXT_MS = 10_000
/** How long to wait where a scope carries too many messages: its load falls every second. */
const SCOPE_WAIT_MS = 5_000

/* Messages */

/** What the limits need to know of a message. */
export interface OutgoingMessage {
  readonly player: Eid
  /** Key of the scope. */
  readonly scope: string
  readonly text: string
  /** The recipient of a private message. */
  readonly partner?: Eid
  /** True for a scope that strangers share: it has a limit of its own. */
  readonly isShared: boolean
}

const NO_HISTORY: Chatter = { sent: [], known: [], firsts: [] }

/**
 * Admits a message into the running batch, or refuses it with `rate_limited`. Source: social.md
 * section 1, limits.
 */
export function admitChat(
  view: WorldView,
  message: OutgoingMessage,
): Failure<'rate_limited'> | undefined {
  const now = view.wallMs
  const { scope, isShared } = message
  const key = String(playerNumber(view, message.player))
  const digest = digestOf(view, message)
  const drafts = draftsOf(view)
  let chatter = recent(view.records(CHATTERS).get(key) ?? NO_HISTORY, now)
  for (const draft of drafts.byPlayer.get(key) ?? []) chatter = withMessage(chatter, draft, now)
  const refused = rateRefusal(chatter, digest, now)
  if (refused) return refused
  if (isShared) {
    const load = currentLoad(view.records(SCOPE_LOADS).get(scope), now)
    const count = inLastMinute(load, now) + (drafts.byScope.get(scope) ?? 0)
    if (count >= CHAT_SCOPE_PER_MINUTE) {
      return rateLimited(SCOPE_WAIT_MS, 'Too many messages are sent here; try again in a moment.')
    }
  }
  addDraft(view, key, digest, isShared ? scope : undefined)
  return undefined
}

/** Counts a message that has been stored. */
export function countChat(world: World, message: OutgoingMessage): void {
  const now = world.wallMs
  const { scope, partner, isShared } = message
  const chatters = world.records(CHATTERS)
  const number = playerNumber(world, message.player)
  const key = String(number)
  const digest = digestOf(world, message)
  dropDraft(world, key, digest, isShared ? scope : undefined)
  chatters.set(key, withMessage(recent(chatters.get(key) ?? NO_HISTORY, now), digest, now))
  if (partner !== undefined) addKnownPartner(world, partner, number)
  if (isShared) {
    const loads = world.records(SCOPE_LOADS)
    const load = currentLoad(loads.get(scope), now)
    loads.set(scope, { ...load, count: load.count + 1 })
  }
}

const digestOf = (view: WorldView, { scope, text, partner }: OutgoingMessage): MessageDigest => ({
  hash: hashText(`${scope}\n${text}`),
  partner: partner === undefined ? 0 : playerNumber(view, partner),
})

/**
 * Makes the sender known to the recipient, whose answer is then not a message to a stranger. A full
 * list accepts nobody, so that a flood of senders cannot push out those who are in it.
 */
function addKnownPartner(world: World, recipient: Eid, sender: number): void {
  const chatters = world.records(CHATTERS)
  const key = String(playerNumber(world, recipient))
  const chatter = chatters.get(key) ?? NO_HISTORY
  if (chatter.known.includes(sender) || chatter.known.length >= CHAT_KNOWN_PARTNERS_MAX) return
  chatters.set(key, { ...chatter, known: [sender, ...chatter.known] })
}

/** Returns the history without what is outside its windows; a clock set back empties them. */
function recent(chatter: Readonly<Chatter>, nowMs: number): Chatter {
  return {
    sent: chatter.sent.filter(([at]) => at > nowMs - MINUTE_MS && at <= nowMs),
    known: chatter.known,
    firsts: chatter.firsts.filter((at) => at > nowMs - HOUR_MS && at <= nowMs),
  }
}

function withMessage(chatter: Chatter, { hash, partner }: MessageDigest, nowMs: number): Chatter {
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

/** Refuses a message that is one too many for its sender. */
function rateRefusal(
  chatter: Chatter,
  { hash, partner }: MessageDigest,
  now: number,
): Failure<'rate_limited'> | undefined {
  if (chatter.sent.length >= CHATS_PER_MINUTE) {
    const waitMs = chatter.sent[0][0] + MINUTE_MS - now
    return rateLimited(waitMs, 'You have sent too many messages in this minute; wait a little.')
  }
  const same = chatter.sent.filter(([at, other]) => other === hash && at > now - SAME_TEXT_MS)
  if (same.length >= CHAT_SAME_TEXT_IN_10_S_MAX) {
    return rateLimited(
      same[0][0] + SAME_TEXT_MS - now,
      'You have just sent the same text several times; wait or write something else.',
    )
  }
  const isNew = partner !== 0 && !chatter.known.includes(partner)
  if (isNew && chatter.firsts.length >= CHAT_NEW_PARTNERS_PER_HOUR) {
    return rateLimited(
      chatter.firsts[0] + HOUR_MS - now,
      'You have written to too many new players within an hour; wait before you write to another.',
    )
  }
  return undefined
}

function rateLimited(waitMs: number, message: string): Failure<'rate_limited'> {
  return fail('rate_limited', { wait_seconds: Math.max(1, divCeil(waitMs, 1000)) }, message)
}

/* Load of a scope */

/** Returns the load with its counts moved on to the current minute. */
function currentLoad(load: Readonly<ScopeLoad> | undefined, nowMs: number): ScopeLoad {
  const minute = divFloor(nowMs, MINUTE_MS)
  if (load?.minute === minute) return load
  return { minute, count: 0, before: load?.minute === minute - 1 ? load.count : 0 }
}

/** Estimates the messages of the last 60 s, as if those of the minute before were evenly spread. */
function inLastMinute(load: ScopeLoad, nowMs: number): number {
  const left = MINUTE_MS - (nowMs - load.minute * MINUTE_MS)
  return load.count + divFloor(load.before * left, MINUTE_MS)
}

/* Drafts */

/** Returns the drafts of the running batch; those of an earlier one are dropped. */
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

function addDraft(view: WorldView, key: string, message: MessageDigest, scope?: string): void {
  const { byPlayer, byScope } = draftsOf(view)
  byPlayer.set(key, [...(byPlayer.get(key) ?? []), message])
  if (scope !== undefined) byScope.set(scope, (byScope.get(scope) ?? 0) + 1)
}

/** Drops the draft of a message that has been stored: the records count it from here on. */
function dropDraft(view: WorldView, key: string, message: MessageDigest, scope?: string): void {
  const { byPlayer, byScope } = draftsOf(view)
  const drafts = byPlayer.get(key) ?? []
  const index = drafts.findIndex((draft) => draft.hash === message.hash)
  if (index < 0) return
  byPlayer.set(key, drafts.toSpliced(index, 1))
  if (scope !== undefined) byScope.set(scope, Math.max(0, (byScope.get(scope) ?? 0) - 1))
}

/* Pushes from strangers */

/**
 * Counts a push from `sender` to `recipient` that cannot be muted (private chat, gifts, offers,
 * invites). Returns false if the budget is spent: the caller then does not push, and the recipient
 * is sent the number of such pushes later. Source: social.md 6, stranger budget.
 */
export function mayPush(world: World, recipient: Eid, sender: Eid): boolean {
  if (areAllied(world, recipient, sender)) return true
  const key = String(playerNumber(world, recipient))
  const from = String(playerNumber(world, sender))
  const minute = divFloor(world.wallMs, MINUTE_MS)
  const budgets = world.records(PUSH_BUDGETS)
  const stored = budgets.get(key)
  const budget: PushBudget = stored?.minute === minute ? stored : { minute, count: 0, from: {} }
  const fromOne = budget.from[from] ?? 0
  if (
    budget.count >= STRANGER_PUSHES_PER_MINUTE ||
    fromOne >= STRANGER_PUSHES_FROM_ONE_PER_MINUTE
  ) {
    countHeldBack(world, key)
    return false
  }
  budgets.set(key, {
    minute,
    count: budget.count + 1,
    from: { ...budget.from, [from]: fromOne + 1 },
  })
  return true
}

function countHeldBack(world: World, key: string): void {
  const held = world.records(HELD_BACK)
  const before = held.get(key)
  held.set(key, {
    sinceMs: before?.sinceMs ?? world.wallMs,
    count: (before?.count ?? 0) + 1,
  })
}

/** Removes and returns the counts that are a minute old: recipient, number of pushes held back. */
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

/* Channels */

/** Returns the key of two players' messages, the same in both directions. Source: social.md 1. */
export function privateKey(a: string, b: string): string {
  return a < b ? `${a}:${b}` : `${b}:${a}`
}

/** Returns whether a text is one of the known values, and narrows its type. */
export function isOneOf<const T extends string>(known: readonly T[], value: string): value is T {
  return (known as readonly string[]).includes(value)
}
