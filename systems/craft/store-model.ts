/**
 * Stores: where a job's goods and credits come from and its outputs go. Either the player's locker
 * and wallet, or store and treasury of their faction. Source: crafting.md section 2, Escrow.
 */
import { type Failure, fail, invalidFields } from '../../core/errors.ts'
import { unitsIn } from '../../core/goods.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { lockerOf } from '../cargo/model.ts'
import { facilityName } from '../facility/model.ts'
import { Facility, OF_FACTION, REPOSSESSED } from '../facility/state.ts'
import {
  factionOf,
  factionQualifier,
  memberRefusal,
  namesFaction,
  permissionRefusal,
  treasuryOf,
} from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import {
  bunkerCapacity,
  facilityOfStore,
  findStore,
  roomInStore,
  type StorePlace,
  storeContainer,
} from '../faction/store-model.ts'

/** Refuses a store without a tank or bunker. Refusals: no_storage_service, no_faction_storage. */
export function fuelRefusal(
  view: WorldView,
  { base }: Place,
  store: Store,
): Failure<'no_faction_storage' | 'no_storage_service'> | undefined {
  if (store.faction === 0) {
    if (hasService(view, base, 'refuel') && view.read(Base).fuelMax[base] > 0) return undefined
    return fail('no_storage_service', { service: 'refuel' })
  }
  if (bunkerCapacity(view, store.faction, base) > 0) return undefined
  return fail('no_faction_storage', undefined, 'The faction has no fuel bunker here.')
}

/** A store of goods and credits: the player's own, or one of a faction. */
export interface Store {
  /** Row of the faction; 0 for the player's locker and wallet. */
  readonly faction: Row
  /** Number of the facility that is the bucket; 0 for the main store or the locker; or HOLD. */
  readonly bucket: number
}

export const OWN_STORE: Store = { faction: 0, bucket: 0 }
/** The bucket that means the hold of the ship flown, where only packages go. */
export const HOLD = -1
export const OWN_HOLD: Store = { faction: 0, bucket: HOLD }

/** The player who orders a job, and the base where. */
export interface Place {
  readonly player: Eid
  readonly base: Row
}

/** Returns the number under which a job saves the faction of a store; 0 for the player. */
export const numberOfFaction = (view: WorldView, { faction }: Store): number =>
  faction === 0 ? 0 : view.read(Faction).seq[faction]

/** Returns a store that a job has saved: the player's if the faction no longer exists. */
export function savedStore(view: WorldView, faction: number, bucket: number): Store {
  const row = faction === 0 ? 0 : view.rowOf(Faction, faction)
  return row === 0 && faction !== 0 ? OWN_STORE : { faction: row, bucket }
}

/** Returns the place of a store; the main store replaces a bucket whose facility is lost. */
export function storePlaceOf(view: WorldView, base: Row, { faction, bucket }: Store): StorePlace {
  const place = { faction, base, bucket }
  if (bucket === 0) return place
  const facility = facilityOfStore(view, place)
  const { ownerKind, faction: owner, status } = view.read(Facility)
  const isHeld =
    facility !== 0 &&
    ownerKind[facility] === OF_FACTION &&
    owner[facility] === faction &&
    status[facility] !== REPOSSESSED
  return isHeld ? place : { faction, base, bucket: 0 }
}

/** Returns the name of a store in commands. */
export function storeName(view: WorldView, base: Row, store: Store): string {
  if (store.faction === 0) return 'storage'
  const place = storePlaceOf(view, base, store)
  if (place.bucket === 0) return 'faction'
  return `faction:${facilityName(view, facilityOfStore(view, place))}`
}

/** The parameter that names a store, and whether the store then pays or takes. */
interface StoreParam {
  readonly field: 'deliver_to' | 'source' | 'target'
  readonly use: 'pays' | 'takes'
}

/**
 * Returns the store that a player names. To pay from it takes manage_treasury; to deliver to it,
 * being a member is enough, as for every deposit. Refusals: no_storage_service, not_in_faction,
 * no_permission, no_faction_storage, bucket_not_found, invalid_payload.
 */
export function namedStore(
  view: WorldView,
  { player, base }: Place,
  text: string,
  { field, use }: StoreParam,
) {
  if (namesFaction(text)) {
    const refused =
      use === 'pays'
        ? permissionRefusal(view, player, 'manage_treasury')
        : memberRefusal(view, player)
    if (refused) return refused
    const faction = factionOf(view, player)
    const found = findStore(view, faction, base, factionQualifier(text))
    return found.ok ? { faction, bucket: found.result.bucket } : found
  }
  if (['storage', 'self'].includes(text.trim().toLowerCase())) {
    return hasService(view, base, 'storage') ? OWN_STORE : fail('no_storage_service')
  }
  return invalidFields({ field, expected: 'storage, faction or faction:<bucket>' })
}

/** Returns the container of a store; 0 while nothing is in it. */
const goodsOf = (view: WorldView, { player, base }: Place, store: Store): Row =>
  store.faction === 0
    ? lockerOf(view, player, base)
    : storeContainer(view, storePlaceOf(view, base, store))

/** Returns the units of an item in a store. */
export function unitsHeld(view: WorldView, place: Place, store: Store, item: number): number {
  const goods = goodsOf(view, place, store)
  return goods === 0 ? 0 : unitsIn(view, goods, item)
}

/** Returns the account that pays for jobs from this store. */
export const creditsOf = (view: WorldView, player: Eid, { faction }: Store): Row =>
  faction === 0 ? walletOf(view, player) : treasuryOf(view, faction)

/** Returns the units of an item that a store still takes; 0 where the faction has lost it. */
export const roomIn = (view: WorldView, { base }: Place, store: Store, item: number): number =>
  store.faction === 0
    ? Number.MAX_SAFE_INTEGER
    : roomInStore(view, storePlaceOf(view, base, store), item)
