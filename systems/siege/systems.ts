/** What happens to stations in a tick: they report hits, stand down after battles, are repaired. */
import { assert } from '../../core/assert.ts'
import { divCeil } from '../../core/math.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { combatantId, combatantName } from '../combat/model.ts'
import { Attack, Battle, Participant, ShipCombat } from '../combat/state.ts'
import { BUFF_WRITES } from '../consumable/rules.ts'
import { Facility } from '../facility/state.ts'
import { SystemNpcs } from '../npc/state.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { Course, Location, Poi, StarSystem } from '../travel/state.ts'
import {
  besiegedBases,
  damagedBases,
  isWrecked,
  SHIELD_REGEN_DIVISOR,
  stationShipOf,
} from './model.ts'
import {
  notifyStation,
  REPAIR_TICKS,
  reportDamage,
  restoreStation,
  standDown,
  trackDamage,
} from './rules.ts'
import { baseRaidUpdate } from './schemas.ts'
import { Siege, StationHull } from './state.ts'

/** Checks all stations; reads each base once. */
export const stationsFight: CheckDef = {
  name: 'stations: a base that fights has one hull, in a battle; a wrecked base has none',
  run(view, full) {
    if (!full) return
    const { alive, hull, hullMax } = view.read(Base)
    const { ship, repairedTick } = view.read(Siege)
    const { base: stationOf } = view.read(StationHull)
    const fighting = new Set(besiegedBases(view))
    for (let base = 1; base <= view.highOf(Base); base++) {
      if (alive[base] === 0) continue
      const own = ship[base]
      const isDown = repairedTick[base] !== 0
      const hasNoHull = hull[base] === 0 && hullMax[base] > 0
      assert(isDown === hasNoHull, `base ${base}: its hull and being a wreck disagree`)
      assert(fighting.has(base) === (own !== 0), `base ${base}: the besieged list is wrong`)
      if (own === 0) continue
      assert(!isDown, `base ${base} fights and is wrecked`)
      assert(
        view.read(Ship).alive[own] === 1 && stationOf[own] === base,
        `base ${base} has a hull that is gone or not its own`,
      )
      assert(view.read(ShipCombat).participant[own] !== 0, `base ${base} has a hull but no battle`)
    }
  },
}

/** Sums up the hits on a participant this tick; `worst` is who dealt most, the first of equals. */
function hitsOn(view: WorldView, row: Row): { damage: number; worst: Row } {
  const { firstAttack, attackCount } = view.read(Battle)
  const { attacker, target, shieldHit, hullHit } = view.read(Attack)
  const battle = view.read(Participant).battle[row]
  const from = firstAttack[battle]
  const dealt = new Map<Row, number>()
  let damage = 0
  for (let entry = from; entry < from + attackCount[battle]; entry++) {
    const points = target[entry] === row ? shieldHit[entry] + hullHit[entry] : 0
    if (points === 0) continue
    damage += points
    dealt.set(attacker[entry], (dealt.get(attacker[entry]) ?? 0) + points)
  }
  let worst = 0
  let max = 0
  for (const [source, points] of dealt) {
    if (points <= max) continue
    worst = source
    max = points
  }
  return { damage, worst }
}

function notifyRaid(world: World, base: Eid): void {
  const ship = stationShipOf(world, base)
  const row = world.read(ShipCombat).participant[ship]
  if (row === 0) return
  const { damage, worst } = hitsOn(world, row)
  if (damage === 0) return
  const payload = {
    attacker_id: worst === 0 ? '' : combatantId(world, worst),
    attacker_name: worst === 0 ? '' : combatantName(world, worst),
    base_id: baseId(world, base),
    base_name: baseName(world, base),
    current_health: world.read(Ship).hull[ship],
    damage,
    max_health: world.read(Ship).hullMax[ship],
  }
  notifyStation(world, baseRaidUpdate, payload, base)
}

/** Reports raids, after the report of the tick's hits, while all ships still exist. */
export const raid: SystemDef = {
  name: 'siege.raid',
  phase: 'fight',
  after: 'combat.report',
  writes: [],
  run(world) {
    for (const base of besiegedBases(world)) notifyRaid(world, base)
  },
}

/** Stands down stations whose battles are over, after the outcomes of the tick are settled. */
export const settle: SystemDef = {
  name: 'siege.settle',
  phase: 'fight',
  after: 'combat.fate',
  writes: [
    ...SHIP_WRITES,
    ...BUFF_WRITES,
    Base,
    Course,
    Location,
    Poi,
    Siege,
    StarSystem,
    StationHull,
  ],
  run(world) {
    for (const base of besiegedBases(world)) {
      if (world.read(ShipCombat).participant[stationShipOf(world, base)] === 0)
        standDown(world, base)
      else reportDamage(world, base)
    }
  },
}

/** Repairs stations that are in no battle. Source: combat.md section 13. */
export const repair: SystemDef = {
  name: 'siege.repair',
  phase: 'produce',
  writes: [Base, Facility, Siege, SystemNpcs],
  run(world) {
    const { hull, hullMax, shield, shieldMax } = world.write(Base)
    for (const base of damagedBases(world)) {
      if (isWrecked(world, base)) {
        if (world.tick >= world.read(Siege).repairedTick[base]) restoreStation(world, base)
        continue
      }
      const repaired = hull[base] + divCeil(hullMax[base], REPAIR_TICKS)
      const charged = shield[base] + divCeil(shieldMax[base], SHIELD_REGEN_DIVISOR)
      hull[base] = Math.min(hullMax[base], repaired)
      shield[base] = Math.min(shieldMax[base], charged)
      trackDamage(world, base)
    }
  },
}
