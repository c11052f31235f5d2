/**
 * Storage moves in which a faction takes part: resolves source and target, and runs the move.
 * Source: trade-storage.md section 4, the table of legs.
 */
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { words } from '../../core/params.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { type Place, placeByName } from '../cargo/model.ts'
import { factionByText, factionOf, factionQualifier, namesFaction } from './model.ts'
import { depositToFaction, withdrawFromFaction } from './moves-rules.ts'
import { CREDITS } from './state.ts'
import { bucketByText } from './store-model.ts'
import { payIn, payOut } from './treasury-rules.ts'

/** Codes with which a move into or out of a faction's store can be refused. */
export const FACTION_MOVE_ERRORS = words(
  'invalid_target not_in_faction no_permission faction_not_found no_faction_storage',
  'bucket_not_found no_storage_service unknown_item insufficient_items storage_full',
  'package_storage_full quest_item not_tradeable issue_item trading_restricted no_cargo_space',
  'hazard_not_supported no_credits faction_no_credits amount_too_large',
)

interface FactionTransfer {
  readonly verb: 'deposit' | 'withdraw'
  readonly player: Eid
  readonly base: Row
  readonly item_id: string
  readonly quantity: number
  readonly source?: string
  readonly target?: string
  /** Bucket that goods are taken from, or put into when they come from outside the faction. */
  readonly bucket?: string
  /** Bucket that goods are put into. */
  readonly dest_bucket?: string
}

/** Returns true for a move in which a faction takes part, which `transferWithFaction` runs. */
export const involvesFaction = ({
  source,
  target,
  bucket,
  dest_bucket,
}: Partial<FactionTransfer>) =>
  [source, target].some((word) => word !== undefined && namesFaction(word)) ||
  bucket !== undefined ||
  dest_bucket !== undefined

interface Side {
  readonly faction: Row
  readonly bucket: string | undefined
}

/**
 * Resolves one side of a move. After `faction:` comes a bucket of the player's own faction here, or
 * the tag or id of any faction. Refusals: invalid_target, not_in_faction, faction_not_found.
 */
function resolveSide(
  view: WorldView,
  move: FactionTransfer,
  word: string,
): Outcome<Place | Side, 'faction_not_found' | 'invalid_target' | 'not_in_faction'> {
  if (!namesFaction(word)) {
    const place = placeByName(word.trim())
    const message = `“${word}” is no place; send cargo, storage, faction or faction:<bucket>.`
    return place ? ok(place) : fail('invalid_target', { target: word }, message)
  }
  const own = factionOf(view, move.player)
  const named = factionQualifier(word)
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

/** Returns the names of source and target; a withdrawal with only `target=faction` is from it. */
function sideWords({ verb, source, target }: FactionTransfer): [string, string] {
  if (verb === 'deposit') return [source ?? 'cargo', target ?? 'faction']
  if (source === undefined && target !== undefined && namesFaction(target)) return [target, 'cargo']
  return [source ?? 'faction', target ?? 'cargo']
}

/**
 * Runs a storage move in which a faction takes part, for a player docked at the base. Refusals:
 * those of depositToFaction and withdrawFromFaction, of payIn and payOut for `credits`;
 * invalid_target, faction_not_found.
 */
export function transferWithFaction(world: World, move: FactionTransfer) {
  const [sourceWord, targetWord] = sideWords(move)
  const from = resolveSide(world, move, sourceWord)
  if (!from.ok) return from
  const to = resolveSide(world, move, targetWord)
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
    const message = 'You can take things only out of stores of your own faction.'
    return fail('invalid_target', { source: sourceWord }, message)
  }
  if (item_id.toLowerCase() === CREDITS) {
    const isOut = typeof target === 'string'
    return isOut ? payOut(world, player, quantity) : fail('invalid_target', { target: targetWord })
  }
  const bucket = source.bucket ?? move.bucket
  if (typeof target === 'string') {
    return withdrawFromFaction(world, { ...common, to: target, bucket })
  }
  if (target.faction !== source.faction) {
    const message = 'Stores of two factions do not trade goods; take them into your cargo first.'
    return fail('invalid_target', { target: targetWord }, message)
  }
  const dest = target.bucket ?? move.dest_bucket
  return withdrawFromFaction(world, { ...common, to: { bucket: dest }, bucket })
}
