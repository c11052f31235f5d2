/** Stations in and after a fight: lookups, guns, wrecks, and refusals of docking. */
import { EMPIRES } from '../../core/catalog/index.ts'
import type { NpcFigures, NpcGun } from '../../core/catalog/types.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { holdsNoMoreGoods } from '../../core/goods.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseById, empireOfBase } from '../base/model.ts'
import { BASE_KINDS, Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { Participant, ShipCombat } from '../combat/state.ts'
import { factionIdOf } from '../faction/model.ts'
import { crewIn, crewRowIn, standingWith } from '../npc/model.ts'
import { SystemNpcs } from '../npc/state.ts'
import { seesPoi } from '../sensing/model.ts'
import { Ship } from '../ship/state.ts'
import { isHost, isOutpost, ownerOfBase } from '../station/model.ts'
import { poiById, poisOf } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { BESIEGED, DAMAGED, Siege, StationHull } from './state.ts'

/** Returns the bases that are in a battle, by row. */
export const besiegedBases = (view: WorldView): Eid[] =>
  [...view.index(BESIEGED)].sort((a, b) => a - b)

/** Returns the bases that have something to repair, by row. */
export const damagedBases = (view: WorldView): Eid[] =>
  [...view.index(DAMAGED)].sort((a, b) => a - b)

/** Returns whether the boss of a stronghold is present; true for other stations. */
export function isManned(view: WorldView, base: Eid): boolean {
  if (!isPirateBase(view, base)) return true
  const system = systemOfBase(view, base)
  if (view.read(StarSystem).stronghold[system] === 0) return true
  return view.tick >= view.read(SystemNpcs).bossTick[system]
}

/* Finding */

/** Returns the station of a system's pirate crew if `isCrews`, else of its empire; 0 none. */
export function stationIn(view: WorldView, system: Eid, isCrews: boolean): Eid {
  const { base } = view.read(Poi)
  const { empire } = view.read(StarSystem)
  const isTheirs = (station: Eid): boolean => {
    if (isCrews) return isPirateBase(view, station)
    const owner = empireOfBase(view, station)
    return owner >= 0 && owner === empire[system] - 1
  }
  const poi = poisOf(view, system).find((place) => base[place] !== 0 && isTheirs(base[place]))
  return poi === undefined ? 0 : base[poi]
}

/** Returns the station of a faction in a system, not counting outposts; 0 none. */
export function stationOfFaction(view: WorldView, system: Eid, faction: Row): Eid {
  const { base } = view.read(Poi)
  const isTheirs = (station: Eid): boolean =>
    ownerOfBase(view, station) === faction && !isOutpost(view, station)
  const poi = poisOf(view, system).find((place) => base[place] !== 0 && isTheirs(base[place]))
  return poi === undefined ? 0 : base[poi]
}

/** Returns the wire id of the empire, crew or faction a station belongs to; empty for none. */
export function ownerOfStation(view: WorldView, base: Eid): string {
  const faction = ownerOfBase(view, base)
  if (faction !== 0) return factionIdOf(view, faction)
  const empire = empireOfBase(view, base)
  if (empire >= 0) return EMPIRES[empire].id
  return isPirateBase(view, base) ? crewRowIn(view, systemOfBase(view, base)).key : ''
}

/** Returns a station by its id or its place's, if the player knows the place; else 0. */
export function stationById(view: WorldView, player: Eid, id: string): Eid {
  const named = baseById(view, id)
  const poi = named === 0 ? poiById(view, id) : view.read(Base).poi[named]
  return poi !== 0 && seesPoi(view, player, poi) ? view.read(Poi).base[poi] : 0
}

/** Returns whether the tables have room for the hull of another station. */
export const hasRoomForStation = (view: WorldView): boolean =>
  !isNearlyFull(view, Ship) && !isNearlyFull(view, Participant) && !holdsNoMoreGoods(view)

const PIRATE_BASE = BASE_KINDS.indexOf('pirate')
/** Divisor of the full shield: this share of it regrows in a tick without a hit. Source: ours. */
export const SHIELD_REGEN_DIVISOR = 500
/** Hull below which a station that fights admits its own people only, %. Source: travel.md 6. */
const CLOSED_HULL_PCT = 25

/** Returns the base for which this ship fights; 0 for ordinary ships. */
export const stationOf = (view: WorldView, ship: Eid): Eid => view.read(StationHull).base[ship]

/** Returns the ship that fights for a base; 0 outside battles. */
export const stationShipOf = (view: WorldView, base: Eid): Eid => view.read(Siege).ship[base]

/** Returns whether a base is a wreck: from the loss of its hull until it is repaired. */
export const isWrecked = (view: WorldView, base: Eid): boolean =>
  view.read(Siege).repairedTick[base] !== 0

export const isPirateBase = (view: WorldView, base: Eid): boolean =>
  view.read(Base).kind[base] === PIRATE_BASE

export const systemOfBase = (view: WorldView, base: Eid): Eid =>
  view.read(Poi).system[view.read(Base).poi[base]]

/* Arms */

/** The guns of pirate strongholds. Source: combat.md section 13. */
const STRONGHOLD_GUNS: readonly NpcGun[] = [
  { name: 'Flak Curtain', damage: 70, damageType: 'kinetic', reach: 2, period: 2 },
  { name: 'Harpoon Throwers', damage: 300, damageType: 'kinetic', reach: 3, period: 6 },
]

/** Returns the guns of a station; none after it was wrecked, until they are restored. */
export function gunsOfStation(view: WorldView, base: Eid): readonly NpcGun[] {
  const { weaponDamage, weaponReach } = view.read(Base)
  if (view.read(Siege).disarmed[base] === 1 || weaponDamage[base] === 0) return []
  if (isPirateBase(view, base)) return STRONGHOLD_GUNS
  return [
    {
      name: 'Defence Grid',
      damage: weaponDamage[base],
      damageType: 'energy',
      reach: weaponReach[base],
      period: 1,
    },
  ]
}

/** Returns the figures of a station's hull; undefined for ships. */
export function stationFigures(view: WorldView, ship: Eid): NpcFigures | undefined {
  const base = stationOf(view, ship)
  if (base === 0) return undefined
  const { hullMax, shieldMax, armor } = view.read(Base)
  return {
    hull: hullMax[base],
    shield: shieldMax[base],
    regen: Math.trunc(shieldMax[base] / SHIELD_REGEN_DIVISOR),
    armor: armor[base],
    speed: 1,
    guns: gunsOfStation(view, base),
  }
}

/* Docking */

/**
 * Returns whether a player belongs to a station: to its empire or faction, or as a friend of
 * its crew.
 */
function belongsTo(view: WorldView, player: Eid, base: Eid): boolean {
  if (ownerOfBase(view, base) !== 0) return isHost(view, player, base)
  if (!isPirateBase(view, base)) {
    return view.read(Player).empire[player] === view.read(Base).empire[base] - 1
  }
  const crew = crewIn(view, systemOfBase(view, base))
  return standingWith(view, player, crew) >= view.read(Base).pirateRepRequired[base]
}

/**
 * Refuses docking at a base in a battle: to flagged pilots, to outsiders while its hull is failing,
 * and to everyone if it is an armed station of a faction. Source: travel.md section 6, newer.md
 * section 5. ours: a flag of aggression counts, whatever its cause.
 */
export function underAttackRefusal(
  view: WorldView,
  player: Eid,
  base: Eid,
): Failure<'station_under_attack'> | undefined {
  const ship = stationShipOf(view, base)
  const { participant, aggressiveUntil } = view.read(ShipCombat)
  if (ship === 0 || participant[ship] === 0) return undefined
  const { hull, hullMax } = view.read(Ship)
  const isFlagged = aggressiveUntil[view.read(Player).ship[player]] >= view.tick
  const isArmed = ownerOfBase(view, base) !== 0 && gunsOfStation(view, base).length > 0
  const isFailing = 100 * hull[ship] < CLOSED_HULL_PCT * hullMax[ship]
  if (!isArmed && !isFlagged && (!isFailing || belongsTo(view, player, base))) return undefined
  return fail('station_under_attack')
}
