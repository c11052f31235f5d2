/** Trades between two players who are in one place. Source: trade-storage.md section 2. */
import { immediate, mutation, query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { QUANTITY_MAX } from '../../core/limits.ts'
import { int, NO_PARAMS, obj, optional, ref, str, Type } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { MAY_TRADE } from '../combat/needs.ts'
import { declineOffer, offerTrade, withdrawOffer } from './offers-commands.ts'
import { acceptSchema, messageSchema, offerSchema, tradesSchema } from './schemas.ts'
import { TRADE_LINES_MAX } from './state.ts'
import { acceptTrade } from './swap-commands.ts'
import { renderTrades } from './views.ts'

const lines = (words: string) =>
  Type.Array(
    obj({
      item_id: ref(
        ['item', 'package'],
        str('Item or module id, or the id of a package.', { min: 1, example: 'iron_ore' }),
      ),
      quantity: int('Units; 1 of a package.', { min: 0, max: QUANTITY_MAX, example: 10 }),
    }),
    {
      description: `${words}, at most ${TRADE_LINES_MAX} lines; those of one item are summed.`,
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
    offer_items: optional(lines('What you give out of your hold')),
    offer_credits: optional(int('Credits you give.', { min: 0, example: 100 })),
    request_items: optional(lines('What you want out of their hold')),
    request_credits: optional(int('Credits you want.', { min: 0, example: 100 })),
  }),
  result: offerSchema,
  errors: [
    'invalid_payload',
    'invalid_target',
    'target_cloaked',
    'empty_trade',
    'unknown_item',
    'quest_item',
    'not_tradeable',
    'insufficient_items',
    'no_credits',
    'limit_reached',
    'rate_limited',
  ],
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
  errors: [
    'trade_not_found',
    'trade_expired',
    'not_your_trade',
    'location_changed',
    'offerer_insufficient_items',
    'offerer_insufficient_credits',
    'insufficient_items',
    'no_credits',
    'quest_item',
    'not_tradeable',
    'hazard_not_supported',
    'target_no_space',
    'offerer_no_space',
    'amount_too_large',
    'limit_reached',
  ],
  run: (world, player, { trade_id }) => acceptTrade(world, player, trade_id),
})

const ENDING_ERRORS = ['trade_not_found', 'trade_expired', 'not_your_trade'] as const

export const tradeDecline = immediate({
  name: 'trade_decline',
  v2: { tool: 'game_transfer', action: 'trade_decline' },
  summary: 'Decline a trade that was offered to you.',
  category: 'trading',
  needs: [],
  params: obj({ trade_id: tradeIdParam }),
  result: messageSchema,
  errors: ENDING_ERRORS,
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
  errors: ENDING_ERRORS,
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
