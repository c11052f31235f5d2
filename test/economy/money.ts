/**
 * The money of a world: who holds it, what came in and left by named account, and the taxes that a
 * run of less than a week never sees collected. Source: balance.md section 9.
 */
import { EMPIRE_IDS } from '../../core/catalog/index.ts'
import { balanceOf, NAMED_ACCOUNTS, namedAccount } from '../../core/ledger.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { faucetPerMille, moneySupply } from '../../systems/account/governor-model.ts'
import { baseTreasury, empireTreasury } from '../../systems/base/model.ts'
import { Base } from '../../systems/base/state.ts'
import { citizenPool } from '../../systems/facility/model.ts'
import { BID, BY_STATION, Order } from '../../systems/market/state.ts'
import { assess } from '../../systems/tax/rules.ts'

interface Money {
  /** All credits in circulation, M2. */
  readonly supply: number
  /** What players and factions hold, their escrows included, M1. */
  readonly players: number
  /** The share of their full figures that faucets pay, thousandths. */
  readonly perMille: number
  /** What each named account has created so far; sinks are below zero. */
  readonly created: Readonly<Record<string, number>>
}

/** Sums the credits of stations, their citizens and empires. */
function heldByServer(view: WorldView): number {
  const { alive, manager } = view.read(Base)
  let sum = EMPIRE_IDS.reduce(
    (all, _, empire) => all + balanceOf(view, empireTreasury(view, empire)),
    0,
  )
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (alive[base] === 0) continue
    const accounts = new Set([manager[base], baseTreasury(view, base), citizenPool(view, base)])
    for (const account of accounts) if (account !== 0) sum += balanceOf(view, account)
  }
  const orders = view.read(Order)
  for (let order = 1; order <= view.highOf(Order); order++) {
    const isBid = orders.side[order] === BID && orders.ownerKind[order] === BY_STATION
    if (orders.alive[order] === 1 && isBid) sum += orders.price[order] * orders.remaining[order]
  }
  return sum
}

export function moneyOf(view: WorldView): Money {
  const supply = moneySupply(view)
  const created = NAMED_ACCOUNTS.map(
    (name) => [name, -balanceOf(view, namedAccount(name))] as const,
  )
  return {
    supply,
    players: supply - heldByServer(view),
    perMille: faucetPerMille(view),
    created: Object.fromEntries(created),
  }
}

/**
 * Returns what each account created between two readings, largest first, without unchanged ones.
 */
export const flowsBetween = (before: Money, after: Money): Record<string, number> =>
  Object.fromEntries(
    Object.entries(after.created)
      .map(([name, credits]) => [name, credits - before.created[name]] as const)
      .filter(([, credits]) => credits !== 0)
      .sort((a, b) => b[1] - a[1]),
  )

/** Sums the income taxes that players would owe now; treasuries would receive them. */
export const taxesDue = (view: WorldView, players: readonly Eid[]): number =>
  players.reduce(
    (sum, player) => assess(view, player).incomeTax.reduce((all, { owed }) => all + owed, sum),
    0,
  )

/** Returns the Gini coefficient of incomes: 0 if all earn alike, near 1 if one earns everything. */
export function giniOf(incomes: readonly number[]): number {
  const sorted = incomes.map((income) => Math.max(0, income)).sort((a, b) => a - b)
  const total = sorted.reduce((sum, income) => sum + income, 0)
  if (total === 0) return 0
  const weighted = sorted.reduce(
    (sum, income, index) => sum + income * (2 * (index + 1) - sorted.length - 1),
    0,
  )
  return weighted / (sorted.length * total)
}
