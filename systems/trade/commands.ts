/**
 * Trades between two players at the same place: making, accepting and declining offers. Source:
 * trade-storage.md section 2.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { immediate, mutation, query } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { type Held, holdsNoMoreGoods, moveItems } from '../../core/goods.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { QUANTITY_MAX } from '../../core/limits.ts'
import { int, NO_PARAMS, obj, optional, ref, str, Type, words } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { allowanceRefusal, giftPart, giftWorth, recordGiving } from '../account/giving-model.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { givingRefusal, manifestOf } from '../cargo/model.ts'
import { movePackage } from '../cargo/rules.ts'
import { tradeRefusal } from '../combat/model.ts'
import { MAY_TRADE } from '../combat/needs.ts'
import { creditMove, logAction, logCredits } from '../log/rules.ts'
import { counterpartyIdentity } from '../sensing/model.ts'
import { activeShip, canCarry, recountCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { tradeId } from './model.ts'
import {
  areTogether,
  cancelTrade,
  coverRefusal,
  declineOffer,
  findTrade,
  hasRoomFor,
  offerTrade,
  type Side,
  sideOf,
  withdrawOffer,
} from './offers-commands.ts'
import { dropTrade } from './rules.ts'
import { acceptSchema, messageSchema, offerSchema, tradeComplete, tradesSchema } from './schemas.ts'
import { TRADE_LINES_MAX, type Trade } from './state.ts'
import { renderTrades } from './views.ts'

const linesParam = (content: string) =>
  Type.Array(
    obj({
      item_id: ref(
        ['item', 'package'],
        str('Item or module id, or the id of a package.', { min: 1, example: 'iron_ore' }),
      ),
      quantity: int('Units; 1 of a package.', { min: 0, max: QUANTITY_MAX, example: 10 }),
    }),
    {
      description: `${content}, at most ${TRADE_LINES_MAX} lines; those of one item are summed.`,
      maxItems: TRADE_LINES_MAX,
      examples: [[{ item_id: 'iron_ore', quantity: 10 }]],
    },
  )

const tradeIdParam = str(say`The trade, as {get_trades} lists it.`, { min: 1 })

export const tradeOffer = mutation({
  name: 'trade_offer',
  v2: { tool: 'game_transfer', action: 'trade_offer', rename: { target_id: 'target' } },
  summary: 'Offer a trade to a player beside you; it lapses after 30 ticks.',
  category: 'trading',
  order: 'plain',
  needs: [MAY_TRADE],
  changes: ['player', 'cargo'],
  params: obj({
    target_id: str('Id or name of the player.', { min: 1, example: 'Nova' }),
    offer_items: optional(linesParam('What you give out of your hold')),
    offer_credits: optional(int('Credits you give.', { min: 0, example: 100 })),
    request_items: optional(linesParam('What you want out of their hold')),
    request_credits: optional(int('Credits you want.', { min: 0, example: 100 })),
  }),
  result: offerSchema,
  errors: words(
    'invalid_payload invalid_target target_cloaked empty_trade unknown_item quest_item',
    'not_tradeable insufficient_items no_credits limit_reached rate_limited',
  ),
  run: offerTrade,
})

export const tradeAccept = mutation({
  name: 'trade_accept',
  v2: { tool: 'game_transfer', action: 'trade_accept' },
  summary: 'Accept a trade that was offered to you: both sides change hands at once.',
  category: 'trading',
  order: 'plain',
  needs: [MAY_TRADE],
  changes: ['player', 'cargo'],
  params: obj({ trade_id: tradeIdParam }),
  result: acceptSchema,
  errors: words(
    'trade_not_found trade_expired not_your_trade location_changed offerer_insufficient_items',
    'offerer_insufficient_credits insufficient_items no_credits quest_item not_tradeable',
    'hazard_not_supported target_no_space offerer_no_space amount_too_large limit_reached',
  ),
  run: (world, player, { trade_id }) => acceptTrade(world, player, trade_id),
})

const ANSWER_ERRORS = ['trade_not_found', 'trade_expired', 'not_your_trade'] as const

export const tradeDecline = immediate({
  name: 'trade_decline',
  v2: { tool: 'game_transfer', action: 'trade_decline' },
  summary: 'Decline a trade that was offered to you.',
  category: 'trading',
  needs: [],
  params: obj({ trade_id: tradeIdParam }),
  result: messageSchema,
  errors: ANSWER_ERRORS,
  run: (world, player, { trade_id }) => declineOffer(world, player, trade_id),
})

export const tradeCancel = immediate({
  name: 'trade_cancel',
  v2: { tool: 'game_transfer', action: 'trade_cancel' },
  summary: 'Withdraw a trade that you have offered.',
  category: 'trading',
  needs: [],
  params: obj({ trade_id: tradeIdParam }),
  result: messageSchema,
  errors: ANSWER_ERRORS,
  run: (world, player, { trade_id }) => withdrawOffer(world, player, trade_id),
})

export const getTrades = query({
  name: 'get_trades',
  v2: { tool: 'game_transfer', action: 'get_trades' },
  summary: 'List the trades that wait for you, and those you have offered.',
  category: 'trading',
  needs: [],
  params: NO_PARAMS,
  result: tradesSchema,
  errors: [],
  run: (view, player) => ok(renderTrades(view, player)),
})

/* Accepting an offer */

interface Deal {
  readonly trade: Trade
  readonly offerer: Eid
  readonly acceptor: Eid
  /** What the offerer gives, and what they get. */
  readonly given: Side
  readonly requested: Side
}

/** Refuses if the offerer no longer has what they offered; the caller then cancels the trade. */
function offererRefusal(
  view: WorldView,
  { trade, offerer, given }: Deal,
): Failure<'offerer_insufficient_credits' | 'offerer_insufficient_items'> | undefined {
  const missing = coverRefusal(view, offerer, given, trade.offerCredits)
  if (!missing) return undefined
  const isMoney = missing.code === 'no_credits'
  return fail(isMoney ? 'offerer_insufficient_credits' : 'offerer_insufficient_items')
}

/** Refuses goods that may not change hands, or that the receiving ship may not carry. */
function flagsRefusal(
  view: WorldView,
  deal: Deal,
): Failure<'hazard_not_supported' | 'not_tradeable' | 'quest_item'> | undefined {
  const legs = [
    { side: deal.given, to: deal.acceptor },
    { side: deal.requested, to: deal.offerer },
  ]
  for (const { side, to } of legs) {
    for (const { item } of side.goods) {
      const refused = givingRefusal(item)
      if (refused) return refused
      if (canCarry(view, activeShip(view, to), item)) continue
      const carrier = to === deal.acceptor ? 'you' : 'the other'
      return fail('hazard_not_supported', { item_id: GOODS[item].id, carrier })
    }
  }
  return undefined
}

function roomRefusal(view: WorldView, { trade, offerer, acceptor, given, requested }: Deal) {
  if (!hasRoomFor(view, activeShip(view, acceptor), requested, given)) {
    return fail('target_no_space')
  }
  if (!hasRoomFor(view, activeShip(view, offerer), given, requested)) {
    return fail('offerer_no_space')
  }
  const isTooMuch =
    !canReceive(view, walletOf(view, acceptor), trade.offerCredits) ||
    !canReceive(view, walletOf(view, offerer), trade.requestCredits)
  if (isTooMuch) return fail('amount_too_large')
  return holdsNoMoreGoods(view) ? fail('limit_reached') : undefined
}

const heldIn = (view: WorldView, { goods, packages }: Side): readonly Held[] => [
  ...goods,
  ...packages.flatMap((pkg) => manifestOf(view, pkg)),
]

/** Returns the goods of a side beyond those of the same item on the other. */
function excessOf(goods: readonly Held[], others: readonly Held[]): readonly Held[] {
  const left = new Map<number, number>()
  for (const { item, units } of others) left.set(item, (left.get(item) ?? 0) + units)
  return goods.map(({ item, units }) => {
    const unmatched = left.get(item) ?? 0
    const same = Math.min(units, unmatched)
    left.set(item, unmatched - same)
    return { item, units: units - same }
  })
}

/**
 * Returns the worth that each side of a deal gives away for nothing, by base values, credits. What
 * both sides give of the same cancels out: credits for half as many would otherwise look fair.
 */
function giftsIn(view: WorldView, { trade, given, requested }: Deal) {
  const [offer, request] = [heldIn(view, given), heldIn(view, requested)]
  const { offerCredits, requestCredits } = trade
  const same = Math.min(offerCredits, requestCredits)
  const offered = offerCredits - same + giftWorth(excessOf(offer, request))
  const wanted = requestCredits - same + giftWorth(excessOf(request, offer))
  return { ofOfferer: giftPart(offered, wanted), ofAcceptor: giftPart(wanted, offered) }
}

/** Refuses gifts beyond the offerer's allowance, with a message for the acceptor. */
const partnerRefusal = (
  view: WorldView,
  offerer: Eid,
  worth: number,
): Failure<'trading_restricted'> | undefined =>
  allowanceRefusal(view, offerer, worth) &&
  fail(
    'trading_restricted',
    { worth },
    'Your partner may give away only what they have earned, and this is more; ask them to ' +
      'request something in return.',
  )

/** Moves the goods of a side from one hold to another; the caller recounts the space. */
function moveSide(world: World, side: Side, from: Eid, to: Eid): void {
  const { hold } = world.read(Ship)
  for (const { item, units } of side.goods) moveItems(world, hold[from], hold[to], item, units)
  for (const pkg of side.packages) movePackage(world, pkg, { kind: 'cargo', ship: to })
}

const partnerName = (view: WorldView, player: Eid): string =>
  counterpartyIdentity(view, player).name || 'an unnamed pilot'

function pay(world: World, from: Eid, to: Eid, credits: number): void {
  if (credits === 0) return
  const [payer, payee] = [walletOf(world, from), walletOf(world, to)]
  const amount = counted(credits, 'credit')
  const paid = `Paid ${amount} to ${partnerName(world, to)} in a trade.`
  creditMove(world, from, payer, payee, credits, 'trading', 'trade', paid)
  const received = `Received ${amount} from ${partnerName(world, from)} in a trade.`
  logCredits(world, to, credits, 'trading', 'trade', received)
}

/** Exchanges both sides of an offer, and ends it. */
function swap(world: World, { trade, offerer, acceptor, given, requested }: Deal): void {
  const from = activeShip(world, offerer)
  const to = activeShip(world, acceptor)
  moveSide(world, given, from, to)
  moveSide(world, requested, to, from)
  for (const ship of [from, to]) recountCargo(world, ship)
  pay(world, offerer, acceptor, trade.offerCredits)
  pay(world, acceptor, offerer, trade.requestCredits)
  dropTrade(world, trade)
  for (const [own, other] of [
    [offerer, acceptor],
    [acceptor, offerer],
  ]) {
    addStat(world, own, 'trades_completed', 1)
    const summary = `Traded with ${partnerName(world, other)}.`
    logAction(world, own, 'trading', 'trade_complete', summary, { trade_id: tradeId(world, trade) })
  }
}

/**
 * Accepts an offer. Refusals: trade_not_found, trade_expired, not_your_trade, location_changed;
 * offerer_insufficient_items, offerer_insufficient_credits (these cancel the trade);
 * insufficient_items, no_credits, quest_item, not_tradeable, hazard_not_supported,
 * trading_restricted, target_no_space, offerer_no_space, amount_too_large, limit_reached (the offer
 * stays open).
 */
function acceptTrade(world: World, player: Eid, id: string) {
  const found = findTrade(world, player, id, 'target')
  if (!found.ok) return found
  const trade = found.result
  const offerer = world.rowOf(Player, trade.offerer)
  if (!areTogether(world, player, offerer)) return fail('location_changed')
  const deal: Deal = {
    trade,
    offerer,
    acceptor: player,
    given: sideOf(world, trade.offerItems),
    requested: sideOf(world, trade.requestItems),
  }
  const offererRefused = offererRefusal(world, deal)
  if (offererRefused) {
    const message = 'Your trade is cancelled: you no longer have what you offered.'
    cancelTrade(world, trade, offerer, message)
    return offererRefused
  }
  const gifts = giftsIn(world, deal)
  const refused =
    coverRefusal(world, player, deal.requested, trade.requestCredits) ??
    flagsRefusal(world, deal) ??
    tradeRefusal(world, offerer) ??
    partnerRefusal(world, offerer, gifts.ofOfferer) ??
    allowanceRefusal(world, player, gifts.ofAcceptor) ??
    roomRefusal(world, deal)
  if (refused) return refused
  recordGiving(world, offerer, gifts.ofOfferer)
  recordGiving(world, player, gifts.ofAcceptor)
  swap(world, deal)
  const trade_id = tradeId(world, trade)
  const creditsOf = (holder: Eid) => balanceOf(world, walletOf(world, holder))
  const message = `Your trade with ${partnerName(world, player)} is complete.`
  const payload = { trade_id, message, your_credits: creditsOf(offerer) }
  emit(world, tradeComplete, payload, toPlayer(offerer))
  return ok({ trade_id, message: 'The trade is complete.', your_credits: creditsOf(player) })
}
