/** A player with a ship full of drone bays at a belt of a quiet system, for tests. */
import { itemIndex, shipClassIndex } from '../../../core/catalog/index.ts'
import type { Outcome } from '../../../core/errors.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { recordLevel } from '../../../systems/achievement/rules.ts'
import { hasService } from '../../../systems/base/model.ts'
import { compile } from '../../../systems/drone/compile-model.ts'
import { DRONE_ACTIONS, DRONE_TYPES, type DroneType } from '../../../systems/drone/figures-model.ts'
import { deployDrone, makeDrone } from '../../../systems/drone/lifecycle-rules.ts'
import { DRONE_ITEMS, droneId } from '../../../systems/drone/model.ts'
import { setScript } from '../../../systems/drone/script-rules.ts'
import { Drone, Thought } from '../../../systems/drone/state.ts'
import { renderDrone } from '../../../systems/drone/views.ts'
import { depositsOf } from '../../../systems/mining/model.ts'
import { Deposit } from '../../../systems/mining/state.ts'
import { npcsOf } from '../../../systems/npc/model.ts'
import { removeNpc } from '../../../systems/npc/rules.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { loadCargo } from '../../../systems/ship/model.ts'
import { createShip, recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { poiId, poisOf } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { POI_TYPES, Poi, StarSystem } from '../../../systems/travel/state.ts'
import { oncePerMap, type SmallWorld, smallWorld } from '../../small-world.ts'

/** Three advanced bays: 15 drones, bandwidth 240. */
export const BAYS = ['advanced_drone_bay', 'advanced_drone_bay', 'advanced_drone_bay']
const CARRIER = 'almoner'

export interface Yard {
  readonly small: SmallWorld
  readonly world: World
  /** Tester 1, at the belt in a hull with bays. */
  readonly owner: Eid
  /** Tester 2, at the same place. */
  readonly other: Eid
  readonly system: Eid
  readonly belt: Eid
  /** A place with a base that stores goods. */
  readonly port: Eid
  /** A place without a base and without deposits. */
  readonly open: Eid
}

const isBelt = (world: World, poi: Eid): boolean => {
  const { type, class: kind, hidden } = world.read(Poi)
  const isField = world.texts.get(kind[poi]) === 'ice_field'
  return POI_TYPES[type[poi]] === 'asteroid_belt' && !isField && hidden[poi] === 0
}

/** Finds a system with an open belt, a base with storage and an empty place; lawless if wanted. */
function findSystem(world: World, isLawless: boolean) {
  const { police } = world.read(StarSystem)
  const { base, hidden, depositCount } = world.read(Poi)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    const pois = poisOf(world, system)
    const belt = pois.find((poi) => isBelt(world, poi) && depositCount[poi] > 0)
    const port = pois.find((poi) => hasService(world, base[poi], 'storage'))
    const open = pois.find((poi) => base[poi] === 0 && hidden[poi] === 0 && depositCount[poi] === 0)
    const isFit = belt !== undefined && port !== undefined && open !== undefined
    if (isFit && (police[system] === 0) === isLawless) return { system, belt, port, open }
  }
  throw new Error('there is no such system')
}

/** Removes all NPCs, so that a test meets only those that it adds. */
function removeNpcs(world: World): void {
  const { ship } = world.read(Npc)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    for (const hull of npcsOf(world, system).map((npc) => ship[npc])) {
      removeNpc(world, hull)
      removeFromMap(world, hull)
      world.release(Ship, hull)
    }
  }
  world.recycle()
}

async function quietWorld(): Promise<SmallWorld> {
  const small = await smallWorld({ players: 2, maxEntities: 4_000 })
  removeNpcs(small.world)
  return small
}

/** Puts a player into a new ship at a place; the old one stays behind, off the map. */
export function boardNewShip(
  world: World,
  player: Eid,
  poi: Eid,
  modules: readonly string[] = BAYS,
  shipClass = CARRIER,
): Eid {
  const old = world.read(Player).ship[player]
  const ship = createShip(world, {
    owner: player,
    shipClass: shipClassIndex(shipClass),
    modules: modules.map(itemIndex),
  })
  world.write(Player).ship[player] = ship
  removeFromMap(world, old)
  placeInSpace(world, ship, poi)
  return ship
}

const template = oncePerMap(quietWorld)

/** Returns a fresh copy of the world that all yards are made from. */
export async function yard(options: { lawless?: boolean } = {}): Promise<Yard> {
  const small = await (await template()).reload()
  const { world } = small
  const found = findSystem(world, options.lawless ?? false)
  const { seq } = world.read(Player)
  const players: Eid[] = []
  for (let row = 1; row <= world.highOf(Player); row++) if (seq[row] > 0) players.push(row)
  const [owner, other] = players
  boardNewShip(world, owner, found.belt)
  boardNewShip(world, other, found.belt, [])
  world.recycle()
  return { small, world, owner, other, ...found }
}

export const shipOf = (world: World, player: Eid): Eid => world.read(Player).ship[player]

/** Puts units of an item into the hold of a player's ship. */
export function give(world: World, player: Eid, item: string, units = 1): void {
  loadCargo(world, shipOf(world, player), namedContainer('supply'), itemIndex(item), units)
}

/** Makes a drone in a bay, out of nothing. */
export function bayed(world: World, player: Eid, type: DroneType, script = ''): Row {
  const index = DRONE_TYPES.indexOf(type)
  const drone = makeDrone(world, shipOf(world, player), index)
  moveItems(world, namedContainer('supply'), namedContainer('drones'), DRONE_ITEMS[index], 1)
  if (script !== '') write(world, drone, script)
  return drone
}

/** Makes a drone at a place, out of nothing; it has not run yet. */
export function deployed(yard: Yard, type: DroneType, script = '', poi = yard.belt): Row {
  const drone = bayed(yard.world, yard.owner, type, script)
  deployDrone(yard.world, drone, poi)
  return drone
}

/** Sets the script of a drone without a command. */
export function write(world: World, drone: Row, script: string): void {
  const compiled = compile(script, world.read(Drone).type[drone])
  if (!compiled.ok) throw new Error(`L${compiled.fault.line}: ${compiled.fault.text}`)
  setScript(world, drone, script, compiled.program)
}

/** Sets a skill level of a player. */
export function teach(world: World, player: Eid, skill: string, level: number): void {
  const index = player * SKILLS_WIDTH + skillIndex(skill)
  const { level: levels } = world.write(PlayerSkills)
  const before = levels[index]
  levels[index] = level
  if (level > before) recordLevel(world, player, skillIndex(skill), { before, after: level })
  recompute(world, shipOf(world, player))
}

/** Teaches drone control, so that scripts of many drones run and their XP is not locked. */
export function teachDrones(world: World, player: Eid, level = 20): void {
  teach(world, player, 'engineering', 10)
  teach(world, player, 'drone_control', level)
}

export const idOf = (yard: Yard, drone: Row): string => droneId(yard.world, drone)
export const placeId = (yard: Yard, poi: Eid): string => poiId(yard.world, poi)
export const show = (yard: Yard, drone: Row) => renderDrone(yard.world, drone)

/** Returns the result of a drone's script in the last tick, failed or not. */
export const lastAction = (yard: Yard, drone: Row): string =>
  DRONE_ACTIONS[yard.world.read(Thought).action[drone]]

/** Fills the deposits of a place to the brim, or leaves this many units of each. */
export function stockUp(world: World, poi: Eid, units?: number): void {
  const { base, max, baseTick, frac, unlimited } = world.write(Deposit)
  for (const row of depositsOf(world, poi)) {
    if (unlimited[row] === 1) continue
    base[row] = Math.min(max[row], units ?? max[row])
    baseTick[row] = world.tick
    frac[row] = 0
  }
}

/** Docks a player's ship at the base of a place. */
export const dock = (world: World, player: Eid, poi: Eid): void =>
  dockShip(world, shipOf(world, player), world.read(Poi).base[poi])

export function park(world: World, player: Eid, poi: Eid): void {
  placeInSpace(world, shipOf(world, player), poi)
}

/** Returns the code of a refusal, `ok`, or `none` without an outcome. */
export function codeOf(outcome: Outcome<unknown> | undefined): string {
  if (outcome === undefined) return 'none'
  return outcome.ok ? 'ok' : outcome.code
}

/** Returns the payloads of a type that were emitted since the last call. */
export const payloadsOf = (yard: Yard, type: string): Record<string, unknown>[] =>
  yard.small
    .takeEmissions()
    .filter((emission) => emission.type === type)
    .map((emission) => emission.payload as Record<string, unknown>)
