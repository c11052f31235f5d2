/**
 * Lists of ships: who stands at a place, who travels in a system, who arrives when. All derived
 * from `Location`, and kept by the moves in rules.ts alone.
 */

import { assert } from '../../core/assert.ts'
import { append } from '../../core/groups.ts'
import type { Eid, World } from '../../core/types.ts'
import { markMoved } from '../sensing/model.ts'
import { Ship } from '../ship/state.ts'
import { isAside, isDue, isPlaced, wayOfTick } from './model.ts'
import {
  ARRIVALS,
  Course,
  JUMPING,
  Location,
  Poi,
  SORTED,
  StarSystem,
  TRAVELLING,
} from './state.ts'

/** Head of the list a ship at this position stands in: a place, or the travellers of a system. */
export function link(world: World, ship: Eid): void {
  if (isAside(world, ship)) return
  const at = world.write(Location)
  const heads =
    at.state[ship] === TRAVELLING
      ? world.write(StarSystem).firstTraveller
      : world.write(Poi).firstShip
  const holder = at.state[ship] === TRAVELLING ? at.system[ship] : at.poi[ship]
  assert(holder !== 0, `ship ${ship} is linked nowhere`)
  const first = heads[holder]
  at.previousHere[ship] = 0
  at.nextHere[ship] = first
  if (first !== 0) at.previousHere[first] = ship
  heads[holder] = ship
  if (at.state[ship] !== TRAVELLING) world.index(SORTED).delete(holder)
  markMoved(world, ship)
}

export function unlink(world: World, ship: Eid): void {
  if (isAside(world, ship)) return
  const at = world.write(Location)
  if (at.state[ship] >= JUMPING) return
  const travelling = at.state[ship] === TRAVELLING
  const heads = travelling ? world.write(StarSystem).firstTraveller : world.write(Poi).firstShip
  const holder = travelling ? at.system[ship] : at.poi[ship]
  const next = at.nextHere[ship]
  const previous = at.previousHere[ship]
  if (previous === 0) {
    assert(heads[holder] === ship, `ship ${ship} is not in the list of its place`)
    heads[holder] = next
  } else at.nextHere[previous] = next
  if (next !== 0) at.previousHere[next] = previous
  at.nextHere[ship] = 0
  at.previousHere[ship] = 0
  if (!travelling) world.index(SORTED).delete(holder)
  markMoved(world, ship)
}

export function scheduleArrival(world: World, ship: Eid): void {
  const arrivals = world.index(ARRIVALS)
  const tick = world.read(Location).arriveTick[ship]
  append(arrivals, tick, ship)
}

/** Ships whose arrival is due at this tick, in durable-id order; they are expected no longer. */
export function takeArrivals(world: World): readonly Eid[] {
  const arrivals = world.index(ARRIVALS)
  const due = arrivals.get(world.tick)
  if (!due) return []
  arrivals.delete(world.tick)
  const seq = world.read(Ship).seq
  const sorted = due.filter((ship) => isDue(world, ship, world.tick))
  sorted.sort((a, b) => seq[a] - seq[b])
  // off its way and on it again, due at the same tick: entered twice
  return sorted.filter((ship, i) => ship !== sorted[i - 1])
}

/** Lays the course of a ship that travels, from where it departed and when it is due. */
export function plot(world: World, ship: Eid): void {
  const { fromPoi, toPoi, departTick, arriveTick } = world.read(Location)
  const { x, y } = world.read(Poi)
  const course = world.write(Course)
  const [from, to] = [fromPoi[ship], toPoi[ship]]
  const ticks = arriveTick[ship] - departTick[ship]
  course.x[ship] = x[from]
  course.y[ship] = y[from]
  course.wayX[ship] = wayOfTick(x[from], x[to], ticks)
  course.wayY[ship] = wayOfTick(y[from], y[to], ticks)
}

/** Rebuilds lists, courses and the arrival wheel from the saved columns. */
export function rebuildLists(world: World): void {
  const at = world.write(Location)
  at.nextHere.fill(0)
  at.previousHere.fill(0)
  world.write(Poi).firstShip.fill(0)
  world.write(StarSystem).firstTraveller.fill(0)
  world.index(SORTED).clear()
  world.index(ARRIVALS).clear()
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (at.alive[ship] === 0 || !isPlaced(world, ship)) continue
    if (at.state[ship] >= TRAVELLING) scheduleArrival(world, ship)
    if (at.state[ship] === TRAVELLING) plot(world, ship)
    if (at.state[ship] < JUMPING) link(world, ship)
  }
}
