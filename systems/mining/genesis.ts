/** Lays the deposits of a new world, full, and keeps their catalogue figures up to date. */
import { assert } from '../../core/assert.ts'
import {
  type DepositPlan,
  GOODS,
  type ItemRow,
  itemIndex,
  rarityRank,
} from '../../core/catalog/index.ts'
import { DEPOSITS_PER_POI_MAX } from '../../core/limits.ts'
import type { Eid, World } from '../../core/types.ts'
import { FAMILIES } from '../ship/columns.ts'
import { Poi } from '../travel/columns.ts'
import { galaxyPlan, poisOf } from '../travel/rules.ts'
import { Deposit } from './columns.ts'
import { REGROWTH_WINDOW_TICKS } from './rules.ts'

export function layDeposits(world: World): void {
  for (const [index, system] of galaxyPlan(world).systems.entries()) {
    const pois = poisOf(world, index + 1)
    for (const [i, place] of system.pois.entries()) {
      const deepCore = place.class === 'deep_core'
      assert(place.deposits.length <= DEPOSITS_PER_POI_MAX, `${place.id} has too many deposits`)
      for (const plan of place.deposits) layDeposit(world, pois[i], plan, deepCore)
    }
  }
  sizeDeposits(world)
}

function layDeposit(world: World, at: Eid, plan: DepositPlan, deepCore: boolean): void {
  const item = itemIndex(plan.item)
  const good = GOODS[item] as ItemRow | undefined
  assert(good?.extracted_by, `${plan.item} cannot be extracted`)
  const row = world.take(Deposit)
  const deposit = world.write(Deposit)
  const poi = world.write(Poi)
  if (poi.depositCount[at] === 0) poi.firstDeposit[at] = row
  assert(row === poi.firstDeposit[at] + poi.depositCount[at], 'deposits of a place are consecutive')
  poi.depositCount[at]++
  deposit.poi[row] = at
  deposit.item[row] = item
  deposit.richness[row] = plan.richness
  deposit.rank[row] = rarityRank(good.rarity)
  deposit.family[row] = FAMILIES.indexOf(good.extracted_by)
  deposit.deepCore[row] = deepCore ? 1 : 0
  if (plan.capacity < 0) {
    deposit.unlimited[row] = 1
    return
  }
  assert(plan.capacity >= 1, 'a limited deposit holds something')
  deposit.max[row] = plan.capacity
  deposit.base[row] = plan.capacity
  deposit.window[row] = REGROWTH_WINDOW_TICKS[deposit.rank[row]]
}

/** Copies the sizes of what is extracted out of the catalogue, which kernels do not read. */
export function sizeDeposits(world: World): void {
  const deposit = world.write(Deposit)
  for (let row = 1; row <= world.highOf(Deposit); row++) {
    if (deposit.alive[row] === 1) deposit.size[row] = GOODS[deposit.item[row]].size
  }
}
