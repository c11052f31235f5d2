/**
 * Which stores a storage move is between, where one of them is a faction's. Source: trade-
 * storage.md section 4, the table of legs.
 */

import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { words } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { recordPeak } from '../achievement/rules.ts'
import { type Place, placeNamed } from '../cargo/model.ts'
import { tradeRefusal } from '../combat/model.ts'
import { creditMove } from '../log/rules.ts'
import {
  bucketIn,
  type FactionLegs,
  factionByText,
  factionIdOf,
  factionName,
  factionOf,
  namesFaction,
  permissionRefusal,
  treasuryOf,
} from './model.ts'
import { depositToFaction, withdrawFromFaction } from './moves-rules.ts'
import { notifyWithdrawal, recordStoreMove } from './rules.ts'
import { CREDITS } from './state.ts'
import { bucketByText } from './store-model.ts'

/** Codes of goods moved into or out of a faction's store. */
export const FACTION_MOVE_ERRORS = words(
  'invalid_target not_in_faction no_permission faction_not_found no_faction_storage',
  'bucket_not_found no_storage_service unknown_item insufficient_items storage_full',
  'package_storage_full quest_item not_tradeable issue_item trading_restricted no_cargo_space',
  'hazard_not_supported no_credits faction_no_credits amount_too_large',
)

interface Side {
  readonly faction: Row
  readonly bucket: string | undefined
}

/**
 * One side of a move. What stands behind `faction:` is a bucket of the own one here, or the tag or
 * id of any. Refusals: invalid_target, not_in_faction, faction_not_found.
 */
function sideOf(
  view: WorldView,
  move: FactionLegs,
  word: string,
): Outcome<Place | Side, 'faction_not_found' | 'invalid_target' | 'not_in_faction'> {
  if (!namesFaction(word)) {
    const place = placeNamed(word.trim())
    return place ? ok(place) : fail('invalid_target', { target: word })
  }
  const own = factionOf(view, move.player)
  const named = bucketIn(word)
  if (named === undefined || named === '') {
    return own === 0 ? fail('not_in_faction') : ok({ faction: own, bucket: undefined })
  }
  if (own !== 0 && bucketByText(view, own, move.base, named) !== 0) {
    return ok({ faction: own, bucket: named })
  }
  const faction = factionByText(view, named)
  return faction === 0
    ? fail('faction_not_found', { faction: named })
    : ok({ faction, bucket: undefined })
}

/** Words for both sides: a withdrawal from `target=faction` comes from there. */
function legLabels({ verb, source, target }: FactionLegs): [string, string] {
  if (verb === 'deposit') return [source ?? 'cargo', target ?? 'faction']
  if (source === undefined && target !== undefined && namesFaction(target)) return [target, 'cargo']
  return [source ?? 'faction', target ?? 'cargo']
}

/**
 * A storage move in which a faction takes part, for a player docked at the base. Refusals: those of
 * depositToFaction and withdrawFromFaction, of payIn and payOut for `credits`; invalid_target,
 * faction_not_found.
 */
export function moveOfFaction(world: World, move: FactionLegs) {
  const [sourceWord, targetWord] = legLabels(move)
  const from = sideOf(world, move, sourceWord)
  if (!from.ok) return from
  const to = sideOf(world, move, targetWord)
  if (!to.ok) return to
  const { player, base, item_id, quantity } = move
  const common = { player, base, item_id, quantity }
  const [source, target] = [from.result, to.result]
  if (typeof source === 'string') {
    if (typeof target === 'string') return fail('invalid_target', { target: targetWord })
    if (item_id.toLowerCase() === CREDITS) return payIn(world, player, quantity, target.faction)
    const bucket = target.bucket ?? move.dest_bucket ?? move.bucket
    return depositToFaction(world, { ...common, from: source, faction: target.faction, bucket })
  }
  if (source.faction !== factionOf(world, player)) {
    return fail('invalid_target', { source: sourceWord })
  }
  if (item_id.toLowerCase() === CREDITS) {
    const isOut = typeof target === 'string'
    return isOut ? payOut(world, player, quantity) : fail('invalid_target', { target: targetWord })
  }
  const bucket = source.bucket ?? move.bucket
  if (typeof target === 'string') {
    return withdrawFromFaction(world, { ...common, to: target, bucket })
  }
  if (target.faction !== source.faction) return fail('invalid_target', { target: targetWord })
  const dest = target.bucket ?? move.dest_bucket
  return withdrawFromFaction(world, { ...common, to: { bucket: dest }, bucket })
}

/* Credits into and out of the treasury of a faction. Source: trade-storage.md section 4. */

const figures = (view: WorldView, player: Eid, faction: Row) => ({
  player_credits: balanceOf(view, walletOf(view, player)),
  faction_credits: balanceOf(view, treasuryOf(view, faction)),
})

function payingRefusal(
  view: WorldView,
  from: Row,
  to: Row,
  { amount, code }: { amount: number; code: 'no_credits' | 'faction_no_credits' },
): Failure<'amount_too_large' | 'faction_no_credits' | 'no_credits'> | undefined {
  const have = balanceOf(view, from)
  if (have < amount) return fail(code, { need: amount, have })
  return canReceive(view, to, amount) ? undefined : fail('amount_too_large')
}

/**
 * Pays from a wallet into the treasury of a faction; the player's own unless said. Refusals:
 * not_in_faction, trading_restricted, no_credits, amount_too_large.
 */
export function payIn(
  world: World,
  player: Eid,
  amount: number,
  faction: Row = factionOf(world, player),
) {
  if (faction === 0) return fail('not_in_faction')
  const [wallet, treasury] = [walletOf(world, player), treasuryOf(world, faction)]
  const refused =
    tradeRefusal(world, player) ??
    payingRefusal(world, wallet, treasury, { amount, code: 'no_credits' })
  if (refused) return refused
  const summary = `Paid ${counted(amount, 'credit')} into the treasury of ${factionName(world, faction)}.`
  creditMove(world, player, wallet, treasury, amount, 'faction', 'deposit_credits', summary)
  recordStoreMove(world, { faction, player, action: 'deposit_credits', summary, credits: amount })
  recordPeak(world, faction, 'treasury', balanceOf(world, treasury))
  if (faction === factionOf(world, player)) {
    return ok({ action: 'faction_deposit_credits', amount, ...figures(world, player, faction) })
  }
  return ok({
    action: 'faction_gift',
    faction_id: factionIdOf(world, faction),
    faction_name: factionName(world, faction),
    credits_sent: amount,
    items_sent: 0,
    message: summary,
  })
}

/**
 * Pays out of the treasury of the player's faction into their wallet. Refusals: not_in_faction,
 * no_permission, faction_no_credits, amount_too_large.
 */
export function payOut(world: World, player: Eid, amount: number) {
  const denied = permissionRefusal(world, player, 'manage_treasury')
  if (denied) return denied
  const faction = factionOf(world, player)
  const [wallet, treasury] = [walletOf(world, player), treasuryOf(world, faction)]
  const refused = payingRefusal(world, treasury, wallet, { amount, code: 'faction_no_credits' })
  if (refused) return refused
  const summary = `Took ${counted(amount, 'credit')} out of the treasury of ${factionName(world, faction)}.`
  creditMove(world, player, treasury, wallet, amount, 'faction', 'withdraw_credits', summary)
  const noted = { faction, player, action: 'withdraw_credits', summary, credits: amount }
  recordStoreMove(world, noted)
  notifyWithdrawal(world, noted)
  return ok({ action: 'faction_withdraw_credits', amount, ...figures(world, player, faction) })
}
