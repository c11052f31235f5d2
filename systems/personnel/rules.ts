/**
 * The people of ships as other domains need them: room aboard, a change of numbers with what
 * follows from it, crews without a fit member, and the pools of bases. The only writer of personnel
 * outside of battles. Source: ships.md section 4.
 */
import { assert } from '../../core/assert.ts'
import { divCeil } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { offersService } from '../base/rules.ts'
import { Fighting } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { recompute } from '../ship/rules.ts'
import { Leaderless, type People, type PoolName, Pools, Survivors } from './columns.ts'

/** Ticks without a battle after which the last survivor of a crew is fit again. */
export const RALLY_TICKS = 60
/** Size of a pool by level of the base, times the square of it. */
const POOL_SIZE: Readonly<Record<PoolName, number>> = { crew: 40, marines: 10, medical: 20 }
const REFILL_PCT = 10

/* Aboard */

export type { People } from './columns.ts'
export const NOBODY: People = { fitCrew: 0, fitMarines: 0, injuredCrew: 0, injuredMarines: 0 }

export function peopleOf(view: WorldView, ship: Eid): People {
  const { crewFit, marinesFit, crewInjured, marinesInjured } = view.read(Ship)
  return {
    fitCrew: crewFit[ship],
    fitMarines: marinesFit[ship],
    injuredCrew: crewInjured[ship],
    injuredMarines: marinesInjured[ship],
  }
}

/** Berths nobody has: the injured count like the fit. */
export function berthsOf(view: WorldView, ship: Eid): { crew: number; marines: number } {
  const { crewCap, marineCap } = view.read(Ship)
  const aboard = peopleOf(view, ship)
  return {
    crew: Math.max(0, crewCap[ship] - aboard.fitCrew - aboard.injuredCrew),
    marines: Math.max(0, marineCap[ship] - aboard.fitMarines - aboard.injuredMarines),
  }
}

/**
 * Adds people to a ship outside of battles, negative numbers take them off; the caller has seen to
 * berths and to those who stay.
 */
export function changePeople(world: World, ship: Eid, change: Partial<People>): void {
  const columns = world.write(Ship)
  assert(world.read(Fighting).participant[ship] === 0, `people of ship ${ship} change in a battle`)
  const { fitCrew, fitMarines, injuredCrew, injuredMarines } = { ...NOBODY, ...change }
  const added = [
    [columns.crewFit, fitCrew],
    [columns.marinesFit, fitMarines],
    [columns.crewInjured, injuredCrew],
    [columns.marinesInjured, injuredMarines],
  ] as const
  for (const [column, count] of added) {
    assert(column[ship] + count >= 0, `ship ${ship} lacks ${-count} people`)
    column[ship] += count
  }
  columns.personnelVersion[ship]++
  recompute(world, ship)
  trackCrew(world, ship)
}

/** Moves people from one ship to another; both are outside of battles. */
export function movePeople(world: World, from: Eid, to: Eid, people: Partial<People>): void {
  const all = { ...NOBODY, ...people }
  assert(
    Object.values(all).every((count) => count >= 0),
    'people are moved the other way',
  )
  const { crew, marines } = berthsOf(world, to)
  assert(all.fitCrew + all.injuredCrew <= crew, `ship ${to} has no berths for crew`)
  assert(all.fitMarines + all.injuredMarines <= marines, `ship ${to} has no berths for marines`)
  changePeople(world, from, {
    fitCrew: -all.fitCrew,
    fitMarines: -all.fitMarines,
    injuredCrew: -all.injuredCrew,
    injuredMarines: -all.injuredMarines,
  })
  changePeople(world, to, all)
}

/** Nobody is fit to steer. */
export const isIncapacitated = (view: WorldView, ship: Eid): boolean =>
  view.read(Ship).crewFit[ship] === 0

/* Survivors */

/** True while a crew waits for one of its injured to be up again. */
export function isLeaderless(view: WorldView, ship: Eid): boolean {
  const { crewFit, crewInjured } = view.read(Ship)
  const isFighting = view.read(Fighting).participant[ship] !== 0
  return crewFit[ship] === 0 && crewInjured[ship] > 0 && !isFighting
}

/**
 * Keeps the tag of crews that wait for a survivor. To be called when their number changed outside a
 * battle, and when a ship enters a battle or leaves one: a fight begins the wait anew.
 */
export function trackCrew(world: World, ship: Eid): void {
  const survivors = world.write(Survivors)
  if (!isLeaderless(world, ship)) {
    survivors.rallyTick[ship] = 0
    world.untag(Ship, ship, Leaderless)
  } else if (survivors.rallyTick[ship] === 0) {
    survivors.rallyTick[ship] = world.tick + RALLY_TICKS
    world.tag(Ship, ship, Leaderless)
  }
}

/* Pools */

/** People a pool holds when full; 0 at a base without the service. */
export function poolSize(view: WorldView, base: Eid, pool: PoolName): number {
  if (!offersService(view, base, 'personnel')) return 0
  return POOL_SIZE[pool] * view.read(Base).level[base] ** 2
}

/** What a pool gains at its turn: a tenth of its size, up to the whole. */
export function refilled(view: WorldView, base: Eid, pool: PoolName): number {
  const size = poolSize(view, base, pool)
  const have = view.read(Pools)[pool][base]
  return Math.max(have, Math.min(size, have + divCeil(size * REFILL_PCT, 100)))
}
