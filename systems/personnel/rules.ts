/**
 * Changes the people aboard ships and in reserves, and tracks ships without fit crew. The only
 * writer of personnel outside battles. Source: ships.md section 4.
 */
import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { ShipCombat } from '../combat/state.ts'
import { Faction } from '../faction/state.ts'
import { findMainStore } from '../faction/store-model.ts'
import { recompute } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import {
  berthsOf,
  isLeaderless,
  NO_PEOPLE,
  negated,
  poolSize,
  reserveKey,
  reserveOf,
} from './model.ts'
import { Leaderless, type People, POOL_NAMES, Pools, RESERVES, Survivors } from './state.ts'

/** Fills the pools of a new world's bases. */
export function fillPools(world: World): void {
  const { alive } = world.read(Base)
  const pools = world.write(Pools)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0) continue
    for (const pool of POOL_NAMES) pools[pool][base] = poolSize(world, base, pool)
  }
}

/** Tags the ships whose crews wait for a recovery, after a restore. */
export function tagLeaderless(world: World): void {
  const { alive } = world.read(Ship)
  const { rallyTick } = world.read(Survivors)
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (alive[ship] === 1 && rallyTick[ship] !== 0) world.tag(Ship, ship, Leaderless)
  }
}

/**
 * Refuses a base where a faction has no reserve and cannot start one. Refusals:
 * no_faction_storage, limit_reached.
 */
export function reserveRefusal(
  view: WorldView,
  faction: Row,
  base: Eid,
): Failure<'limit_reached' | 'no_faction_storage'> | undefined {
  const store = findMainStore(view, faction, base)
  if (!store.ok) return store
  const reserves = view.records(RESERVES)
  const isFull = reserves.size >= RESERVES.rowsMax && !reserves.has(reserveKey(view, faction, base))
  return isFull ? fail('limit_reached') : undefined
}

/*
 * Reserves: people whom a faction keeps for its ships, at a base where it has a store. ours: the
 * sheets name the reserve, but neither its place nor its size. Source: newer.md section 5.
 */

/**
 * Adds people to a reserve; negative numbers remove them. The caller checks beforehand that there
 * are enough people and enough room. Returns the people in it afterwards.
 */
export function changeReserve(
  world: World,
  faction: Row,
  base: Eid,
  change: Partial<People>,
): People {
  const before = reserveOf(world, faction, base)
  const added = { ...NO_PEOPLE, ...change }
  const after: People = {
    fitCrew: before.fitCrew + added.fitCrew,
    fitMarines: before.fitMarines + added.fitMarines,
    injuredCrew: before.injuredCrew + added.injuredCrew,
    injuredMarines: before.injuredMarines + added.injuredMarines,
  }
  const counts = Object.values(after)
  assert(
    counts.every((count) => count >= 0),
    'a reserve lacks people',
  )
  const key = reserveKey(world, faction, base)
  if (counts.every((count) => count === 0)) world.records(RESERVES).delete(key)
  else world.records(RESERVES).set(key, after)
  return after
}

/** Removes the reserves of a faction that is disbanded. O(reserves), which is rare. */
export function endReserves(world: World, faction: Row): void {
  const prefix = `${world.read(Faction).seq[faction]}:`
  const keys = [...world.records(RESERVES).entries()].map(([key]) => key)
  for (const key of keys) if (key.startsWith(prefix)) world.records(RESERVES).delete(key)
}

/** Ticks without a battle after which one member of a crew with nobody fit recovers. */
export const RALLY_TICKS = 60

/**
 * Adds people to a ship outside battles; negative numbers remove them. The caller checks the berths
 * and the people aboard beforehand.
 */
export function changePeople(world: World, ship: Eid, change: Partial<People>): void {
  const columns = world.write(Ship)
  assert(
    world.read(ShipCombat).participant[ship] === 0,
    `people of ship ${ship} change in a battle`,
  )
  const { fitCrew, fitMarines, injuredCrew, injuredMarines } = { ...NO_PEOPLE, ...change }
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

/** Moves people from one ship to another; both are outside battles. */
export function movePeople(world: World, from: Eid, to: Eid, people: Partial<People>): void {
  const all = { ...NO_PEOPLE, ...people }
  assert(
    Object.values(all).every((count) => count >= 0),
    'numbers of people to move are negative',
  )
  const { crew, marines } = berthsOf(world, to)
  assert(all.fitCrew + all.injuredCrew <= crew, `ship ${to} has no berths for crew`)
  assert(all.fitMarines + all.injuredMarines <= marines, `ship ${to} has no berths for marines`)
  changePeople(world, from, negated(all))
  changePeople(world, to, all)
}

/**
 * Tags or untags a ship by whether its crew waits for a recovery. Must be called when its crew
 * changes outside a battle, and when the ship enters or leaves a battle: the wait then starts over.
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
