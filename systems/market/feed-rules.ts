/**
 * Who follows the exchange of which base: one feed a player, which ends with the dock it was asked
 * for at and the connection it was asked for on. Source: market.md section 6.
 */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Eid, Framing, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import {
  channelOf,
  enlist,
  type Following,
  followed,
  followersIn,
  refill,
  strikeOff,
} from '../account/following-rules.ts'
import { dockedBase } from '../travel/rules.ts'
import { MarketFeed } from './columns.ts'

/** Followers by base. */
const FOLLOWERS = defineIndex('market.followers', () => new Map() as Following)

/** The base whose exchange a player follows; 0 none. */
export const followedBase = (view: WorldView, player: Eid): Eid =>
  view.read(MarketFeed).base[player]

/** A player follows the exchange of a base from now on, and no other. */
export function follow(world: World, player: Eid, base: Eid, framing: Framing): void {
  unfollow(world, player)
  const feed = world.write(MarketFeed)
  feed.base[player] = base
  feed.channel[player] = channelOf(framing)
  enlist(world.index(FOLLOWERS), player, base)
}

/** False when the player followed none. */
export function unfollow(world: World, player: Eid): boolean {
  const base = followedBase(world, player)
  if (base === 0) return false
  strikeOff(world.index(FOLLOWERS), player, base)
  const feed = world.write(MarketFeed)
  feed.base[player] = 0
  feed.channel[player] = 0
  return true
}

/** The player has lost these channels: bits of BOUND. */
export function endFeed(world: World, player: Eid, channels: number): void {
  if ((world.read(MarketFeed).channel[player] & channels) !== 0) unfollow(world, player)
}

/** Bases that somebody follows. */
export const followedBases = (view: WorldView): Eid[] => followed(view.index(FOLLOWERS))

/** Followers of a base, in durable-id order. */
export const followersOf = (view: WorldView, base: Eid): Eid[] =>
  followersIn(view, view.index(FOLLOWERS), base)

/** Ends the feeds of those who have left the dock. */
export function dropLeavers(world: World, base: Eid): void {
  for (const player of followersOf(world, base)) {
    if (dockedBase(world, player) !== base) unfollow(world, player)
  }
}

export const followersHold: CheckDef = {
  name: 'market feeds: whoever follows an exchange is known there, and docked there after a tick',
  run(view, full) {
    if (!full) return
    const { base, channel } = view.read(MarketFeed)
    for (const [at, followers] of view.index(FOLLOWERS)) {
      for (const player of followers) {
        assert(base[player] === at && channel[player] !== 0, `player ${player} follows elsewhere`)
        assert(dockedBase(view, player) === at, `player ${player} follows from afar`)
      }
    }
  },
}

/** Fills the index from the column, after a restore. */
export function rebuildFollowers(world: World): void {
  refill(world, world.index(FOLLOWERS), world.read(MarketFeed).base)
}
