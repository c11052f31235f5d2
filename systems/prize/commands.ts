/** What the commands about prizes ask first: which prize, whose, where, and where to. */
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseById } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { factionOf, runsService } from '../faction/model.ts'
import { seesPoi } from '../sensing/model.ts'
import { poiOf } from '../travel/drift-model.ts'
import { routeBetween } from '../travel/model.ts'
import { dockingRefusal } from '../travel/rules.ts'
import { AT_POI, Location, Poi } from '../travel/state.ts'
import { prizeById, whereOf } from './model.ts'
import { Prize } from './state.ts'

/** A prize the player may know of. Refusal: prize_not_found. */
export function findPrize(view: WorldView, player: Eid, id: string): Outcome<Row> {
  const prize = prizeById(view, id)
  if (prize === 0) return fail('prize_not_found', { prize_id: id })
  const { ship, claimant } = view.read(Prize)
  const poi = whereOf(view, ship[prize])
  const isKnown =
    claimant[prize] === player || poi === poiOf(view, player) || seesPoi(view, player, poi)
  return isKnown ? ok(prize) : fail('prize_not_found', { prize_id: id })
}

/** A prize the player has claimed. Refusals: prize_not_found, not_owner. */
export function findOwn(view: WorldView, player: Eid, id: string): Outcome<Row> {
  const found = findPrize(view, player, id)
  if (!found.ok) return found
  const isOwn = view.read(Prize).claimant[found.result] === player
  return isOwn ? found : fail('not_owner', { prize_id: id })
}

const RECOVERY = 'prize_recovery'

/**
 * A prize the player may bring fuel and kits to: their own, or one of a mate whose faction runs a
 * Prize Recovery Yard. Refusals: prize_not_found, not_owner. Source: newer.md section 5.
 */
export function findServed(view: WorldView, player: Eid, id: string): Outcome<Row> {
  const found = findPrize(view, player, id)
  if (!found.ok) return found
  const claimant = view.read(Prize).claimant[found.result]
  if (claimant === player) return found
  const faction = factionOf(view, player)
  const isMates = claimant !== 0 && faction !== 0 && factionOf(view, claimant) === faction
  if (isMates && runsService(view, faction, RECOVERY)) return found
  return fail(
    'not_owner',
    { prize_id: id },
    isMates
      ? 'Another member of your faction has claimed this prize: it takes a Prize Recovery Yard of your faction, in operation, before mates may refuel or repair it.'
      : 'You have not claimed this prize, and no member of your faction has.',
  )
}

/** Refusals: prize_moving, not_at_prize. */
export function reachRefusal(view: WorldView, player: Eid, prize: Row): Failure | undefined {
  const { state, poi } = view.read(Location)
  const hull = view.read(Prize).ship[prize]
  if (state[hull] !== AT_POI) return fail('prize_moving')
  return poi[hull] === poiOf(view, player) ? undefined : fail('not_at_prize')
}

/**
 * The base a prize is to be taken to: known to the player, open to them, at the end of lanes.
 * Refusals: station_not_found, invalid_base.
 */
export function findHarbour(view: WorldView, player: Eid, prize: Row, id: string): Outcome<Eid> {
  const base = baseById(view, id)
  const poi = base === 0 ? 0 : view.read(Base).poi[base]
  if (base === 0 || !seesPoi(view, player, poi)) return fail('station_not_found', { base_id: id })
  const { system } = view.read(Poi)
  const from = system[whereOf(view, view.read(Prize).ship[prize])]
  const isOpen = !dockingRefusal(view, player, base)
  const isReached = routeBetween(view, system[poi], from) !== undefined
  return isOpen && isReached ? ok(base) : fail('invalid_base', { base_id: id })
}
