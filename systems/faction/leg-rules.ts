/**
 * Which stores a storage move is between, where one of them is a faction's. Source:
 * trade-storage.md section 4, the table of legs.
 */
import { type ErrorCode, fail, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { type Place, placeNamed } from '../cargo/places-rules.ts'
import { depositToFaction, type Moved, withdrawFromFaction } from './moves-rules.ts'
import { bucketIn, namesFaction } from './payer-rules.ts'
import { factionByText, factionOf } from './rules.ts'
import { bucketByText } from './store-rules.ts'
import { payIn, payOut } from './treasury-rules.ts'

/** Codes of goods moved into or out of a faction's store. */
export const FACTION_MOVE_ERRORS: readonly ErrorCode[] = [
  ...(['invalid_target', 'not_in_faction', 'no_permission', 'faction_not_found'] as const),
  ...(['no_faction_storage', 'bucket_not_found', 'no_storage_service', 'unknown_item'] as const),
  ...(['insufficient_items', 'storage_full', 'package_storage_full', 'quest_item'] as const),
  ...(['not_tradeable', 'issue_item', 'trading_restricted', 'no_cargo_space'] as const),
  ...(['hazard_not_supported', 'no_credits', 'faction_no_credits', 'amount_too_large'] as const),
]

export interface FactionLegs {
  readonly verb: 'deposit' | 'withdraw'
  readonly player: Eid
  readonly base: Row
  readonly item_id: string
  readonly quantity: number
  readonly source?: string
  readonly target?: string
  /** Of the faction's store the goods come from, or go to where they come from elsewhere. */
  readonly bucket?: string
  /** Of the faction's store the goods go to. */
  readonly dest_bucket?: string
}

/** True for a move in which a faction takes part: it belongs to `moveOfFaction`. */
export const touchesFaction = ({ source, target, bucket, dest_bucket }: Partial<FactionLegs>) =>
  [source, target].some((word) => word !== undefined && namesFaction(word)) ||
  bucket !== undefined ||
  dest_bucket !== undefined

interface Side {
  readonly faction: Row
  readonly bucket: string | undefined
}

/**
 * One side of a move. What stands behind `faction:` is a bucket of the own one here, or the tag or
 * id of any. Refusals: invalid_target, not_in_faction, faction_not_found.
 */
function sideOf(view: WorldView, move: FactionLegs, word: string): Outcome<Place | Side> {
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
function wordsOf({ verb, source, target }: FactionLegs): [string, string] {
  if (verb === 'deposit') return [source ?? 'cargo', target ?? 'faction']
  if (source === undefined && target !== undefined && namesFaction(target)) return [target, 'cargo']
  return [source ?? 'faction', target ?? 'cargo']
}

/** What a move of money names as its item. Source: WIRE 5.3. */
export const CREDITS = 'credits'

/**
 * A storage move in which a faction takes part, for a player docked at the base. Refusals: those of
 * depositToFaction and withdrawFromFaction, of payIn and payOut for `credits`; invalid_target,
 * faction_not_found.
 */
export function moveOfFaction(world: World, move: FactionLegs): Outcome<Moved> {
  const [sourceWord, targetWord] = wordsOf(move)
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
