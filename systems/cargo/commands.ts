/** Moving goods between hold and storage, and throwing them overboard. */
import { GOODS } from '../../core/catalog/index.ts'
import { type MutationDef, mutation } from '../../core/command.ts'
import { fail, invalidFields, ok } from '../../core/errors.ts'
import { JETTISON_ROWS_MAX, LIST_ROWS_MAX } from '../../core/limits.ts'
import {
  choice,
  int,
  itemId,
  obj,
  optional,
  quantity,
  ref,
  str,
  Type,
  words,
} from '../../core/params.ts'
import type { Eid, World } from '../../core/types.ts'
import { baseById } from '../base/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED, UNDOCKED_OR_ADRIFT } from '../travel/needs.ts'
import { AT_STORAGE, readMessage } from './gift-commands.ts'
import { containerId, kindOfId } from './model.ts'
import { depositSchema, jettisonSchema, type StorageVerb, withdrawSchema } from './schemas.ts'
import { GIFT_MESSAGE_CHARACTERS_MAX, isPackageId } from './state.ts'
import { moveCredits, moveGivenShip, moveRows, moveStorage } from './storage-commands.ts'
import { jettisonItem, jettisonPackage, jettisonRows } from './systems.ts'

const SOURCES = ['cargo', 'storage', 'faction'] as const

const rows = (max: number) =>
  Type.Array(obj({ item_id: itemId(), quantity: quantity() }), {
    description: `Several rows, at most ${max}: each commits or fails alone.`,
    minItems: 1,
    maxItems: max,
    examples: [[{ item_id: 'iron_ore', quantity: 10 }]],
  })

const sourceParam = optional(choice('Where the goods come from.', SOURCES))
const targetParam = (description: string) =>
  optional(str(description, { min: 1, example: 'storage' }))

/** Refusals of deposits and withdrawals: goods, packages, credits, given ships and ships in tow. */
const MOVE_ERRORS = [
  ...words('invalid_payload no_storage_service unknown_item insufficient_items invalid_target'),
  ...words('not_in_faction quest_item not_tradeable storage_full trading_restricted'),
  ...words('package_storage_full no_faction_storage bucket_not_found no_permission'),
  ...words('faction_not_found no_credits faction_no_credits amount_too_large wrong_empire'),
  ...words('wrong_station station_not_found player_not_found freight_locked active_ship'),
  ...words('ship_not_found ship_occupied issue_item drones_in_bay ship_limit'),
  ...words('no_faction_garage garage_full limit_reached too_long already_towed'),
  ...words('already_listed not_stored_here no_cargo_space hazard_not_supported not_towing'),
  ...words('already_towing no_tow_rig too_large'),
] as const

const TO_STORE =
  'storage (default), cargo, faction, or who receives it: a player, an empire, station:<id>.'
const TO_HOLD = 'cargo (default), storage, or the name of a player, who gets a gift.'

const v1Params = (to: string) =>
  obj({
    item_id: ref(
      ['item', 'package', 'own_ship', 'money'],
      str('Item or module id, id of a package, or of a ship of yours that is given.', {
        min: 1,
        example: 'iron_ore',
      }),
    ),
    quantity: quantity(),
    source: sourceParam,
    target: targetParam(to),
  })

const v2Params = (to: string) =>
  obj({
    item_id: optional(
      ref(
        ['item', 'package', 'money'],
        str('Item or module id of the catalog, or credits.', { min: 1, example: 'iron_ore' }),
      ),
    ),
    quantity: optional(quantity()),
    items: optional(rows(LIST_ROWS_MAX)),
    source: optional(str('cargo, storage, or faction.', { min: 1, example: 'cargo' })),
    target: targetParam(to),
    bucket: optional(str('Bucket of a faction store the goods come from.', { min: 1 })),
    dest_bucket: optional(str('Bucket of a faction store the goods go to.', { min: 1 })),
    station_id: optional(ref('base', str('Must be the base you are docked at.', { min: 1 }))),
  })

interface V2Move {
  readonly item_id?: string
  readonly quantity?: number
  readonly items?: readonly { readonly item_id: string; readonly quantity: number }[]
  readonly credits?: number
  readonly ship_id?: string
  readonly source?: string
  readonly target?: string
  readonly message?: string
  readonly bucket?: string
  readonly dest_bucket?: string
  readonly station_id?: string
}

/** Handles what v2 adds: several rows, credits, gifts of ships, and a station_id to check. */
function runV2(world: World, player: Eid, verb: StorageVerb, params: V2Move) {
  const base = dockedBase(world, player)
  const { item_id, items, credits, ship_id, station_id } = params
  if (station_id !== undefined && baseById(world, station_id) !== base)
    return fail('wrong_station', { base_id: station_id })
  const message = readMessage(params.message)
  if (!message.ok) return message
  const { source, target, bucket, dest_bucket } = params
  const move = { verb, player, base, source, target, bucket, dest_bucket, message: message.result }
  const givenCount = [item_id, items, credits, ship_id].filter(
    (given) => given !== undefined,
  ).length
  if (givenCount !== 1) {
    const expected = 'given, or items, or credits, or ship_id: one of the four'
    return invalidFields({ field: 'item_id', expected })
  }
  if (items) return moveRows(world, move, items)
  if (ship_id !== undefined) return moveGivenShip(world, move, ship_id)
  if (credits !== undefined) return moveCredits(world, move, credits)
  if (item_id === undefined || params.quantity === undefined) {
    return invalidFields({ field: 'quantity', expected: 'a number of units' })
  }
  return moveStorage(world, { ...move, item_id, quantity: params.quantity })
}

const CHANGES = ['player', 'ship', 'cargo', 'location'] as const

export const depositItems: MutationDef = mutation({
  name: 'deposit_items',
  summary: 'Put goods from the hold into your storage at this base, or into that of a player.',
  category: 'storage',
  order: 'plain',
  needs: [DOCKED],
  changes: CHANGES,
  params: v1Params(TO_STORE),
  result: depositSchema,
  errors: MOVE_ERRORS,
  run: (world, player, params) =>
    moveStorage(world, { verb: 'deposit', player, base: dockedBase(world, player), ...params }),
})

export const depositV2: MutationDef = mutation({
  name: 'deposit',
  v1: false,
  v1Name: 'deposit_items',
  v2: { tool: 'game_storage', action: 'deposit' },
  summary: 'Put goods into your storage at this base, or give goods or credits to a player.',
  category: 'storage',
  order: 'plain',
  needs: [AT_STORAGE],
  changes: CHANGES,
  params: obj({
    ...v2Params(TO_STORE).properties,
    credits: optional(
      int('Credits to give to the target, or with source=faction out of the treasury.', { min: 1 }),
    ),
    ship_id: optional(
      ref(
        'own_ship',
        str('A ship of yours that you do not fly, given to the target from anywhere.', { min: 1 }),
      ),
    ),
    message: optional(
      str('Message that goes with a gift.', {
        max: GIFT_MESSAGE_CHARACTERS_MAX,
        example: 'Good luck!',
      }),
    ),
  }),
  result: depositSchema,
  errors: MOVE_ERRORS,
  run: (world, player, params) => runV2(world, player, 'deposit', params),
})

export const withdrawItems: MutationDef = mutation({
  name: 'withdraw_items',
  summary: 'Take goods from your storage at this base into the hold.',
  category: 'storage',
  order: 'plain',
  needs: [DOCKED],
  changes: CHANGES,
  params: v1Params(TO_HOLD),
  result: withdrawSchema,
  errors: MOVE_ERRORS,
  run: (world, player, params) =>
    moveStorage(world, { verb: 'withdraw', player, base: dockedBase(world, player), ...params }),
})

export const withdrawV2: MutationDef = mutation({
  name: 'withdraw',
  v1: false,
  v1Name: 'withdraw_items',
  v2: { tool: 'game_storage', action: 'withdraw' },
  summary: 'Take goods from your storage at this base into the hold.',
  category: 'storage',
  order: 'plain',
  needs: [AT_STORAGE],
  changes: CHANGES,
  params: obj({
    ...v2Params(TO_HOLD).properties,
    credits: optional(int('Credits out of the treasury of your faction.', { min: 1 })),
  }),
  result: withdrawSchema,
  errors: MOVE_ERRORS,
  run: (world, player, params) => runV2(world, player, 'withdraw', params),
})

interface JettisonParams {
  readonly item_id?: string
  readonly quantity?: number
  readonly items?: readonly { readonly item_id: string; readonly quantity: number }[]
}

function runJettisonPackage(world: World, player: Eid, id: string, units: number) {
  const done = jettisonPackage(world, player, id, units)
  if (!done.ok) return done
  const { container, description } = done.result
  return ok({
    action: 'jettison',
    container_id: container === 0 ? '' : containerId(world, container),
    item_id: done.result.id,
    item_name: kindOfId(done.result.id),
    quantity: 1,
    message: `Jettisoned ${description}; it ${container === 0 ? 'is gone' : 'drifts here'}.`,
  })
}

function runJettison(world: World, player: Eid, params: JettisonParams) {
  const { item_id, items } = params
  if ((item_id === undefined) === (items === undefined)) {
    return invalidFields({ field: 'item_id', expected: 'given with quantity, or items instead' })
  }
  if (items) return jettisonRows(world, player, items)
  if (item_id === undefined || params.quantity === undefined) {
    return invalidFields({ field: 'quantity', expected: 'a number of units' })
  }
  if (isPackageId(item_id)) return runJettisonPackage(world, player, item_id, params.quantity)
  const done = jettisonItem(world, player, item_id, params.quantity)
  if (!done.ok) return done
  const { container, item, units } = done.result
  return ok({
    action: 'jettison',
    container_id: container === 0 ? '' : containerId(world, container),
    item_id: GOODS[item].id,
    item_name: GOODS[item].name,
    quantity: units,
    message:
      container === 0
        ? `Jettisoned ${units} ${GOODS[item].name} into the void.`
        : `Jettisoned ${units} ${GOODS[item].name}; the container drifts here for a while.`,
  })
}

const jettisonShape = {
  summary: 'Throw goods overboard; they drift here for anyone to pick up, and vanish in time.',
  category: 'storage',
  order: 'plain',
  inBattle: true,
  adrift: true,
  needs: [UNDOCKED_OR_ADRIFT],
  changes: ['ship', 'cargo'],
  params: obj({
    item_id: optional(itemId()),
    quantity: optional(quantity()),
    items: optional(rows(JETTISON_ROWS_MAX)),
  }),
  result: jettisonSchema,
  errors: ['invalid_payload', 'unknown_item', 'insufficient_items', 'limit_reached'],
  run: runJettison,
} as const

export const jettison: MutationDef = mutation({
  ...jettisonShape,
  name: 'jettison',
  v2: { tool: 'game', action: 'jettison', rename: { item_id: 'id' } },
})

/** The same command under the address of the storage tool. */
export const jettisonV2: MutationDef = mutation({
  ...jettisonShape,
  name: 'jettison',
  v1: false,
  v2: { tool: 'game_storage', action: 'jettison' },
})
