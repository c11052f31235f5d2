/** What players are told of storage. Source: trade-storage.md section 3. */
import { defineEvent } from '../../core/event.ts'
import { ints, list, obj, opt, strings } from '../../core/params.ts'
import { say } from '../../core/say.ts'

export const giftReceived = defineEvent({
  type: 'gift_received',
  summary: say`Somebody gave you something; {view_storage} at that base lists it. Once a tick at most.`,
  fields: obj({
    ...strings('sender', 'sender_id', 'base_id', 'timestamp'),
    ...opt({
      items: list(obj({ ...strings('item_id', 'name'), ...ints('quantity') })),
      ...ints('credits'),
      ships: list(obj(strings('ship_id', 'class_id', 'class_name'))),
      ...strings('message'),
    }),
  }),
  queue: 'trade',
})
