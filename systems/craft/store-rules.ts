/**
 * Where a job's goods and credits come from, and where its outputs go: the own locker and wallet.
 * Source: crafting.md section 2, Escrow.
 */
import { type Failure, fail } from '../../core/errors.ts'
import { unitsIn } from '../../core/goods.ts'
import { canReceive, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/world.ts'
import { walletOf } from '../account/rules.ts'
import { hasService } from '../base/rules.ts'
import { closeEmptyLocker, lockerOf, openLocker } from '../cargo/rules.ts'
import { creditMove } from '../log/rules.ts'

/** A store: of a faction, in one of its buckets, or the own locker and wallet. */
export interface Store {
  /** Row of the faction; 0 for the own locker. */
  readonly faction: Row
  /** Name of the bucket; empty for the main store. */
  readonly bucket: string
}

export const OWN_STORE: Store = { faction: 0, bucket: '' }

export interface Place {
  readonly player: Eid
  readonly base: Row
}

/** What a player calls a store. */
export function storeName({ faction, bucket }: Store): string {
  if (faction === 0) return 'storage'
  return bucket === '' ? 'faction' : `faction:${bucket}`
}

/**
 * The store a player means. Refusals: no_storage_service, not_in_faction, no_permission (goods and
 * credits are taken from it), no_faction_storage, bucket_not_found, invalid_payload.
 */
export function storeMeant(
  view: WorldView,
  { base }: Place,
  text: string,
  _use: 'pays' | 'takes',
): Store | Failure {
  const word = text.toLowerCase()
  if (word === 'storage' || word === 'self') {
    return hasService(view, base, 'storage') ? OWN_STORE : fail('no_storage_service')
  }
  if (word === 'faction' || word.startsWith('faction:')) return fail('not_in_faction')
  return fail('invalid_payload', {
    details: [{ field: 'source', expected: 'storage, faction or faction:<bucket>' }],
  })
}

/** Container of a store; 0 while nothing is in it. */
export const goodsOf = (view: WorldView, { player, base }: Place, _store: Store): Row =>
  lockerOf(view, player, base)

/** Units of an item in a store. */
export function unitsHeld(view: WorldView, place: Place, store: Store, item: number): number {
  const goods = goodsOf(view, place, store)
  return goods === 0 ? 0 : unitsIn(view, goods, item)
}

/** Container of a store, which is made where there is none. */
export const openGoods = (world: World, { player, base }: Place, _store: Store): Row =>
  openLocker(world, player, base)

/** After goods were taken out of a store. */
export function tidyStore(world: World, { player, base }: Place, store: Store): void {
  if (store.faction === 0) closeEmptyLocker(world, player, base)
}

/** Account that pays for jobs from this store. */
export const creditsOf = (view: WorldView, player: Eid, _store: Store): Row =>
  walletOf(view, player)

/** Units of an item that a store still takes. */
export const roomIn = (_view: WorldView, _place: Place, _store: Store, _item: number): number =>
  Number.MAX_SAFE_INTEGER

export interface Payment {
  readonly verb: string
  readonly said: string
  readonly jobId: string
}

/** Credits out of the account of a store. The caller has refused what it does not hold. */
export function takeCredits(
  world: World,
  { player, store, to }: { player: Eid; store: Store; to: Row },
  credits: number,
  { verb, said, jobId }: Payment,
): void {
  if (credits === 0) return
  const from = creditsOf(world, player, store)
  creditMove(world, player, from, to, credits, 'crafting', verb, said, { job_id: jobId })
}

/** Credits into the account of a store; what no account can hold is burned. */
export function giveCredits(
  world: World,
  { player, store, from }: { player: Eid; store: Store; from: Row },
  credits: number,
  { verb, said, jobId }: Payment,
): void {
  if (credits === 0) return
  const to = creditsOf(world, player, store)
  if (!canReceive(world, to, credits)) {
    post(world, from, namedAccount('fee_sink'), credits)
    return
  }
  creditMove(world, player, from, to, credits, 'crafting', verb, said, { job_id: jobId })
}
