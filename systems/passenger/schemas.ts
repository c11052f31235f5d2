/** Wire shapes of passengers. Source: contract, PassengerView and its containers. */
import { bools, ints, list, mapOf, named, obj, opt, strings, Type } from '../../core/params.ts'
import { passengerSchema } from './state.ts'

export const waitingSchema = named('WaitingPassenger', {
  ...strings('citizen_id', 'name', 'bio', 'class', 'citizenship'),
  ...strings('destination', 'destination_name'),
  ...opt(strings('destination_system')),
  ...opt(ints('estimated_fare')),
})

export const loungeSchema = named('TransitLounge', {
  ...strings('lounge'),
  ...ints('capacity', 'occupancy'),
  passengers: list(passengerSchema),
})

export const stationSchema = obj({
  ...strings('station', 'demand_level', 'market_conditions'),
  ...ints('count'),
  fare_surge: Type.Number(),
  waiting: list(waitingSchema),
  ...opt({ transit_lounge: loungeSchema }),
})

const berthCount = obj(ints('total', 'free'))

export const aboardSchema = obj({
  ...ints('count'),
  passengers: list(passengerSchema),
  ...opt(strings('onboard_service')),
  ...opt({ berths: obj({ economy: berthCount, business: berthCount, first: berthCount }) }),
})

const autoMoves = opt(bools('auto_docked', 'auto_undocked'))

export const loadSchema = obj({
  ...strings('message'),
  ...ints('count', 'total_fare'),
  ...opt(ints('skipped_unfunded')),
  loaded: list(passengerSchema),
  ...autoMoves,
})

const single = obj({
  kind: Type.Literal('single'),
  ...strings('name', 'message'),
  ...ints('fare_collected'),
  ...bools('delivered'),
  ...opt(ints('base_fare', 'speed_bonus')),
  ...autoMoves,
})

const all = obj({
  kind: Type.Literal('all'),
  ...strings('message'),
  ...ints('fare_collected'),
  delivered: list(passengerSchema),
  stranded: list(passengerSchema),
  ...opt({ reputation_changes: mapOf(Type.Integer()) }),
  ...autoMoves,
})

const transfer = obj({
  kind: Type.Literal('transfer'),
  ...strings('message', 'target_ship', 'target_ship_name'),
  ...ints('count'),
  transferred: list(passengerSchema),
  ...opt(ints('skipped_expired', 'skipped_no_berth')),
  ...autoMoves,
})

const checkIn = obj({
  kind: Type.Literal('lounge_checkin'),
  ...strings('message', 'lounge'),
  ...ints('count', 'capacity', 'occupancy'),
  checked_in: list(passengerSchema),
  ...opt(ints('deadline_bonus_ticks', 'skipped_expired', 'skipped_full')),
  ...autoMoves,
})

export const unloadSchema = Type.Union([single, all, transfer, checkIn])
