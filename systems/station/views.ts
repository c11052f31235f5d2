/** Wire form of a station's settings. Source: contract, StationConfigResponse. */
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { factionTag } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import {
  accessOf,
  FEE_BPS_DEFAULT,
  guestsOf,
  isOutpost,
  REPAIR_CREDITS,
  stationFeeBps,
} from './model.ts'
import type { configSchema } from './schemas.ts'
import { GATED_SERVICES, Station } from './state.ts'

/** Returns the names of the players with these numbers, without those who are gone. */
const playersOf = (view: WorldView, numbers: readonly number[]): string[] =>
  numbers.flatMap((number) => {
    const row = view.rowOf(Player, number)
    return row === 0 ? [] : [usernameOf(view, row)]
  })

const factionsOf = (view: WorldView, numbers: readonly number[]): string[] =>
  numbers.flatMap((number) => {
    const row = view.rowOf(Faction, number)
    return row === 0 ? [] : [factionTag(view, row)]
  })

/**
 * Renders the settings of a faction's base, fewer for an outpost. Prices are those announced, which
 * may take effect only some ticks later.
 */
export function renderConfig(
  view: WorldView,
  base: Eid,
  action: string,
  message?: string,
): Static<typeof configSchema> {
  const { open, outsidersBuild, buysFuel, fuelNext, repairNext } = view.read(Station)
  const shared = {
    action,
    base_id: baseId(view, base),
    name: baseName(view, base),
    description: view.texts.get(view.read(Base).description[base]),
    public_access: open[base] === 1,
    allow_outsider_facilities: outsidersBuild[base] === 1,
    auto_buy_fuel: buysFuel[base] === 1,
    ...(message === undefined ? {} : { message }),
  }
  if (isOutpost(view, base)) return shared
  const { players, factions, banned } = guestsOf(view, base)
  return {
    ...shared,
    market_fee_bps: stationFeeBps(view, base, { player: 0, faction: 0 }) ?? FEE_BPS_DEFAULT,
    refuel_price_each: fuelNext[base],
    repair_price_per_hull: repairNext[base] || REPAIR_CREDITS,
    service_access: Object.fromEntries(
      GATED_SERVICES.map((service) => [service, accessOf(view, base, service)]),
    ),
    allowed_players: playersOf(view, players),
    allowed_factions: factionsOf(view, factions),
    banned_players: playersOf(view, banned),
  }
}
