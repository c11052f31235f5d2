/** Computes the figures of a world for comparing its balance: credits, prices, deaths, wealth. */
import { GOODS } from '../core/catalog/index.ts'
import { balanceOf, NAMED_ACCOUNTS, namedAccount } from '../core/ledger.ts'
import type { Eid, WorldView } from '../core/types.ts'
import { moneySupply } from '../systems/account/governor-model.ts'
import { statOf, walletOf } from '../systems/account/model.ts'
import { Player } from '../systems/account/state.ts'
import { managedValue, midOf } from '../systems/market/quote-model.ts'
import { Book, Managed } from '../systems/market/state.ts'

const PERCENTILES = [10, 25, 50, 75, 90, 99, 100] as const

export interface WorldFigures {
  readonly tick: number
  readonly players: number
  /** Credits in circulation. */
  readonly supply: number
  /** Those of them that are in the wallets of players. */
  readonly inWallets: number
  /** By source and sink: what it gave is negative, what it took positive. */
  readonly accounts: Readonly<Record<string, number>>
  /** How often players were destroyed in their ship. */
  readonly deaths: number
  /** Percentiles of the credits in the wallets of players, by name: `p50`. */
  readonly wealth: Readonly<Record<string, number>>
  /** By item id: the average of the mid prices at the stations that trade it, in credits. */
  readonly prices: Readonly<Record<string, number>>
}

/** Returns a percentile of a sorted list; 0 if the list is empty. */
export const percentileOf = (ascending: readonly number[], pct: number): number =>
  ascending[Math.max(0, Math.ceil((ascending.length * pct) / 100) - 1)] ?? 0

function pricesOf(view: WorldView): Record<string, number> {
  const { alive, book, stock, target } = view.read(Managed)
  const { item } = view.read(Book)
  const sums = new Map<number, { sum: number; stations: number }>()
  for (let row = 1; row <= view.highOf(Managed); row++) {
    if (alive[row] === 0) continue
    const good = item[book[row]]
    const { sum, stations } = sums.get(good) ?? { sum: 0, stations: 0 }
    const value = managedValue(view, row)
    const mid = midOf({ stock: stock[row], target: target[row], value })
    sums.set(good, { sum: sum + mid, stations: stations + 1 })
  }
  const means = [...sums].map(([good, { sum, stations }]): [string, number] => [
    GOODS[good].id,
    Math.round((100 * sum) / stations) / 100,
  ])
  return Object.fromEntries(means.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the players in the order of rows, which has no influence on the figures. */
function rowsOf(view: WorldView): Eid[] {
  const { alive } = view.read(Player)
  const rows: Eid[] = []
  for (let row = 1; row <= view.highOf(Player); row++) if (alive[row] === 1) rows.push(row)
  return rows
}

/** Returns the figures of a world by which worlds are compared. */
export function figuresOf(view: WorldView): WorldFigures {
  const players = rowsOf(view)
  const wealth = players.map((player) => balanceOf(view, walletOf(view, player)))
  wealth.sort((a, b) => a - b)
  const accounts = NAMED_ACCOUNTS.map((name): [string, number] => [
    name,
    balanceOf(view, namedAccount(name)),
  ])
  return {
    tick: view.tick,
    players: players.length,
    supply: moneySupply(view),
    inWallets: wealth.reduce((sum, credits) => sum + credits, 0),
    accounts: Object.fromEntries(accounts.filter(([, credits]) => credits !== 0)),
    deaths: players.reduce((sum, player) => sum + statOf(view, player, 'times_destroyed'), 0),
    wealth: Object.fromEntries(PERCENTILES.map((pct) => [`p${pct}`, percentileOf(wealth, pct)])),
    prices: pricesOf(view),
  }
}
