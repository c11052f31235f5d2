/**
 * Who is out: deployed drones in the order in which they act, how many a place has, who arrives
 * when. Derived from the table; kept by lives.ts alone.
 */
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { DEPLOYED, Drone, HOPPING, IN_BAY } from './columns.ts'

const ROSTER = defineIndex('drone.roster', () => ({
  isValid: false,
  /** Drones that are out, by system, then by number: they never leave their system. */
  rows: new Uint32Array(0),
  /** Drones at a place or on their way there. */
  places: new Map<Eid, number>(),
  /** Drones on a hop, by the tick in which it ends. */
  due: new Map<number, Row[]>(),
}))

/** Drones that are out, in order of their systems and numbers. Made anew when one comes or goes. */
export function roster(view: WorldView): Uint32Array {
  const kept = view.index(ROSTER)
  if (kept.isValid) return kept.rows
  const { alive, state, seq, system } = view.read(Drone)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Drone); row++) {
    if (alive[row] === 1 && state[row] !== IN_BAY) rows.push(row)
  }
  rows.sort((a, b) => system[a] - system[b] || seq[a] - seq[b])
  kept.rows = Uint32Array.from(rows)
  kept.isValid = true
  return kept.rows
}

/** A drone came out, or is out no more. */
export function noteRoster(world: World): void {
  world.index(ROSTER).isValid = false
}

/** Drones at a place, those on their way there included. */
export const dronesAt = (view: WorldView, poi: Eid): number =>
  view.index(ROSTER).places.get(poi) ?? 0

export function countAt(world: World, poi: Eid, change: 1 | -1): void {
  const { places } = world.index(ROSTER)
  const count = dronesAt(world, poi) + change
  if (count === 0) places.delete(poi)
  else places.set(poi, count)
}

export function expectDrone(world: World, drone: Row, tick: number): void {
  const { due } = world.index(ROSTER)
  const rows = due.get(tick)
  if (rows) rows.push(drone)
  else due.set(tick, [drone])
}

/** Drones whose hop ends in this tick, in order of their numbers; expected no longer. */
export function takeDrones(world: World): Row[] {
  const { due } = world.index(ROSTER)
  const rows = due.get(world.tick)
  if (!rows) return []
  due.delete(world.tick)
  const { alive, state, arriveTick, seq } = world.read(Drone)
  const there = rows.filter(
    (row) => alive[row] === 1 && state[row] === HOPPING && arriveTick[row] === world.tick,
  )
  return [...new Set(there)].sort((a, b) => seq[a] - seq[b])
}

export function rebuildRoster(world: World): void {
  const kept = world.index(ROSTER)
  kept.isValid = false
  kept.places.clear()
  kept.due.clear()
  const { alive, state, poi, dest, arriveTick } = world.read(Drone)
  for (let row = 1; row <= world.highOf(Drone); row++) {
    if (alive[row] === 0 || state[row] === IN_BAY) continue
    countAt(world, state[row] === DEPLOYED ? poi[row] : dest[row], 1)
    if (state[row] === HOPPING) expectDrone(world, row, arriveTick[row])
  }
}
