/** Making, declining and cancelling offers. Source: trade-storage.md section 2. */
import { badFields, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { balanceOf } from '../../core/ledger.ts'
import {
  TRADE_TICKS,
  TRADES_IN_MAX,
  TRADES_MAX,
  TRADES_OUT_MAX,
  TRADES_PER_PAIR_MAX,
} from '../../core/limits.ts'
import { divCeil } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { walletOf } from '../account/rules.ts'
import { mayPush } from '../chat/rules.ts'
import { logAction } from '../log/rules.ts'
import { partyOf } from '../sensing/rules.ts'
import { Poi } from '../travel/columns.ts'
import { poiOf } from '../travel/rules.ts'
import {
  dropTrade,
  enterTrade,
  hasLapsed,
  noteDeclined,
  numberOf,
  offersOf,
  offersTo,
  tradeById,
  tradeId,
  waitingTicks,
} from './book.ts'
import { TRADES, type Trade, type TradeLine } from './columns.ts'
import { tradeCancelled, tradeDeclined, tradeOfferReceived } from './events.ts'
import { hasPackages, lacks, readLines, sideOf } from './lines.ts'
import { findPartner } from './places.ts'
import { renderOffer } from './views.ts'

export interface OfferParams {
  readonly target_id: string
  readonly offer_items?: readonly TradeLine[]
  readonly offer_credits?: number
  readonly request_items?: readonly TradeLine[]
  readonly request_credits?: number
}

type Contents = Pick<Trade, 'offerItems' | 'offerCredits' | 'requestItems' | 'requestCredits'>

function isEmpty(params: OfferParams): boolean {
  const lines = [...(params.offer_items ?? []), ...(params.request_items ?? [])]
  const credits = (params.offer_credits ?? 0) + (params.request_credits ?? 0)
  return credits === 0 && lines.every(({ quantity }) => quantity === 0)
}

/** What is offered and asked for. Refusals: empty_trade and those of readLines. */
function readContents(view: WorldView, params: OfferParams): Outcome<Contents> {
  if (isEmpty(params)) return fail('empty_trade')
  const offered = readLines(view, params.offer_items ?? [])
  if (!offered.ok) return offered
  const requested = readLines(view, params.request_items ?? [])
  if (!requested.ok) return requested
  if (hasPackages(view, offered.result) && hasPackages(view, requested.result)) {
    return badFields({
      field: 'request_items',
      expected: 'without packages where the offer has some',
    })
  }
  return ok({
    offerItems: offered.result,
    offerCredits: params.offer_credits ?? 0,
    requestItems: requested.result,
    requestCredits: params.request_credits ?? 0,
  })
}

/** Refusals: insufficient_items, no_credits. */
function refuseUncovered(view: WorldView, player: Eid, offer: Contents): Failure | undefined {
  const missing = lacks(view, player, sideOf(view, offer.offerItems))
  if (missing) return missing
  const have = balanceOf(view, walletOf(view, player))
  return have < offer.offerCredits
    ? fail('no_credits', { need: offer.offerCredits, have })
    : undefined
}

/** Refusals: limit_reached, rate_limited. */
function refuseTooMany(view: WorldView, player: Eid, other: Eid): Failure | undefined {
  const [own, theirs] = [numberOf(view, player), numberOf(view, other)]
  const out = offersOf(view, player)
  const pair = out.filter(({ target }) => target === theirs).length
  if (pair >= TRADES_PER_PAIR_MAX)
    return fail('limit_reached', { max: TRADES_PER_PAIR_MAX, of: 'offers to one player' })
  if (out.length >= TRADES_OUT_MAX)
    return fail('limit_reached', { max: TRADES_OUT_MAX, of: 'offers of yours' })
  const incoming = offersTo(view, other).length
  if (incoming >= TRADES_IN_MAX)
    return fail('limit_reached', { max: TRADES_IN_MAX, of: 'offers waiting for a player' })
  if (view.records(TRADES).size >= TRADES_MAX)
    return fail('limit_reached', { max: TRADES_MAX, of: 'offers in this world' })
  const ticks = waitingTicks(view, own, theirs)
  if (ticks === 0) return undefined
  return fail('rate_limited', { wait_seconds: divCeil(ticks * view.tickMs, 1000) })
}

/**
 * Makes an offer and tells it. Refusals: invalid_target, target_cloaked, empty_trade,
 * invalid_payload, unknown_item, quest_item, not_tradeable, insufficient_items, no_credits,
 * limit_reached, rate_limited.
 */
export function offerTrade(world: World, player: Eid, params: OfferParams): Outcome<object> {
  const found = findPartner(world, player, params.target_id)
  if (!found.ok) return found
  const other = found.result
  const contents = readContents(world, params)
  if (!contents.ok) return contents
  const refused =
    refuseUncovered(world, player, contents.result) ?? refuseTooMany(world, player, other)
  if (refused) return refused
  const trade = enterTrade(world, {
    ...contents.result,
    offerer: numberOf(world, player),
    target: numberOf(world, other),
    poi: world.read(Poi).seq[poiOf(world, player)],
    madeMs: world.wallMs,
    expireTick: world.tick + TRADE_TICKS,
  })
  const { id, name } = partyOf(world, player)
  if (mayPush(world, other, player)) {
    const told = { ...renderOffer(world, trade), offerer_id: id, offerer_name: name }
    emit(world, tradeOfferReceived, told, toPlayer(other))
  }
  const message = `Offered a trade to ${partyOf(world, other).name || 'an unnamed pilot'}.`
  const trade_id = tradeId(world, trade)
  logAction(world, player, 'trading', 'trade_offer', message, { trade_id })
  return ok({ trade_id, message })
}

/**
 * A pending trade that the player may answer (as target) or withdraw (as offerer).
 * Refusals: trade_expired, trade_not_found, not_your_trade.
 */
export function findTrade(
  view: WorldView,
  player: Eid,
  id: string,
  role: 'offerer' | 'target',
): Outcome<Trade> {
  const trade = tradeById(view, id)
  if (!trade) return fail(hasLapsed(view, id) ? 'trade_expired' : 'trade_not_found')
  return trade[role] === numberOf(view, player) ? ok(trade) : fail('not_your_trade')
}

/** Ends an offer that the offerer withdraws or cannot keep; tells the one named. */
export function cancelTrade(world: World, trade: Trade, told: Eid, message: string): void {
  dropTrade(world, trade)
  emit(world, tradeCancelled, { trade_id: tradeId(world, trade), message }, toPlayer(told))
}

/** Refusals: trade_not_found, trade_expired, not_your_trade. */
export function declineOffer(world: World, player: Eid, id: string): Outcome<object> {
  const found = findTrade(world, player, id, 'target')
  if (!found.ok) return found
  const trade = found.result
  dropTrade(world, trade)
  noteDeclined(world, trade)
  const offerer = world.rowOf(Player, trade.offerer)
  const name = partyOf(world, player).name || 'Your partner'
  const told = { trade_id: tradeId(world, trade), message: `${name} declined your trade offer.` }
  emit(world, tradeDeclined, told, toPlayer(offerer))
  return ok({ message: 'The offer is declined.' })
}

/** Refusals: trade_not_found, trade_expired, not_your_trade. */
export function withdrawOffer(world: World, player: Eid, id: string): Outcome<object> {
  const found = findTrade(world, player, id, 'offerer')
  if (!found.ok) return found
  const target = world.rowOf(Player, found.result.target)
  const name = partyOf(world, player).name || 'Your partner'
  cancelTrade(world, found.result, target, `${name} withdrew the trade offer.`)
  return ok({ message: 'The offer is withdrawn.' })
}
