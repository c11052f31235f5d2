/** Wire forms of prizes. */
import { LIST_ROWS_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId } from '../base/model.ts'
import { ShipCombat } from '../combat/state.ts'
import { shipClassOf, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { prizeId, prizesAt, prizesOf, statusOf, waitReasonOf } from './model.ts'
import { knownPlaceOf } from './rules.ts'
import type { claimedPrizeSchema, recoverySchema } from './schemas.ts'
import { Prize, type seenPrizeSchema } from './state.ts'

/** Renders the prizes at a place, for get_nearby. Source: combat.md section 11, newer.md 4. */
export const renderPrizes = (view: WorldView, poi: Eid): Static<typeof seenPrizeSchema>[] =>
  prizesAt(view, poi)
    .slice(0, LIST_ROWS_MAX)
    .map((prize) => renderSeenPrize(view, prize))

/** Renders a prize as everyone at its place sees it. */
export function renderSeenPrize(view: WorldView, prize: Row): Static<typeof seenPrizeSchema> {
  const ship = view.read(Prize).ship[prize]
  const { hull, hullMax, shield, shieldMax } = view.read(Ship)
  const id = shipId(view, ship)
  const reason = waitReasonOf(view, prize)
  return {
    prize_id: prizeId(view, prize),
    // Attacks target a prize by the id of its hull.
    actor_id: id,
    ship_id: id,
    ship_class: shipClassOf(view, ship).id,
    ship_name: shipName(view, ship),
    status: statusOf(view, prize),
    ...(reason === undefined ? {} : { wait_reason: reason }),
    hull: hull[ship],
    max_hull: hullMax[ship],
    shield: shield[ship],
    max_shield: shieldMax[ship],
    in_combat: view.read(ShipCombat).participant[ship] !== 0,
  }
}

/** Renders a player's prizes that are on their way home. Source: newer.md section 5. */
export const renderRecoveries = (view: WorldView, player: Eid): Static<typeof recoverySchema>[] =>
  prizesOf(view, player).map((prize) => {
    const id = shipId(view, view.read(Prize).ship[prize])
    return {
      ...renderClaimed(view, prize),
      // Attacks target a prize by the id of its hull.
      actor_id: id,
      crew_disposition: view.read(Prize).reserve[prize] === 0 ? 'aboard' : 'faction_reserve',
      prize_crew_fit: view.read(Ship).crewFit[view.read(Prize).ship[prize]],
    }
  })

/** Renders a prize for its claimant. */
export function renderClaimed(
  view: WorldView,
  prize: Row,
): Omit<Static<typeof claimedPrizeSchema>, 'action' | 'message'> {
  const { ship, destination } = view.read(Prize)
  const hull = ship[prize]
  const { fuel, fuelMax, hull: points, hullMax } = view.read(Ship)
  const wait = waitReasonOf(view, prize)
  return {
    prize_id: prizeId(view, prize),
    ship_id: shipId(view, hull),
    ship_class: shipClassOf(view, hull).id,
    ship_name: shipName(view, hull),
    status: statusOf(view, prize),
    ...(wait ? { wait_reason: wait } : {}),
    destination_base_id: baseId(view, destination[prize]),
    ...knownPlaceOf(view, prize),
    fuel: fuel[hull],
    max_fuel: fuelMax[hull],
    hull: points[hull],
    max_hull: hullMax[hull],
  }
}
