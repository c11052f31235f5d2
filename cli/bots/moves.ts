/** What every bot can do: check exchanges, fly, refuel and sell what it has. */
import { GOODS } from '../../core/catalog/index.ts'
import type { Dice } from '../../core/dice.ts'
import { contentsOf, type Held } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { Eid, World } from '../../core/types.ts'
import { walletOf } from '../../systems/account/model.ts'
import { hasService } from '../../systems/base/model.ts'
import { Base } from '../../systems/base/state.ts'
import { lockerOf } from '../../systems/cargo/model.ts'
import { bestLevel, bookOf, ordersHere } from '../../systems/market/book-model.ts'
import { isContraband, isPirateBase, isTradeable } from '../../systems/market/model.ts'
import { ASK, BID, Level, type Side } from '../../systems/market/state.ts'
import { activeShip, freeSpace } from '../../systems/ship/model.ts'
import { Ship } from '../../systems/ship/state.ts'
import { dockedBase, poiOf, systemOf } from '../../systems/travel/location-model.ts'
import { poiId, routeBetween, systemId } from '../../systems/travel/model.ts'
import { Poi } from '../../systems/travel/state.ts'

/** A command that a bot wants to give. */
export interface Wish {
  readonly player: Eid
  readonly command: string
  readonly params?: Record<string, unknown>
}

export type RoleName = 'miner' | 'trader' | 'crafter'

export interface Bot {
  readonly player: Eid
  readonly role: RoleName
  readonly home: Eid
  /** The random numbers of this bot only. */
  readonly dice: Dice
  /** What the bot intends to do next; each role has its own type. */
  plan?: unknown
  /** The bot does nothing before this tick. */
  restTick: number
}

/** Returns what a bot does next; undefined if there is nothing to do in this tick. */
export type Role = (world: World, bot: Bot) => Wish | undefined

/** Returns a command of a bot, to be sent in this tick. */
export const wish = (bot: Bot, command: string, params: Record<string, unknown> = {}): Wish => ({
  player: bot.player,
  command,
  params,
})

/* Exchanges */

interface Offer {
  readonly price: number
  readonly units: number
}

/** Returns the best price on a side of the book and its units; undefined if the side is empty. */
export function bestOffer(world: World, base: Eid, item: number, side: Side): Offer | undefined {
  const book = bookOf(world, base, item)
  const level = book === 0 ? 0 : bestLevel(world, book, side)
  if (level === 0) return undefined
  const { price, units, stationUnits } = world.read(Level)
  return { price: price[level], units: units[level] + stationUnits[level] }
}

export const creditsOf = (world: World, bot: Bot): number =>
  balanceOf(world, walletOf(world, bot.player))

export const holdOf = (world: World, bot: Bot): Held[] =>
  contentsOf(world, world.read(Ship).hold[activeShip(world, bot.player)])

/** Returns the goods of a bot in storage at a base. */
export function storedAt(world: World, bot: Bot, base: Eid): Held[] {
  const locker = lockerOf(world, bot.player, base)
  return locker === 0 ? [] : contentsOf(world, locker)
}

/** Returns the free space in the hold of a bot. */
export const roomOf = (world: World, bot: Bot): number =>
  freeSpace(world, activeShip(world, bot.player))

/** Returns whether the base has an exchange that is open to everybody. */
export function isOpenMarket(world: World, base: Eid): boolean {
  return hasService(world, base, 'market') && !isPirateBase(world, base)
}

/** Returns whether bots trade an item at a base: it must be legal there, and not fuel. */
export const isWare = (world: World, base: Eid, item: number): boolean =>
  isTradeable(item) && !isContraband(world, base, item) && GOODS[item].id !== 'fuel'

const ORDERS_MAX = 12
/** The lowest bid that a bot accepts, in percent of the base value of an item. */
const BID_MIN_PCT = 60
/** The price at which a bot lists an item, in percent of its base value. */
const ASK_PCT = 105

/**
 * Sells the first item for which there is a fair bid; without one, lists the first item for sale.
 * Keeps the items in `keep`.
 */
export function sellSome(
  world: World,
  bot: Bot,
  held: readonly Held[],
  keep: ReadonlySet<number> = new Set(),
): Wish | undefined {
  const base = dockedBase(world, bot.player)
  const wares = held.filter(({ item }) => !keep.has(item) && isWare(world, base, item))
  const worth = (item: number): number => GOODS[item].base_value
  const wanted = wares.find(({ item }) => {
    const bid = bestOffer(world, base, item, BID)
    return bid !== undefined && bid.price * 100 >= worth(item) * BID_MIN_PCT
  })
  if (wanted) {
    const { units } = bestOffer(world, base, wanted.item, BID) as Offer
    const quantity = Math.min(wanted.units, Math.max(units, 1))
    return wish(bot, 'sell', { item_id: GOODS[wanted.item].id, quantity })
  }
  const [ware] = wares
  if (!ware || ordersHere(world, bot.player, base) >= ORDERS_MAX) return undefined
  const ask = bestOffer(world, base, ware.item, ASK)
  const listPrice = Math.ceil((worth(ware.item) * ASK_PCT) / 100)
  const price = Math.max(1, Math.min(listPrice, (ask?.price ?? listPrice + 1) - 1))
  return wish(bot, 'create_sell_order', {
    item_id: GOODS[ware.item].id,
    quantity: Math.min(ware.units, 1_000),
    price_each: price,
  })
}

/* Flying */

const FUEL_LOW_PCT = 60

/** Refuels if the tank is low and fuel is sold here. */
export function refuel(world: World, bot: Bot): Wish | undefined {
  const base = dockedBase(world, bot.player)
  const { fuel, fuelMax } = world.read(Ship)
  const ship = activeShip(world, bot.player)
  const isLow = fuel[ship] * 100 < fuelMax[ship] * FUEL_LOW_PCT
  const isSold = hasService(world, base, 'refuel') && world.read(Base).fuel[base] > 50
  return isLow && isSold && creditsOf(world, bot) > 20 ? wish(bot, 'refuel') : undefined
}

/** Returns the next step to a place in any system; undefined once there, or without a route. */
export function flyTo(world: World, bot: Bot, poi: Eid): Wish | undefined {
  const here = systemOf(world, bot.player)
  const system = world.read(Poi).system[poi]
  if (here !== system) {
    const next = routeBetween(world, here, system)?.[1]
    return next === undefined
      ? undefined
      : wish(bot, 'jump', { target_system: systemId(world, next) })
  }
  if (poiOf(world, bot.player) === poi) return undefined
  return wish(bot, 'travel', { target_poi: poiId(world, poi) })
}

/** Returns the next step towards docking at a base; undefined once docked there. */
export function dockAt(world: World, bot: Bot, base: Eid): Wish | undefined {
  if (dockedBase(world, bot.player) === base) return undefined
  return flyTo(world, bot, world.read(Base).poi[base]) ?? wish(bot, 'dock')
}

/** Returns the bases with an open exchange within this many jumps, nearest first. */
export function marketsNear(world: World, start: Eid, jumpsMax: number): Eid[] {
  const { alive, poi } = world.read(Base)
  const near: { base: Eid; jumps: number }[] = []
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || !isOpenMarket(world, base)) continue
    const route = routeBetween(world, start, world.read(Poi).system[poi[base]])
    const jumps = route ? route.length - 1 : Number.POSITIVE_INFINITY
    if (jumps <= jumpsMax) near.push({ base, jumps })
  }
  return near.sort((a, b) => a.jumps - b.jumps || a.base - b.base).map(({ base }) => base)
}

/** Returns the number of jumps between two systems; infinity if there is no route. */
export const jumpsBetween = (world: World, from: Eid, to: Eid): number =>
  (routeBetween(world, from, to)?.length ?? Number.POSITIVE_INFINITY) - 1

export const systemOfBase = (world: World, base: Eid): Eid =>
  world.read(Poi).system[world.read(Base).poi[base]]
