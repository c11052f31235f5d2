/** Lookups of personnel: people aboard ships, reserves of factions, pools of bases. */
import { type CommandDef, isMutation } from '../../core/command.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { divCeil } from '../../core/math.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { offersService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { ShipCombat } from '../combat/state.ts'
import { Faction } from '../faction/state.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { FACTION_RESERVE_PEOPLE_MAX, type People, type PoolName, Pools, RESERVES } from './state.ts'

/**
 * Refuses most mutations of a player whose ship has no fit crew. Refusal: incapacitated. ours: not
 * only treatment and self-destruction are allowed, but hiring too, since a ship that has lost its
 * crew could otherwise never get a new one. Source: ships.md section 4.
 */
export function crewAdmission(
  view: WorldView,
  player: Eid,
  def: CommandDef,
): Failure<'incapacitated'> | undefined {
  if (!isMutation(def) || (def.kind === 'mutation' && def.unmanned)) return undefined
  const ship = activeShip(view, player)
  return ship !== 0 && isIncapacitated(view, ship) ? fail('incapacitated') : undefined
}

/** Returns the key of RESERVES for a faction and a base. */
export const reserveKey = (view: WorldView, faction: Row, base: Eid): string =>
  `${view.read(Faction).seq[faction]}:${view.read(Base).seq[base]}`

/** Returns the people whom a faction keeps in reserve at a base. */
export const reserveOf = (view: WorldView, faction: Row, base: Eid): People =>
  view.records(RESERVES).get(reserveKey(view, faction, base)) ?? NO_PEOPLE

/** Returns the room left in the reserve at a base; injured people need as much as fit ones. */
export function reserveRoom(view: WorldView, faction: Row, base: Eid) {
  const { fitCrew, fitMarines, injuredCrew, injuredMarines } = reserveOf(view, faction, base)
  return {
    crew: Math.max(0, FACTION_RESERVE_PEOPLE_MAX - fitCrew - injuredCrew),
    marines: Math.max(0, FACTION_RESERVE_PEOPLE_MAX - fitMarines - injuredMarines),
  }
}

/** Size of each pool at a base of level 1; it grows with the square of the level. */
const POOL_SIZE: Readonly<Record<PoolName, number>> = { crew: 40, marines: 10, medical: 20 }
const REFILL_PCT = 10
export const NO_PEOPLE: People = { fitCrew: 0, fitMarines: 0, injuredCrew: 0, injuredMarines: 0 }

/** Returns the change that removes these people instead of adding them. */
export const negated = ({ fitCrew, fitMarines, injuredCrew, injuredMarines }: People): People => ({
  fitCrew: -fitCrew,
  fitMarines: -fitMarines,
  injuredCrew: -injuredCrew,
  injuredMarines: -injuredMarines,
})

/** Returns the people aboard a ship. */
export function peopleOf(view: WorldView, ship: Eid): People {
  const { crewFit, marinesFit, crewInjured, marinesInjured } = view.read(Ship)
  return {
    fitCrew: crewFit[ship],
    fitMarines: marinesFit[ship],
    injuredCrew: crewInjured[ship],
    injuredMarines: marinesInjured[ship],
  }
}

/** Returns the free berths of a ship; injured people need one each, like fit ones. */
export function berthsOf(view: WorldView, ship: Eid): { crew: number; marines: number } {
  const { crewCap, marineCap } = view.read(Ship)
  const aboard = peopleOf(view, ship)
  return {
    crew: Math.max(0, crewCap[ship] - aboard.fitCrew - aboard.injuredCrew),
    marines: Math.max(0, marineCap[ship] - aboard.fitMarines - aboard.injuredMarines),
  }
}

const isIncapacitated = (view: WorldView, ship: Eid): boolean => view.read(Ship).crewFit[ship] === 0

/**
 * Returns whether a crew waits for an injured member to recover: nobody is fit, and the ship is in
 * no battle.
 */
export function isLeaderless(view: WorldView, ship: Eid): boolean {
  const { crewFit, crewInjured } = view.read(Ship)
  const isFighting = view.read(ShipCombat).participant[ship] !== 0
  return crewFit[ship] === 0 && crewInjured[ship] > 0 && !isFighting
}

/* Pools */

/** Returns how many people a pool holds when full; 0 at a base without the service. */
export function poolSize(view: WorldView, base: Eid, pool: PoolName): number {
  if (!offersService(view, base, 'personnel')) return 0
  return POOL_SIZE[pool] * view.read(Base).level[base] ** 2
}

/** Returns the people in a pool after its next refill: a tenth of its size more, up to the size. */
export function poolAfterRefill(view: WorldView, base: Eid, pool: PoolName): number {
  const size = poolSize(view, base, pool)
  const have = view.read(Pools)[pool][base]
  return Math.max(have, Math.min(size, have + divCeil(size * REFILL_PCT, 100)))
}
