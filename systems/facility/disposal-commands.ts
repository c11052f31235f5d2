/** Dismantling, repairing and transferring facilities. Source: crafting.md section 7. */
import { FACILITIES, itemIndex, type MaterialRow } from '../../core/catalog/index.ts'
import { type Failure, fail, invalidFields, ok } from '../../core/errors.ts'
import { moveItems, namedContainer, openContainer } from '../../core/goods.ts'
import { FACILITIES_RECEIVED_PER_DAY_MAX } from '../../core/limits.ts'
import { dayOfTick } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerById, playerId } from '../account/model.ts'
import { baseId } from '../base/model.ts'
import { isStorageNearlyFull, packageRoom } from '../cargo/model.ts'
import { Package } from '../cargo/state.ts'
import { factionIdOf, factionOf, permissionRefusal } from '../faction/model.ts'
import { bucketNumber, bunkerFuel, storeContainer } from '../faction/store-model.ts'
import { garagedAt } from '../fitting/model.ts'
import { hasGuests } from '../passenger/model.ts'
import { isOutpost } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { arrearsRefusal, duplicateRefusal, ownerLimitRefusal, skillRefusal } from './build-model.ts'
import { changeOwner, changeState } from './lifecycle-rules.ts'
import {
  activeStore,
  type FacilityRequest,
  facilityId,
  facilityName,
  facilityTypeAt,
  factionOwner,
  isBuiltIn,
  type Owner,
  ownerOf,
  playerOwner,
} from './model.ts'
import { payerOf, payingRefusal, takeMaterials } from './payment-commands.ts'
import { busyRefusal, listedRefusal, managedHere } from './rules.ts'
import {
  DAMAGED,
  DISMANTLING,
  Facility,
  OF_FACTION,
  OF_PLAYER,
  OFFLINE,
  REPAIRING,
  Tenant,
} from './state.ts'
import {
  chainMaterials,
  chainTicks,
  isQuarters,
  isStorage,
  mayBuild,
  repairMaterials,
  repairTicks,
} from './types-model.ts'
import { beginWork, logFacilityAction, splitIntoPackages } from './works-systems.ts'

/* Dismantling */

const renderName = (view: WorldView, row: Row) => ({
  facility_id: facilityId(view, row),
  facility_name: facilityName(view, row),
})

/** Moves the materials that a facility was built from into a store. */
function withdrawMaterials(world: World, store: Row, materials: readonly MaterialRow[]): void {
  for (const { item_id, quantity } of materials) {
    moveItems(world, namedContainer('construction'), store, itemIndex(item_id), quantity)
  }
}

/**
 * Returns whether a facility of a faction holds something: goods in a bucket (an empty one has no
 * container), hulls in a garage, fuel in a bunker, guests in a lounge. A faction has one garage and
 * one bunker at a base.
 */
function isHoldingSomething(view: WorldView, row: Row): boolean {
  const columns = view.read(Facility)
  const [base, faction] = [columns.base[row], columns.faction[row]]
  switch (facilityTypeAt(view, row).faction_service_type) {
    case 'storage_extension':
      return storeContainer(view, { faction, base, bucket: bucketNumber(view, row) }) !== 0
    case 'faction_garage':
      return garagedAt(view, faction, base).length > 0
    case 'faction_fuel_bunker':
      return bunkerFuel(view, faction, base) > 0
    case 'transit_lounge':
      return hasGuests(view, row)
    default:
      return false
  }
}

/**
 * Refuses to dismantle what must stay or is in use: outpost_builtin, cannot_dismantle,
 * bucket_not_empty, facility_busy, facility_damaged, arrears_due, already_listed.
 */
function dismantlingRefusal(view: WorldView, row: Row) {
  const type = facilityTypeAt(view, row)
  const isAtOutpost = isOutpost(view, view.read(Facility).base[row])
  if (isAtOutpost && isBuiltIn(view, row)) return fail('outpost_builtin')
  if (isQuarters(type) || isStorage(type)) return fail('cannot_dismantle')
  if (isHoldingSomething(view, row)) return fail('bucket_not_empty')
  const { status, dueTick } = view.read(Facility)
  // A facility that has stopped for lack of upkeep may be dismantled.
  const isIdle = status[row] === OFFLINE && dueTick[row] === 0
  return (
    (isIdle ? undefined : busyRefusal(view, row)) ??
    arrearsRefusal(view, row) ??
    listedRefusal(view, row)
  )
}

/** Begins to dismantle a facility that the player manages here; its materials come back packed. */
export function dismantle(
  world: World,
  player: Eid,
  request: FacilityRequest,
  action: 'dismantle' | 'faction_dismantle',
) {
  const row = managedHere(world, player, request.facility_id ?? '')
  if (typeof row !== 'number') return row
  const owner = ownerOf(world, row)
  if ((owner.kind === OF_FACTION) !== (action === 'faction_dismantle')) return fail('not_owner')
  const { base, type } = world.read(Facility)
  const payer = payerOf(world, player, owner, { base: base[row] })
  const refused = dismantlingRefusal(world, row)
  if (refused) return refused
  if ('code' in payer) return payer
  const materials = chainMaterials(type[row])
  const packages = splitIntoPackages(materials).length
  const containers = [{ item_id: 'cargo_container', quantity: packages }]
  if (payingRefusal(world, payer, 0, containers)) {
    return fail('no_cargo_container', { need: packages })
  }
  if (owner.kind === OF_PLAYER && packageRoom(world, player, base[row]) < packages) {
    return fail('package_storage_full', { need: packages })
  }
  if (isStorageNearlyFull(world) || world.roomIn(Package) <= packages) return fail('limit_reached')
  const store = openContainer(world)
  world.write(Facility).store[row] = store
  takeMaterials(world, payer, containers, store)
  withdrawMaterials(world, store, materials)
  changeState(world, row, { status: DISMANTLING })
  const ticks = Math.max(1, chainTicks(type[row]))
  const complete_tick = beginWork(world, row, ticks)
  const summary = `Dismantling ${facilityName(world, row)}.`
  logFacilityAction(world, row, player, 'facility_dismantle', summary)
  return ok({
    action,
    ...renderName(world, row),
    base_id: baseId(world, base[row]),
    facility_type: FACILITIES[type[row]].id,
    complete_tick,
    ticks_to_complete: ticks,
    materials_to_package: materials,
    package_count: packages,
    hint:
      owner.kind === OF_FACTION
        ? "The packages go to your faction's store here; the credits are not refunded."
        : 'The packages go to your locker here; the credits are not refunded.',
  })
}

/* Repair */

const notDamagedRefusal = (view: WorldView, row: Row): Failure<'not_damaged'> =>
  fail(
    'not_damaged',
    renderName(view, row),
    `${facilityName(view, row)} is not damaged: there is nothing to repair.`,
  )

/** Begins to repair a damaged facility that the player manages here. */
export function repair(world: World, player: Eid, request: FacilityRequest) {
  const row = managedHere(world, player, request.facility_id ?? '')
  if (typeof row !== 'number') return row
  const { base, status } = world.read(Facility)
  if (status[row] === REPAIRING) return busyRefusal(world, row) ?? fail('facility_busy')
  if (status[row] !== DAMAGED) return notDamagedRefusal(world, row)
  const owner = ownerOf(world, row)
  const type = facilityTypeAt(world, row)
  const payer = payerOf(world, player, owner, { base: base[row], bucket: request.bucket })
  if ('code' in payer) return payer
  const materials = repairMaterials(type)
  const refused = arrearsRefusal(world, row) ?? payingRefusal(world, payer, 0, materials)
  if (refused) return refused
  takeMaterials(world, payer, materials, namedContainer('repairs'))
  changeState(world, row, { status: REPAIRING })
  const complete_tick = beginWork(world, row, repairTicks(type))
  logFacilityAction(world, row, player, 'facility_repair', `Repairing ${facilityName(world, row)}.`)
  return ok({
    action: 'repair',
    ...renderName(world, row),
    complete_tick,
    ticks_to_complete: complete_tick - world.tick,
    materials_used: materials,
    hint: 'It works again when the repair is done.',
  })
}

/* Transfer between a faction and its members. Source: crafting.md section 7. */

/** Returns how many facilities a player has received today. */
const receivedToday = (view: WorldView, player: Eid): number => {
  const { day, received } = view.read(Tenant)
  return day[player] === dayOfTick(view.tick) ? received[player] : 0
}

function recordReceived(world: World, player: Eid): void {
  const before = receivedToday(world, player)
  const { day, received } = world.write(Tenant)
  day[player] = dayOfTick(world.tick)
  received[player] = before + 1
}

/**
 * Returns the member who is to receive a facility. Refusals: player_not_found, invalid_target,
 * limit_reached, skill_too_low.
 */
function requestedMember(view: WorldView, player: Eid, row: Row, request: FacilityRequest) {
  const { faction, base, type } = view.read(Facility)
  const to = request.player_id === undefined ? player : playerById(view, request.player_id)
  if (to === 0) return fail('player_not_found')
  const isHere = dockedBase(view, to) === base[row]
  const message = 'It goes to a member of its faction who is docked here: name one as player_id.'
  if (factionOf(view, to) !== faction[row] || !isHere) return fail('invalid_target', {}, message)
  const limit = FACILITIES_RECEIVED_PER_DAY_MAX
  if (receivedToday(view, to) >= limit)
    return fail('limit_reached', { limit, of: 'facilities received a day' })
  return skillRefusal(view, to, type[row]) ?? to
}

/** Refuses a facility that is for sale, being worked on or behind with its rent. */
const transferRefusal = (view: WorldView, row: Row) =>
  listedRefusal(view, row) ?? busyRefusal(view, row) ?? arrearsRefusal(view, row)

/** Refuses an owner who may not have such a facility, or has as many as allowed. */
function newOwnerRefusal(
  view: WorldView,
  row: Row,
  to: Owner,
): Failure<'already_exists' | 'invalid_target' | 'limit_reached'> | undefined {
  const { type, base } = view.read(Facility)
  const builder = to.kind === OF_FACTION ? 'faction' : 'player'
  const message = `A ${builder} cannot own a facility of this type; leave it where it is.`
  if (!mayBuild(FACILITIES[type[row]], builder)) return fail('invalid_target', {}, message)
  return duplicateRefusal(view, to, base[row], type[row]) ?? ownerLimitRefusal(view, to, base[row])
}

function handOver(world: World, player: Eid, row: Row, to: Owner): void {
  const summary = `Transferred ${facilityName(world, row)}.`
  logFacilityAction(world, row, player, 'facility_transfer', summary)
  changeOwner(world, row, to)
  if (to.kind === OF_PLAYER) recordReceived(world, to.player)
  else logFacilityAction(world, row, player, 'facility_received', summary)
}

/** Hands a facility over from a player to their faction, or from a faction to a member. */
export function transfer(world: World, player: Eid, request: FacilityRequest) {
  const { direction } = request
  const row = managedHere(world, player, request.facility_id ?? '')
  if (typeof row !== 'number') return row
  if (direction !== 'to_faction' && direction !== 'to_player')
    return invalidFields({ field: 'direction', expected: 'to_faction or to_player' })
  const owner = ownerOf(world, row)
  const message = 'to_faction takes one of yours, to_player one of your faction; send the other.'
  if ((owner.kind === OF_PLAYER) !== (direction === 'to_faction'))
    return fail('invalid_target', {}, message)
  const refused = transferRefusal(world, row)
  if (refused) return refused
  const to =
    direction === 'to_faction'
      ? factionRecipient(world, player, row)
      : playerRecipient(world, player, row, request)
  if ('code' in to) return to
  const denied = newOwnerRefusal(world, row, to)
  if (denied) return denied
  handOver(world, player, row, to)
  return ok({
    action: 'transfer',
    direction,
    facility_id: facilityId(world, row),
    new_owner: to.kind === OF_PLAYER ? playerId(world, to.player) : factionIdOf(world, to.faction),
    hint: 'The new owner pays its rent from now on.',
  })
}

/**
 * Returns the player's faction as the new owner. Refusals: not_in_faction, no_permission,
 * no_faction_storage.
 */
function factionRecipient(
  view: WorldView,
  player: Eid,
  row: Row,
): Owner | Failure<'no_faction_storage' | 'no_permission' | 'not_in_faction'> {
  const refused = permissionRefusal(view, player, 'manage_facilities')
  if (refused) return refused
  const faction = factionOf(view, player)
  const { base } = view.read(Facility)
  const store = activeStore(view, faction, base[row])
  return store === 0 ? fail('no_faction_storage') : factionOwner(faction)
}

/** Returns the requested member as the new owner. Refusals: those of requestedMember. */
function playerRecipient(view: WorldView, player: Eid, row: Row, request: FacilityRequest) {
  const member = requestedMember(view, player, row, request)
  return typeof member === 'number' ? playerOwner(member) : member
}
