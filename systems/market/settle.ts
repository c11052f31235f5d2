/**
 * What a tick's trades owe to others than the taker: proceeds, goods and refunds of makers, taxes
 * and fees. It waits, parked in the exchange's escrow, until phase settle, so that only additions
 * cross bases and nothing earned as a maker is spent in the same tick. Source: market.md sections
 * 4, 10.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { Container, moveItems, Stack } from '../../core/goods.ts'
import { Account, namedAccount, post } from '../../core/ledger.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player, PlayerStats } from '../account/columns.ts'
import { addStat } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { baseName, baseTreasury, empireOfBase, empireTreasury } from '../base/rules.ts'
import { Locker } from '../cargo/columns.ts'
import { FactionStore } from '../faction/columns.ts'
import { noteFactionLog } from '../faction/rules.ts'
import { logAction } from '../log/rules.ts'
import { noteProgress } from '../mission/progress-rules.ts'
import { PlayerSkills } from '../skill/columns.ts'
import { CorporateLedger, TaxLedger } from '../tax/columns.ts'
import { noteGoodsBought, noteIncome } from '../tax/rules.ts'
import { ASK, Exchange, type Side, TradeStanding } from './columns.ts'
import { tellFactionFills, tellFills } from './notes.ts'
import { credit, handOver } from './parties.ts'
import { awardStanding } from './reputation.ts'
import { isPirateBase } from './rules.ts'
import { awardTradingXp, endTickXp, isSmuggling, type Traded } from './xp.ts'

/** Fills of one order at one price in this tick. */
export interface MakerFill {
  readonly base: Eid
  readonly item: number
  readonly side: Side
  /** Owner, or the member who placed it for a faction; 0 for the manager of the base. */
  readonly player: Eid
  /** Owner, of a faction order. */
  readonly faction: Row
  readonly bucket: number
  readonly price: number
  units: number
  /** Of it sold to or bought from players, credits. */
  withPlayers: number
  /** Of it traded with those who belong together, credits. */
  related: number
  /** Sales tax of what was bought, credits. */
  tax: number
  /** Tax escrow left over when the order closed. */
  refund: number
}

interface Dues {
  tax: number
  fee: number
}

/** Emptied by `market.settle` in the same tick: never there between batches. */
const OWED = defineIndex('market.owed', () => ({
  fills: new Map<string, MakerFill>(),
  dues: new Map<Eid, Dues>(),
}))

/** The entry that collects what an order is owed at a price. */
export function makerFill(
  world: World,
  orderNumber: number,
  head: Omit<MakerFill, 'units' | 'withPlayers' | 'related' | 'tax' | 'refund'>,
): MakerFill {
  const { fills } = world.index(OWED)
  const key = `${orderNumber}@${head.price}`
  const found = fills.get(key)
  if (found) return found
  const made = { ...head, units: 0, withPlayers: 0, related: 0, tax: 0, refund: 0 }
  fills.set(key, made)
  return made
}

function duesOf(world: World, base: Eid): Dues {
  const { dues } = world.index(OWED)
  const found = dues.get(base)
  if (found) return found
  const made = { tax: 0, fee: 0 }
  dues.set(base, made)
  return made
}

/** Sales tax that lies in the exchange's escrow and is due to the base's empire. */
export function oweTax(world: World, base: Eid, credits: number): void {
  if (credits === 0) return
  assert(empireOfBase(world, base) >= 0, 'sales tax in lawless space')
  duesOf(world, base).tax += credits
}

/**
 * Listing fee that lies in the exchange's escrow and is due to the station; at pirate bases it is
 * burned.
 */
export function oweFee(world: World, base: Eid, credits: number): void {
  if (credits > 0) duesOf(world, base).fee += credits
}

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
    noteFactionLog(world, faction, player, {
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
    noteProgress(world, player, 'sell_item', { key: fill.item, units })
    addStat(world, player, 'exchange_credits_earned', credits)
    addStat(world, player, 'credits_earned', credits)
    noteIncome(world, player, 'market', credits)
    const subtotal = credits - fill.related
    awardStanding(world, player, { base: fill.base, item: fill.item, subtotal })
    if (isSmuggling(world, fill.base, fill.item)) addStat(world, player, 'contraband_sold', units)
    return
  }
  addStat(world, player, 'exchange_items_bought', units)
  addStat(world, player, 'credits_spent', credits + fill.tax)
  noteGoodsBought(world, player, credits)
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
  reads: [Base, Exchange],
  writes: [
    ...[Account, Container, Stack, Locker, Player, PlayerStats, PlayerSkills, TradeStanding],
    ...[TaxLedger, CorporateLedger, FactionStore],
  ],
  run(world) {
    const owed = world.index(OWED)
    const byPlayer = new Map<Eid, MakerFill[]>()
    const byFaction = new Map<Row, MakerFill[]>()
    for (const fill of owed.fills.values()) {
      pay(world, fill)
      if (fill.player === 0) continue
      if (fill.faction !== 0) {
        const owned = byFaction.get(fill.faction)
        if (owned) owned.push(fill)
        else byFaction.set(fill.faction, [fill])
        continue
      }
      countFill(world, fill)
      const own = byPlayer.get(fill.player)
      if (own) own.push(fill)
      else byPlayer.set(fill.player, [fill])
    }
    for (const [player, fills] of byPlayer) {
      tellFills(world, player, fills)
      const traded = tradedIn(world, fills)
      if (traded.credits > 0) awardTradingXp(world, player, traded)
    }
    for (const [faction, fills] of byFaction) tellFactionFills(world, faction, fills)
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
