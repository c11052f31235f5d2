/**
 * What a station is to whoever looks: which hull is one, what it fights with, whether it is
 * wrecked, who may dock at it meanwhile. Reads columns alone, so that places may ask.
 */
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

const inOrder = (bases: ReadonlySet<Eid>): Eid[] => [...bases].sort((a, b) => a - b)

/** Bases that are in a battle, in the order of their rows. */
export const besieged = (view: WorldView): Eid[] => inOrder(view.index(BESIEGED))

/** Bases that something is to be mended of, in the order of their rows. */
export const damaged = (view: WorldView): Eid[] => inOrder(view.index(DAMAGED))

/** True when who rules the stronghold is there, or the station is no stronghold. */
export function isManned(view: WorldView, base: Eid): boolean {
  if (!isPirateBase(view, base)) return true
  const system = systemOfBase(view, base)
  if (view.read(StarSystem).stronghold[system] === 0) return true
  return view.tick >= view.read(SystemNpcs).bossTick[system]
}

/*
 * Stations as other domains see them in and after a fight: how they are found, called to arms, and
 * wrecked.
 */

/** The station of a system's crew, or of its empire; 0 none. */
export function stationIn(view: WorldView, system: Eid, isCrews: boolean): Eid {
  const { base } = view.read(Poi)
  const { empire } = view.read(StarSystem)
  for (const poi of poisOf(view, system)) {
    const found = base[poi]
    if (found === 0) continue
    const isTheirs = isCrews
      ? isPirateBase(view, found)
      : empireOfBase(view, found) >= 0 && empireOfBase(view, found) === empire[system] - 1
    if (isTheirs) return found
  }
  return 0
}

/** The station of a faction in a system; 0 none. Outposts have no guns. */
export function stationOfFaction(view: WorldView, system: Eid, faction: Row): Eid {
  const { base } = view.read(Poi)
  const isTheirs = (at: Eid) => ownerOfBase(view, at) === faction && !isOutpost(view, at)
  const poi = poisOf(view, system).find((place) => base[place] !== 0 && isTheirs(base[place]))
  return poi === undefined ? 0 : base[poi]
}

/** Wire id of whom a station belongs to: an empire, a crew, a faction; empty for nobody. */
export function ownerOfStation(view: WorldView, base: Eid): string {
  const faction = ownerOfBase(view, base)
  if (faction !== 0) return factionIdOf(view, faction)
  const empire = empireOfBase(view, base)
  if (empire >= 0) return EMPIRES[empire].id
  return isPirateBase(view, base) ? crewRowIn(view, systemOfBase(view, base)).key : ''
}

/** A station by its id or that of its place, as far as the player knows the place; 0 none. */
export function stationById(view: WorldView, player: Eid, id: string): Eid {
  const named = baseById(view, id)
  const poi = named === 0 ? poiById(view, id) : view.read(Base).poi[named]
  return poi !== 0 && seesPoi(view, player, poi) ? view.read(Poi).base[poi] : 0
}

/** True while the tables have room for the hull of another station. */
export const hasRoomForStation = (view: WorldView): boolean =>
  !isNearlyFull(view, Ship) && !isNearlyFull(view, Participant) && !holdsNoMoreGoods(view)

const PIRATE_BASE = BASE_KINDS.indexOf('pirate')
/** Points of shield a station regains in a tick in which nothing hit it: one in so many. ours */
export const SHIELD_REGEN_DIVISOR = 500
/** Hull below which a station that fights admits its own alone, %. Source: travel.md section 6. */
const CLOSED_HULL_PCT = 25

/** The base that a hull is in a battle; 0 for ships. */
export const stationOf = (view: WorldView, ship: Eid): Eid => view.read(StationHull).base[ship]

/** The hull that fights for a base; 0 while it is in no battle. */
export const hullOf = (view: WorldView, base: Eid): Eid => view.read(Siege).ship[base]

/** True from the end of its hull until it is repaired. */
export const isWrecked = (view: WorldView, base: Eid): boolean =>
  view.read(Siege).repairedTick[base] !== 0

export const isPirateBase = (view: WorldView, base: Eid): boolean =>
  view.read(Base).kind[base] === PIRATE_BASE

export const systemOfBase = (view: WorldView, base: Eid): Eid =>
  view.read(Poi).system[view.read(Base).poi[base]]

/* Arms */

/** Source: combat.md section 13. */
const STRONGHOLD_GUNS: readonly NpcGun[] = [
  { name: 'Flak Curtain', damage: 70, damageType: 'kinetic', reach: 2, period: 2 },
  { name: 'Harpoon Throwers', damage: 300, damageType: 'kinetic', reach: 3, period: 6 },
]

/** What a station fires: nothing from being wrecked until its guns are back. */
export function gunsOfStation(view: WorldView, base: Eid): readonly NpcGun[] {
  const { weaponDamage, weaponReach } = view.read(Base)
  if (view.read(Siege).disarmed[base] === 1 || weaponDamage[base] === 0) return []
  if (isPirateBase(view, base)) return STRONGHOLD_GUNS
  const [damage, reach] = [weaponDamage[base], weaponReach[base]]
  return [{ name: 'Defence Grid', damage, damageType: 'energy', reach, period: 1 }]
}

/** Figures of a hull that is a station; undefined for ships. */
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

/** One of its own: whose empire it is, a friend of the crew, a member of its faction. */
function isOwn(view: WorldView, player: Eid, base: Eid): boolean {
  if (ownerOfBase(view, base) !== 0) return isHost(view, player, base)
  if (!isPirateBase(view, base)) {
    return view.read(Player).empire[player] === view.read(Base).empire[base] - 1
  }
  const crew = crewIn(view, systemOfBase(view, base))
  return standingWith(view, player, crew) >= view.read(Base).pirateRepRequired[base]
}

/**
 * Why a base that fights does not let a pilot dock; nothing where it does. One that is in no battle
 * admits whom it always does, wrecked or not; the armed one of a faction nobody until the end.
 * Refusal: station_under_attack. Source: travel.md section 6, newer.md section 5; ours: a flag of
 * aggression counts whomever it is for.
 */
export function underAttackRefusal(
  view: WorldView,
  player: Eid,
  base: Eid,
): Failure<'station_under_attack'> | undefined {
  const hull = hullOf(view, base)
  if (hull === 0 || view.read(ShipCombat).participant[hull] === 0) return undefined
  const { hull: points, hullMax } = view.read(Ship)
  const isFlagged =
    view.read(ShipCombat).aggressiveUntil[view.read(Player).ship[player]] >= view.tick
  const isArmed = ownerOfBase(view, base) !== 0 && gunsOfStation(view, base).length > 0
  const isFailing = 100 * points[hull] < CLOSED_HULL_PCT * hullMax[hull]
  if (!isArmed && !isFlagged && (!isFailing || isOwn(view, player, base))) return undefined
  return fail('station_under_attack')
}
