/** How much a player may give to others for nothing. Source: balance.md section 10. */
import { GOODS } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { Held } from '../../core/goods.ts'
import { divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { statOf } from './model.ts'
import { Giving } from './state.ts'

/** Returns the worth of goods when they count as a gift: their base value. */
export const giftWorth = (goods: readonly Held[]): number =>
  goods.reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)

/** Returns what a player may still give away, credits: what they earned less what they gave. */
function allowanceOf(view: WorldView, player: Eid): number {
  const { given, granted } = view.read(Giving)
  return Math.max(0, statOf(view, player, 'credits_earned') - granted[player] - given[player])
}

/** Refuses a gift above what a player has earned: trading_restricted. */
export function allowanceRefusal(
  view: WorldView,
  player: Eid,
  worth: number,
): Failure<'trading_restricted'> | undefined {
  const allowance = allowanceOf(view, player)
  if (worth <= allowance) return undefined
  const message =
    `That is worth ${counted(worth, 'credit')}, and you may give away what you have earned: ` +
    `${counted(allowance, 'credit')} for now. Sell goods or complete missions to earn more.`
  return fail('trading_restricted', { worth, allowance }, message)
}

/** Deducts a gift from what the player may still give away. */
export function recordGiving(world: World, player: Eid, worth: number): void {
  if (worth > 0) world.write(Giving).given[player] += worth
}

/** Records credits earned that may not be given away. */
export function recordGranted(world: World, player: Eid, credits: number): void {
  world.write(Giving).granted[player] += credits
}

/** How many times its worth a good may cost before part of the price counts as a gift. */
const FAIR_TIMES = 5

/** Returns the part of a unit price that is a gift to the seller: the excess over a fair price. */
export const overpaid = (price: number, worth: number): number =>
  Math.max(0, price - FAIR_TIMES * worth)

/** Returns the highest price at which a player may buy this many units from other players. */
export const priceLimit = (view: WorldView, player: Eid, worth: number, units: number): number =>
  FAIR_TIMES * worth + divFloor(allowanceOf(view, player), Math.max(1, units))

/** Returns how much of `given` is a gift when it is exchanged for `taken`; 0 in a fair exchange. */
export const giftPart = (given: number, taken: number): number =>
  given > 2 * taken ? given - taken : 0
