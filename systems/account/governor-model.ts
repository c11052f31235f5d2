/**
 * The governor of faucets: where more credits come into the world than its economy bears, all
 * faucets pay less alike, a step a day, and come back as it calms down. Source: balance.md 9.
 */
import { balanceOf, NAMED_ACCOUNTS, namedAccount } from '../../core/ledger.ts'
import { clamp, divFloor, mulDivFloor } from '../../core/math.ts'
import type { World, WorldView } from '../../core/types.ts'
import { tuned } from '../empire/balance-model.ts'
import { GOVERNOR, type Governor } from './governor-state.ts'
import { activePlayers } from './population-model.ts'

const FULL = 1_000
const MIN = 600
const STEP = 50
/** Days over which the credits created are averaged. */
const DAYS = 7
/** Credits that a day may create: percent of those in circulation, or this many a player. */
const GROWTH_PCT = 2
const GROWTH_PER_PLAYER = 15_000

const NEW: Governor = { perMille: FULL, supplies: [] }

const governorOf = (view: WorldView): Readonly<Governor> =>
  view.records(GOVERNOR).get('faucets') ?? NEW

/** Returns the credits that everybody holds: what the sources gave less what the sinks took. */
export const moneySupply = (view: WorldView): number =>
  NAMED_ACCOUNTS.reduce((supply, name) => supply - balanceOf(view, namedAccount(name)), 0)

/** Returns what faucets pay of their figures, in thousandths. */
export const faucetPerMille = (view: WorldView): number => governorOf(view).perMille

/**
 * Returns what a faucet pays of an amount: for incomes that nobody else pays, not for the value of
 * goods handed in.
 */
export const governed = (view: WorldView, credits: number): number =>
  mulDivFloor(credits, faucetPerMille(view) * tuned(view, 'faucets_pct'), FULL * 100)

/** Returns what a day may create without faucets being turned down, credits. */
export const growthLimit = (view: WorldView): number =>
  Math.max(mulDivFloor(moneySupply(view), GROWTH_PCT, 100), GROWTH_PER_PLAYER * activePlayers(view))

/** Takes the supply of a day that ends, and turns the faucets by a step where it is needed. */
export function adjustFaucets(world: World): void {
  const { perMille, supplies } = governorOf(world)
  const known = [...supplies, moneySupply(world)].slice(-DAYS - 1)
  const days = known.length - 1
  const created = days === 0 ? 0 : divFloor(known[days] - known[0], days)
  const limit = growthLimit(world)
  const step = created > limit ? -STEP : 2 * created < limit ? STEP : 0
  const next = { perMille: clamp(perMille + step, MIN, FULL), supplies: known }
  world.records(GOVERNOR).set('faucets', next)
}
