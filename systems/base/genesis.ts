/**
 * Founds the bases of a new world: records, accounts and stores, tanks full. Goods and funds are
 * the market's.
 */
import { type BasePlan, EMPIRE_IDS } from '../../core/catalog/index.ts'
import { openContainer } from '../../core/goods.ts'
import { openAccount } from '../../core/ledger.ts'
import type { Eid, World } from '../../core/types.ts'
import { Poi } from '../travel/columns.ts'
import { galaxyPlan, poisOf } from '../travel/rules.ts'
import { BASE_KINDS, Base, type Service } from './columns.ts'
import { serviceBit } from './rules.ts'

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
