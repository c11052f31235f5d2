/**
 * What missions pay. Goods are paid by their price at the nearest seller when the epoch began,
 * errands by size and jumps, with a bonus if they are completed fast. Source: balance.md sections
 * 5, 6.
 */
import { GOODS, goodsCredits, itemIndex, type MissionRow } from '../../core/catalog/index.ts'
import { addToList } from '../../core/groups.ts'
import { clamp, divFloor, mulDivFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { Book, Managed, Order, QUOTE_LEVELS } from '../market/state.ts'
import { ownerOfBase } from '../station/model.ts'
import { jumpsTo, slotOf, systemOfBase, templateOf, UNREACHED } from './model.ts'
import { Advertised, BOARDS, EPOCH_TICKS, Mission, type Seller } from './state.ts'

/* Sellers of goods */

/** Returns the lowest price at which a manager sells its item now; 0 if it sells none. */
function lowestAsk(view: WorldView, managed: Row): number {
  const { orders } = view.read(Managed)
  const { price } = view.read(Order)
  let lowest = 0
  // The first half of the orders are asks, the second half bids.
  for (let i = 0; i < QUOTE_LEVELS; i++) {
    const order = orders[managed * QUOTE_LEVELS * 2 + i]
    if (order === 0) continue
    if (lowest === 0 || price[order] < lowest) lowest = price[order]
  }
  return lowest
}

/**
 * Records what managers sell, and clears all boards so that they are drawn anew. O(managed), once
 * an epoch.
 */
export function advertise(world: World): void {
  const { base } = world.read(Managed)
  const { ask } = world.write(Advertised)
  for (let row = 1; row <= world.highOf(Managed); row++) {
    if (base[row] !== 0) ask[row] = lowestAsk(world, row)
  }
  const boards = world.index(BOARDS)
  boards.epoch = -1
  boards.byBase.clear()
  boards.sellers.clear()
}

/** Returns whether a new epoch begins with this tick. */
export const isEpochStart = ({ tick }: WorldView): boolean => tick % EPOCH_TICKS === 0

/** Returns whether a base belongs to no player and anybody may dock and buy there. */
function isOpen(view: WorldView, base: Eid): boolean {
  const { alive, pirateRepRequired } = view.read(Base)
  return alive[base] === 1 && pirateRepRequired[base] === 0 && ownerOfBase(view, base) === 0
}

/** Returns the sellers of an item, in the order of their rows. */
function sellersOf(view: WorldView, item: number): readonly Seller[] {
  const { sellers } = view.index(BOARDS)
  if (sellers.size === 0) {
    const { base, book } = view.read(Managed)
    const { ask } = view.read(Advertised)
    const { item: itemOf } = view.read(Book)
    for (let row = 1; row <= view.highOf(Managed); row++) {
      if (ask[row] === 0) continue
      addToList(sellers, itemOf[book[row]], { base: base[row], ask: ask[row] })
    }
  }
  return sellers.get(item) ?? []
}

/** Returns whether a base sells an item. */
export const sells = (view: WorldView, base: Eid, item: number): boolean =>
  sellersOf(view, item).some((seller) => seller.base === base)

interface NearestSeller extends Seller {
  readonly jumps: number
}

/** Returns the nearest open seller of an item; among equally near ones the cheapest. */
function nearestSeller(view: WorldView, base: Eid, item: number): NearestSeller | undefined {
  let nearest: NearestSeller | undefined
  for (const seller of sellersOf(view, item)) {
    const jumps = jumpsTo(view, base, systemOfBase(view, seller.base))
    if (jumps === UNREACHED || !isOpen(view, seller.base)) continue
    const isNearer =
      nearest === undefined ||
      jumps < nearest.jumps ||
      (jumps === nearest.jumps && seller.ask < nearest.ask)
    if (isNearer) nearest = { ...seller, jumps }
  }
  return nearest
}

/* Pay */

/** Credits for each jump to the seller of the goods. */
const SELLER_JUMP_CREDITS = 150

/** Returns the goods that a mission requires and does not provide. */
export const goodsWanted = ({ objectives, provided }: MissionRow) =>
  objectives.flatMap(({ type, item = '', quantity }) =>
    (type === 'deliver_item' || type === 'contribute') && provided[item] === undefined
      ? [{ item: itemIndex(item), units: quantity }]
      : [],
  )

/** Returns what a mission pays for its goods; undefined if nobody sells one of them. */
function creditsForGoods(view: WorldView, template: MissionRow, base: Eid): number | undefined {
  let cost = 0
  let jumps = 0
  for (const { item, units } of goodsWanted(template)) {
    const seller = nearestSeller(view, base, item)
    if (!seller) return undefined
    cost += units * Math.max(GOODS[item].base_value, seller.ask)
    jumps = Math.max(jumps, seller.jumps)
  }
  return goodsCredits(cost) + SELLER_JUMP_CREDITS * jumps
}

/**
 * Returns what a base pays for a mission whose farthest target is this many jumps away; undefined
 * if the base does not offer it at the present price of its goods. Steps of stories are always
 * offered.
 */
export function creditsFor(
  view: WorldView,
  template: MissionRow,
  base: Eid,
  jumps: number,
): number | undefined {
  const { credits, creditsPerJump, goodsPay, repeatable } = template
  if (!goodsPay) return credits + creditsPerJump * jumps
  const forGoods = creditsForGoods(view, template, base)
  if (forGoods === undefined) return repeatable ? undefined : credits
  const pay = forGoods + creditsPerJump * jumps
  const { min, max } = goodsPay
  if (!repeatable) return clamp(pay, min, max)
  return pay < min || pay > max ? undefined : pay
}

/* The haste bonus: extra pay for errands that are completed fast */

/** Minimum difficulty of an errand with a haste bonus. */
const HASTE_DIFFICULTY = 4
/** Ticks in which an errand earns its whole bonus: a fixed number, and more for each jump. */
const HASTE_TICKS = 20
const HASTE_TICKS_PER_JUMP = 12

/** Returns the ticks from acceptance in which a mission earns its whole bonus; 0 if it has none. */
export const hasteTicks = ({ type, difficulty }: MissionRow, jumps: number): number =>
  type === 'courier' && difficulty >= HASTE_DIFFICULTY
    ? HASTE_TICKS + HASTE_TICKS_PER_JUMP * jumps
    : 0

/**
 * Returns the bonus of an active mission if it is completed now: half its pay at first, then
 * shrinking to nothing by its last tick.
 */
export function hasteBonus(view: WorldView, mission: Row): number {
  const { base, toBase, credits, acceptedTick, expireTick } = view.read(Mission)
  const template = templateOf(view, mission)
  const target = toBase[slotOf(mission, 0)]
  if (template.type !== 'courier' || base[mission] === 0 || target === 0) return 0
  const jumps = jumpsTo(view, base[mission], systemOfBase(view, target))
  const ticks = hasteTicks(template, jumps)
  if (ticks === 0) return 0
  const bonusMax = divFloor(credits[mission], 2)
  const window = expireTick[mission] - acceptedTick[mission] - ticks
  const left = expireTick[mission] - view.tick
  return window <= 0 || left >= window ? bonusMax : mulDivFloor(bonusMax, Math.max(0, left), window)
}
