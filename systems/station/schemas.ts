/** Wire shapes of founding bases and of their settings. Source: contract. */
import { ID_CHARACTERS_MAX } from '../../core/limits.ts'
import { bools, ints, list, mapOf, obj, opt, str, strings, Type } from '../../core/params.ts'
import { STATION_NAME_CHARACTERS_MAX } from './state.ts'

export const nameParam = () =>
  str(`Name, 3 to ${STATION_NAME_CHARACTERS_MAX} characters; no other base has it.`, {
    max: ID_CHARACTERS_MAX,
    example: 'Lantern Rest',
  })

export const foundedSchema = obj({
  ...strings('base_id', 'hint', 'name', 'poi_id', 'system_id'),
  ...ints('fee_paid'),
  ...bools('public_access'),
  ...opt(bools('auto_docked', 'auto_undocked')),
})

export const dismantledSchema = obj({
  ...strings('base_id', 'hint', 'kit_item', 'name'),
  ...ints('fee_refunded'),
  ...bools('kit_refunded'),
  ...opt(bools('auto_docked', 'auto_undocked')),
})

export const costSchema = obj({
  ...strings('requirements', 'station_core_item'),
  ...ints('founding_fee', 'max_per_faction'),
  ...bools('eligible_here'),
  ...opt(strings('reason')),
})

export const configSchema = obj({
  ...strings('action', 'base_id', 'name'),
  ...bools('allow_outsider_facilities', 'auto_buy_fuel', 'public_access'),
  ...opt(strings('description', 'message')),
  ...opt(ints('market_fee_bps', 'refuel_price_each', 'repair_price_per_hull')),
  ...opt({
    allowed_factions: list(Type.String()),
    allowed_players: list(Type.String()),
    banned_players: list(Type.String()),
    service_access: mapOf(Type.String()),
  }),
})
