/** Fuel in faction bunkers, and buckets whose facility is lost. Source: trade-storage.md 1, 4. */
import { assert } from '../../core/assert.ts'
import { itemIndex } from '../../core/catalog/index.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { contentsOf, moveItems } from '../../core/goods.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { giftWorth } from '../account/giving-model.ts'
import { Player } from '../account/state.ts'
import { baseName } from '../base/model.ts'
import { isNearlyFull, packagesIn } from '../cargo/model.ts'
import { movePackage } from '../cargo/rules.ts'
import { Facility, REPOSSESSED } from '../facility/state.ts'
import { logAction } from '../log/rules.ts'
import { fuelRefusal } from '../market/model.ts'
import { Ship } from '../ship/state.ts'
import { factionGiftRefusal, recordFactionGift } from './giving-model.ts'
import { factionName } from './model.ts'
import { recordStoreMove } from './rules.ts'
import { FACTION_REVIEW_TICKS, FactionStore, STORES } from './state.ts'
import {
  bunkerCapacity,
  bunkerFuel,
  closeEmptyStore,
  facilityOfStore,
  findMainStore,
  listStore,
  openStore,
  openStoreRow,
  type StorePlace,
  storeContainer,
} from './store-model.ts'

const FUEL = itemIndex('fuel')

/** Adds fuel to the bunker; negative `units` take it out. */
export function changeBunker(world: World, faction: Row, base: Row, units: number): void {
  const place = { faction, base, bucket: 0 }
  const row = openStoreRow(world, place)
  const { fuel } = world.write(FactionStore)
  assert(fuel[row] + units >= 0, `the bunker lacks ${-units} units`)
  fuel[row] += units
  closeEmptyStore(world, place)
}

interface FuelDeposit {
  readonly player: Eid
  readonly base: Row
  readonly faction: Row
  readonly units: number
}

/**
 * Pumps fuel from the tank of the active ship into the bunker of a faction here. Refusals:
 * no_faction_storage, issue_item, insufficient_items, storage_full.
 */
export function depositFuel(world: World, move: FuelDeposit) {
  const { player, base, faction, units } = move
  const store = findMainStore(world, faction, base)
  if (!store.ok) return store
  if (bunkerCapacity(world, faction, base) === 0) {
    return fail('no_faction_storage', undefined, 'The faction has no fuel bunker here.')
  }
  const ship = world.read(Player).ship[player]
  const { fuel, issueFuel } = world.read(Ship)
  const have = fuel[ship] - issueFuel[ship]
  if (have < 1 && issueFuel[ship] > 0) return fail('issue_item')
  const message = `Your tank has ${have} fuel to give, not ${units}; ask for no more.`
  if (have < units) return fail('insufficient_items', { need: units, have }, message)
  const worth = giftWorth([{ item: FUEL, units }])
  const refused =
    fuelRefusal(world, { faction, base }, units) ??
    factionGiftRefusal(world, player, faction, worth)
  if (refused) return refused
  if (isNearlyFull(world, FactionStore)) return fail('storage_full')
  recordFactionGift(world, player, faction, worth)
  world.write(Ship).fuel[ship] -= units
  changeBunker(world, faction, base, units)
  const where = `the bunker of ${factionName(world, faction)} at ${baseName(world, base)}`
  const summary = `Pumped ${units} fuel into ${where}.`
  recordStoreMove(world, {
    faction,
    player,
    action: 'deposit_fuel',
    summary,
    quantity: units,
    base,
  })
  logAction(world, player, 'storage', 'faction_deposit_fuel', summary, { quantity: units })
  return ok({
    action: 'faction_deposit_fuel',
    fuel: units,
    fuel_capacity: bunkerCapacity(world, faction, base),
    ship_fuel: world.read(Ship).fuel[ship],
    storage_fuel: bunkerFuel(world, faction, base),
  }) satisfies Outcome<unknown>
}

/**
 * Draws up to `unitsMax` of fuel from a faction's bunker at a base, if it works; returns the units
 * drawn. Source: travel.md section 7.
 */
export function drawBunker(world: World, faction: Row, base: Row, unitsMax: number): number {
  if (faction === 0 || bunkerCapacity(world, faction, base) === 0) return 0
  const units = Math.min(unitsMax, bunkerFuel(world, faction, base))
  if (units > 0) changeBunker(world, faction, base, -units)
  return units
}

/* Buckets */

/** Moves the contents of a bucket into the main store, beyond its cap if need be. */
function foldBucket(world: World, place: StorePlace): void {
  const from = storeContainer(world, place)
  if (from === 0) return
  const { faction, base } = place
  const container = openStore(world, { ...place, bucket: 0 })
  for (const { item, units } of contentsOf(world, from)) {
    moveItems(world, from, container, item, units)
  }
  for (const pkg of packagesIn(world, from)) {
    movePackage(world, pkg, { kind: 'store', faction, base, container })
  }
  closeEmptyStore(world, place)
}

/**
 * Folds buckets whose facility is lost into their main stores; each bucket is reviewed once in
 * FACTION_REVIEW_TICKS. Source: trade-storage.md section 1.
 */
export function foldLostBuckets(world: World): void {
  const { alive, faction, base, bucket } = world.read(FactionStore)
  const high = world.highOf(FactionStore)
  const first = 1 + (world.tick % FACTION_REVIEW_TICKS)
  for (let row = first; row <= high; row += FACTION_REVIEW_TICKS) {
    if (alive[row] === 0 || bucket[row] === 0) continue
    const place = { faction: faction[row], base: base[row], bucket: bucket[row] }
    const facility = facilityOfStore(world, place)
    const status = facility === 0 ? REPOSSESSED : world.read(Facility).status[facility]
    if (status === REPOSSESSED && !isNearlyFull(world, FactionStore)) foldBucket(world, place)
  }
}

/** Fills the index from the table, after a restore. */
export function rebuildStores(world: World): void {
  world.index(STORES).clear()
  const { alive } = world.read(FactionStore)
  for (let row = 1; row <= world.highOf(FactionStore); row++)
    if (alive[row] === 1) listStore(world, row)
}
