/** The penalty for a self-destruct that was not paid for: no trade with others for a while. */
import type { Need } from '../../core/command.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Lives } from './columns.ts'

/** Why a player may not trade with others or give them anything. Source: travel.md section 0. */
export function refusesTrade(view: WorldView, player: Eid): Failure | undefined {
  const until = view.read(Lives).restrictedUntil[player]
  if (until === 0 || view.tick > until) return undefined
  return fail('trading_restricted', { until_tick: until })
}

/** For commands that always deal with others. */
export const MAY_TRADE: Need = {
  name: 'may_trade',
  errors: ['trading_restricted'],
  check: refusesTrade,
  ensure: refusesTrade,
}
