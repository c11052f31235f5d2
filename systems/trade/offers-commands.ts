/** Making, declining and withdrawing offers. Source: trade-storage.md section 2. */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import {
  type Failure,
  fail,
  invalidFields,
  type Outcome,
  ok,
  waitRefusal,
} from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { balanceOf } from '../../core/ledger.ts'
import { playerNumber } from '../../core/pending.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound, walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { findGood, footprintOf, givingRefusal, isPackageIn, sealedById } from '../cargo/model.ts'
import { packageById, packageId } from '../cargo/rules.ts'
import { isPackageId } from '../cargo/state.ts'
import { mayPush } from '../chat/model.ts'
import { inBattle } from '../combat/model.ts'
import { logAction } from '../log/rules.ts'
import { counterpartyIdentity, playerMeant, sightOf } from '../sensing/model.ts'
import { activeShip, cargoUnits, spaceOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase, isUnderWay, poiOf, shipOf } from '../travel/location-model.ts'
import { Poi } from '../travel/state.ts'
import { hasLapsed, offersOf, offersTo, tradeById, tradeId, waitingTicks } from './model.ts'
import { dropTrade, enterTrade, recordDeclined } from './rules.ts'
import { tradeCancelled, tradeDeclined, tradeOfferReceived } from './schemas.ts'
import {
  TRADE_TICKS,
  TRADES,
  TRADES_IN_MAX,
  TRADES_MAX,
  TRADES_OUT_MAX,
  TRADES_PER_PAIR_MAX,
  type Trade,
  type TradeLine,
} from './state.ts'
import { renderOffer } from './views.ts'

/* The sides of a trade */

/** A side of a trade by rows: goods with their units, and packages. */
export interface Side {
  readonly goods: readonly { readonly item: number; readonly units: number }[]
  /** 0 for a package that is gone. */
  readonly packages: readonly Row[]
}

/** Checks a line; returns it with the full id of the item or package that it names. */
function readLine(view: WorldView, { item_id, quantity }: TradeLine) {
  if (quantity < 1) return invalidFields({ field: 'quantity', expected: '1 or more' })
  if (isPackageId(item_id)) {
    const pkg = packageById(view, item_id)
    if (pkg === 0) return fail('insufficient_items', { item_id, need: quantity, have: 0 })
    if (quantity === 1) return ok({ item_id: packageId(view, pkg), quantity })
    return invalidFields({ field: 'quantity', expected: '1 package' })
  }
  const good = findGood(item_id)
  if (!good.ok) return good
  return givingRefusal(good.result) ?? ok({ item_id: GOODS[good.result].id, quantity })
}

/**
 * Reads the lines of a side, and sums those of one item. Refusals: invalid_payload, unknown_item,
 * insufficient_items (an unknown package), quest_item, not_tradeable.
 */
function readLines(view: WorldView, lines: readonly TradeLine[] = []) {
  const sums = new Map<string, number>()
  for (const line of lines) {
    const read = readLine(view, line)
    if (!read.ok) return read
    const { item_id, quantity } = read.result
    sums.set(item_id, isPackageId(item_id) ? 1 : (sums.get(item_id) ?? 0) + quantity)
  }
  return ok([...sums].map(([item_id, quantity]) => ({ item_id, quantity })))
}

/** Returns whether a side has sealed packages. Notes do not count: both sides may have some. */
const hasPackages = (view: WorldView, lines: readonly TradeLine[]): boolean =>
  lines.some(({ item_id }) => sealedById(view, item_id) !== 0)

/** Resolves the lines of a side to rows. */
export function sideOf(view: WorldView, lines: readonly TradeLine[]): Side {
  return {
    goods: lines
      .filter(({ item_id }) => !isPackageId(item_id))
      .map(({ item_id, quantity }) => ({ item: itemIndex(item_id), units: quantity })),
    packages: lines
      .filter(({ item_id }) => isPackageId(item_id))
      .map(({ item_id }) => packageById(view, item_id)),
  }
}

/** Refuses what is not in the hold of the ship that a player flies. */
function holdRefusal(
  view: WorldView,
  player: Eid,
  { goods, packages }: Side,
): Failure<'insufficient_items'> | undefined {
  const ship = activeShip(view, player)
  for (const { item, units } of goods) {
    const have = cargoUnits(view, ship, item)
    if (have < units) {
      return fail('insufficient_items', { item_id: GOODS[item].id, need: units, have })
    }
  }
  const hold = view.read(Ship).hold[ship]
  const isMissing = packages.some((pkg) => pkg === 0 || !isPackageIn(view, hold, pkg))
  return isMissing ? fail('insufficient_items', { need: packages.length }) : undefined
}

/** Refuses goods and credits that a player does not have. */
export function coverRefusal(
  view: WorldView,
  player: Eid,
  side: Side,
  credits: number,
): Failure<'insufficient_items' | 'no_credits'> | undefined {
  const missing = holdRefusal(view, player, side)
  if (missing) return missing
  const have = balanceOf(view, walletOf(view, player))
  return have < credits ? fail('no_credits', { need: credits, have }) : undefined
}

/** Returns whether a ship has room for one side once it has given the other. */
export function hasRoomFor(view: WorldView, ship: Eid, outgoing: Side, incoming: Side): boolean {
  const deltas = new Map<number, number>()
  for (const { item, units } of outgoing.goods) deltas.set(item, -units)
  for (const { item, units } of incoming.goods) deltas.set(item, (deltas.get(item) ?? 0) + units)
  const spaceFor = ({ packages }: Side): number =>
    packages.reduce((sum, pkg) => sum + footprintOf(view, pkg), 0)
  let space = spaceFor(incoming) - spaceFor(outgoing)
  for (const [item, delta] of deltas) {
    const held = cargoUnits(view, ship, item)
    space += spaceOf(view, ship, item, held + delta) - spaceOf(view, ship, item, held)
  }
  const { cargoUsed, cargoCap } = view.read(Ship)
  return space <= 0 || cargoUsed[ship] + space <= cargoCap[ship]
}

/* Making an offer */

interface OfferParams {
  readonly target_id: string
  readonly offer_items?: readonly TradeLine[]
  readonly offer_credits?: number
  readonly request_items?: readonly TradeLine[]
  readonly request_credits?: number
}

function isEmpty(params: OfferParams): boolean {
  const lines = [...(params.offer_items ?? []), ...(params.request_items ?? [])]
  const credits = (params.offer_credits ?? 0) + (params.request_credits ?? 0)
  return credits === 0 && lines.every(({ quantity }) => quantity === 0)
}

/** Reads what is offered and requested. Refusals: empty_trade and those of readLines. */
function readContents(view: WorldView, params: OfferParams) {
  if (isEmpty(params)) return fail('empty_trade')
  const offered = readLines(view, params.offer_items)
  if (!offered.ok) return offered
  const requested = readLines(view, params.request_items)
  if (!requested.ok) return requested
  if (hasPackages(view, offered.result) && hasPackages(view, requested.result)) {
    const expected = 'without packages where the offer has some'
    return invalidFields({ field: 'request_items', expected })
  }
  return ok({
    offerItems: offered.result,
    offerCredits: params.offer_credits ?? 0,
    requestItems: requested.result,
    requestCredits: params.request_credits ?? 0,
  })
}

/** Refuses an offer over a limit, or one that comes too soon after declined offers. */
function limitRefusal(
  view: WorldView,
  player: Eid,
  other: Eid,
): Failure<'limit_reached' | 'rate_limited'> | undefined {
  const target = playerNumber(view, other)
  const outgoing = offersOf(view, player)
  const pair = outgoing.filter((offer) => offer.target === target).length
  const full = (max: number, of: string) => fail('limit_reached', { max, of })
  if (pair >= TRADES_PER_PAIR_MAX) return full(TRADES_PER_PAIR_MAX, 'offers to one player')
  if (outgoing.length >= TRADES_OUT_MAX) return full(TRADES_OUT_MAX, 'offers of yours')
  if (offersTo(view, other).length >= TRADES_IN_MAX) {
    return full(TRADES_IN_MAX, 'offers waiting for a player')
  }
  if (view.records(TRADES).size >= TRADES_MAX) return full(TRADES_MAX, 'offers in this world')
  const ticks = waitingTicks(view, playerNumber(view, player), target)
  const message = 'They declined your offers too often lately; trade with others, or wait.'
  return ticks === 0 ? undefined : waitRefusal(view, ticks, message)
}

/**
 * Makes an offer and notifies its target. Refusals: invalid_target, target_cloaked, empty_trade,
 * invalid_payload, unknown_item, quest_item, not_tradeable, insufficient_items, no_credits,
 * limit_reached, rate_limited.
 */
export function offerTrade(world: World, player: Eid, params: OfferParams) {
  const partner = findPartner(world, player, params.target_id)
  if (!partner.ok) return partner
  const other = partner.result
  const read = readContents(world, params)
  if (!read.ok) return read
  const contents = read.result
  const offered = sideOf(world, contents.offerItems)
  const refused =
    coverRefusal(world, player, offered, contents.offerCredits) ??
    limitRefusal(world, player, other)
  if (refused) return refused
  const trade = enterTrade(world, {
    ...contents,
    offerer: playerNumber(world, player),
    target: playerNumber(world, other),
    poi: world.read(Poi).seq[poiOf(world, player)],
    madeMs: world.wallMs,
    expireTick: world.tick + TRADE_TICKS,
  })
  const { id, name } = counterpartyIdentity(world, player)
  if (mayPush(world, other, player)) {
    const payload = { ...renderOffer(world, trade), offerer_id: id, offerer_name: name }
    emit(world, tradeOfferReceived, payload, toPlayer(other))
  }
  const message = `Offered a trade to ${counterpartyIdentity(world, other).name || 'an unnamed pilot'}.`
  const trade_id = tradeId(world, trade)
  logAction(world, player, 'trading', 'trade_offer', message, { trade_id })
  return ok({ trade_id, message })
}

/* Answering and withdrawing */

/** Finds a pending trade that the player may answer (as target) or withdraw (as offerer). */
export function findTrade(
  view: WorldView,
  player: Eid,
  id: string,
  role: 'offerer' | 'target',
): Outcome<Trade, 'not_your_trade' | 'trade_expired' | 'trade_not_found'> {
  const trade = tradeById(view, id)
  if (!trade) return fail(hasLapsed(view, id) ? 'trade_expired' : 'trade_not_found')
  return trade[role] === playerNumber(view, player) ? ok(trade) : fail('not_your_trade')
}

/** Ends an offer that the offerer withdraws or cannot keep, and notifies `player`. */
export function cancelTrade(world: World, trade: Trade, player: Eid, message: string): void {
  dropTrade(world, trade)
  emit(world, tradeCancelled, { trade_id: tradeId(world, trade), message }, toPlayer(player))
}

/** Declines an offer. Refusals: trade_not_found, trade_expired, not_your_trade. */
export function declineOffer(world: World, player: Eid, id: string) {
  const found = findTrade(world, player, id, 'target')
  if (!found.ok) return found
  const trade = found.result
  dropTrade(world, trade)
  recordDeclined(world, trade)
  const offerer = world.rowOf(Player, trade.offerer)
  const name = counterpartyIdentity(world, player).name || 'Your partner'
  const message = `${name} declined your trade offer.`
  emit(world, tradeDeclined, { trade_id: tradeId(world, trade), message }, toPlayer(offerer))
  return ok({ message: 'The offer is declined.' })
}

/** Withdraws an offer. Refusals: trade_not_found, trade_expired, not_your_trade. */
export function withdrawOffer(world: World, player: Eid, id: string) {
  const found = findTrade(world, player, id, 'offerer')
  if (!found.ok) return found
  const target = world.rowOf(Player, found.result.target)
  const name = counterpartyIdentity(world, player).name || 'Your partner'
  cancelTrade(world, found.result, target, `${name} withdrew the trade offer.`)
  return ok({ message: 'The offer is withdrawn.' })
}

/* Partners */

/**
 * Returns whether two players are together: both docked at one base, or both in space at one place,
 * and neither in a battle. Docked players count when they are offline too.
 */
export function areTogether(view: WorldView, player: Eid, other: Eid): boolean {
  const ships = [shipOf(view, player), shipOf(view, other)]
  if (player === other || ships.some((ship) => ship === 0 || isUnderWay(view, ship))) return false
  const poi = poiOf(view, player)
  if (poi === 0 || poi !== poiOf(view, other)) return false
  const base = dockedBase(view, player)
  if (base !== dockedBase(view, other)) return false
  if (base === 0 && !(isBound(view, player) && isBound(view, other))) return false
  return !inBattle(view, player) && !inBattle(view, other)
}

/** Finds the player to whom a trade is offered. Refusals: invalid_target, target_cloaked. */
function findPartner(
  view: WorldView,
  player: Eid,
  id: string,
): Outcome<Eid, 'invalid_target' | 'target_cloaked'> {
  const other = playerMeant(view, player, id)
  if (other === 0 || !areTogether(view, player, other)) return invalidTarget(id)
  return sightOf(view, player, other) === 'nothing' ? fail('target_cloaked') : ok(other)
}

const invalidTarget = (id: string): Failure<'invalid_target'> =>
  fail('invalid_target', { target_id: id })
