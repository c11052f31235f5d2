/** Bases: their invariants, their founding with a new world, and the refilling of their tanks. */
import { assert } from '../../core/assert.ts'
import { type BasePlan, EMPIRE_IDS } from '../../core/catalog/index.ts'
import { openContainer } from '../../core/goods.ts'
import { openAccount } from '../../core/ledger.ts'
import { divCeil } from '../../core/math.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, World } from '../../core/types.ts'
import { ownerOfBase } from '../station/model.ts'
import { galaxyPlan, poisOf } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { serviceBit } from './model.ts'
import { BASE_KINDS, Base, type Service } from './state.ts'

/* Invariants of bases. */

export const basesAreSound: CheckDef = {
  name: 'I6 bases: tanks, hulls and shields in range, one base a place',
  run(view, full) {
    if (!full) return
    const base = view.read(Base)
    const baseAt = view.read(Poi).base
    for (let row = 1; row <= view.highOf(Base); row++) {
      if (base.alive[row] === 0) continue
      assert(baseAt[base.poi[row]] === row, `base ${row} is not at its place`)
      assert(base.fuel[row] >= 0 && base.fuel[row] <= base.fuelMax[row], `tank of base ${row}`)
      assert(base.hull[row] >= 0 && base.hull[row] <= base.hullMax[row], `hull of base ${row}`)
      assert(base.shield[row] >= 0 && base.shield[row] <= base.shieldMax[row], `shield ${row}`)
    }
  },
}

/**
 * Founds the bases of a new world: rows, accounts and stores, with full tanks. The market domain
 * adds goods and funds.
 */
export function foundBases(world: World): void {
  for (const [index, system] of galaxyPlan(world).systems.entries()) {
    const pois = poisOf(world, index + 1)
    for (const [i, place] of system.pois.entries()) {
      if (place.base) foundBase(world, pois[i], place.base)
    }
  }
}

function foundBase(world: World, poi: Eid, plan: BasePlan): void {
  const row = world.take(Base)
  const base = world.write(Base)
  world.setText(Base, 'id', row, plan.id)
  world.setText(Base, 'name', row, plan.name)
  world.setText(Base, 'description', row, plan.description)
  world.setText(Base, 'story', row, plan.story)
  base.poi[row] = poi
  base.empire[row] = plan.empire === null ? 0 : EMPIRE_IDS.indexOf(plan.empire) + 1
  base.kind[row] = BASE_KINDS.indexOf(plan.kind)
  base.capital[row] = plan.capital ? 1 : 0
  base.level[row] = plan.level
  base.services[row] = plan.services.reduce((bits, name: Service) => bits | serviceBit(name), 0)
  base.fuel[row] = plan.fuel_max
  base.fuelMax[row] = plan.fuel_max
  base.shipyardTier[row] = plan.shipyard_tier
  base.hull[row] = plan.hull
  base.hullMax[row] = plan.hull
  base.shield[row] = plan.shield
  base.shieldMax[row] = plan.shield
  base.armor[row] = plan.armor
  base.weaponDamage[row] = plan.weapon_damage
  base.weaponReach[row] = plan.weapon_reach
  base.pirateRepRequired[row] = plan.pirate_rep_required
  base.accountTarget[row] = plan.account_target
  openStores(world, row)
  world.write(Poi).base[poi] = row
}

function openStores(world: World, row: Eid): void {
  const base = world.write(Base)
  base.treasury[row] = openAccount(world)
  base.manager[row] = openAccount(world)
  base.stock[row] = openContainer(world)
  base.escrow[row] = openContainer(world)
}

/** Ticks between two refills, each of a hundredth of the tank. Source: travel.md section 7. */
export const REFILL_TICKS = 100
const REFILL_DIVISOR = 100

/**
 * Refills the tanks of all bases, at most 2,000, every REFILL_TICKS. ours: the tank of a faction's
 * station holds only what its owner buys or makes.
 */
export const refill: SystemDef = {
  name: 'base.refill',
  phase: 'produce',
  writes: [Base],
  run(world) {
    if (world.tick % REFILL_TICKS !== 0) return
    const { alive, fuel, fuelMax } = world.write(Base)
    for (let row = 1; row <= world.highOf(Base); row++) {
      if (alive[row] === 0 || ownerOfBase(world, row) !== 0) continue
      fuel[row] = Math.min(fuelMax[row], fuel[row] + divCeil(fuelMax[row], REFILL_DIVISOR))
    }
  },
}
