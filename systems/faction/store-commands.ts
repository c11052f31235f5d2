/** Storage and treasury of a faction. Source: trade-storage.md section 4. */
import { answerAs, type CommandDef, type MutationDef, mutation, query } from '../../core/command.ts'
import {
  bools,
  choice,
  int,
  ints,
  itemId,
  obj,
  opt,
  optional,
  quantity,
  ref,
  str,
  strings,
  words,
} from '../../core/params.ts'
import { depositSchema, withdrawSchema } from '../cargo/schemas.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { factionStorageSchema } from './schemas.ts'
import { FACTION_MOVE_ERRORS, transferWithFaction } from './transfer-rules.ts'
import { payIn, payOut } from './treasury-rules.ts'
import { viewFactionStorageAt } from './views.ts'

const SOURCES = ['cargo', 'storage', 'faction'] as const

const moveParams = (to: string) =>
  obj({
    item_id: itemId('Item or module id, id of a package, `fuel` from the tank, or `credits`.', {
      isOpen: true,
    }),
    quantity: quantity(),
    source: optional(choice('Where the goods come from.', SOURCES)),
    target: optional(str(to, { min: 1, example: 'faction' })),
  })

const moving = {
  category: 'faction',
  order: 'plain',
  needs: [DOCKED],
  changes: ['player', 'ship', 'cargo', 'location'],
  errors: FACTION_MOVE_ERRORS,
} as const

export const factionDepositItems: MutationDef = mutation({
  ...moving,
  name: 'faction_deposit_items',
  v2Name: 'game_storage/deposit',
  summary: 'Put goods, or fuel from the tank, into the store of your faction at this base.',
  params: moveParams('faction (default), faction:<bucket>, faction:<tag of another>, or storage.'),
  result: depositSchema,
  run: (world, player, params) =>
    transferWithFaction(world, {
      verb: 'deposit',
      player,
      base: dockedBase(world, player),
      ...params,
    }),
})

export const factionWithdrawItems: MutationDef = mutation({
  ...moving,
  name: 'faction_withdraw_items',
  v2Name: 'game_storage/withdraw',
  summary: 'Take goods out of the store of your faction at this base.',
  params: moveParams('cargo (default), storage, or faction:<bucket>.'),
  result: withdrawSchema,
  run: (world, player, params) =>
    transferWithFaction(world, {
      verb: 'withdraw',
      player,
      base: dockedBase(world, player),
      ...params,
    }),
})

const amount = int('Credits.', { min: 1, example: 1_000 })
const paid = obj({
  ...strings('action'),
  ...ints('amount', 'faction_credits', 'player_credits'),
  ...opt(bools('auto_docked', 'auto_undocked')),
})

const paying = {
  category: 'faction',
  order: 'plain',
  needs: [],
  changes: ['player'],
  params: obj({ amount }),
  result: paid,
} as const

export const factionDepositCredits: MutationDef = mutation({
  ...paying,
  name: 'faction_deposit_credits',
  v2Name: 'game_storage/deposit',
  summary: 'Pay credits into the treasury of your faction.',
  errors: words('not_in_faction trading_restricted no_credits faction_no_credits amount_too_large'),
  // Refusals of gifts cannot occur: the treasury is that of the player's own faction.
  run: (world, player, params) => answerAs(paid, payIn(world, player, params.amount)),
})

export const factionWithdrawCredits: MutationDef = mutation({
  ...paying,
  name: 'faction_withdraw_credits',
  v2Name: 'game_storage/withdraw',
  summary: 'Take credits out of the treasury of your faction.',
  errors: words('not_in_faction no_permission no_credits faction_no_credits amount_too_large'),
  run: (world, player, params) => payOut(world, player, params.amount),
})

export const viewFactionStorage: CommandDef = query({
  name: 'view_faction_storage',
  v2Name: 'game_storage/view',
  summary: 'List what your faction has at a base, its credits, and who moved what recently.',
  category: 'faction',
  needs: [],
  params: obj({
    station_id: optional(
      ref(
        'base',
        str('Base to look at; absent: the one you are docked at.', { min: 1, example: 'base' }),
      ),
    ),
  }),
  result: factionStorageSchema,
  errors: words(
    'not_in_faction station_not_found not_docked in_transit no_faction_storage bucket_not_found',
  ),
  run: (view, player, { station_id }) => viewFactionStorageAt(view, player, station_id),
})
