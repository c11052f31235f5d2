/**
 * What a station is to whoever looks: which hull is one, what it fights with, whether it is
 * wrecked, who may dock at it meanwhile. Reads columns alone, so that places may ask.
 */
import type { NpcFigures, NpcGun } from '../../core/catalog/types.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { BASE_KINDS, Base } from '../base/columns.ts'
import { Fighting } from '../combat/columns.ts'
import { crewIn, standingWith } from '../npc/crew-rules.ts'
import { Ship } from '../ship/columns.ts'
import { isHost, ownerOfBase } from '../station/access-rules.ts'
import { Poi } from '../travel/columns.ts'
import { Siege, StationHull } from './columns.ts'

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
export function refusesUnderAttack(view: WorldView, player: Eid, base: Eid): Failure | undefined {
  const hull = hullOf(view, base)
  if (hull === 0 || view.read(Fighting).participant[hull] === 0) return undefined
  const { hull: points, hullMax } = view.read(Ship)
  const isFlagged = view.read(Fighting).aggressiveUntil[view.read(Player).ship[player]] >= view.tick
  const isArmed = ownerOfBase(view, base) !== 0 && gunsOfStation(view, base).length > 0
  const isFailing = 100 * points[hull] < CLOSED_HULL_PCT * hullMax[hull]
  if (!isArmed && !isFlagged && (!isFailing || isOwn(view, player, base))) return undefined
  return fail('station_under_attack')
}
