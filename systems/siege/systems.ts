/** What becomes of stations in a tick: who hit them is told, they leave battles, they mend. */

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
import { besieged, damaged, hullOf, isWrecked, SHIELD_REGEN_DIVISOR } from './model.ts'
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

/* Invariants of stations in and after battles. */

/** A handful of reads a base: every base. */
export const stationsFight: CheckDef = {
  name: 'stations: one hull a base that fights, in a battle; wrecked ones have none and no services',
  run(view, full) {
    if (!full) return
    const { alive, hull, hullMax } = view.read(Base)
    const { ship, repairedTick } = view.read(Siege)
    const { base: of } = view.read(StationHull)
    const fighting = new Set(besieged(view))
    for (let base = 1; base <= view.highOf(Base); base++) {
      if (alive[base] === 0) continue
      const own = ship[base]
      const isDown = repairedTick[base] !== 0
      assert(isDown === (hull[base] === 0 && hullMax[base] > 0), `base ${base}: wrecked or not`)
      assert(fighting.has(base) === (own !== 0), `base ${base} is listed wrongly`)
      if (own === 0) continue
      assert(!isDown, `base ${base} fights and is wrecked`)
      assert(view.read(Ship).alive[own] === 1 && of[own] === base, `base ${base} has a lost hull`)
      assert(view.read(ShipCombat).participant[own] !== 0, `base ${base} has a hull and no battle`)
    }
  },
}

/** What hit a participant in this tick, and who hit it hardest; of equals the first. */
function hitsOn(view: WorldView, row: Row): { damage: number; worst: Row } {
  const { firstAttack, attackCount } = view.read(Battle)
  const { attacker, target, shieldHit, hullHit } = view.read(Attack)
  const battle = view.read(Participant).battle[row]
  const from = firstAttack[battle]
  const dealt = new Map<Row, number>()
  let damage = 0
  for (let at = from; at < from + attackCount[battle]; at++) {
    const points = target[at] === row ? shieldHit[at] + hullHit[at] : 0
    if (points === 0) continue
    damage += points
    dealt.set(attacker[at], (dealt.get(attacker[at]) ?? 0) + points)
  }
  let worst = 0
  let most = 0
  for (const [by, points] of dealt) if (points > most) [worst, most] = [by, points]
  return { damage, worst }
}

function notifyRaid(world: World, base: Eid): void {
  const ship = hullOf(world, base)
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

/** Behind the report of the tick's attacks, while nobody has left yet. */
export const raid: SystemDef = {
  name: 'siege.raid',
  phase: 'fight',
  after: 'combat.report',
  writes: [],
  run(world) {
    for (const base of besieged(world)) notifyRaid(world, base)
  },
}

/** Behind the fates of the tick: stations that are out of their battles stand down. */
export const settle: SystemDef = {
  name: 'siege.settle',
  phase: 'fight',
  after: 'combat.fate',
  writes: [
    ...SHIP_WRITES,
    ...BUFF_WRITES,
    ...[Base, Course, Location, Poi, Siege, StarSystem, StationHull],
  ],
  run(world) {
    for (const base of besieged(world)) {
      if (world.read(ShipCombat).participant[hullOf(world, base)] === 0) standDown(world, base)
      else reportDamage(world, base)
    }
  },
}

/** A station mends by itself while it is in no battle. Source: combat.md section 13. */
export const repair: SystemDef = {
  name: 'siege.repair',
  phase: 'produce',
  writes: [Base, Facility, Siege, SystemNpcs],
  run(world) {
    const { hull, hullMax, shield, shieldMax } = world.write(Base)
    for (const base of damaged(world)) {
      if (isWrecked(world, base)) {
        if (world.tick >= world.read(Siege).repairedTick[base]) restoreStation(world, base)
        continue
      }
      const points = divCeil(hullMax[base], REPAIR_TICKS)
      const charge = divCeil(shieldMax[base], SHIELD_REGEN_DIVISOR)
      hull[base] = Math.min(hullMax[base], hull[base] + points)
      shield[base] = Math.min(shieldMax[base], shield[base] + charge)
      trackDamage(world, base)
    }
  },
}
