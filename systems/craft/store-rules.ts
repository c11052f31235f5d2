/**
 * Where a job's goods and credits come from, and where its outputs go: the own locker and wallet,
 * or store and treasury of the own faction. Source: crafting.md section 2, Escrow.
 */
import { badFields, type Failure, fail } from '../../core/errors.ts'
import { unitsIn } from '../../core/goods.ts'
import { canReceive, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/rules.ts'
import { hasService } from '../base/rules.ts'
import { closeEmptyLocker, lockerOf, openLocker } from '../cargo/rules.ts'
import { Facility, OF_FACTION, REPOSSESSED } from '../facility/columns.ts'
import { facilityName } from '../facility/rules.ts'
import { noteStoreMove } from '../faction/activity-rules.ts'
import { Faction } from '../faction/columns.ts'
import { bucketIn, namesFaction } from '../faction/payer-rules.ts'
import { factionOf, refusesMember, refusesPermission, treasuryOf } from '../faction/rules.ts'
import {
  closeEmptyStore,
  facilityOfStore,
  findStore,
  openStore,
  roomInStore,
  type StorePlace,
  storeContainer,
} from '../faction/store-rules.ts'
import { creditMove } from '../log/rules.ts'

/** A store: of a faction, in one of its buckets, or the own locker and wallet. */
export interface Store {
  /** Row of the faction; 0 for the own locker. */
  readonly faction: Row
  /** Number of the facility that is the bucket; 0 the main store, or the locker; or HOLD. */
  readonly bucket: number
}

export const OWN_STORE: Store = { faction: 0, bucket: 0 }
/** Stands in for a bucket: the hold of the ship flown. Only packages go there. */
export const HOLD = -1
export const OWN_HOLD: Store = { faction: 0, bucket: HOLD }

export interface Place {
  readonly player: Eid
  readonly base: Row
}

/** A store as a job keeps it. */
export const numberOfFaction = (view: WorldView, { faction }: Store): number =>
  faction === 0 ? 0 : view.read(Faction).seq[faction]

/** A store that a job has kept: the own one where the faction is no more. */
export function storeKept(view: WorldView, faction: number, bucket: number): Store {
  const row = faction === 0 ? 0 : view.rowOf(Faction, faction)
  return row === 0 && faction !== 0 ? OWN_STORE : { faction: row, bucket }
}

/** The main store stands in for a bucket whose facility is lost. */
function placeOf(view: WorldView, base: Row, { faction, bucket }: Store): StorePlace {
  const place = { faction, base, bucket }
  if (bucket === 0) return place
  const facility = facilityOfStore(view, place)
  const { ownerKind, faction: owner, status } = view.read(Facility)
  const isOurs =
    facility !== 0 &&
    ownerKind[facility] === OF_FACTION &&
    owner[facility] === faction &&
    status[facility] !== REPOSSESSED
  return isOurs ? place : { faction, base, bucket: 0 }
}

/** What a player calls a store. */
export function storeName(view: WorldView, base: Row, store: Store): string {
  if (store.faction === 0) return 'storage'
  const place = placeOf(view, base, store)
  if (place.bucket === 0) return 'faction'
  return `faction:${facilityName(view, facilityOfStore(view, place))}`
}

/**
 * The store a player means. What pays asks for manage_treasury; to deliver, being a member is
 * enough, as for every deposit. Refusals: no_storage_service, not_in_faction, no_permission,
 * no_faction_storage, bucket_not_found, invalid_payload.
 */
export function storeMeant(
  view: WorldView,
  { player, base }: Place,
  text: string,
  use: 'pays' | 'takes',
): Store | Failure {
  if (namesFaction(text)) {
    const refused =
      use === 'pays'
        ? refusesPermission(view, player, 'manage_treasury')
        : refusesMember(view, player)
    if (refused) return refused
    const faction = factionOf(view, player)
    const found = findStore(view, faction, base, bucketIn(text))
    return found.ok ? { faction, bucket: found.result.bucket } : found
  }
  const word = text.trim().toLowerCase()
  if (word === 'storage' || word === 'self') {
    return hasService(view, base, 'storage') ? OWN_STORE : fail('no_storage_service')
  }
  return badFields({ field: 'source', expected: 'storage, faction or faction:<bucket>' })
}

/** Container of a store; 0 while nothing is in it. */
export const goodsOf = (view: WorldView, { player, base }: Place, store: Store): Row =>
  store.faction === 0
    ? lockerOf(view, player, base)
    : storeContainer(view, placeOf(view, base, store))

/** Units of an item in a store. */
export function unitsHeld(view: WorldView, place: Place, store: Store, item: number): number {
  const goods = goodsOf(view, place, store)
  return goods === 0 ? 0 : unitsIn(view, goods, item)
}

/** Container of a store, which is made where there is none. */
export const openGoods = (world: World, { player, base }: Place, store: Store): Row =>
  store.faction === 0
    ? openLocker(world, player, base)
    : openStore(world, placeOf(world, base, store))

/** After goods were taken out of a store. */
export function tidyStore(world: World, { player, base }: Place, store: Store): void {
  if (store.faction === 0) closeEmptyLocker(world, player, base)
  else closeEmptyStore(world, placeOf(world, base, store))
}

/** Account that pays for jobs from this store. */
export const creditsOf = (view: WorldView, player: Eid, { faction }: Store): Row =>
  faction === 0 ? walletOf(view, player) : treasuryOf(view, faction)

/** Units of an item that a store still takes: none where the faction cannot reach its own. */
export const roomIn = (view: WorldView, { base }: Place, store: Store, item: number): number =>
  store.faction === 0
    ? Number.MAX_SAFE_INTEGER
    : roomInStore(view, placeOf(view, base, store), item)

export interface Payment {
  readonly verb: string
  readonly said: string
  readonly jobId: string
}

interface Move {
  readonly player: Eid
  readonly store: Store
  readonly from: Row
  readonly to: Row
}

/** A posting, with its line in the log of who pays or is paid. */
function move(
  world: World,
  { player, store, from, to }: Move,
  credits: number,
  { verb, said, jobId }: Payment,
): void {
  if (store.faction === 0) {
    creditMove(world, player, from, to, credits, 'crafting', verb, said, { job_id: jobId })
    return
  }
  post(world, from, to, credits)
  const { faction } = store
  noteStoreMove(world, { faction, player, action: verb, summary: said, credits })
}

/** Credits out of the account of a store. The caller has refused what it does not hold. */
export function takeCredits(
  world: World,
  { player, store, to }: { player: Eid; store: Store; to: Row },
  credits: number,
  payment: Payment,
): void {
  if (credits === 0) return
  const from = creditsOf(world, player, store)
  move(world, { player, store, from, to }, credits, payment)
}

/** Credits into the account of a store; what no account can hold is burned. */
export function giveCredits(
  world: World,
  { player, store, from }: { player: Eid; store: Store; from: Row },
  credits: number,
  payment: Payment,
): void {
  if (credits === 0) return
  const to = creditsOf(world, player, store)
  if (!canReceive(world, to, credits)) {
    post(world, from, namedAccount('fee_sink'), credits)
    return
  }
  move(world, { player, store, from, to }, credits, payment)
}
