/**
 * The managers' part of each tick. Bases take turns, so an idle exchange costs nothing between its
 * turns.
 */

import { assert } from '../../core/assert.ts'
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { GOODS_WRITES, moveItems, namedContainer } from '../../core/goods.ts'
import { append } from '../../core/groups.ts'
import { Account, namedAccount, post } from '../../core/ledger.ts'
import { TRADE_NOTES_PER_TICK_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { observe } from '../../core/occurrence.ts'
import { counted } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import { CYCLE_TICKS, HOUR_TICKS, isoTime } from '../../core/time.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player, PlayerStats } from '../account/state.ts'
import {
  baseById,
  baseId,
  baseName,
  baseTreasury,
  empireOfBase,
  empireTreasury,
} from '../base/model.ts'
import { Base } from '../base/state.ts'
import { Locker } from '../cargo/state.ts'
import { membersWith, recordFactionLog } from '../faction/model.ts'
import { notifyFaction } from '../faction/rules.ts'
import { disbanded, FactionStore } from '../faction/state.ts'
import { CriminalRecord } from '../law/state.ts'
import { logAction } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { Mission } from '../mission/state.ts'
import { XP_WRITES } from '../skill/rules.ts'
import {
  recordCorporateExpense,
  recordCorporateIncome,
  recordGoodsBought,
  recordIncome,
} from '../tax/rules.ts'
import { CorporateLedger, TaxLedger } from '../tax/state.ts'
import { galaxyPlan } from '../travel/model.ts'
import { TRADE, TRADE_WRITES, tradeNow } from './adopt-rules.ts'
import { awardTradingXp, endTickXp, openBook, type Traded } from './book-rules.ts'
import { closeFactionOrders, closeLostStores, credit, handOver } from './closing-rules.ts'
import { grow, liveOn, payManager, requote, takeTraded, useUp } from './manager-rules.ts'
import { isPirateBase, isSmuggling } from './model.ts'
import { type Dues, type MakerFill, OWED } from './order-index-state.ts'
import { awardStanding, openExchange } from './rules.ts'
import { tradeFill } from './schemas.ts'
import {
  ASK,
  Book,
  Exchange,
  Fill,
  Level,
  Lot,
  MANAGED_AT,
  Managed,
  Order,
  PlayerOrders,
  TradeStanding,
} from './state.ts'
import { hourPrices, managedAt, TARGET_MIN } from './vwap-model.ts'

/* Opens the exchanges of a new world: escrow, the managers' funds and stocks, first quotes. */

/** What a base's manager is to stock. */
interface Stocked {
  /** Index into GOODS. */
  readonly item: number
  readonly target: number
  /** Units of the first day; absent: the target. */
  readonly stock?: number
  readonly supply: boolean
}

export function foundExchanges(world: World): void {
  for (const system of galaxyPlan(world).systems) {
    for (const place of system.pois) {
      if (!place.base) continue
      const base = baseById(world, place.base.id)
      openExchange(world, base)
      const managed = place.base.managed.map(({ item, target, stock, supply }) => ({
        item: itemIndex(item),
        target,
        stock,
        supply,
      }))
      stockManager(world, base, managed, place.base.account_target)
    }
  }
}

/** Gives a manager its funds and stocks, and has it quote. */
function stockManager(world: World, base: Eid, stocked: readonly Stocked[], credits: number): void {
  post(world, namedAccount('manager_funds'), world.read(Base).manager[base], credits)
  for (const entry of [...stocked].sort((a, b) => a.item - b.item)) manage(world, base, entry)
  requote(world, managedAt(world, base))
  tradeNow(world)
}

function manage(world: World, base: Eid, entry: Stocked): void {
  const book = openBook(world, base, entry.item)
  const row = world.take(Managed)
  const managed = world.write(Managed)
  const target = Math.max(TARGET_MIN, entry.target)
  managed.book[row] = book
  managed.target[row] = target
  const stock = entry.stock ?? target
  managed.stock[row] = stock
  managed.supply[row] = entry.supply ? 1 : 0
  world.write(Book).managed[book] = row
  MANAGED_AT.link(world, row, base)
  moveItems(world, namedContainer('supply'), world.read(Base).stock[base], entry.item, stock)
}

/*
 * What makers are told of fills: one note an order and price, and past the bound of a tick one an
 * item and side. Source: market.md sections 6, 14.
 */

interface Note {
  readonly fill: MakerFill
  units: number
  total: number
}

function notesOf(fills: readonly MakerFill[]): Note[] {
  const notes: Note[] = []
  const summed = new Map<string, Note>()
  for (const fill of fills) {
    const total = fill.units * fill.price
    const key = `${fill.item}/${fill.side}`
    const sum = summed.get(key)
    if (notes.length < TRADE_NOTES_PER_TICK_MAX) notes.push({ fill, units: fill.units, total })
    else if (sum) {
      sum.units += fill.units
      sum.total += total
    } else summed.set(key, { fill, units: fill.units, total })
  }
  return [...notes, ...summed.values()]
}

function notifyFills(world: World, player: Eid, fills: readonly MakerFill[]): void {
  for (const { fill, units, total } of notesOf(fills)) {
    const payload = {
      type: fill.side === ASK ? 'sell_filled' : 'buy_filled',
      item_id: GOODS[fill.item].id,
      item_name: GOODS[fill.item].name,
      price_each: divFloor(total, units),
      quantity: units,
      total,
      timestamp: isoTime(world.wallMs),
    }
    emit(world, tradeFill, payload, toPlayer(player))
  }
}

/** The same of a faction's orders, to those who may use its treasury; and its books. */
function notifyFactionFills(world: World, faction: Row, fills: readonly MakerFill[]): void {
  for (const { base, side, units, price } of fills) {
    const note = side === ASK ? recordCorporateIncome : recordCorporateExpense
    note(world, faction, base, units * price)
  }
  const to = membersWith(world, faction, 'manage_treasury')
  for (const { fill, units, total } of notesOf(fills)) {
    const { base, item, side, player } = fill
    const { id: item_id, name } = GOODS[item]
    const what = `${units} ${name} at ${baseName(world, base)} for ${counted(total, 'credit')}`
    notifyFaction(world, faction, {
      event: 'order_filled',
      actor: player,
      message: side === ASK ? `Sold ${what}.` : `Bought ${what}.`,
      to,
      details: { base_id: baseId(world, base), item_id, quantity: units, credits: total },
    })
  }
}

/* What becomes of orders when a faction ends. Source: factions.md section 3. */

export const closeOrders = observe(disbanded, (world, { faction }) =>
  closeFactionOrders(world, faction),
)

/*
 * What a tick's trades owe to others than the taker: proceeds, goods and refunds of makers, taxes
 * and fees. It waits, parked in the exchange's escrow, until phase settle, so that only additions
 * cross bases and nothing earned as a maker is spent in the same tick. Source: market.md sections
 * 4, 10.
 */

/** The posting of one maker: credits of what was sold, goods of what was bought, tax left over. */
function pay(world: World, fill: MakerFill): void {
  const { base, item, player, units, price, refund } = fill
  const { escrow: goods, stock, manager } = world.read(Base)
  const escrow = world.read(Exchange).escrow[base]
  if (player !== 0) payTrader(world, fill, escrow)
  else if (fill.side === ASK) post(world, escrow, manager[base], units * price)
  else moveItems(world, goods[base], stock[base], item, units)
  assert(player !== 0 || refund === 0, 'a manager pays no tax')
}

function payTrader(world: World, fill: MakerFill, escrow: Row): void {
  const { base, item, units, price, refund, faction, player } = fill
  const good = GOODS[item]
  const where = `at ${baseName(world, base)}`
  const data = { item_id: good.id, quantity: units, price_each: price }
  if (fill.side === ASK) {
    const said = `Sold ${units} ${good.name} ${where} at ${price} each.`
    credit(world, fill, escrow, units * price, { verb: 'sell_filled', said, data })
    return
  }
  handOver(world, fill, fill)
  const said = `Bought ${units} ${good.name} ${where} at ${price} each; they are in storage there.`
  const worth = { ...data, credits: units * price }
  if (faction === 0) logAction(world, player, 'trading', 'buy_filled', said, worth)
  else
    recordFactionLog(world, faction, player, {
      verb: 'market.buy_filled',
      summary: said,
      data: worth,
    })
  const back = `Tax escrow of ${good.name} ${where} came back.`
  credit(world, fill, escrow, refund, { verb: 'escrow_returned', said: back, data })
}

function countFill(world: World, fill: MakerFill): void {
  const { player, units } = fill
  const credits = units * fill.price
  if (fill.side === ASK) {
    addStat(world, player, 'exchange_items_sold', units)
    recordProgress(world, player, 'sell_item', { key: fill.item, units })
    addStat(world, player, 'exchange_credits_earned', credits)
    addStat(world, player, 'credits_earned', credits)
    recordIncome(world, player, 'market', credits)
    const subtotal = credits - fill.related
    awardStanding(world, player, { base: fill.base, item: fill.item, subtotal })
    if (isSmuggling(world, fill.base, fill.item)) addStat(world, player, 'contraband_sold', units)
    return
  }
  addStat(world, player, 'exchange_items_bought', units)
  addStat(world, player, 'credits_spent', credits + fill.tax)
  recordGoodsBought(world, player, credits)
}

function payDues(world: World, base: Eid, dues: Dues): void {
  const escrow = world.read(Exchange).escrow[base]
  if (dues.tax > 0) post(world, escrow, empireTreasury(world, empireOfBase(world, base)), dues.tax)
  const feeTo = isPirateBase(world, base) ? namedAccount('fee_sink') : baseTreasury(world, base)
  post(world, escrow, feeTo, dues.fee)
}

/** Applies what the tick's trades owe. Source: market.md section 10, K. */
export const settle: SystemDef = {
  name: 'market.settle',
  phase: 'settle',
  writes: [
    ...XP_WRITES,
    ...GOODS_WRITES,
    ...[Account, CorporateLedger, CriminalRecord, FactionStore, Locker, Mission, Player],
    ...[PlayerStats, TaxLedger, TradeStanding],
  ],
  run(world) {
    const owed = world.index(OWED)
    const byPlayer = new Map<Eid, MakerFill[]>()
    const byFaction = new Map<Row, MakerFill[]>()
    for (const fill of owed.fills.values()) {
      pay(world, fill)
      if (fill.player === 0) continue
      if (fill.faction !== 0) {
        append(byFaction, fill.faction, fill)
        continue
      }
      countFill(world, fill)
      append(byPlayer, fill.player, fill)
    }
    for (const [player, fills] of byPlayer) {
      notifyFills(world, player, fills)
      const traded = tradedIn(world, fills)
      if (traded.credits > 0) awardTradingXp(world, player, traded)
    }
    for (const [faction, fills] of byFaction) notifyFactionFills(world, faction, fills)
    for (const [base, dues] of owed.dues) payDues(world, base, dues)
    owed.fills.clear()
    owed.dues.clear()
    endTickXp(world)
  },
}

function tradedIn(world: World, fills: readonly MakerFill[]): Traded {
  let credits = 0
  let withPlayers = 0
  let smuggled = 0
  for (const fill of fills) {
    const total = fill.units * fill.price - fill.related
    credits += total
    withPlayers += fill.withPlayers
    if (fill.side === ASK && isSmuggling(world, fill.base, fill.item)) smuggled += total
  }
  return { credits, withPlayers, smuggled }
}

/**
 * Ticks between two turns of a base: use with all quotes, and income with growth. Source: market.md
 * section 7.
 */
const QUOTE_TICKS = 30

/** Calls `visit` for the bases b with (tick + b) % every == 0. */
function takeTurns(world: World, every: number, visit: (base: number) => void): void {
  const alive = world.read(Base).alive
  const first = every - (world.tick % every)
  for (let base = first; base <= world.highOf(Base); base += every) {
    if (alive[base] === 1) visit(base)
  }
}

/** Income and growth at the bases whose turn it is; after it the quotes see the new stock. */
export const trading: SystemDef = {
  name: 'market.trade',
  phase: 'act',
  writes: [...TRADE_WRITES, Fill],
  split: TRADE,
}

export const supply: SystemDef = {
  name: 'market.supply',
  phase: 'produce',
  writes: [...GOODS_WRITES, Account, Managed],
  run(world) {
    takeTurns(world, CYCLE_TICKS, (base) => {
      payManager(world, base)
      for (const row of managedAt(world, base)) {
        grow(world, row)
        liveOn(world, row)
      }
    })
  },
}

/** Company stores that were lost: rent is judged before, in the same phase. */
export const storesClose: SystemDef = {
  name: 'market.stores',
  phase: 'produce',
  writes: [
    ...GOODS_WRITES,
    ...[Account, Book, Exchange, FactionStore, Level, Locker, Lot, Order, PlayerOrders],
  ],
  run: closeLostStores,
}

/** The trade of an hour goes to the archive with its last tick. Source: ours, a price history. */
export const recordPrices: SystemDef = {
  name: 'market.note_prices',
  phase: 'settle',
  writes: [],
  run(world) {
    if ((world.tick + 1) % HOUR_TICKS !== 0) return
    const prices = hourPrices(world)
    if (prices.items.length > 0) {
      world.outbox.writes.push({ method: 'notePrices', args: { ...prices } })
    }
  },
}

/**
 * Quotes: what was traded in this tick; at the bases whose turn it is, use and all items. Source:
 * market.md section 7.
 */
export const quote: SystemDef = {
  name: 'market.quote',
  phase: 'produce',
  writes: [...TRADE_WRITES, Fill],
  run(world) {
    const due = new Set(takeTraded(world))
    takeTurns(world, QUOTE_TICKS, (base) => {
      for (const row of managedAt(world, base)) {
        useUp(world, row)
        due.add(row)
      }
    })
    requote(world, [...due])
  },
  split: TRADE,
}
