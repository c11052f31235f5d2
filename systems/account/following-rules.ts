/**
 * Who follows what: players by the thing whose news they have asked for (an exchange, a place). The
 * column that says so stands in the domain; this is the index over it. A leaf.
 */
import type { Eid, Framing, WorldView } from '../../core/types.ts'
import { type BindChannel, BOUND, Player } from './columns.ts'

/** Followers by what they follow. */
export type Following = Map<Eid, Set<Eid>>

const CHANNELS: Readonly<Record<Framing, BindChannel>> = {
  ws1: 'ws',
  ws2: 'ws',
  http1: 'http',
  http2: 'http',
  mcp1: 'mcp',
  mcp2: 'mcp',
}

/** The bit of BOUND of the channel on which a command came. */
export const channelOf = (framing: Framing): number => BOUND[CHANNELS[framing]]

export function enlist(following: Following, player: Eid, what: Eid): void {
  const here = following.get(what)
  if (here) here.add(player)
  else following.set(what, new Set([player]))
}

export function strikeOff(following: Following, player: Eid, what: Eid): void {
  const here = following.get(what)
  here?.delete(player)
  if (here?.size === 0) following.delete(what)
}

/** What somebody follows, in the order of rows: the same after a restore. */
export const followed = (following: Following): Eid[] => [...following.keys()].sort((a, b) => a - b)

/** Followers of a thing, in durable-id order. */
export function followersIn(view: WorldView, following: Following, what: Eid): Eid[] {
  const { seq } = view.read(Player)
  return [...(following.get(what) ?? [])].sort((a, b) => seq[a] - seq[b])
}

/** Fills the index from the column, after a restore. `what`: by player; 0 nothing. */
export function refill(view: WorldView, following: Following, what: ArrayLike<number>): void {
  following.clear()
  const { alive } = view.read(Player)
  for (let player = 1; player <= view.highOf(Player); player++) {
    if (alive[player] === 1 && what[player] !== 0) enlist(following, player, what[player])
  }
}
