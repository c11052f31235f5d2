/** Packages into and out of the stores of factions. Source: trade-storage.md sections 4 and 5. */
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { divCeil } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { giftWorth } from '../account/giving-model.ts'
import { Player } from '../account/state.ts'
import { hasService } from '../base/model.ts'
import {
  footprintOf,
  isNearlyFull,
  isPackageIn,
  lockerOf,
  manifestOf,
  packageAllowance,
  packageRoom,
  packagesIn,
} from '../cargo/model.ts'
import { describePackage, movePackage, packageById, packageId } from '../cargo/rules.ts'
import { freeSpace } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { factionGiftRefusal, recordFactionGift } from './giving-model.ts'
import { factionName, factionOf, renderBucket } from './model.ts'
import { recordStoreMove } from './rules.ts'
import { FactionStore } from './state.ts'
import {
  closeEmptyStore,
  facilityOfStore,
  factionPackageRoom,
  findStore,
  openStore,
  type StorePlace,
  storeContainer,
} from './store-model.ts'

interface PackageMove {
  readonly player: Eid
  readonly base: Row
  readonly item_id: string
  readonly quantity: number
}

interface PackageDeposit extends PackageMove {
  readonly from: 'cargo' | 'storage'
  readonly faction: Row
  readonly bucket?: string
}

/** Returns the container of a player's hold, or locker here; 0 for none. */
function containerAt(view: WorldView, move: PackageMove, from: 'cargo' | 'storage'): Row {
  const { player, base } = move
  if (from === 'storage') return lockerOf(view, player, base)
  return view.read(Ship).hold[view.read(Player).ship[player]]
}

/**
 * Returns true if a player may bring a faction no more packages: outsiders may fill only half of
 * its allowance.
 */
function lacksPackageRoom(view: WorldView, player: Eid, faction: Row, base: Row): boolean {
  const isOwn = factionOf(view, player) === faction
  const reserved = isOwn ? 0 : divCeil(packageAllowance(view, base), 2)
  return factionPackageRoom(view, faction, base) <= reserved
}

/** Refuses to move several packages at once: insufficient_items. */
const severalRefusal = ({ quantity }: PackageMove) =>
  quantity === 1
    ? undefined
    : fail('insufficient_items', { need: quantity, have: 1 }, 'Move one package at a time.')

/**
 * Puts a package into the store of a faction, which then owns it. Refusals: no_faction_storage,
 * bucket_not_found, insufficient_items, package_storage_full.
 */
export function packageToFaction(world: World, move: PackageDeposit) {
  const { player, base, faction, from } = move
  const store = findStore(world, faction, base, move.bucket)
  if (!store.ok) return store
  const several = severalRefusal(move)
  if (several) return several
  const pkg = packageById(world, move.item_id)
  const source = containerAt(world, move, from)
  if (pkg === 0 || source === 0 || !isPackageIn(world, source, pkg)) {
    return fail('insufficient_items', { need: move.quantity, have: 0 })
  }
  if (lacksPackageRoom(world, player, faction, base)) return fail('package_storage_full')
  const worth = giftWorth(manifestOf(world, pkg))
  const unearned = factionGiftRefusal(world, player, faction, worth)
  if (unearned) return unearned
  if (isNearlyFull(world, FactionStore)) return fail('storage_full')
  recordFactionGift(world, player, faction, worth)
  const container = openStore(world, store.result)
  movePackage(world, pkg, { kind: 'store', faction, base, container })
  const summary = `Put ${describePackage(world, pkg)} into the store of ${factionName(world, faction)}.`
  const record = { faction, player, action: 'deposit_package', summary, quantity: 1, base }
  recordStoreMove(world, record)
  const ship = world.read(Player).ship[player]
  return ok({
    action: 'faction_deposit_items',
    item_id: packageId(world, pkg),
    quantity: 1,
    ...renderBucket(world, facilityOfStore(world, store.result)),
    storage_total: packagesIn(world, container).length,
    cargo_remaining: packagesIn(world, world.read(Ship).hold[ship]).length,
    cargo_space: freeSpace(world, ship),
  }) satisfies Outcome<unknown>
}

interface PackageWithdrawal extends PackageMove {
  readonly store: StorePlace
  readonly to: 'cargo' | 'storage' | { readonly bucket: string | undefined }
}

/**
 * Takes a package out of a store. Refusals: insufficient_items, no_cargo_space,
 * no_storage_service, package_storage_full, bucket_not_found, invalid_target.
 */
export function packageFromFaction(world: World, move: PackageWithdrawal) {
  const { player, base, store, to } = move
  const { faction } = store
  const from = storeContainer(world, store)
  const several = severalRefusal(move)
  if (several) return several
  const pkg = packageById(world, move.item_id)
  if (pkg === 0 || from === 0 || !isPackageIn(world, from, pkg)) {
    return fail('insufficient_items', { need: move.quantity, have: 0 })
  }
  const ship = world.read(Player).ship[player]
  if (typeof to === 'object') {
    const dest = findStore(world, faction, base, to.bucket)
    if (!dest.ok) return dest
    if (dest.result.bucket === store.bucket) {
      const message = 'That is the same bucket; name another as dest_bucket.'
      return fail('invalid_target', { target: 'faction' }, message)
    }
    if (isNearlyFull(world, FactionStore)) return fail('storage_full')
    const container = openStore(world, dest.result)
    movePackage(world, pkg, { kind: 'store', faction, base, container })
  } else if (to === 'cargo') {
    const [need, fits] = [footprintOf(world, pkg), freeSpace(world, ship)]
    if (fits < need) return fail('no_cargo_space', { need, fits })
    movePackage(world, pkg, { kind: 'cargo', ship })
  } else {
    if (!hasService(world, base, 'storage')) return fail('no_storage_service')
    if (packageRoom(world, player, base) < 1) return fail('package_storage_full')
    movePackage(world, pkg, { kind: 'locker', player, base })
  }
  closeEmptyStore(world, store)
  const description = describePackage(world, pkg)
  const summary = `Took ${description} out of the store of ${factionName(world, faction)}.`
  const record = { faction, player, action: 'withdraw_package', summary, quantity: 1, base }
  recordStoreMove(world, record)
  return ok({
    action: 'faction_withdraw_items',
    item_id: packageId(world, pkg),
    quantity: 1,
    ...renderBucket(world, facilityOfStore(world, store)),
    storage_remaining: packagesIn(world, storeContainer(world, store)).length,
    cargo_total: packagesIn(world, world.read(Ship).hold[ship]).length,
    cargo_space: freeSpace(world, ship),
  }) satisfies Outcome<unknown>
}
