/**
 * The governor of faucets (whatever creates credits): while more credits are created than the
 * economy can absorb, all faucets are turned down together by one step a day, and up again once
 * growth is low. Source: balance.md 9.
 */
import { balanceOf, NAMED_ACCOUNTS, namedAccount } from '../../core/ledger.ts'
import { clamp, divFloor, mulDivFloor } from '../../core/math.ts'
import type { World, WorldView } from '../../core/types.ts'
import { tuned } from '../empire/balance-model.ts'
import { GOVERNOR, type Governor } from './governor-state.ts'
import { activePlayers } from './population-model.ts'

/** Share of their nominal amounts that faucets pay, in thousandths. */
const FULL = 1_000
const MIN = 500
/**
 * Its change in a day. ours: section 9 has 600 as the least and 50 both ways, but then a hundred
 * pilots of large hulls let the supply grow by more than 2 % a day for over two weeks.
 */
const DROP = 100
const RISE = 50
/**
 * Faucets are turned up below this part of the limit. ours: a third, not half as in section 9: half
 * of 2 % is the growth that a world of sixty days may not exceed.
 */
const RISE_BELOW = 3
/** Days over which the credits created are averaged. */
const DAYS = 7
/** Credits that a day may create: percent of those in circulation, or so many per active player. */
const GROWTH_PCT = 2
const GROWTH_PER_PLAYER = 15_000

const INITIAL: Governor = { perMille: FULL, supplies: [] }

const governorOf = (view: WorldView): Readonly<Governor> =>
  view.records(GOVERNOR).get('faucets') ?? INITIAL

/** Returns the credits that everybody holds: what the sources gave less what the sinks took. */
export const moneySupply = (view: WorldView): number =>
  NAMED_ACCOUNTS.reduce((supply, name) => supply - balanceOf(view, namedAccount(name)), 0)

/** Returns the share of their nominal amounts that faucets pay, in thousandths. */
export const faucetPerMille = (view: WorldView): number => governorOf(view).perMille

/**
 * Returns what a faucet pays of a nominal amount. It applies to income that no other player pays,
 * not to the value of goods handed in.
 */
export const governed = (view: WorldView, credits: number): number =>
  mulDivFloor(credits, faucetPerMille(view) * tuned(view, 'faucets_pct'), FULL * 100)

/** Returns how many credits a day may create before the faucets are turned down. */
export const growthLimit = (view: WorldView): number =>
  Math.max(mulDivFloor(moneySupply(view), GROWTH_PCT, 100), GROWTH_PER_PLAYER * activePlayers(view))

/** Records the money supply at the end of a day, and turns the faucets by one step if needed. */
export function adjustFaucets(world: World): void {
  const { perMille, supplies } = governorOf(world)
  const known = [...supplies, moneySupply(world)].slice(-DAYS - 1)
  const days = known.length - 1
  const created = days === 0 ? 0 : divFloor(known[days] - known[0], days)
  const limit = growthLimit(world)
  const step = created > limit ? -DROP : RISE_BELOW * created < limit ? RISE : 0
  const next = { perMille: clamp(perMille + step, MIN, FULL), supplies: known }
  world.records(GOVERNOR).set('faucets', next)
}
