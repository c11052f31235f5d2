/**
 * Reserves: people whom a faction keeps at a base where it has a store, for its ships there. ours:
 * the sheets name the reserve, not where it is nor how many it holds. Source: newer.md section 5.
 */
import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { FACTION_RESERVE_PEOPLE_MAX } from '../../core/limits-faction.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { Faction } from '../faction/columns.ts'
import { findStore } from '../faction/store-rules.ts'
import { type People, RESERVES } from './columns.ts'
import { NOBODY } from './rules.ts'

const keyOf = (view: WorldView, faction: Row, base: Eid): string =>
  `${view.read(Faction).seq[faction]}:${view.read(Base).seq[base]}`

export const reserveOf = (view: WorldView, faction: Row, base: Eid): People =>
  view.records(RESERVES).get(keyOf(view, faction, base)) ?? NOBODY

/** People it still takes: the injured count like the fit. */
export function reserveRoom(view: WorldView, faction: Row, base: Eid) {
  const { fitCrew, fitMarines, injuredCrew, injuredMarines } = reserveOf(view, faction, base)
  const most = FACTION_RESERVE_PEOPLE_MAX
  return {
    crew: Math.max(0, most - fitCrew - injuredCrew),
    marines: Math.max(0, most - fitMarines - injuredMarines),
  }
}

/** Refuses where there is none, nor may be one. Refusals: no_faction_storage, limit_reached. */
export function refusesReserve(view: WorldView, faction: Row, base: Eid): Failure | undefined {
  const store = findStore(view, faction, base)
  if (!store.ok) return store
  const reserves = view.records(RESERVES)
  const isFull = reserves.size >= RESERVES.rowsMax && !reserves.has(keyOf(view, faction, base))
  return isFull ? fail('limit_reached') : undefined
}

/** Adds people, negative numbers take them off; the caller has seen to who is there, to room. */
export function changeReserve(
  world: World,
  faction: Row,
  base: Eid,
  change: Partial<People>,
): People {
  const had = reserveOf(world, faction, base)
  const by = { ...NOBODY, ...change }
  const left: People = {
    fitCrew: had.fitCrew + by.fitCrew,
    fitMarines: had.fitMarines + by.fitMarines,
    injuredCrew: had.injuredCrew + by.injuredCrew,
    injuredMarines: had.injuredMarines + by.injuredMarines,
  }
  const counts = Object.values(left)
  assert(
    counts.every((count) => count >= 0),
    'a reserve lacks people',
  )
  const key = keyOf(world, faction, base)
  if (counts.every((count) => count === 0)) world.records(RESERVES).delete(key)
  else world.records(RESERVES).set(key, left)
  return left
}

/** Those whom a faction kept go home when it ends. O(reserves): that is rare. */
export function endReserves(world: World, faction: Row): void {
  const prefix = `${world.read(Faction).seq[faction]}:`
  const keys = [...world.records(RESERVES).entries()].map(([key]) => key)
  for (const key of keys) if (key.startsWith(prefix)) world.records(RESERVES).delete(key)
}
