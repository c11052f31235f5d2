/**
 * Storage moves: from cargo, or from the locker here, to the other of the two, or into another
 * player's locker here. One handler for deposit and withdraw. Source: trade-storage.md section 4.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { type ErrorCode, fail, type Outcome, ok } from '../../core/errors.ts'
import { moveItems } from '../../core/goods.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import type { Eid, World } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { addStat, playerById, usernameOf, walletOf } from '../account/rules.ts'
import { baseId, baseName, hasService } from '../base/rules.ts'
import { refusesTrade } from '../combat/rules.ts'
import { creditMove, type LogData, logAction, logCredits } from '../log/rules.ts'
import {
  cargoUnits,
  closeEmptyLocker,
  findGood,
  fitting,
  freeSpace,
  isStoreNearlyFull,
  loadCargo,
  lockerOf,
  mayCarry,
  openLocker,
  refusesGiving,
  storedUnits,
  unloadCargo,
} from './rules.ts'
import { moveShip, ownShipById } from './ship-moves.ts'

export type StorageVerb = 'deposit' | 'withdraw'

export interface StorageMove {
  readonly verb: StorageVerb
  readonly player: Eid
  readonly base: Eid
  readonly item_id: string
  readonly quantity: number
  readonly source?: string
  readonly target?: string
  readonly message?: string
}

type Place = 'cargo' | 'storage'

interface Leg {
  readonly from: Place
  /** A player: his locker here. */
  readonly to: Place | { readonly player: Eid }
}

const PLACES: Readonly<Record<string, Place>> = {
  cargo: 'cargo',
  storage: 'storage',
  self: 'storage',
}

const isFactionWord = (word: string): boolean => word === 'faction' || word.startsWith('faction:')

/** Which containers a move is between. Refusals: not_in_faction, invalid_target. */
function legOf(world: World, move: StorageMove): Outcome<Leg> {
  const source = (move.source ?? (move.verb === 'deposit' ? 'cargo' : 'storage')).toLowerCase()
  const target = move.target ?? (move.verb === 'deposit' ? 'storage' : 'cargo')
  const word = target.toLowerCase()
  if (isFactionWord(source) || word === 'faction') return fail('not_in_faction')
  const from = PLACES[source]
  if (from === undefined) return fail('invalid_target', { source: move.source })
  const to = PLACES[word]
  if (to !== undefined) {
    return from === to ? fail('invalid_target', { source, target: word }) : ok({ from, to })
  }
  const player = playerById(world, target)
  if (player === 0 || player === move.player) return fail('invalid_target', { target })
  return refusesTrade(world, move.player) ?? ok({ from, to: { player } })
}

function unitsAt(world: World, move: StorageMove, place: Place, item: number): number {
  const ship = world.read(Player).ship[move.player]
  return place === 'cargo'
    ? cargoUnits(world, ship, item)
    : storedUnits(world, move.player, move.base, item)
}

interface Checked {
  readonly item: number
  readonly leg: Leg
}

/** Everything that may be refused about one row. */
function check(world: World, move: StorageMove): Outcome<Checked> {
  const leg = legOf(world, move)
  if (!leg.ok) return leg
  const found = findGood(move.item_id)
  if (!found.ok) return found
  const item = found.result
  const { from, to } = leg.result
  if (typeof to === 'object') {
    const refused = refusesGiving(item)
    if (refused) return refused
  }
  const have = unitsAt(world, move, from, item)
  if (have < move.quantity) return fail('insufficient_items', { need: move.quantity, have })
  if (to !== 'cargo') {
    return isStoreNearlyFull(world) ? fail('storage_full') : ok({ item, leg: leg.result })
  }
  const ship = world.read(Player).ship[move.player]
  if (!mayCarry(world, ship, item)) return fail('hazard_not_supported')
  const fits = fitting(world, ship, item)
  if (fits < move.quantity) return fail('no_cargo_space', { need: move.quantity, fits })
  return ok({ item, leg: leg.result })
}

export interface Moved {
  readonly action: string
  readonly [field: string]: unknown
}

/**
 * One move, for a player docked at the base. Refusals: unknown_item, not_in_faction,
 * invalid_target, trading_restricted, quest_item, not_tradeable, insufficient_items, storage_full,
 * hazard_not_supported, no_cargo_space; of ships those of ship-moves.ts.
 */
function moveOne(world: World, move: StorageMove): Outcome<Moved> {
  const ownShip = ownShipById(world, move.player, move.item_id)
  if (ownShip !== 0) return moveShip(world, move, ownShip)
  const checked = check(world, move)
  if (!checked.ok) return checked
  const { item, leg } = checked.result
  const { player, base, quantity } = move
  const ship = world.read(Player).ship[player]
  const owner = typeof leg.to === 'object' ? leg.to.player : player
  if (leg.to === 'cargo') {
    loadCargo(world, ship, lockerOf(world, player, base), item, quantity)
  } else if (leg.from === 'cargo') {
    unloadCargo(world, ship, openLocker(world, owner, base), item, quantity)
  } else {
    const to = openLocker(world, owner, base)
    moveItems(world, lockerOf(world, player, base), to, item, quantity)
  }
  closeEmptyLocker(world, player, base)
  if (typeof leg.to === 'object') return ok(gifted(world, move, item, leg))
  const verb = leg.to === 'cargo' ? 'withdraw' : 'deposit'
  const did = verb === 'withdraw' ? 'Took' : 'Stored'
  const said = `${did} ${quantity} ${GOODS[item].name} at ${baseName(world, base)}.`
  logAction(world, player, 'storage', verb, said, { item_id: GOODS[item].id, quantity })
  return ok(stored(world, move, item, verb, said))
}

function stored(
  world: World,
  move: StorageMove,
  item: number,
  verb: StorageVerb,
  message: string,
): Moved {
  const { player, base, quantity } = move
  const ship = world.read(Player).ship[player]
  const aboard = cargoUnits(world, ship, item)
  const inStore = storedUnits(world, player, base, item)
  const common = { item_id: GOODS[item].id, quantity, cargo_space: freeSpace(world, ship), message }
  return verb === 'deposit'
    ? { action: 'deposit_items', ...common, cargo_remaining: aboard, storage_total: inStore }
    : { action: 'withdraw_items', ...common, cargo_total: aboard, storage_remaining: inStore }
}

/** The words that go with a gift: kept in both players' action logs. */
const noteOf = (message: string | undefined): LogData =>
  message === undefined ? {} : { note: message }

/** A gift of goods: they lie in the recipient's locker here. Source: trade-storage.md section 3. */
function gifted(world: World, move: StorageMove, item: number, leg: Leg): Moved {
  assert(typeof leg.to === 'object', 'a gift has a recipient')
  const { player, base, quantity } = move
  const recipient = leg.to.player
  const good = GOODS[item]
  const where = baseName(world, base)
  const what = `${quantity} ${good.name} at ${where}`
  const data = { item_id: good.id, quantity, ...noteOf(move.message) }
  logAction(
    world,
    player,
    'storage',
    'gift_sent',
    `Gave ${what} to ${usernameOf(world, recipient)}.`,
    data,
  )
  const from = usernameOf(world, player)
  logAction(world, recipient, 'storage', 'gift_received', `Got ${what} from ${from}.`, data)
  addStat(world, player, 'gifts_sent', 1)
  addStat(world, recipient, 'gifts_received', 1)
  const left = unitsAt(world, move, leg.from, item)
  return {
    action: 'send_gift',
    base_id: baseId(world, base),
    recipient: usernameOf(world, recipient),
    item_id: good.id,
    quantity,
    source: leg.from,
    ...(leg.from === 'cargo' ? { cargo_remaining: left } : { storage_remaining: left }),
    message: `Gave ${what}; it lies in the recipient's storage there.`,
  }
}

/**
 * A gift of credits: they are in the recipient's wallet at once, wherever he is. Refusals:
 * no_storage_service, invalid_target, no_credits, amount_too_large. Source: trade-storage.md
 * section 3.
 */
export function giveCredits(
  world: World,
  move: Omit<StorageMove, 'item_id' | 'quantity'>,
  credits: number,
): Outcome<Moved> {
  const { player, base, target } = move
  if (!hasService(world, base, 'storage')) return fail('no_storage_service')
  if (target !== undefined && isFactionWord(target.toLowerCase())) return fail('not_in_faction')
  const recipient = playerById(world, target ?? '')
  if (recipient === 0 || recipient === player) return fail('invalid_target', { target })
  const restricted = refusesTrade(world, player)
  if (restricted) return restricted
  const from = walletOf(world, player)
  const to = walletOf(world, recipient)
  const have = balanceOf(world, from)
  if (have < credits) return fail('no_credits', { need: credits, have })
  if (!canReceive(world, to, credits)) return fail('amount_too_large')
  const name = usernameOf(world, recipient)
  const data = noteOf(move.message)
  const sent = `Gave ${credits} credits to ${name}.`
  creditMove(world, player, from, to, credits, 'trading', 'gift_sent', sent, data)
  const got = `Got ${credits} credits from ${usernameOf(world, player)}.`
  logCredits(world, recipient, credits, 'trading', 'gift_received', got, data)
  addStat(world, player, 'gifts_sent', 1)
  addStat(world, player, 'credits_gifted', credits)
  addStat(world, recipient, 'gifts_received', 1)
  return ok({
    action: 'send_gift',
    base_id: baseId(world, base),
    recipient: name,
    credits_sent: credits,
    wallet_remaining: balanceOf(world, from),
    message: sent,
  })
}

/** One move at a base with storage. Further refusal: no_storage_service. */
export function moveStorage(world: World, move: StorageMove): Outcome<Moved> {
  if (!hasService(world, move.base, 'storage')) return fail('no_storage_service')
  return moveOne(world, move)
}

export interface MoveRow {
  readonly item_id: string
  readonly quantity: number
}

interface RowResult extends MoveRow {
  success: boolean
  error?: ErrorCode
  message?: string
  result?: Moved
}

/**
 * Several rows in order, each of which commits or fails alone. Refusal of the whole:
 * no_storage_service.
 */
export function moveRows(
  world: World,
  move: Omit<StorageMove, 'item_id' | 'quantity'>,
  rows: readonly MoveRow[],
): Outcome<Moved> {
  if (!hasService(world, move.base, 'storage')) return fail('no_storage_service')
  const results = rows.map(({ item_id, quantity }): RowResult => {
    const moved = moveOne(world, { ...move, item_id, quantity })
    if (!moved.ok) {
      return { item_id, quantity, success: false, error: moved.code, message: moved.message }
    }
    return { item_id, quantity, success: true, result: moved.result }
  })
  const succeeded = results.filter((row) => row.success).length
  return ok({
    action: move.verb === 'deposit' ? 'bulk_deposit' : 'bulk_withdraw',
    requested: rows.length,
    succeeded,
    failed: rows.length - succeeded,
    ...(move.target === undefined ? {} : { target: move.target }),
    results,
  })
}
