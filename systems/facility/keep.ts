/** Taking facilities apart, and mending them. Source: crafting.md section 7. */
import { FACILITIES, itemIndex, type MaterialRow } from '../../core/catalog/index.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { moveItems, namedContainer, openContainer } from '../../core/goods.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseId } from '../base/rules.ts'
import { isStoreNearlyFull } from '../cargo/rules.ts'
import { bucketNumber, bunkerFuel, storeContainer } from '../faction/store-rules.ts'
import { garagedAt } from '../fitting/rules.ts'
import { Package } from '../package/columns.ts'
import { packageRoom } from '../package/rules.ts'
import { hasGuests } from '../passenger/lounge-rules.ts'
import { isOutpost } from '../station/access-rules.ts'
import type { Asked } from './action.ts'
import {
  DAMAGED,
  DISMANTLING,
  Facility,
  OF_FACTION,
  OF_PLAYER,
  OFFLINE,
  REPAIRING,
} from './columns.ts'
import { refusesArrears, refusesBusy } from './gates.ts'
import { isBuiltIn } from './outpost-rules.ts'
import { managedHere, ownerOf } from './owners.ts'
import { purseOf, refusesPaying, takeMaterials } from './purse.ts'
import { facilityId, facilityName, facilityTypeAt } from './rules.ts'
import { changeState } from './store.ts'
import { tellFacility } from './tell.ts'
import {
  chainMaterials,
  chainTicks,
  isQuarters,
  isStorage,
  repairMaterials,
  repairTicks,
} from './types.ts'
import { beginWork, packed } from './works.ts'

type Done = Outcome<Record<string, unknown>>

/* Taking apart */

const named = (view: WorldView, row: Row) => ({
  facility_id: facilityId(view, row),
  facility_name: facilityName(view, row),
})

/** Gets back what was built in. */
function takeBack(world: World, store: Row, materials: readonly MaterialRow[]): void {
  for (const { item_id, quantity } of materials) {
    moveItems(world, namedContainer('construction'), store, itemIndex(item_id), quantity)
  }
}

const refusesListed = (view: WorldView, row: Row): Failure | undefined =>
  view.read(Facility).listing[row] === 0 ? undefined : fail('already_listed')

/**
 * True while something is in what a faction keeps things in: goods in a bucket (empty ones are no
 * containers), hulls in a garage, fuel in a bunker, guests in a lounge. A faction has one garage
 * and one bunker a base.
 */
function holdsThings(view: WorldView, row: Row): boolean {
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

/** Refuses to take apart what must stay. Refusals: cannot_dismantle, bucket_not_empty, … */
function refusesDismantling(view: WorldView, row: Row): Failure | undefined {
  const type = facilityTypeAt(view, row)
  const isAtOutpost = isOutpost(view, view.read(Facility).base[row])
  if (isAtOutpost && isBuiltIn(view, row)) return fail('outpost_builtin')
  if (isQuarters(type) || isStorage(type)) return fail('cannot_dismantle')
  if (holdsThings(view, row)) return fail('bucket_not_empty')
  const { status, dueTick } = view.read(Facility)
  // what stands still may be taken apart
  const isIdle = status[row] === OFFLINE && dueTick[row] === 0
  return (
    (isIdle ? undefined : refusesBusy(view, row)) ??
    refusesArrears(view, row) ??
    refusesListed(view, row)
  )
}

export function dismantle(
  world: World,
  player: Eid,
  asked: Asked,
  action: 'dismantle' | 'faction_dismantle',
): Done {
  const row = managedHere(world, player, asked.facility_id ?? '')
  if (typeof row !== 'number') return row
  const owner = ownerOf(world, row)
  if ((owner.kind === OF_FACTION) !== (action === 'faction_dismantle')) return fail('not_owner')
  const { base, type } = world.read(Facility)
  const purse = purseOf(world, player, owner, { base: base[row] })
  const refused = refusesDismantling(world, row)
  if (refused) return refused
  if ('code' in purse) return purse
  const materials = chainMaterials(type[row])
  const packages = packed(materials).length
  const containers = [{ item_id: 'cargo_container', quantity: packages }]
  if (refusesPaying(world, purse, 0, containers)) {
    return fail('no_cargo_container', { need: packages })
  }
  if (owner.kind === OF_PLAYER && packageRoom(world, player, base[row]) < packages) {
    return fail('package_storage_full', { need: packages })
  }
  if (isStoreNearlyFull(world) || world.roomIn(Package) <= packages) return fail('limit_reached')
  const store = openContainer(world)
  world.write(Facility).store[row] = store
  takeMaterials(world, purse, containers, store)
  takeBack(world, store, materials)
  changeState(world, row, { status: DISMANTLING })
  const ticks = Math.max(1, chainTicks(type[row]))
  const complete_tick = beginWork(world, row, ticks)
  const said = `Dismantling ${facilityName(world, row)}.`
  tellFacility(world, row, player, 'facility_dismantle', said)
  return ok({
    action,
    ...named(world, row),
    base_id: baseId(world, base[row]),
    facility_type: FACILITIES[type[row]].id,
    complete_tick,
    ticks_to_complete: ticks,
    materials_to_package: materials,
    package_count: packages,
    hint: 'The packages are where its materials would come from; the credits are gone.',
  })
}

/* Mending */

const refusesSound = (view: WorldView, row: Row): Failure =>
  fail(
    'not_damaged',
    named(view, row),
    `${facilityName(view, row)} is not damaged: there is nothing to repair.`,
  )

export function repair(world: World, player: Eid, asked: Asked): Done {
  const row = managedHere(world, player, asked.facility_id ?? '')
  if (typeof row !== 'number') return row
  const { base, status } = world.read(Facility)
  if (status[row] === REPAIRING) return refusesBusy(world, row) ?? fail('facility_busy')
  if (status[row] !== DAMAGED) return refusesSound(world, row)
  const owner = ownerOf(world, row)
  const type = facilityTypeAt(world, row)
  const purse = purseOf(world, player, owner, { base: base[row], bucket: asked.bucket })
  if ('code' in purse) return purse
  const materials = repairMaterials(type)
  const refused = refusesArrears(world, row) ?? refusesPaying(world, purse, 0, materials)
  if (refused) return refused
  takeMaterials(world, purse, materials, namedContainer('repairs'))
  changeState(world, row, { status: REPAIRING })
  const complete_tick = beginWork(world, row, repairTicks(type))
  tellFacility(world, row, player, 'facility_repair', `Repairing ${facilityName(world, row)}.`)
  return ok({
    action: 'repair',
    ...named(world, row),
    complete_tick,
    ticks_to_complete: complete_tick - world.tick,
    materials_used: materials,
    hint: 'It works again when the repair is done.',
  })
}
