/**
 * Who follows the exchange of which base: one feed a player, which ends with the dock it was asked
 * for at and the connection it was asked for on. Source: market.md section 6.
 */
import { assert } from '../../core/assert.ts'
import type { Framing } from '../../core/ports.ts'
import type { CheckDef } from '../../core/registry.ts'
import { defineIndex, type Eid, type World, type WorldView } from '../../core/world.ts'
import { type BindChannel, BOUND, Player } from '../account/columns.ts'
import { dockedBase } from '../travel/rules.ts'
import { MarketFeed } from './columns.ts'

/** Followers by base. */
const FOLLOWERS = defineIndex('market.followers', () => new Map<Eid, Set<Eid>>())

const CHANNELS: Readonly<Record<Framing, BindChannel>> = {
  ws1: 'ws',
  ws2: 'ws',
  http1: 'http',
  http2: 'http',
  mcp1: 'mcp',
  mcp2: 'mcp',
}

/** The base whose exchange a player follows; 0 none. */
export const followedBase = (view: WorldView, player: Eid): Eid =>
  view.read(MarketFeed).base[player]

/** A player follows the exchange of a base from now on, and no other. */
export function follow(world: World, player: Eid, base: Eid, framing: Framing): void {
  unfollow(world, player)
  const feed = world.write(MarketFeed)
  feed.base[player] = base
  feed.channel[player] = BOUND[CHANNELS[framing]]
  enlist(world, player, base)
}

/** False when the player followed none. */
export function unfollow(world: World, player: Eid): boolean {
  const base = followedBase(world, player)
  if (base === 0) return false
  const followers = world.index(FOLLOWERS)
  followers.get(base)?.delete(player)
  if (followers.get(base)?.size === 0) followers.delete(base)
  const feed = world.write(MarketFeed)
  feed.base[player] = 0
  feed.channel[player] = 0
  return true
}

/** The player has lost these channels: bits of BOUND. */
export function endFeed(world: World, player: Eid, channels: number): void {
  if ((world.read(MarketFeed).channel[player] & channels) !== 0) unfollow(world, player)
}

function enlist(world: World, player: Eid, base: Eid): void {
  const followers = world.index(FOLLOWERS)
  const here = followers.get(base)
  if (here) here.add(player)
  else followers.set(base, new Set([player]))
}

/** Bases that somebody follows. */
export const followedBases = (view: WorldView): Eid[] => [...view.index(FOLLOWERS).keys()]

/** Followers of a base, in durable-id order. */
export function followersOf(view: WorldView, base: Eid): Eid[] {
  const { seq } = view.read(Player)
  return [...(view.index(FOLLOWERS).get(base) ?? [])].sort((a, b) => seq[a] - seq[b])
}

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
  world.index(FOLLOWERS).clear()
  const { base } = world.read(MarketFeed)
  const { alive } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && base[player] !== 0) enlist(world, player, base[player])
  }
}
