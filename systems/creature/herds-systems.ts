/**
 * The life of herds: each has a turn every 360 ticks, in which it grazes, breeds, moves on or
 * starves. A herd without members grows again while there is food. Source: mining.md section 4;
 * numbers ours.
 */
import { CREATURES } from '../../core/catalog/index.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { capitalSystems } from '../base/model.ts'
import { ShipCombat } from '../combat/state.ts'
import { BUFF_WRITES } from '../consumable/rules.ts'
import { depositState, fractionAt, remainingAt } from '../mining/kernels.ts'
import { depositsOf, unitsRemaining } from '../mining/model.ts'
import { Deposit } from '../mining/state.ts'
import { releaseShip, SHIP_WRITES } from '../ship/rules.ts'
import { FAMILIES } from '../ship/state.ts'
import { distanceMilliAu, flightOf, travelTicks } from '../travel/flight-model.ts'
import { poisOf } from '../travel/model.ts'
import { PLACE_WRITES, removeFromMap, startFlight } from '../travel/rules.ts'
import { AT_POI, Location, Poi } from '../travel/state.ts'
import { membersOf } from './model.ts'
import { endCreature } from './rules.ts'
import { Creature, Herd, Wild } from './state.ts'
import { addMember, habitatOf, hasRoom } from './systems.ts'

/** Ticks between two turns of a herd. Source: mining.md section 4. */
export const TURN_TICKS = 360
/** Turns without food after which a herd moves on, and from which each turn costs a life. */
export const MOVE_AFTER_TURNS = 2
export const STARVE_AFTER_TURNS = 4
const HUNGER_MAX = 200

/** Takes units from a deposit, as mining does; the fraction of a unit that has regrown is kept. */
function grazeOn(world: World, deposit: Row, units: number): void {
  const row = world.write(Deposit)
  const { tick } = world
  const state = depositState(row, deposit)
  row.frac[deposit] = fractionAt(state, tick)
  row.base[deposit] = remainingAt(state, tick) - units
  row.baseTick[deposit] = tick
}

/**
 * Returns the food of a kind at a place, units; -1 if it never runs out, or the kind needs none.
 */
export function foodAt(view: WorldView, kind: number, poi: Eid): number {
  const { diet } = CREATURES[kind]
  if (diet === undefined) return -1
  const { family, unlimited } = view.read(Deposit)
  let food = 0
  for (const deposit of depositsOf(view, poi)) {
    if (FAMILIES[family[deposit]] !== diet) continue
    if (unlimited[deposit] === 1) return -1
    food += unitsRemaining(view, deposit)
  }
  return food
}

/** Feeds a herd off the fullest deposits first; returns whether there was any food. */
function graze(world: World, herd: Row): boolean {
  const { kind, poi, count } = world.read(Herd)
  const { diet, appetite } = CREATURES[kind[herd]]
  const food = foodAt(world, kind[herd], poi[herd])
  if (food <= 0) return food < 0
  const { family } = world.read(Deposit)
  const pasture = depositsOf(world, poi[herd])
    .filter((deposit) => FAMILIES[family[deposit]] === diet)
    .map((deposit) => ({ deposit, left: unitsRemaining(world, deposit) }))
    .sort((a, b) => b.left - a.left || a.deposit - b.deposit)
  let needed = appetite * count[herd]
  for (const { deposit, left } of pasture) {
    const units = Math.min(needed, left)
    if (units > 0) grazeOn(world, deposit, units)
    needed -= units
  }
  return true
}

/** Returns the members that are at the place of their herd and in no battle. */
function atHome(view: WorldView, herd: Row): Row[] {
  const { ship } = view.read(Creature)
  const { state, poi } = view.read(Location)
  const { participant } = view.read(ShipCombat)
  const here = view.read(Herd).poi[herd]
  return membersOf(view, herd).filter((creature) => {
    const body = ship[creature]
    return state[body] === AT_POI && poi[body] === here && participant[body] === 0
  })
}

/**
 * Returns another place of the system that suits a herd and has food that can run out; 0 if there
 * is none. ours: not one with a deposit that never runs out, where new pilots mine and the herd
 * would stay for good.
 */
function pastureFor(view: WorldView, herd: Row): Eid {
  const { kind, system, poi } = view.read(Herd)
  const { habitats } = CREATURES[kind[herd]]
  const places = poisOf(view, system[herd]).filter((place) => {
    const habitat = habitatOf(view, place)
    return place !== poi[herd] && habitat !== undefined && habitats.includes(habitat)
  })
  return places.find((place) => foodAt(view, kind[herd], place) > 0) ?? 0
}

/** Sends members that are elsewhere to the place of their herd, each at its own speed. */
function gather(world: World, herd: Row): void {
  const { ship } = world.read(Creature)
  const { state, poi } = world.read(Location)
  const { participant } = world.read(ShipCombat)
  const { x, y } = world.read(Poi)
  const home = world.read(Herd).poi[herd]
  for (const creature of membersOf(world, herd)) {
    const body = ship[creature]
    const here = poi[body]
    if (state[body] !== AT_POI || here === home || participant[body] !== 0) continue
    const distance = distanceMilliAu(x[here], y[here], x[home], y[home])
    startFlight(world, body, home, travelTicks(flightOf(world, body), distance))
  }
}

/** Removes the youngest member at home, without remains. */
function starve(world: World, herd: Row): void {
  const creature = atHome(world, herd).at(-1)
  if (creature === undefined) return
  const ship = world.read(Creature).ship[creature]
  endCreature(world, ship)
  removeFromMap(world, ship)
  releaseShip(world, ship)
}

function breed(world: World, herd: Row): void {
  const row = world.write(Herd)
  const { breedTurns } = CREATURES[row.kind[herd]]
  if (row.count[herd] >= row.size[herd]) {
    row.breedTurns[herd] = 0
    return
  }
  row.breedTurns[herd] = Math.min(breedTurns, row.breedTurns[herd] + 1)
  if (row.breedTurns[herd] < breedTurns || !hasRoom(world)) return
  row.breedTurns[herd] = 0
  addMember(world, herd)
  if (!capitalSystems(world).has(row.system[herd])) return
  // ours: herds at capitals are refilled at once, since all new pilots hunt them
  while (row.count[herd] < row.size[herd] && hasRoom(world)) addMember(world, herd)
}

/** Plays one turn of a herd. */
export function playTurn(world: World, herd: Row): void {
  gather(world, herd)
  const row = world.write(Herd)
  if (graze(world, herd)) {
    row.hunger[herd] = 0
    breed(world, herd)
    return
  }
  row.hunger[herd] = Math.min(HUNGER_MAX, row.hunger[herd] + 1)
  const pasture = row.hunger[herd] < MOVE_AFTER_TURNS ? 0 : pastureFor(world, herd)
  if (pasture !== 0) {
    row.poi[herd] = pasture
    // Members that fight follow at the next turn.
    gather(world, herd)
  } else if (row.hunger[herd] >= STARVE_AFTER_TURNS) starve(world, herd)
}

/** Gives a 360th of the herds their turn. */
export const roam: SystemDef = {
  name: 'creature.roam',
  phase: 'produce',
  writes: [...SHIP_WRITES, ...PLACE_WRITES, ...BUFF_WRITES, Creature, Deposit, Herd, Wild],
  run(world) {
    const first = world.tick % TURN_TICKS
    for (let herd = first; herd <= world.highOf(Herd); herd += TURN_TICKS) {
      if (herd !== 0) playTurn(world, herd)
    }
  },
}
