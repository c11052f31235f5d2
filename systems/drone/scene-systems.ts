/**
 * What drones see: the state after phase act, read once a place and system, then written to each
 * drone's `Thought`. Source: drones.md section 3.4, "F1 snapshot".
 */
import { rowsOf } from '../../core/columns.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { areAllied, isBound } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { isOutOfReach } from '../combat/engage-model.ts'
import { battleIn, percentOf } from '../combat/model.ts'
import { isPirate } from '../npc/model.ts'
import { seePlayer } from '../sensing/model.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { AT_POI, Location, Poi, StarSystem } from '../travel/state.ts'
import { DEPLOYED, Drone, SCENE, type Scene, SEES, Thought } from './state.ts'

/** Returns whether a player's drones treat another as a friend: an ally. drones.md section 3.4. */
export const areFriends = (view: WorldView, one: Eid, other: Eid): boolean =>
  one === other || areAllied(view, one, other)

/** Value of `allyPct` where no friend is present. */
const NO_FRIEND = 0xff

/**
 * Power of a mining beam whose owner is online in the system, and of an unattended one, which works
 * in every fourth tick. Source: balance.md section 10.
 */
const ATTENDED_POWER = 3
const LONE_POWER = 1
const LONE_TICKS = 4

/** Returns the power of a drone's beam in this tick; 0 while it rests. */
export function beamPower(view: WorldView, drone: Row): number {
  const { owner, system, seq } = view.read(Drone)
  const ship = activeShip(view, owner[drone])
  const isThere = view.read(Location).system[ship] === system[drone]
  if (isThere && isBound(view, owner[drone])) return ATTENDED_POWER
  return (view.tick + seq[drone]) % LONE_TICKS === 0 ? LONE_POWER : 0
}

interface Sights {
  readonly visitors: readonly Eid[]
  readonly pirates: readonly Eid[]
}

function sceneOf(world: WorldView): Scene {
  const index = world.index(SCENE)
  if (index.scene) return index.scene
  const places = rowsOf(Poi, world.maxEntities) + 1
  const systems = rowsOf(StarSystem, world.maxEntities) + 1
  index.scene = {
    stamps: new Float64Array(places).fill(-1),
    pirates: [],
    visitors: [],
    battleStamps: new Float64Array(systems).fill(-1),
    battles: new Uint8Array(systems),
  }
  return index.scene
}

/** Returns the players in space at a place whom everyone can see and reach, by number. */
function visitorsAt(view: WorldView, poi: Eid): Eid[] {
  const { nextHere, state } = view.read(Location)
  const { owner } = view.read(Ship)
  const { ship: flown, seq } = view.read(Player)
  const visitors: Eid[] = []
  for (let ship = view.read(Poi).firstShip[poi]; ship !== 0; ship = nextHere[ship]) {
    const player = owner[ship]
    if (player === 0 || flown[player] !== ship || state[ship] !== AT_POI) continue
    if (seePlayer(view, 0, player) !== 'nothing' && !isOutOfReach(view, ship)) visitors.push(player)
  }
  return visitors.sort((a, b) => seq[a] - seq[b])
}

/** Returns the pirates at a place, by number of the ship. */
function piratesAt(view: WorldView, poi: Eid): Eid[] {
  const { nextHere, state } = view.read(Location)
  const { owner, seq } = view.read(Ship)
  const pirates: Eid[] = []
  for (let ship = view.read(Poi).firstShip[poi]; ship !== 0; ship = nextHere[ship]) {
    if (owner[ship] === 0 && state[ship] === AT_POI && isPirate(view, ship)) pirates.push(ship)
  }
  return pirates.sort((a, b) => seq[a] - seq[b])
}

/** Reads who is at a place, once a tick. */
function updateScene(world: WorldView, scene: Scene, poi: Eid): void {
  if (scene.stamps[poi] === world.tick) return
  scene.stamps[poi] = world.tick
  scene.pirates[poi] = piratesAt(world, poi)
  scene.visitors[poi] = visitorsAt(world, poi)
}

/** Returns whom drones see at a place in this tick; it is read once for all drones there. */
export function sightsAt(view: WorldView, poi: Eid): Sights {
  const scene = sceneOf(view)
  updateScene(view, scene, poi)
  return { visitors: scene.visitors[poi], pirates: scene.pirates[poi] }
}

function hasBattle(world: World, scene: Scene, system: Eid): boolean {
  if (scene.battleStamps[system] !== world.tick) {
    scene.battleStamps[system] = world.tick
    scene.battles[system] = battleIn(world, system) === 0 ? 0 : 1
  }
  return scene.battles[system] === 1
}

/** Returns the lowest hull of a friend among those at a place, %; NO_FRIEND when there is none. */
function lowestFriend(view: WorldView, owner: Eid, visitors: readonly Eid[]): number {
  const { hull, hullMax } = view.read(Ship)
  const { ship } = view.read(Player)
  let lowest = NO_FRIEND
  for (const player of visitors) {
    if (player === owner || !areFriends(view, owner, player)) continue
    lowest = Math.min(lowest, percentOf(hull[ship[player]], hullMax[ship[player]]))
  }
  return lowest
}

/** Writes for each drone what it sees. */
export function observe(world: World, rows: Uint32Array): void {
  const scene = sceneOf(world)
  const { owner, poi, state, system } = world.read(Drone)
  const { sees, ownerPct, allyPct } = world.write(Thought)
  const { ship: flown } = world.read(Player)
  const { poi: shipPoi, state: shipState } = world.read(Location)
  const { hull, hullMax } = world.read(Ship)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    const player = owner[row]
    const ship = flown[player]
    sees[row] = hasBattle(world, scene, system[row]) ? SEES.battle : 0
    ownerPct[row] = 100
    allyPct[row] = NO_FRIEND
    if (state[row] !== DEPLOYED) continue
    const place = poi[row]
    updateScene(world, scene, place)
    if (scene.pirates[place].length > 0) sees[row] |= SEES.pirate
    const visitors = scene.visitors[place]
    if (visitors.length > 0) {
      if (visitors.some((other) => other !== player && !areFriends(world, player, other)))
        sees[row] |= SEES.enemy
      allyPct[row] = lowestFriend(world, player, visitors)
    }
    if (shipPoi[ship] === place && shipState[ship] === AT_POI) {
      ownerPct[row] = percentOf(hull[ship], hullMax[ship])
    }
  }
}
