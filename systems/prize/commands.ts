/** Servicing a prize on its way home, and finding prizes and their destinations. */
import { assert } from '../../core/assert.ts'
import { mutation } from '../../core/command.ts'
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { namedContainer } from '../../core/goods.ts'
import { choice, int, itemId, obj, optional, ref, str, words } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { baseById } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { ShipCombat } from '../combat/state.ts'
import { factionOf, runsService } from '../faction/model.ts'
import { logAction } from '../log/rules.ts'
import { seesPoi } from '../sensing/model.ts'
import { activeShip, unloadCargo } from '../ship/model.ts'
import { kitsText, planKitRepair } from '../ship/repair-model.ts'
import { mendHull } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { poiOf } from '../travel/location-model.ts'
import { routeBetween } from '../travel/model.ts'
import { dockingRefusal } from '../travel/rules.ts'
import { AT_POI, Location, Poi } from '../travel/state.ts'
import {
  lastPoiOf,
  prizeById,
  REMOTE_ACTIONS,
  SERVICE_ACTIONS,
  type ServiceAction,
  statusOf,
  waitReasonOf,
} from './model.ts'
import { BESIDE_PRIZE, type ServiceParams } from './needs.ts'
import { notifyPrize, setStatus, wakePrize } from './rules.ts'
import { claimedPrizeSchema } from './schemas.ts'
import { Prize } from './state.ts'
import { renderClaimed } from './views.ts'

/** Finds a prize that the player knows of. Refusal: prize_not_found. */
export function findPrize(
  view: WorldView,
  player: Eid,
  id: string,
): Outcome<Row, 'prize_not_found'> {
  const prize = prizeById(view, id)
  if (prize === 0) return fail('prize_not_found', { prize_id: id })
  const { ship, claimant } = view.read(Prize)
  const poi = lastPoiOf(view, ship[prize])
  const isKnown =
    claimant[prize] === player || poi === poiOf(view, player) || seesPoi(view, player, poi)
  return isKnown ? ok(prize) : fail('prize_not_found', { prize_id: id })
}

/** Finds a prize that the player has claimed. Refusals: prize_not_found, not_owner. */
function findClaimed(
  view: WorldView,
  player: Eid,
  id: string,
): Outcome<Row, 'not_owner' | 'prize_not_found'> {
  const found = findPrize(view, player, id)
  if (!found.ok) return found
  const isOwn = view.read(Prize).claimant[found.result] === player
  return isOwn ? found : fail('not_owner', { prize_id: id })
}

const RECOVERY = 'prize_recovery'

/**
 * Finds a prize that the player may refuel and repair: their own, or a faction member's if the
 * faction has a working Prize Recovery Yard. Refusals: prize_not_found, not_owner. Source: newer.md
 * section 5.
 */
function findServiceable(
  view: WorldView,
  player: Eid,
  id: string,
): Outcome<Row, 'not_owner' | 'prize_not_found'> {
  const found = findPrize(view, player, id)
  if (!found.ok) return found
  const claimant = view.read(Prize).claimant[found.result]
  if (claimant === player) return found
  const faction = factionOf(view, player)
  const isOfFaction = claimant !== 0 && faction !== 0 && factionOf(view, claimant) === faction
  if (isOfFaction && runsService(view, faction, RECOVERY)) return found
  return fail(
    'not_owner',
    { prize_id: id },
    isOfFaction
      ? 'Another member of your faction has claimed this prize: other members may refuel or repair it once your faction has a working Prize Recovery Yard.'
      : 'You have not claimed this prize, and no member of your faction has.',
  )
}

/** Refuses a prize that is in flight or at another place. Refusals: prize_moving, not_at_prize. */
export function reachRefusal(
  view: WorldView,
  player: Eid,
  prize: Row,
): Failure<'not_at_prize' | 'prize_moving'> | undefined {
  const { state, poi } = view.read(Location)
  const hull = view.read(Prize).ship[prize]
  if (state[hull] !== AT_POI) return fail('prize_moving')
  return poi[hull] === poiOf(view, player) ? undefined : fail('not_at_prize')
}

/**
 * Finds the destination of a prize: a base that the player knows and may dock at, and that can be
 * reached by lanes. Refusals: station_not_found, invalid_base.
 */
export function findDestination(
  view: WorldView,
  player: Eid,
  prize: Row,
  id: string,
): Outcome<Eid, 'invalid_base' | 'station_not_found'> {
  const base = baseById(view, id)
  const poi = base === 0 ? 0 : view.read(Base).poi[base]
  if (base === 0 || !seesPoi(view, player, poi)) return fail('station_not_found', { base_id: id })
  const { system } = view.read(Poi)
  const from = system[lastPoiOf(view, view.read(Prize).ship[prize])]
  const isOpen = !dockingRefusal(view, player, base)
  const isReached = routeBetween(view, system[poi], from) !== undefined
  return isOpen && isReached ? ok(base) : fail('invalid_base', { base_id: id })
}

/* Servicing a prize on its way home. Source: combat.md sections 11, 17. */

/** The actions that other members of the claimant's faction may perform too. */
const FACTION_ACTIONS: ReadonlySet<ServiceAction> = new Set(['refuel', 'repair'])

interface ServiceResult {
  readonly message: string
  readonly fuel_moved?: number
  readonly kits_used?: number
  readonly repaired?: number
}

/** Performs a service action or refuses it. */
type Service = (
  world: World,
  player: Eid,
  prize: Row,
  params: ServiceParams,
) => Outcome<ServiceResult>

const stop = (world: World, _player: Eid, prize: Row) => {
  if (statusOf(world, prize) !== 'held') {
    setStatus(world, prize, 'held')
    notifyPrize(world, prize, 'held')
  }
  return ok({ message: 'The prize stays where it is until you resume its journey.' })
}

const resume = (world: World, _player: Eid, prize: Row) => {
  if (statusOf(world, prize) === 'held') {
    setStatus(world, prize, 'recovering')
    notifyPrize(world, prize, 'recovering')
    wakePrize(world, prize)
  } else if (statusOf(world, prize) === 'waiting') wakePrize(world, prize)
  return ok({ message: 'The prize continues its journey as soon as it can.' })
}

const redirect = (
  world: World,
  player: Eid,
  prize: Row,
  { destination_base_id }: ServiceParams,
) => {
  if (destination_base_id === undefined) {
    return invalidFields({ field: 'destination_base_id', expected: 'the id of a base' })
  }
  const found = findDestination(world, player, prize, destination_base_id)
  if (!found.ok) return found
  world.write(Prize).destination[prize] = found.result
  if (statusOf(world, prize) === 'waiting') wakePrize(world, prize)
  const wait = waitReasonOf(world, prize)
  notifyPrize(world, prize, statusOf(world, prize), wait ? { wait } : {})
  return ok({ message: 'The prize has a new destination.' })
}

/** Pumps fuel from the player's tank; one unit and all free starter fuel stay in it. */
const refuel = (world: World, player: Eid, prize: Row, { quantity: requested }: ServiceParams) => {
  const [own, hull] = [activeShip(world, player), world.read(Prize).ship[prize]]
  const { fuel, fuelMax, issueFuel } = world.write(Ship)
  const room = fuelMax[hull] - fuel[hull]
  if (room === 0) return fail('tank_full')
  const spare = Math.min(fuel[own] - 1, fuel[own] - issueFuel[own])
  if (spare < 1) return fail('no_fuel', { need: 2, have: fuel[own] })
  const units = Math.min(requested || spare, spare, room)
  fuel[own] -= units
  fuel[hull] += units
  addStat(world, player, 'refuels_given', 1)
  const message = `Pumped ${counted(units, 'unit')} of fuel into the prize.`
  return ok({ fuel_moved: units, message })
}

/** Repairs with the named kit, or else the cheapest aboard. Refusals: those of `planKitRepair`. */
const repair = (
  world: World,
  player: Eid,
  prize: Row,
  { quantity: kits, item_id }: ServiceParams,
) => {
  const [own, hull] = [activeShip(world, player), world.read(Prize).ship[prize]]
  const plan = planKitRepair(world, player, hull, {
    quantity: kits || 1,
    ...(item_id === undefined ? {} : { item_id }),
  })
  if (!plan.ok) return plan
  let used = 0
  for (const { item, units } of plan.result.kits) {
    unloadCargo(world, own, namedContainer('consumption'), item, units)
    used += units
  }
  addStat(world, player, 'consumables_used', used)
  const points = mendHull(world, hull, plan.result.points)
  assert(points === plan.result.points && used > 0, 'kits mend what was planned')
  return ok({
    kits_used: used,
    repaired: points,
    message: `Repaired ${counted(points, 'hull point')} of the prize with ${kitsText(plan.result)}.`,
  })
}

const SERVICES = { stop, resume, redirect, refuel, repair } satisfies Record<ServiceAction, Service>

/** Refuses an action on a prize that is not at the player's place or is in a battle. */
function actionRefusal(
  world: World,
  player: Eid,
  prize: Row,
  action: ServiceAction,
): Failure<'in_combat' | 'not_at_prize' | 'prize_moving'> | undefined {
  if (REMOTE_ACTIONS.has(action)) return undefined
  const isInBattle = world.read(ShipCombat).participant[world.read(Prize).ship[prize]] !== 0
  const refused = reachRefusal(world, player, prize)
  if (refused || !isInBattle || action === 'stop') return refused
  return fail('in_combat', undefined, 'The prize is in a battle; wait until it is over.')
}

export const servicePrize = mutation({
  name: 'service_prize',
  v2: {
    tool: 'game_salvage',
    action: 'service_prize',
    rename: { prize_id: 'id', action: 'service_action', destination_base_id: 'target' },
  },
  summary: 'Service a prize of yours: stop, resume or redirect its journey, refuel or repair it.',
  category: 'salvage',
  params: obj({
    action: choice('What to do.', SERVICE_ACTIONS),
    prize_id: ref('prize', str('The prize.', { min: 1 })),
    destination_base_id: optional(
      ref('base', str('redirect: the new destination.', { min: 1, example: 'sol_station' })),
    ),
    quantity: optional(
      int('refuel: units, 0 or absent: all you can spare; repair: kits, 0 or absent: one.', {
        min: 0,
        example: 1,
      }),
    ),
    item_id: optional(itemId('repair: the kit to use; absent: the cheapest in your hold.')),
  }),
  result: claimedPrizeSchema,
  needs: [BESIDE_PRIZE],
  changes: ['ship', 'cargo', 'location'],
  errors: words(
    'invalid_payload prize_not_found not_owner not_at_prize prize_moving in_combat no_fuel',
    'tank_full no_repair_kits hull_full invalid_base station_not_found unknown_item',
  ),
  order: 'plain',
  run(world, player, params: ServiceParams) {
    const find = FACTION_ACTIONS.has(params.action) ? findServiceable : findClaimed
    const found = find(world, player, params.prize_id)
    if (!found.ok) return found
    const prize = found.result
    const refused = actionRefusal(world, player, prize, params.action)
    if (refused) return refused
    const done = SERVICES[params.action](world, player, prize, params)
    if (!done.ok) return done
    if (params.action === 'refuel' || params.action === 'repair') wakePrize(world, prize)
    logAction(world, player, 'salvage', 'service_prize', done.result.message, {
      action: params.action,
    })
    return ok({
      action: 'service_prize',
      service_action: params.action,
      ...renderClaimed(world, prize),
      ...done.result,
    })
  },
})
