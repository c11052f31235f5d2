/**
 * Stations as other domains see them in and after a fight: which hull is a station, what it fights
 * with, whether it is wrecked, and who may dock at it meanwhile.
 */
import type { Eid, WorldView } from '../../core/world.ts'
import { BASE_KINDS, Base } from '../base/columns.ts'
import type { NpcFigures, NpcGun } from '../npc/rules.ts'
import { Siege, StationHull } from './columns.ts'

const PIRATE_BASE = BASE_KINDS.indexOf('pirate')

/** The base that a hull is in a battle; 0 for ships. */
export const stationOf = (view: WorldView, ship: Eid): Eid => view.read(StationHull).base[ship]

/** The hull that fights for a base; 0 while it is in no battle. */
export const hullOf = (view: WorldView, base: Eid): Eid => view.read(Siege).ship[base]

/** True from the end of its hull until it is repaired. */
export const isWrecked = (view: WorldView, base: Eid): boolean =>
  view.read(Siege).repairedTick[base] !== 0

/** Points of shield a station regains in a tick in which nothing hit it. ours */
export const SHIELD_REGEN_DIVISOR = 500

/** Source: combat.md section 13. */
const STRONGHOLD_GUNS: readonly NpcGun[] = [
  { name: 'Flak Curtain', damage: 70, damageType: 'kinetic', reach: 2, period: 2 },
  { name: 'Harpoon Throwers', damage: 300, damageType: 'kinetic', reach: 3, period: 6 },
]

/** What a station fires: none from being wrecked until its guns are back. */
function gunsOf(view: WorldView, base: Eid): readonly NpcGun[] {
  const { kind, weaponDamage, weaponReach } = view.read(Base)
  if (view.read(Siege).disarmed[base] === 1) return []
  if (kind[base] === PIRATE_BASE) return STRONGHOLD_GUNS
  if (weaponDamage[base] === 0) return []
  return [
    {
      name: 'Defence Grid',
      damage: weaponDamage[base],
      damageType: 'energy',
      reach: weaponReach[base],
      period: 2,
    },
  ]
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
    guns: gunsOf(view, base),
  }
}
