/**
 * An economy of bots: miners, traders and crafters at the five capitals, each giving one command a
 * tick through the real engine. What is traded is read from the answers, what managers ask from the
 * order books.
 */
import { craft } from '../../cli/bots/crafter.ts'
import { mine } from '../../cli/bots/miner.ts'
import { type Bot, isOpenMarket, type Role, type RoleName } from '../../cli/bots/moves.ts'
import { trade } from '../../cli/bots/trader.ts'
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { createDice } from '../../core/dice.ts'
import { balanceOf, NAMED_ACCOUNTS, namedAccount, post } from '../../core/ledger.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../../systems/account/model.ts'
import { POPULATION } from '../../systems/account/state.ts'
import { Base } from '../../systems/base/state.ts'
import { booksAt } from '../../systems/market/book-model.ts'
import { managedValue, midOf } from '../../systems/market/quote-model.ts'
import { Book, Managed } from '../../systems/market/state.ts'
import { dockedBase } from '../../systems/travel/location-model.ts'
import { type DrivenWorld, driveWorld, empireOf, type Reply, type Wish } from '../driven-world.ts'
import { openShoppers } from './shoppers.ts'

/** Goods that every economy lives on: if one is no longer traded, a market has seized up. */
export const STAPLES = [
  'iron_ore',
  'copper_ore',
  'silicate_ore',
  'carbon_ore',
  'titanium_ore',
  'nickel_ore',
  'water_ice',
  'hydrogen_gas',
  'iron_ingot',
  'steel_plate',
  'copper_wire',
  'glass_pane',
  'carbon_fiber',
  'nickel_alloy',
  'circuit_board',
  'purified_water',
  'coolant',
  'fuel_cell',
  'repair_kit',
  'premium_fuel_cell',
] as const

const ROLES: Readonly<Record<RoleName, Role>> = { miner: mine, trader: trade, crafter: craft }
/** Roles of each ten bots. */
const CREW: readonly RoleName[] = [
  'miner',
  'crafter',
  'trader',
  'miner',
  'trader',
  'crafter',
  'miner',
  'trader',
  'crafter',
  'miner',
]
/** Entities per bot: ship, orders, lots and the rest. */
const ENTITIES_A_BOT = 40
const ENTITIES_MIN = 10_000
/** Hours of a day, and those in which balance.md expects a player to be active, in tenths. */
const DAY_HOURS = 240
const PLAYED_HOURS = 96
/** Credits that traders begin with on top of what every newcomer gets. */
const PURSE = 2_000

interface EconomyOptions {
  readonly seed: number
  readonly players: number
  /** Further players, whose commands the caller passes to `tick`. */
  readonly guests?: number
  readonly checkEvery?: number
  /** Least capacity of the world. */
  readonly entitiesMin?: number
  /** Whether shoppers order hulls at the capitals, too. */
  readonly shops?: boolean
}

interface Traded {
  units: number
  credits: number
  lastTick: number
}

export interface Economy {
  readonly driven: DrivenWorld
  readonly bots: readonly Bot[]
  /** All that was bought and sold, by item. */
  readonly traded: ReadonlyMap<string, Traded>
  /** Answers by role, command and code. */
  readonly answers: ReadonlyMap<string, number>
  readonly shoppers: ReturnType<typeof openShoppers> | undefined
  /** Runs a tick with the commands of bots and guests; returns all answers. */
  tick(wishes?: readonly Wish[]): Promise<readonly Reply[]>
}

interface Fill {
  readonly quantity: number
  readonly price_each: number
}

/** Returns the trades in an answer: fills of one item, or rows of several. */
function fillsOf(reply: Reply): { item: string; fills: readonly Fill[] } | undefined {
  if (!reply.outcome.ok) return undefined
  const { item_id, fills } = reply.outcome.result as { item_id?: string; fills?: Fill[] }
  return item_id !== undefined && Array.isArray(fills) ? { item: item_id, fills } : undefined
}

export async function openEconomy(options: EconomyOptions): Promise<Economy> {
  const { seed, players, guests = 0, checkEvery = 10, entitiesMin = ENTITIES_MIN } = options
  const maxEntities = Math.max(entitiesMin, (players + guests) * ENTITIES_A_BOT)
  const driven = await driveWorld({ seed, maxEntities, checkEvery })
  const { world } = driven
  const dice = createDice(seed)
  const bots = Array.from({ length: players }, (_, i): Bot => {
    const player = driven.join(`Settler ${i}`, empireOf(Math.floor(i / CREW.length)))
    const role = CREW[i % CREW.length]
    const home = dockedBase(world, player)
    // A trader has mined before: the credits of a newcomer buy no load.
    if (role === 'trader')
      post(world, namedAccount('starting_grant'), walletOf(world, player), PURSE)
    return { player, role, home, dice: dice.branch(`bot ${i}`), restTick: 0 }
  })
  const byPlayer = new Map(bots.map((bot) => [bot.player, bot]))
  const traded = new Map<string, Traded>()
  const answers = new Map<string, number>()

  const shoppers = options.shops ? openShoppers(driven) : undefined
  // The count of active players is set as if all had played the whole day before.
  const everyone = players + guests
  world.records(POPULATION).set('active', Math.floor((everyone * DAY_HOURS) / PLAYED_HOURS))

  const record = (reply: Reply): void => {
    if (shoppers?.record(reply)) return
    const bot = byPlayer.get(reply.player)
    const { outcome } = reply
    if (!bot) return
    const key = `${bot.role} ${reply.command} ${outcome.ok ? 'ok' : outcome.code}`
    answers.set(key, (answers.get(key) ?? 0) + 1)
    if (!outcome.ok) {
      bot.plan = bot.role === 'miner' ? bot.plan : undefined
      bot.restTick = world.tick + 1 + bot.dice.below(5)
    }
    const found = fillsOf(reply)
    if (!found) return
    const sum = traded.get(found.item) ?? { units: 0, credits: 0, lastTick: 0 }
    for (const { quantity, price_each } of found.fills) {
      sum.units += quantity
      sum.credits += quantity * price_each
      sum.lastTick = world.tick
    }
    traded.set(found.item, sum)
  }

  return {
    driven,
    bots,
    traded,
    answers,
    shoppers,
    async tick(guestWishes = []) {
      const wishes = bots.flatMap((bot): Wish[] => {
        if (bot.restTick > world.tick || !driven.isFree(bot.player, 'undock')) return []
        const wish = ROLES[bot.role](world, bot)
        return wish ? [wish] : []
      })
      const orders = shoppers?.wishes() ?? []
      const answered = driven.tick([...wishes, ...orders, ...guestWishes])
      for (const reply of answered) record(reply)
      shoppers?.sample()
      await driven.settled()
      return answered
    },
  }
}

/* Measurements */

/** Returns the credits in circulation: all that the named accounts have paid out. */
export const moneySupply = (view: WorldView): number =>
  -NAMED_ACCOUNTS.reduce((sum, name) => sum + balanceOf(view, namedAccount(name)), 0)

/** Returns the middle price of each item that a manager keeps, named by base and item. */
function midsOf(world: World): { name: string; mid: number; value: number }[] {
  const { alive, base, book, stock, target } = world.read(Managed)
  const { item } = world.read(Book)
  const rows = []
  for (let row = 1; row <= world.highOf(Managed); row++) {
    if (alive[row] === 0) continue
    const value = managedValue(world, row)
    const mid = midOf({ stock: stock[row], target: target[row], value })
    rows.push({ name: `${base[row]} ${GOODS[item[book[row]]].id}`, mid, value })
  }
  return rows
}

/** Returns whether the price can move no further down or up. Source: market.md section 7. */
export const isClamped = ({ mid, value }: { mid: number; value: number }): boolean =>
  value >= 5 && (mid <= Math.floor((4 * value) / 10) || mid >= Math.floor((25 * value) / 10))

/** Returns bases whose manager has no credits at all, bids included. */
function brokeManagers(world: World): Row[] {
  const { alive, manager } = world.read(Base)
  const broke: Row[] = []
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || booksAt(world, base).length === 0) continue
    if (isOpenMarket(world, base) && balanceOf(world, manager[base]) <= 0) broke.push(base)
  }
  return broke
}

/** Ends the complaint about a staple that nobody bought or sold. */
export const UNTRADED = 'was not traded'

/** Watches for markets that seize up from now on: sampled in between, judged at the end. */
export function watchSeizing(economy: Economy) {
  const { world } = economy.driven
  const since = world.tick
  const clampedNow = () =>
    new Set(
      midsOf(world)
        .filter(isClamped)
        .map(({ name }) => name),
    )
  let clamped = clampedNow()
  let broke = new Set(brokeManagers(world))
  return {
    sample(): void {
      const stillClamped = clampedNow()
      clamped = new Set([...clamped].filter((name) => stillClamped.has(name)))
      const stillBroke = new Set(brokeManagers(world))
      broke = new Set([...broke].filter((base) => stillBroke.has(base)))
    },
    /** Returns what has seized up; empty when all is well. */
    complaints(): string[] {
      const untraded = STAPLES.filter((id) => (economy.traded.get(id)?.lastTick ?? 0) <= since)
      return [
        ...untraded.map((id) => `${id} ${UNTRADED}`),
        ...[...clamped].map((name) => `the price of ${name} stood at its clamp`),
        ...[...broke].map((base) => `the manager of base ${base} had no credits`),
      ]
    },
  }
}

for (const id of STAPLES) if (itemIndex(id) < 0) throw new Error(`no staple ${id}`)
