/**
 * What exchanges do in a tick: they match requests, settle trades and notify makers; station
 * managers update their stock and quotes.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { GOODS_WRITES, moveItems } from '../../core/goods.ts'
import { addToList } from '../../core/groups.ts'
import { Account, namedAccount, post } from '../../core/ledger.ts'
import { TRADE_NOTICES_PER_TICK_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { observe } from '../../core/occurrence.ts'
import { counted } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import { CYCLE_TICKS, HOUR_TICKS, isoTime } from '../../core/time.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player, PlayerStats } from '../account/state.ts'
import {
  baseId,
  baseName,
  baseTreasury,
  empireOfBase,
  empireTreasury,
  forBasesDue,
} from '../base/model.ts'
import { Base } from '../base/state.ts'
import { Locker } from '../cargo/state.ts'
import { Grid } from '../facility/state.ts'
import { membersWith, recordFactionLog } from '../faction/model.ts'
import { notifyFaction } from '../faction/rules.ts'
import { disbanded, FactionStore } from '../faction/state.ts'
import { CriminalRecord } from '../law/state.ts'
import { logAction } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { Mission } from '../mission/state.ts'
import { CONVOY_WRITES } from '../npc/convoy-rules.ts'
import { convoyArrived } from '../npc/convoy-state.ts'
import { XP_WRITES } from '../skill/rules.ts'
import {
  recordCorporateExpense,
  recordCorporateIncome,
  recordGoodsBought,
  recordIncome,
} from '../tax/rules.ts'
import { CorporateLedger, TaxLedger } from '../tax/state.ts'
import { TRADE, TRADE_WRITES } from './adopt-rules.ts'
import { awardTradingXp, endTickXp, type TradeTotals } from './book-rules.ts'
import { closeFactionOrders, closeLostStores, creditParty, deliverGoods } from './closing-rules.ts'
import { receiveConvoy, sendConvoys } from './convoys-rules.ts'
import { consumeExcess, payManager, requote, takeTradedItems } from './manager-rules.ts'
import { isPirateBase, isSmuggling } from './model.ts'
import { type Dues, type MakerFill, PENDING_SETTLEMENT } from './order-index-state.ts'
import { managedAt } from './quote-model.ts'
import { awardStanding } from './rules.ts'
import { tradeFill } from './schemas.ts'
import {
  ASK,
  Book,
  Exchange,
  Fill,
  Level,
  Lot,
  Managed,
  Order,
  PlayerOrders,
  TradeStanding,
} from './state.ts'
import { takeTape } from './tape-rules.ts'
import { hourPrices } from './vwap-model.ts'
import { workAt } from './works-rules.ts'

/* Station managers: each base is due only at intervals, so that idle exchanges cost little */

/** Ticks after which a base consumes excess stock and renews all quotes. Source: market.md 7. */
const QUOTE_TICKS = 30

/** Ticks between two convoys of a capital. Source: balance.md section 4. */
const CONVOY_TICKS = 360

/**
 * Pays managers and runs works and deliveries at the bases that are due, before quotes are made.
 */
export const supply: SystemDef = {
  name: 'market.supply',
  phase: 'produce',
  writes: [...CONVOY_WRITES, Account, Grid, Managed],
  run(world) {
    forBasesDue(world, CYCLE_TICKS, (base) => {
      payManager(world, base)
      workAt(world, base)
    })
    forBasesDue(world, CONVOY_TICKS, (base) => {
      if (world.read(Base).capital[base] === 1) sendConvoys(world, base)
    })
  },
}

/**
 * Renews the quotes of items that traded in this tick; at the bases that are due, consumes excess
 * stock and renews all quotes. Source: market.md section 7.
 */
export const quote: SystemDef = {
  name: 'market.quote',
  phase: 'produce',
  writes: [...TRADE_WRITES, Fill],
  run(world) {
    const due = takeTradedItems(world)
    const traded = new Set(due)
    forBasesDue(world, QUOTE_TICKS, (base) => {
      for (const row of managedAt(world, base)) {
        consumeExcess(world, row)
        if (!traded.has(row)) due.push(row)
      }
    })
    requote(world, due)
  },
  split: TRADE,
}

/* Requests of the tick */

/** Processes the requests that commands entered in this tick. */
export const trading: SystemDef = {
  name: 'market.trade',
  phase: 'act',
  writes: [...TRADE_WRITES, Fill],
  split: TRADE,
}

/*
 * Amounts due to parties other than the taker: proceeds, goods and refunds of makers, taxes and
 * fees. They stay in the exchange's escrow until phase settle, so that nothing that a maker earns
 * can be spent in the same tick, and bases stay independent of each other. Source: market.md
 * sections 4, 10.
 */

/** Settles the amounts due from the trades of the tick. Source: market.md section 10, K. */
export const settle: SystemDef = {
  name: 'market.settle',
  phase: 'settle',
  writes: [
    ...XP_WRITES,
    ...GOODS_WRITES,
    Account,
    CorporateLedger,
    CriminalRecord,
    FactionStore,
    Locker,
    Mission,
    Player,
    PlayerStats,
    TaxLedger,
    TradeStanding,
  ],
  run(world) {
    const pending = world.index(PENDING_SETTLEMENT)
    const byPlayer = new Map<Eid, MakerFill[]>()
    const byFaction = new Map<Row, MakerFill[]>()
    for (const fill of pending.fills.values()) {
      payMaker(world, fill)
      if (fill.player === 0) continue
      if (fill.faction !== 0) {
        addToList(byFaction, fill.faction, fill)
        continue
      }
      countFill(world, fill)
      addToList(byPlayer, fill.player, fill)
    }
    for (const [player, fills] of byPlayer) {
      notifyFills(world, player, fills)
      const traded = sumTrades(world, fills)
      if (traded.credits > 0) awardTradingXp(world, player, traded)
    }
    for (const [faction, fills] of byFaction) notifyFactionFills(world, faction, fills)
    for (const [base, dues] of pending.dues) payDues(world, base, dues)
    pending.fills.clear()
    pending.dues.clear()
    endTickXp(world)
  },
}

/** Pays one maker: credits for sold goods, or bought goods and the tax escrow left over. */
function payMaker(world: World, fill: MakerFill): void {
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
    const summary = `Sold ${units} ${good.name} ${where} at ${price} each.`
    creditParty(world, fill, escrow, units * price, { verb: 'sell_filled', summary, data })
    return
  }
  deliverGoods(world, fill, fill)
  const summary = `Bought ${units} ${good.name} ${where} at ${price} each; they are in storage there.`
  const worth = { ...data, credits: units * price }
  if (faction === 0) logAction(world, player, 'trading', 'buy_filled', summary, worth)
  else
    recordFactionLog(world, faction, player, {
      verb: 'market.buy_filled',
      summary,
      data: worth,
    })
  const returned = `Tax escrow of ${good.name} ${where} was returned.`
  creditParty(world, fill, escrow, refund, { verb: 'escrow_returned', summary: returned, data })
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

function sumTrades(world: World, fills: readonly MakerFill[]): TradeTotals {
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

function payDues(world: World, base: Eid, dues: Dues): void {
  const escrow = world.read(Exchange).escrow[base]
  if (dues.tax > 0) post(world, escrow, empireTreasury(world, empireOfBase(world, base)), dues.tax)
  const feeTo = isPirateBase(world, base) ? namedAccount('fee_sink') : baseTreasury(world, base)
  post(world, escrow, feeTo, dues.fee)
}

/*
 * Notifications of makers: one for each order and price; beyond TRADE_NOTICES_PER_TICK_MAX, one for
 * each item and side. Source: market.md sections 6, 14.
 */

interface FillNotice {
  readonly fill: MakerFill
  units: number
  total: number
}

function noticesOf(fills: readonly MakerFill[]): FillNotice[] {
  const notices: FillNotice[] = []
  const summed = new Map<string, FillNotice>()
  for (const fill of fills) {
    const total = fill.units * fill.price
    const key = `${fill.item}/${fill.side}`
    const sum = summed.get(key)
    if (notices.length < TRADE_NOTICES_PER_TICK_MAX)
      notices.push({ fill, units: fill.units, total })
    else if (sum) {
      sum.units += fill.units
      sum.total += total
    } else summed.set(key, { fill, units: fill.units, total })
  }
  return [...notices, ...summed.values()]
}

function notifyFills(world: World, player: Eid, fills: readonly MakerFill[]): void {
  for (const { fill, units, total } of noticesOf(fills)) {
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

/**
 * Records the fills of a faction in its ledger, and notifies members who may manage its treasury.
 */
function notifyFactionFills(world: World, faction: Row, fills: readonly MakerFill[]): void {
  for (const { base, side, units, price } of fills) {
    const record = side === ASK ? recordCorporateIncome : recordCorporateExpense
    record(world, faction, base, units * price)
  }
  const to = membersWith(world, faction, 'manage_treasury')
  for (const { fill, units, total } of noticesOf(fills)) {
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

/* Orders that have lost their faction or store */

/** Closes the orders of a disbanded faction. */
export const closeOrders = observe(disbanded, (world, { faction }) =>
  closeFactionOrders(world, faction),
)

/** Closes orders of lost company stores; runs after rent is collected in the same phase. */
export const storesClose: SystemDef = {
  name: 'market.stores',
  phase: 'produce',
  writes: [
    ...GOODS_WRITES,
    Account,
    Book,
    Exchange,
    FactionStore,
    Level,
    Locker,
    Lot,
    Order,
    PlayerOrders,
  ],
  run: closeLostStores,
}

/* Goods that convoys bring */

/** Stores the goods of a convoy that has arrived. */
export const storeConvoy = observe(convoyArrived, (world, { ship, base }) =>
  receiveConvoy(world, ship, base),
)

/* Public records for the archive */

/** Archives the trades of the tick. Source: WEB 1.3. */
export const recordFills: SystemDef = {
  name: 'market.note_fills',
  phase: 'settle',
  writes: [],
  run(world) {
    const fills = takeTape(world)
    if (fills.items.length > 0) {
      world.outbox.writes.push({ method: 'recordFills', args: fills })
    }
  },
}

/** Archives the prices of an hour in its last tick. ours: a price history. */
export const recordPrices: SystemDef = {
  name: 'market.note_prices',
  phase: 'settle',
  writes: [],
  run(world) {
    if ((world.tick + 1) % HOUR_TICKS !== 0) return
    const prices = hourPrices(world)
    if (prices.items.length > 0) {
      world.outbox.writes.push({ method: 'recordPrices', args: { ...prices } })
    }
  },
}
