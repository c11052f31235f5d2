/**
 * Closes the books at the end of each day: the balance of every source and sink of credits and
 * goods. Whatever players and stations hold came from a source and has not reached a sink yet, so
 * the difference between two closings is the flow of the days between them.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { contentsOf, NAMED_CONTAINERS, namedContainer } from '../../core/goods.ts'
import { balanceOf, NAMED_ACCOUNTS, namedAccount } from '../../core/ledger.ts'
import type { GaugeDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { DAY_TICKS, HOUR_TICKS } from '../../core/time.ts'
import type { World, WorldView } from '../../core/types.ts'
import { adjustFaucets, faucetPerMille, moneySupply } from '../account/governor-model.ts'
import { countPopulation } from '../account/population-model.ts'

/** Balances by name: those of sources are negative, those of sinks positive; zeros are left out. */
type Figures = Readonly<Record<string, number>>

/** Balances of all sources and sinks at one tick. */
export interface Books {
  readonly tick: number
  /** Credits by named account. */
  readonly credits: Figures
  /** Units by good, by named container. */
  readonly goods: Readonly<Record<string, Figures>>
}

const isNotZero = ([, figure]: readonly [string, number]): boolean => figure !== 0

/** Returns the current books. O(named accounts + goods that ever passed a source or sink). */
export function booksOf(view: WorldView): Books {
  const credits = NAMED_ACCOUNTS.map(
    (name) => [name, balanceOf(view, namedAccount(name))] as const,
  ).filter(isNotZero)
  const goods = NAMED_CONTAINERS.map((name) => {
    const held = contentsOf(view, namedContainer(name))
    return [name, Object.fromEntries(held.map(({ item, units }) => [GOODS[item].id, units]))]
  })
  return { tick: view.tick, credits: Object.fromEntries(credits), goods: Object.fromEntries(goods) }
}

const isDayEnd = ({ tick }: World): boolean => tick !== 0 && tick % DAY_TICKS === 0

/** Counts the players active in the hour that ends; the demand of markets follows the count. */
export const countPlayers: SystemDef = {
  name: 'economy.count_players',
  phase: 'settle',
  writes: [],
  run(world) {
    if (world.tick % HOUR_TICKS === 0) countPopulation(world)
  },
}

/** Records the money supply of a new world, with which that of the first day is compared. */
export const openBooks = (world: World): void => adjustFaucets(world)

function closeDay(world: World): void {
  if (!isDayEnd(world)) return
  adjustFaucets(world)
  world.outbox.writes.push({ method: 'closeBooks', args: { ...booksOf(world) } })
}

/** Closes the books last in the phase, when no more credits or goods move. */
export const closeBooks: SystemDef = {
  name: 'economy.close_books',
  phase: 'settle',
  writes: [],
  run: closeDay,
}

/** Reports the credits in circulation: what sources paid less what sinks took. */
export const creditSupply: GaugeDef = {
  name: 'credit_supply',
  help: 'Credits in circulation: all that players, factions, stations and escrows hold.',
  read: moneySupply,
}

export const faucetRatio: GaugeDef = {
  name: 'faucet_ratio',
  help: 'Share of their full amounts that credit faucets pay: 1 is all; less after inflation.',
  read: (view) => faucetPerMille(view) / 1_000,
}
