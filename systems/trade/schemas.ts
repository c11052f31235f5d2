/** Events and answers of trades. No event can be muted. Source: trade-storage.md section 2. */
import { defineEvent } from '../../core/event.ts'
import { ints, list, obj, opt, strings } from '../../core/params.ts'
import { say } from '../../core/say.ts'

const lines = list(obj({ ...strings('item_id'), ...ints('quantity'), ...opt(strings('name')) }))

export const tradeOfferReceived = defineEvent({
  type: 'trade_offer_received',
  summary: say`A player beside you offers you a trade; {trade_accept} and {trade_decline} answer it.`,
  fields: obj({
    ...strings('trade_id', 'offerer_id', 'offerer_name', 'expires_at'),
    offer_items: lines,
    ...ints('offer_credits'),
    request_items: lines,
    ...ints('request_credits'),
  }),
  queue: 'trade',
})

export const tradeComplete = defineEvent({
  type: 'trade_complete',
  summary: 'Your trade offer was accepted; both sides have changed hands.',
  fields: obj({ ...strings('trade_id', 'message'), ...opt(ints('your_credits')) }),
  queue: 'trade',
})

export const tradeDeclined = defineEvent({
  type: 'trade_declined',
  summary: 'Your trade offer was declined.',
  fields: obj(strings('trade_id', 'message')),
  queue: 'trade',
})

export const tradeCancelled = defineEvent({
  type: 'trade_cancelled',
  summary: 'A trade offer was withdrawn, or could not be kept.',
  fields: obj(strings('trade_id', 'message')),
  queue: 'trade',
})

const entrySchema = obj({
  ...strings('trade_id', 'expires_at'),
  offer_items: lines,
  request_items: lines,
  ...opt(ints('offer_credits', 'request_credits')),
  ...opt(strings('offerer_name', 'target_name')),
})

export const tradesSchema = obj({ incoming: list(entrySchema), outgoing: list(entrySchema) })

export const offerSchema = obj(strings('message', 'trade_id'))

export const acceptSchema = obj({ ...strings('message', 'trade_id'), ...opt(ints('your_credits')) })

export const messageSchema = obj(strings('message'))
