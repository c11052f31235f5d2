/**
 * Players: finding them, who is allied with whom, lifetime counters, standing with empires, and who
 * declined or follows what.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { fail } from '../../core/errors.ts'
import { addToSet } from '../../core/groups.ts'
import { isGranted } from '../../core/guard.ts'
import type { RecordsDef } from '../../core/records.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, Framing, Row, World, WorldView } from '../../core/types.ts'
import {
  allied,
  type BindChannel,
  BOUND,
  EMPIRES_WIDTH,
  type Followers,
  Player,
  PlayerStats,
  STATS,
  STATS_WIDTH,
  type StatName,
  USERNAMES,
} from './state.ts'

assert(STATS.length <= STATS_WIDTH, 'the column of counters is too narrow')
assert(EMPIRES.length <= EMPIRES_WIDTH, 'the columns by empire are too narrow')

/** Returns true for players of one fleet, faction or alliance; nobody is their own ally. */
export const areAllied = (view: WorldView, player: Eid, other: Eid): boolean =>
  player !== other && isGranted(view, allied, { player, other })

/*
 * Recent declines: a player who was declined often must wait before asking the same player again.
 * Pairs are kept in the order of their latest decline, so the first to expire come first.
 */

/** A limit on asking players again who have declined. */
export interface DeclineRule {
  /** Ticks of the latest declines, by pair. */
  readonly records: RecordsDef<readonly number[]>
  /** Ticks for which a decline counts. */
  readonly ticks: number
  /** Declines within these ticks after which the requester must wait. */
  readonly max: number
}

/** Returns the key of a requester and the player they ask, both by durable number. */
export const pairOf = (from: number, to: number): string => `${from}:${to}`

const recentDeclines = (
  view: WorldView,
  rule: DeclineRule,
  ticks: readonly number[] = [],
): number[] => ticks.filter((tick) => view.tick - tick < rule.ticks)

/** Returns how many ticks the requester of a pair must wait before asking again; 0: none. */
export function declineWaitOf(view: WorldView, rule: DeclineRule, pair: string): number {
  const declines = recentDeclines(view, rule, view.records(rule.records).get(pair))
  return declines.length < rule.max ? 0 : rule.ticks - (view.tick - declines[0])
}

/** Records a decline. ours: while the table is full, declines of a new pair are not counted. */
export function recordDecline(world: World, rule: DeclineRule, pair: string): void {
  const declines = world.records(rule.records)
  const ticks = recentDeclines(world, rule, declines.get(pair))
  declines.delete(pair)
  if (declines.size >= rule.records.rowsMax) return
  declines.set(pair, [...ticks, world.tick].slice(-rule.max))
}

/** Forgets declines that no longer count. O(pairs forgotten). */
export function forgetDeclines(world: World, rule: DeclineRule): void {
  const old: string[] = []
  for (const [pair, ticks] of world.records(rule.records).entries()) {
    if (recentDeclines(world, rule, ticks).length > 0) break
    old.push(pair)
  }
  for (const pair of old) world.records(rule.records).delete(pair)
}

/*
 * Followers: players by the target whose updates they have subscribed to (an exchange, a place).
 * The domain of the target owns the column; these functions maintain the index over it.
 */

const CHANNELS: Readonly<Record<Framing, BindChannel>> = {
  ws1: 'ws',
  ws2: 'ws',
  http1: 'http',
  http2: 'http',
  mcp1: 'mcp',
  mcp2: 'mcp',
}

/** Returns the bit of BOUND for the channel on which a command came. */
export const channelBit = (framing: Framing): number => BOUND[CHANNELS[framing]]

/**
 * Refuses a subscription on a channel where the world does not have the player: their node passed
 * for gone, or their login ended while the command was on its way. Nothing would end it again.
 */
export const subscriptionRefusal = (view: WorldView, player: Eid, framing: Framing) =>
  (view.read(Player).bound[player] & channelBit(framing)) !== 0
    ? undefined
    : fail('restarting', undefined, 'Your login is being restored. Subscribe again in a moment.')

/** Returns the targets that have followers, by row, so that a restore keeps the order. */
export const followedTargets = (followers: Followers): Eid[] =>
  [...followers.keys()].sort((a, b) => a - b)

/** Returns the followers of one target, in durable-id order. */
export function followersIn(view: WorldView, followers: Followers, target: Eid): Eid[] {
  const { seq } = view.read(Player)
  return [...(followers.get(target) ?? [])].sort((a, b) => seq[a] - seq[b])
}

/** Rebuilds the index from its column after a restore. `targets`: one for each player; 0 none. */
export function fillFollowers(
  view: WorldView,
  followers: Followers,
  targets: ArrayLike<number>,
): void {
  followers.clear()
  const { alive } = view.read(Player)
  for (let player = 1; player <= view.highOf(Player); player++) {
    if (alive[player] === 1 && targets[player] !== 0) addToSet(followers, targets[player], player)
  }
}

/* Finding players */

/** Returns the UUID of a player on the wire. */
export const playerId = (view: WorldView, player: Eid): string => idOf(view, Player, player)

export const usernameOf = (view: WorldView, player: Eid): string =>
  view.texts.get(view.read(Player).username[player])

/**
 * Returns the player with a wire id or, failing that, a user name; 0: none. Source: accounts.md
 * section 2.
 */
export function playerById(view: WorldView, idOrName: string): Eid {
  const row = rowOfId(view, Player, idOrName)
  if (row !== 0) return row
  const number = view.records(USERNAMES).get(usernameKey(idOrName))
  return number === undefined ? 0 : view.rowOf(Player, number)
}

/** Returns the ledger account of the player's credits. */
export const walletOf = (view: WorldView, player: Eid): Row => view.read(Player).wallet[player]

/** Returns true while some socket or session of the player is live. */
export const isBound = (view: WorldView, player: Eid): boolean =>
  view.read(Player).bound[player] !== 0

/* Counters */

const STAT_INDEX = new Map<StatName, number>(STATS.map((name, index) => [name, index]))

/** Returns a lifetime counter. */
export const statOf = (view: WorldView, player: Eid, stat: StatName): number =>
  view.read(PlayerStats).values[player * STATS_WIDTH + statIndex(stat)]

/** Returns the column index of a lifetime counter. */
export function statIndex(stat: StatName): number {
  const index = STAT_INDEX.get(stat)
  assert(index !== undefined && index < STATS_WIDTH, `there is no counter ${stat}`)
  return index
}

/* Empires */

export const isCitizen = (view: WorldView, player: Eid, empire: number): boolean =>
  view.read(Player).citizenSinceMs[player * EMPIRES_WIDTH + empire] !== 0

/** Returns the value towards which a standing decays. Source: factions.md section 10. */
export function reputationBaseline(view: WorldView, player: Eid, empire: number): number {
  const { rep_baseline_citizen, rep_baseline_outsider } = EMPIRES[empire].policy
  return isCitizen(view, player, empire) ? rep_baseline_citizen : rep_baseline_outsider
}

/** Returns the standing with an empire, -100…100. */
export const reputationOf = (view: WorldView, player: Eid, empire: number): number =>
  view.read(Player).reputation[player * EMPIRES_WIDTH + empire]
