/** Players who meet in a lawless system, without police or pirates. */
import { itemIndex, STARTER, shipClassIndex } from '../../../core/catalog/index.ts'
import type { PublishedEmission } from '../../../core/ports.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { FATES, Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { npcsOf } from '../../../systems/npc/model.ts'
import { removeNpc } from '../../../systems/npc/rules.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { mapInUse, type SmallWorld, smallWorld } from '../../small-world.ts'

/**
 * Returns a system without police, with a base and two places without one; sends its pirates away.
 */
export function lawlessSystem(world: World): Eid {
  const { police } = world.read(StarSystem)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    if (police[system] !== 0 || open(world, system).length < 2) continue
    if (baseIn(world, system) === 0) continue
    const { ship } = world.read(Npc)
    for (const hull of npcsOf(world, system).map((npc) => ship[npc])) {
      removeNpc(world, hull)
      removeFromMap(world, hull)
      world.release(Ship, hull)
    }
    return system
  }
  throw new Error('every system has police')
}

/** Returns the visible places of a system that have no base and where a ship can be. */
export const open = (world: World, system: Eid): Eid[] => {
  const { base, hidden } = world.read(Poi)
  return poisOf(world, system).filter((poi) => base[poi] === 0 && hidden[poi] === 0)
}

/** Returns the first base of a system; 0 none. */
export function baseIn(world: World, system: Eid): Eid {
  const { base } = world.read(Poi)
  const poi = poisOf(world, system).find((place) => base[place] !== 0)
  return poi === undefined ? 0 : base[poi]
}

export const hullOf = (world: World, player: Eid): Eid => world.read(Player).ship[player]
export const rowOf = (world: World, player: Eid): Row =>
  world.read(ShipCombat).participant[hullOf(world, player)]

/** Puts a player in space at a place, in a new hull of this class if one is named. */
export function putAt(
  world: World,
  player: Eid,
  poi: Eid,
  fit: { shipClass?: string; modules?: readonly string[] } = {},
): Eid {
  if (fit.shipClass !== undefined) {
    const old = hullOf(world, player)
    world.write(Player).ship[player] = createShip(world, {
      owner: player,
      shipClass: shipClassIndex(fit.shipClass),
      modules: (fit.modules ?? []).map(itemIndex),
    })
    removeFromMap(world, old)
  }
  placeInSpace(world, hullOf(world, player), poi)
  return hullOf(world, player)
}

export interface Scene {
  readonly small: SmallWorld
  readonly world: World
  readonly system: Eid
  readonly poi: Eid
  readonly players: readonly Eid[]
  /** Wire id of a player. */
  id(player: Eid): string
  /** Sets the fate of a player's ship in the next tick's fight. */
  doom(player: Eid, fate: (typeof FATES)[number], killer?: Eid): void
  /** Returns the emissions since the last call. */
  takeEmissions(): readonly PublishedEmission[]
}

/** Worlds by map, number of players and seed: made once, and loaded again for each scene. */
const MADE = new Map<string, { small: SmallWorld; system: Eid }>()

async function madeWorld(
  players: number,
  seed?: number,
): Promise<{ small: SmallWorld; system: Eid }> {
  const key = `${mapInUse()} ${players} ${seed}`
  const known = MADE.get(key)
  if (known) return known
  const small = await smallWorld(seed === undefined ? { players } : { players, seed })
  const { world } = small
  const system = lawlessSystem(world)
  const [poi] = open(world, system)
  for (const player of small.players) {
    putAt(world, player, poi, { shipClass: STARTER[0].ship_class })
  }
  world.recycle()
  MADE.set(key, { small, system })
  return { small, system }
}

/** Makes this many players at one place in lawless space, online, in bare unarmed hulls. */
export async function meeting(count: number, seed?: number): Promise<Scene> {
  const { small: first, system } = await madeWorld(count, seed)
  const { players } = first
  const small = await first.reload()
  const { world } = small
  return {
    small,
    world,
    system,
    poi: open(world, system)[0],
    players,
    id: (player) => playerId(world, player),
    doom(player, fate, killer = 0) {
      const part = world.write(Participant)
      const row = rowOf(world, player)
      part.fate[row] = FATES.indexOf(fate)
      part.killer[row] = killer === 0 ? 0 : rowOf(world, killer)
    },
    takeEmissions: () => small.takeEmissions(),
  }
}

/** Returns the payloads of one type that were sent to a player. */
export const payloadsTo = (
  scene: Scene,
  emissions: readonly PublishedEmission[],
  player: Eid,
  type: string,
): Record<string, unknown>[] => {
  const number = scene.world.read(Player).seq[player]
  return emissions
    .filter((emission) => emission.type === type && emission.to.includes(number))
    .map(({ payload }) => payload as Record<string, unknown>)
}
