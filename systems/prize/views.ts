/** Wire forms of prizes. */
import { LIST_ROWS_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/world.ts'
import { baseId } from '../base/rules.ts'
import { Ship } from '../ship/columns.ts'
import { shipClassOf, shipId, shipName } from '../ship/rules.ts'
import { Prize } from './columns.ts'
import { prizeId, prizesAt, prizesOf, statusOf, waitOf } from './holdings.ts'
import type { claimedPrizeSchema, recoverySchema } from './schemas.ts'
import { placeOf } from './tell.ts'

/** Prizes at a place, for get_nearby. Source: combat.md section 11. */
export function renderPrizes(view: WorldView, poi: Eid) {
  const { ship } = view.read(Prize)
  return prizesAt(view, poi)
    .slice(0, LIST_ROWS_MAX)
    .map((prize) => ({
      prize_id: prizeId(view, prize),
      ship_class: shipClassOf(view, ship[prize]).id,
      ship_name: shipName(view, ship[prize]),
      status: statusOf(view, prize),
    }))
}

/** Prizes of a player on their way home. Source: newer.md section 5. */
export const renderRecoveries = (view: WorldView, player: Eid): Static<typeof recoverySchema>[] =>
  prizesOf(view, player).map((prize) => {
    const id = shipId(view, view.read(Prize).ship[prize])
    return {
      ...renderClaimed(view, prize),
      // what shoots at it names it by its hull
      actor_id: id,
      crew_disposition: view.read(Prize).reserve[prize] === 0 ? 'aboard' : 'faction_reserve',
      prize_crew_fit: view.read(Ship).crewFit[view.read(Prize).ship[prize]],
    }
  })

/** A prize for the answer to its claimant. */
export function renderClaimed(
  view: WorldView,
  prize: Row,
): Omit<Static<typeof claimedPrizeSchema>, 'action' | 'message'> {
  const { ship, destination } = view.read(Prize)
  const hull = ship[prize]
  const { fuel, fuelMax, hull: points, hullMax } = view.read(Ship)
  const wait = waitOf(view, prize)
  return {
    prize_id: prizeId(view, prize),
    ship_id: shipId(view, hull),
    ship_class: shipClassOf(view, hull).id,
    ship_name: shipName(view, hull),
    status: statusOf(view, prize),
    ...(wait ? { wait_reason: wait } : {}),
    destination_base_id: baseId(view, destination[prize]),
    ...placeOf(view, prize),
    fuel: fuel[hull],
    max_fuel: fuelMax[hull],
    hull: points[hull],
    max_hull: hullMax[hull],
  }
}
