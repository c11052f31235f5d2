/**
 * Who pays, and where goods come from and go to: a player's own locker and wallet here, or those of
 * his faction. Source: factions.md section 2, manage_treasury; crafting.md, source and target.
 */
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/rules.ts'
import { closeEmptyLocker, lockerOf, openLocker } from '../cargo/rules.ts'
import { dockedBase } from '../travel/rules.ts'
import { factionOf, refusesPermission, treasuryOf } from './rules.ts'
import {
  closeEmptyStore,
  findStore,
  openStore,
  type StorePlace,
  storeContainer,
} from './store-rules.ts'

export interface Payer {
  /** Container of the goods; 0 where nothing is in it. */
  readonly goods: Row
  /** Ledger account. */
  readonly credits: Row
  /** 0: the player himself. */
  readonly faction: Row
  readonly player: Eid
  readonly base: Row
  /** Of a faction. */
  readonly store?: StorePlace
}

const PREFIX = 'faction:'

/** True for a text that names the player's faction, or a bucket of it. */
export const namesFaction = (text: string): boolean => {
  const word = text.trim().toLowerCase()
  return word === 'faction' || word.startsWith(PREFIX)
}

/** What stands behind `faction:`; undefined for the main store. */
export const bucketIn = (text: string): string | undefined =>
  text.trim().toLowerCase().startsWith(PREFIX) ? text.trim().slice(PREFIX.length) : undefined

/**
 * Resolves `storage` (or `self`), `faction`, `faction:<bucket>` at the base a player is docked at,
 * or at one given. Refusals: not_in_faction, no_permission, no_faction_storage, bucket_not_found,
 * invalid_target. Asked when the command runs.
 */
export function payerOf(
  view: WorldView,
  player: Eid,
  source: string,
  base: Row = dockedBase(view, player),
): Payer | Failure {
  if (!namesFaction(source)) {
    const word = source.trim().toLowerCase()
    if (word !== 'storage' && word !== 'self') return fail('invalid_target', { source })
    const goods = base === 0 ? 0 : lockerOf(view, player, base)
    return { goods, credits: walletOf(view, player), faction: 0, player, base }
  }
  const refused = refusesPermission(view, player, 'manage_treasury')
  if (refused) return refused
  const faction = factionOf(view, player)
  const found = findStore(view, faction, base, bucketIn(source))
  if (!found.ok) return found
  return {
    goods: storeContainer(view, found.result),
    credits: treasuryOf(view, faction),
    faction,
    player,
    base,
    store: found.result,
  }
}

/** Container of a payer's goods, opened where nothing is in it. */
export const openGoods = (world: World, payer: Payer): Row =>
  payer.store ? openStore(world, payer.store) : openLocker(world, payer.player, payer.base)

/** Gives the container of a payer back if it is empty. */
export function closeGoods(world: World, payer: Payer): void {
  if (payer.store) closeEmptyStore(world, payer.store)
  else closeEmptyLocker(world, payer.player, payer.base)
}
