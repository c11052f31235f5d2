/**
 * How pilots save for their next hull: they pay the yard at home by the hour, and the yard takes
 * parts for it off the shelves, so that money flows back to stations, and goods out of them.
 */
import { SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import { balanceOf, post } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { baseTreasury } from '../../../systems/base/model.ts'
import { takeFromStock, unitsAboveReserve } from '../../../systems/market/stock-model.ts'
import { baseValueOf, billOf } from '../../../systems/shipyard/materials-model.ts'
import { type Cell, HULL_PAYMENTS, MEDIANS } from './bands.ts'
import { STAKE_HOURS } from './rigs.ts'

const TIER_MAX = 5

/** A pilot who saves for a hull. */
interface Saver {
  readonly player: Eid
  readonly base: Eid
  readonly cell: Cell
  /** Credits paid so far. */
  invested: number
}

/** Returns the class that a pilot saves for: pilots spread over all classes of the next tier. */
function nextClass({ cell, player }: Saver): number {
  const tier = Math.min(TIER_MAX, cell.tier + 1)
  const classes = SHIP_CLASSES.flatMap((row, index) =>
    row.tier === tier && !row.hidden ? [index] : [],
  )
  return classes[player % classes.length]
}

/** Pays an hour's instalment out of the credits above the stake. */
export function payForHull(world: World, saver: Saver): void {
  const { player, base, cell } = saver
  const wallet = walletOf(world, player)
  const spare = balanceOf(world, wallet) - STAKE_HOURS * MEDIANS[cell.tier]
  const paid = Math.max(0, Math.min(HULL_PAYMENTS[cell.tier], spare))
  post(world, wallet, baseTreasury(world, base), paid)
  const bill = billOf(nextClass(saver), false)
  const price = baseValueOf(bill)
  const partsFor = (credits: number, units: number): number => Math.floor((credits * units) / price)
  for (const { item, units } of bill) {
    const due = partsFor(saver.invested + paid, units) - partsFor(saver.invested, units)
    const taken = Math.min(due, unitsAboveReserve(world, base, item))
    if (taken > 0) takeFromStock(world, base, namedContainer('consumption'), item, taken)
  }
  saver.invested += paid
}
