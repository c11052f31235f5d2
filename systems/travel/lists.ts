/**
 * Lists of ships: who stands at a place, who travels in a system, who arrives when. All derived
 * from `Location`, and kept by the moves in rules.ts alone.
 */
import { assert } from '../../core/assert.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { Contest } from '../arena/columns.ts'
import { Base } from '../base/columns.ts'
import { noteChange } from '../sensing/watch-rules.ts'
import { Ship } from '../ship/columns.ts'
import { poisOf } from './chart.ts'
import { Course, JUMPING, Location, Poi, StarSystem, TRAVELLING } from './columns.ts'
import { wayOfTick } from './course.ts'

/** Ships at a place in durable-id order; an entry lives until the place's list changes. */
const SORTED = defineIndex('travel.sorted', () => new Map<Row, readonly Eid[]>())
/**
 * The arrival wheel: ships under way by tick of arrival. An entry of a ship that has since been
 * taken off its way, or is due at another tick now, is passed over when its tick comes.
 */
const ARRIVALS = defineIndex('travel.arrivals', () => new Map<number, Eid[]>())

/** True while the ship is anywhere on the map, under way included. */
export function isPlaced(view: WorldView, ship: Eid): boolean {
  const at = view.read(Location)
  return at.poi[ship] !== 0 || at.state[ship] >= TRAVELLING
}

/** In a match: a ship keeps its place, and stands in no list. */
export const isAside = (view: WorldView, ship: Eid): boolean => view.read(Contest).match[ship] !== 0

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
  noteChange(world, ship)
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
  noteChange(world, ship)
}

export function expect(world: World, ship: Eid): void {
  const arrivals = world.index(ARRIVALS)
  const tick = world.read(Location).arriveTick[ship]
  const due = arrivals.get(tick)
  if (due) due.push(ship)
  else arrivals.set(tick, [ship])
}

const isDue = (view: WorldView, ship: Eid, tick: number): boolean => {
  const { alive, state, arriveTick } = view.read(Location)
  return alive[ship] === 1 && state[ship] >= TRAVELLING && arriveTick[ship] === tick
}

/** Every ship under way with the tick at which it is expected. */
export function* expectedShips(view: WorldView): Generator<[ship: Eid, tick: number]> {
  for (const [tick, due] of view.index(ARRIVALS)) {
    for (const ship of new Set(due)) if (isDue(view, ship, tick)) yield [ship, tick]
  }
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
    if (at.state[ship] >= TRAVELLING) expect(world, ship)
    if (at.state[ship] === TRAVELLING) plot(world, ship)
    if (at.state[ship] < JUMPING) link(world, ship)
  }
}

/* Who is where */

/** Ships at a place, docked ones too, in durable-id order. */
export function shipsAt(view: WorldView, poi: Eid): readonly Eid[] {
  const sorted = view.index(SORTED)
  let ships = sorted.get(poi)
  if (!ships) {
    ships = sortedList(view, view.read(Poi).firstShip[poi])
    sorted.set(poi, ships)
  }
  return ships
}

function sortedList(view: WorldView, first: Eid): readonly Eid[] {
  const next = view.read(Location).nextHere
  const ships: Eid[] = []
  for (let ship = first; ship !== 0; ship = next[ship]) ships.push(ship)
  const seq = view.read(Ship).seq
  return ships.sort((a, b) => seq[a] - seq[b])
}

/** Players who fly one of these ships, in the order of the ships. */
function pilots(view: WorldView, ships: readonly Eid[]): Eid[] {
  const owner = view.read(Ship).owner
  const flown = view.read(Player).ship
  return ships.filter((ship) => flown[owner[ship]] === ship).map((ship) => owner[ship])
}

/** Players at a place, docked and offline ones too. */
export const playersAt = (view: WorldView, poi: Eid): Eid[] => pilots(view, shipsAt(view, poi))

/** Ships that travel between the places of a system, in durable-id order. */
export const travellersOf = (view: WorldView, system: Eid): readonly Eid[] =>
  sortedList(view, view.read(StarSystem).firstTraveller[system])

/** Players in a system: at its places, docked, or travelling between them. */
export function playersIn(view: WorldView, system: Eid): Eid[] {
  const found = poisOf(view, system).flatMap((poi) => playersAt(view, poi))
  return [...found, ...pilots(view, travellersOf(view, system))]
}

export function playersDockedAt(view: WorldView, base: Eid): Eid[] {
  const at = view.read(Location)
  const ships = shipsAt(view, view.read(Base).poi[base])
  return pilots(
    view,
    ships.filter((ship) => at.base[ship] === base),
  )
}
