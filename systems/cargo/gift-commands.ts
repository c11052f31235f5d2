/** The commands `send_gift` and `gifts_seen`. Source: trade-storage.md section 3. */
import { defineNeed, immediate, mutation } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import {
  choice,
  int,
  itemId,
  NO_PARAMS,
  obj,
  optional,
  quantity,
  ref,
  str,
  words,
} from '../../core/params.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, World } from '../../core/types.ts'
import { playerId } from '../account/model.ts'
import { baseById } from '../base/model.ts'
import { MAY_TRADE } from '../combat/needs.ts'
import { isOwnFaction } from '../faction/model.ts'
import { CREDITS } from '../faction/state.ts'
import { shipById } from '../ship/model.ts'
import { dockedBase, inTransit } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { markSeen } from './gift-notices-commands.ts'
import { recipientOf } from './package-moves-commands.ts'
import { depositSchema } from './schemas.ts'
import { GIFT_MESSAGE_CHARACTERS_MAX } from './state.ts'
import { giveCreditsTo, giveShipTo, moveStorage } from './storage-commands.ts'

interface GiftParams {
  readonly recipient: string
  readonly item_id?: string
  readonly quantity?: number
  readonly credits?: number
  readonly ship_id?: string
  readonly message?: string
  readonly source?: 'cargo' | 'storage'
}

/**
 * Requires the player to be docked, except to give a ship and to move credits between wallet and
 * treasury: that works from anywhere.
 */
export const AT_STORAGE = defineNeed({
  name: 'docked_unless_ship_or_treasury',
  errors: DOCKED.errors,
  check: DOCKED.check,
  ensure: (world, player, params: StoragePlaces) =>
    params.ship_id === undefined && !movesTreasury(params)
      ? DOCKED.ensure(world, player, params)
      : inTransit(world, player),
})

interface StoragePlaces {
  readonly item_id?: string
  readonly credits?: number
  readonly ship_id?: string
  readonly source?: string
  readonly target?: string
  readonly recipient?: string
}

/** Returns true for credits into or out of the treasury of the player's own faction. */
function movesTreasury({ item_id, credits, source, target, recipient }: StoragePlaces): boolean {
  const areCredits = credits !== undefined || item_id?.toLowerCase() === CREDITS
  const ends = [source, target ?? recipient].filter((end) => end !== undefined)
  return areCredits && (ends.length === 0 || ends.some((end) => isOwnFaction(end)))
}

const GIFT_MESSAGE = {
  max: GIFT_MESSAGE_CHARACTERS_MAX,
  unit: 'codepoints',
  field: 'message',
  mayBeEmpty: true,
} as const

/** Returns the cleaned message of a gift. Refusals: invalid_payload, too_long. */
export function readMessage(
  message: string | undefined,
): Outcome<string | undefined, 'invalid_payload' | 'too_long'> {
  return message === undefined ? ok(undefined) : cleanText(message, GIFT_MESSAGE)
}

/** Returns true when exactly one of goods with a quantity, credits, a ship is given. */
function isOneKind({ item_id, quantity: units, credits, ship_id }: GiftParams): boolean {
  const kinds = [item_id, credits, ship_id].filter((given) => given !== undefined).length
  return kinds === 1 && (item_id !== undefined) === (units !== undefined)
}

function runGift(world: World, player: Eid, params: GiftParams) {
  if (!isOneKind(params)) return fail('gift_invalid')
  const to = recipientOf(world, player, params.recipient)
  if (!to.ok) return to
  const message = readMessage(params.message)
  if (!message.ok) return message
  const base = dockedBase(world, player)
  const gift = { player, base, message: message.result }
  if (params.ship_id !== undefined) {
    return giveShipTo(world, gift, to.result, shipById(world, params.ship_id))
  }
  if (params.credits !== undefined) {
    return giveCreditsTo(world, gift, to.result, params.credits)
  }
  const { item_id = '', quantity: units = 0, source } = params
  // By id: a player may be named like a place, for example "cargo".
  const target = to.result.kind === 'player' ? playerId(world, to.result.player) : params.recipient
  return moveStorage(world, { ...gift, verb: 'deposit', item_id, quantity: units, source, target })
}

export const sendGift = mutation({
  name: 'send_gift',
  v2Name: 'game_storage/deposit',
  summary: 'Give goods, credits or a parked ship to a player, a faction, an empire or a station.',
  category: 'storage',
  order: 'plain',
  needs: [MAY_TRADE, AT_STORAGE],
  changes: ['player', 'ship', 'cargo', 'location'],
  params: obj({
    recipient: str('Player, faction, faction:TAG, station:<id>, or an empire by id or name.', {
      min: 1,
      example: 'Nova',
    }),
    item_id: optional(itemId('Item, module, or the id of a package.')),
    quantity: optional(quantity()),
    credits: optional(int('Credits to give.', { min: 1, example: 100 })),
    ship_id: optional(ref('own_ship', str('A ship of yours that you do not fly.', { min: 1 }))),
    message: optional(
      str('Message that goes with the gift.', {
        max: GIFT_MESSAGE_CHARACTERS_MAX,
        example: 'Good luck!',
      }),
    ),
    source: optional(choice('Where the goods come from.', ['cargo', 'storage'])),
  }),
  result: depositSchema,
  errors: words(
    'gift_invalid no_permission faction_no_credits bucket_not_found no_cargo_space',
    'hazard_not_supported not_towing already_towing no_tow_rig too_large invalid_payload too_long',
    'player_not_found invalid_target faction_not_found not_in_faction no_storage_service',
    'unknown_item insufficient_items no_credits amount_too_large quest_item not_tradeable',
    'storage_full package_storage_full no_faction_storage ship_not_found active_ship issue_item',
    'already_listed already_towed ship_occupied not_stored_here drones_in_bay ship_limit',
    'no_faction_garage garage_full limit_reached wrong_empire wrong_station station_not_found',
    'freight_locked',
  ),
  run: runGift,
})

/** Runs after a player has viewed a storage: its gifts are no longer new. */
export const giftsSeen = immediate({
  name: 'internal:gifts_seen',
  summary: 'Marks the gifts at a base as seen.',
  category: 'internal',
  needs: [],
  params: obj({ base_id: ref('base', str('The base.', { min: 1 })) }),
  result: NO_PARAMS,
  errors: [],
  run(world, player, params) {
    const base = baseById(world, params.base_id)
    if (base !== 0) markSeen(world, player, base)
    return ok({})
  },
})
