/**
 * Which node holds which channel of a player. A channel counts as bound while some node holds it; a
 * socket is held by one alone. Source: SCALE 5.
 */
import { playerNumber } from '../../core/pending.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { BOUND, type Holders, Player, PRESENCE } from './state.ts'

/** Most nodes that may hold channels of one player; beyond that the earliest is dropped. */
const HOLDERS_MAX = 16

function holdersOf(view: WorldView, player: Eid): Holders {
  const { bound } = view.read(Player)
  const stored = view.records(PRESENCE).get(String(playerNumber(view, player)))
  return stored ?? (bound[player] === 0 ? [] : [[0, bound[player]]])
}

/** Stores the holders of a player's channels; returns the channels that some node holds. */
function keepHolders(world: World, player: Eid, holders: Holders): number {
  const left = holders.filter(([, channels]) => channels !== 0).slice(0, HOLDERS_MAX)
  const key = String(playerNumber(world, player))
  if (left.some(([node]) => node !== 0)) world.records(PRESENCE).set(key, left)
  else world.records(PRESENCE).delete(key)
  return left.reduce((all, [, channels]) => all | channels, 0)
}

/** Returns the channels of a player that a node holds. */
export const channelsAt = (view: WorldView, player: Eid, node: number): number =>
  holdersOf(view, player).find(([holder]) => holder === node)?.[1] ?? 0

/** Adds a channel to those of a node; returns the channels that any node holds. */
export function holdChannel(world: World, player: Eid, node: number, channel: number): number {
  const channels = channelsAt(world, player, node) | channel
  const others = holdersOf(world, player).filter(([holder]) => holder !== node)
  const left = others.map(
    ([holder, held]) => [holder, channel === BOUND.ws ? held & ~channel : held] as const,
  )
  return keepHolders(world, player, [[node, channels], ...left])
}

/** Releases channels of a node; returns those that any node still holds. */
export const releaseChannels = (
  world: World,
  player: Eid,
  node: number,
  channels: number,
): number =>
  keepHolders(
    world,
    player,
    holdersOf(world, player).map(
      ([holder, held]) => [holder, holder === node ? held & ~channels : held] as const,
    ),
  )

/** Releases all channels of a player on all nodes; returns 0, the channels left. */
export const releaseAll = (world: World, player: Eid): number => keepHolders(world, player, [])

export const isBoundAt = (view: WorldView, player: Eid, node: number): boolean =>
  channelsAt(view, player, node) !== 0

/** Returns the nodes, other than 0, that hold channels of players. */
export function boundNodes(view: WorldView): number[] {
  const nodes = new Set<number>()
  for (const [, holders] of view.records(PRESENCE).entries()) {
    for (const [node] of holders) if (node !== 0) nodes.add(node)
  }
  return [...nodes].sort((a, b) => a - b)
}
