/**
 * Lists of ships at places and of travellers in systems, courses, and the arrival wheel. All of it
 * is derived from `Location`, and kept up to date only by the moves in rules.ts.
 */
import { assert } from '../../core/assert.ts'
import { addToList } from '../../core/groups.ts'
import type { Eid, World } from '../../core/types.ts'
import { markMoved } from '../sensing/model.ts'
import { Ship } from '../ship/state.ts'
import { isDue, isOnMap, isUnlisted, wayOfTick } from './model.ts'
import {
  ARRIVALS,
  Course,
  JUMPING,
  Location,
  Poi,
  SORTED,
  StarSystem,
  TRAVELLING,
  UNDER_WAY,
} from './state.ts'

/**
 * Returns the column of heads that the list of a ship is in, and the row that holds it: of a place,
 * or of a system.
 */
function listOf(world: World, ship: Eid) {
  const { state, system, poi } = world.read(Location)
  return state[ship] === TRAVELLING
    ? { heads: world.write(StarSystem).firstTraveller, holder: system[ship] }
    : { heads: world.write(Poi).firstShip, holder: poi[ship] }
}

function markListChanged(world: World, ship: Eid): void {
  const { state, poi } = world.read(Location)
  if (state[ship] !== TRAVELLING) world.index(SORTED).delete(poi[ship])
  markMoved(world, ship)
}

/** Puts a ship at the head of the list of its place, or of the travellers of its system. */
export function link(world: World, ship: Eid): void {
  if (isUnlisted(world, ship)) return
  const { nextHere, previousHere } = world.write(Location)
  const { heads, holder } = listOf(world, ship)
  assert(holder !== 0, `ship ${ship} has no place to be listed at`)
  const first = heads[holder]
  previousHere[ship] = 0
  nextHere[ship] = first
  if (first !== 0) previousHere[first] = ship
  heads[holder] = ship
  markListChanged(world, ship)
}

/** Removes a ship from its list; a ship that jumps or drifts is in none. */
export function unlink(world: World, ship: Eid): void {
  if (isUnlisted(world, ship)) return
  const { state, nextHere, previousHere } = world.write(Location)
  if (state[ship] >= JUMPING) return
  const { heads, holder } = listOf(world, ship)
  const next = nextHere[ship]
  const previous = previousHere[ship]
  if (previous === 0) {
    assert(heads[holder] === ship, `ship ${ship} is not in the list of its place`)
    heads[holder] = next
  } else nextHere[previous] = next
  if (next !== 0) previousHere[next] = previous
  nextHere[ship] = 0
  previousHere[ship] = 0
  markListChanged(world, ship)
}

/** Enters a ship in the arrival wheel, at the tick in which it arrives. */
export const scheduleArrival = (world: World, ship: Eid): void =>
  addToList(world.index(ARRIVALS), world.read(Location).arriveTick[ship], ship)

/** Takes the ships due at this tick off the wheel, in durable-id order. */
export function takeArrivals(world: World): readonly Eid[] {
  const arrivals = world.index(ARRIVALS)
  const ships = arrivals.get(world.tick) ?? []
  arrivals.delete(world.tick)
  const { seq } = world.read(Ship)
  const due = ships.filter((ship) => isDue(world, ship, world.tick))
  due.sort((a, b) => seq[a] - seq[b])
  // A flight that was ended and started again, due at the same tick, is entered twice.
  return due.filter((ship, i) => ship !== due[i - 1])
}

/** Sets the course of a ship that travels, by the places and ticks of its flight. */
export function plotCourse(world: World, ship: Eid): void {
  const { fromPoi, toPoi, departTick, arriveTick } = world.read(Location)
  const { x, y } = world.read(Poi)
  const course = world.write(Course)
  const from = fromPoi[ship]
  const to = toPoi[ship]
  const ticks = arriveTick[ship] - departTick[ship]
  course.x[ship] = x[from]
  course.y[ship] = y[from]
  course.wayX[ship] = wayOfTick(x[from], x[to], ticks)
  course.wayY[ship] = wayOfTick(y[from], y[to], ticks)
}

/** Rebuilds lists, courses and the arrival wheel from the saved columns. */
export function rebuildLists(world: World): void {
  const { alive, state, nextHere, previousHere } = world.write(Location)
  nextHere.fill(0)
  previousHere.fill(0)
  world.write(Poi).firstShip.fill(0)
  world.write(StarSystem).firstTraveller.fill(0)
  world.index(SORTED).clear()
  world.index(ARRIVALS).clear()
  world.index(UNDER_WAY).ships = 0
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (alive[ship] === 0 || !isOnMap(world, ship)) continue
    if (state[ship] >= TRAVELLING) {
      scheduleArrival(world, ship)
      world.index(UNDER_WAY).ships += 1
    }
    if (state[ship] === TRAVELLING) plotCourse(world, ship)
    if (state[ship] < JUMPING) link(world, ship)
  }
}
