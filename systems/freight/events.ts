/** What the parties of contracts are told. Never muted. Source: crafting.md section 10, 15. */
import { defineEvent } from '../../core/event.ts'
import { choice, ints, obj, opt, strings } from '../../core/params.ts'

/** Append at the end. */
export const SHIPMENT_NEWS = [
  'accepted',
  'delivered',
  'returned',
  'canceled',
  'expired',
  'breached',
  'defaulted',
] as const
export type ShipmentNews = (typeof SHIPMENT_NEWS)[number]

export const shipmentUpdate = defineEvent({
  type: 'shipment_update',
  summary: 'A freight contract of yours was taken up, settled or broken.',
  fields: obj({
    ...ints('tick'),
    event: choice('What happened.', SHIPMENT_NEWS),
    ...strings('shipment_id', 'package_id', 'status', 'message'),
    ...strings('origin_base_id', 'destination_base_id'),
    ...opt(ints('deadline_tick', 'carrier_payout', 'shipper_refund')),
    ...opt(ints('claim_paid', 'debt_created')),
  }),
  queue: 'system',
})

export const shipmentOverdue = defineEvent({
  type: 'shipment_overdue',
  summary: 'A package under a freight contract is late; told twice before the contract fails.',
  fields: obj({
    ...ints('tick', 'deadline_tick', 'recovery_deadline_tick', 'ticks_left', 'late_fee'),
    ...strings('shipment_id', 'package_id', 'destination_base_id', 'message'),
  }),
  queue: 'system',
})
