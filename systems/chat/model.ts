/**
 * Limits of chat: how much a player may write, a scope may carry, and strangers may push to one
 * recipient. Source: social.md sections 1, 6.
 */
import type { Failure } from '../../core/errors.ts'
import {
  CHAT_KNOWN_PARTNERS_MAX,
  CHAT_SCOPE_PER_MINUTE,
  STRANGER_PUSHES_FROM_ONE_PER_MINUTE,
  STRANGER_PUSHES_PER_MINUTE,
} from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { playerNumber } from '../../core/pending.ts'
import { hashText } from '../../core/rng.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { areAllied } from '../account/model.ts'
import { Player } from '../account/state.ts'
import {
  CHATTERS,
  DRAFTS,
  HELD_BACK,
  inLastMinute,
  loadNow,
  MINUTE_MS,
  PUSH_BUDGETS,
  type PushBudget,
  type Remembered,
  recent,
  type Said,
  SCOPE_LOADS,
  SILENT,
  tooMuch,
  wait,
  withMessage,
} from './state.ts'

/*
 * How much one player may say, one scope may carry, and one recipient may be told by strangers.
 * Checked when a message is admitted, counted when it has been stored; in between, drafts count
 * what the running batch has admitted.
 */

const remember = (view: WorldView, said: Said): Remembered => ({
  hash: hashText(`${said.scope}\n${said.text}`),
  partner: said.partner === undefined ? 0 : playerNumber(view, said.partner),
})

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

/**
 * Admits a message into the running batch or says why not: `rate_limited` with `wait_seconds`.
 * Source: social.md section 1, limits.
 */
export function admitChat(view: WorldView, said: Said): Failure<'rate_limited'> | undefined {
  const now = view.wallMs
  const key = String(playerNumber(view, said.player))
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

/** Counts a message that has been stored. */
export function countChat(world: World, said: Said): void {
  const now = world.wallMs
  const chatters = world.records(CHATTERS)
  const key = String(playerNumber(world, said.player))
  const message = remember(world, said)
  dropDraft(world, key, message, said.shared ? said.scope : undefined)
  chatters.set(key, withMessage(recent(chatters.get(key) ?? SILENT, now), message, now))
  if (said.partner !== undefined) acquaint(world, said.partner, playerNumber(world, said.player))
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
  const key = String(playerNumber(world, player))
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

/** Same for both directions. Source: social.md section 1, canonical DM key. */
export function privateKey(a: string, b: string): string {
  return a < b ? `${a}:${b}` : `${b}:${a}`
}

export function isOneOf<const T extends string>(known: readonly T[], value: string): value is T {
  return (known as readonly string[]).includes(value)
}
