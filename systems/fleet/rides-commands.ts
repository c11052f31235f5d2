/** The actions `board` and `disembark`. Source: factions.md section 8. */
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseName } from '../base/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { dronesOfShip } from '../drone/model.ts'
import { factionOf, memberRefusal } from '../faction/model.ts'
import { storeShip } from '../fitting/activation-rules.ts'
import { garageRefusal, storingRefusal } from '../fitting/model.ts'
import { storeInGarage } from '../fitting/rules.ts'
import { settleDebts } from '../law/rules.ts'
import { hasPassengers } from '../passenger/list-model.ts'
import { riderBerths } from '../passenger/model.ts'
import { counterpartyIdentity, playerMeant, sightOf } from '../sensing/model.ts'
import { modulesOf, shipId } from '../ship/model.ts'
import { Module, Ship } from '../ship/state.ts'
import { dockedBase } from '../travel/location-model.ts'
import { dockingRefusal } from '../travel/rules.ts'
import { carrierOf, fleetOf, isLeader, membersOf, ridersOf, sizeMax } from './model.ts'
import { addMember, formFleet, notifyFleet, putAshore, rideWith } from './rules.ts'
import { Fleet } from './state.ts'

const nameOf = (view: WorldView, player: Eid): string =>
  counterpartyIdentity(view, player).name || 'a pilot'

/* Refusals */

/**
 * Refuses a carrier whom the player may not board: not_docked, invalid_target, not_same_faction,
 * already_in_fleet, fleet_full, limit_reached, no_berths.
 */
function carrierRefusal(view: WorldView, player: Eid, carrier: Eid) {
  const base = dockedBase(view, player)
  // The leader of the player's fleet may have undocked their ship earlier in this tick.
  if (base === 0) return fail('not_docked')
  const isHere = carrier !== 0 && carrier !== player && dockedBase(view, carrier) === base
  if (!isHere || sightOf(view, player, carrier) === 'nothing') return fail('invalid_target')
  if (factionOf(view, carrier) !== factionOf(view, player)) return fail('not_same_faction')
  const ship = view.read(Player).ship[carrier]
  const fleet = fleetOf(view, carrier)
  if (ship === 0) return fail('invalid_target', undefined, 'That player has no ship.')
  if (fleet !== 0 && !isLeader(view, carrier)) {
    return fail(
      'invalid_target',
      undefined,
      'That player does not lead their fleet: board its leader, or a player in no fleet.',
    )
  }
  if (fleetOf(view, player) !== 0 && fleetOf(view, player) !== fleet) {
    return fail('already_in_fleet')
  }
  if (ridersOf(view, player).length > 0) {
    return fail(
      'invalid_target',
      undefined,
      'You carry passengers yourself; they must disembark first.',
    )
  }
  if (fleet === 0 && isNearlyFull(view, Fleet)) return fail('limit_reached')
  const isFull = fleet !== 0 && membersOf(view, fleet).length >= sizeMax(view, fleet)
  if (isFull && fleetOf(view, player) === 0)
    return fail('fleet_full', { max: sizeMax(view, fleet) })
  const [berths, taken] = [riderBerths(view, ship), ridersOf(view, carrier).length]
  return taken < berths ? undefined : fail('no_berths', { berths, taken })
}

/**
 * Refuses to store the player's ship: drones_in_bay, storage_full, limit_reached, ship_occupied,
 * issue_item, and the refusals of garageRefusal.
 */
function shipStoringRefusal(view: WorldView, player: Eid, ship: Eid, isGaraged: boolean) {
  const base = dockedBase(view, player)
  if (dronesOfShip(view, ship).length > 0) return fail('drones_in_bay')
  const refused = storingRefusal(view, ship, base)
  if (refused || !isGaraged) return refused
  // A ship in the garage has no owner who could answer for its passengers.
  if (hasPassengers(view, ship)) return fail('ship_occupied')
  const { issue } = view.read(Module)
  const isIssue = modulesOf(view, ship).some((module) => issue[module] === 1)
  if (view.read(Ship).issue[ship] === 1 || isIssue) return fail('issue_item')
  return garageRefusal(view, factionOf(view, player), base)
}

/* board */

/** Parameters of all actions of `fleet`. */
export interface FleetParams {
  readonly player_id?: string
  readonly garage?: boolean
}

/** Boards the ship of a faction member; the player's own is stored, or goes to the garage. */
export function board(world: World, player: Eid, { player_id = '', garage = false }: FleetParams) {
  const notMember = memberRefusal(world, player)
  if (notMember) return notMember
  if (carrierOf(world, player) !== 0) {
    return fail('invalid_target', undefined, 'You already ride in another ship; disembark first.')
  }
  const carrier = playerMeant(world, player, player_id)
  const ship = world.read(Player).ship[player]
  const refused =
    carrierRefusal(world, player, carrier) ??
    (ship === 0 ? undefined : shipStoringRefusal(world, player, ship, garage))
  if (refused) return refused
  const id = ship === 0 ? '' : shipId(world, ship)
  if (ship !== 0) storeShip(world, player)
  if (ship !== 0 && garage) storeInGarage(world, ship, factionOf(world, player))
  rideWith(world, player, carrier)
  const fleet = fleetOf(world, carrier) || formFleet(world, carrier)
  if (fleetOf(world, player) === 0) addMember(world, fleet, player)
  const rider = nameOf(world, player)
  const message = `${rider} rides with ${nameOf(world, carrier)}.`
  notifyFleet(world, fleet, { event: 'boarded', player, message })
  return ok({
    carrier: counterpartyIdentity(world, carrier).name,
    carrier_ship_id: shipId(world, world.read(Player).ship[carrier]),
    garaged_ship_id: garage ? id : '',
    parked_ship_id: garage ? '' : id,
    message: `You ride with ${nameOf(world, carrier)}; disembark at any base.`,
  }) satisfies Outcome<unknown>
}

/* disembark */

/** Puts a passenger ashore at a base, settles their debts there, and notifies their fleet. */
export function disembarkAt(world: World, player: Eid, base: Row): void {
  const fleet = fleetOf(world, carrierOf(world, player))
  putAshore(world, player, base)
  settleDebts(world, player, base)
  if (fleet === 0) return
  const message = `${nameOf(world, player)} disembarked at ${baseName(world, base)}.`
  const to = [...new Set([...membersOf(world, fleet), player])]
  notifyFleet(world, fleet, { event: 'disembarked', player, message, to })
}

/** Leaves the carrier at the base where it is docked. Refusals: not_riding, access_denied, … */
export function disembark(world: World, player: Eid) {
  if (carrierOf(world, player) === 0) return fail('not_riding')
  const base = dockedBase(world, player)
  if (base === 0) return fail('not_docked')
  const refused = dockingRefusal(world, player, base)
  if (refused) return refused
  disembarkAt(world, player, base)
  const name = baseName(world, base)
  return ok({
    message: say`You are ashore at ${name}: {switch_ship} activates a ship of yours here.`,
  })
}
