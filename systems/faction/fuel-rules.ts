/** Fuel from tanks into the bunkers of factions. Source: trade-storage.md section 4. */
import { fail, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { baseName } from '../base/rules.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { logAction } from '../log/rules.ts'
import { refusesFuelFor } from '../market/bunker-rules.ts'
import { Ship } from '../ship/columns.ts'
import { noteStoreMove } from './activity-rules.ts'
import { FactionStore } from './columns.ts'
import { factionName } from './rules.ts'
import { bunkerCapacity, bunkerFuel, changeBunker, findStore } from './store-rules.ts'

export interface FuelDeposit {
  readonly player: Eid
  readonly base: Row
  readonly faction: Row
  readonly units: number
}

/**
 * Pumps fuel from the tank of the ship flown into the bunker of a faction here. Refusals:
 * no_faction_storage, issue_item, insufficient_items, storage_full.
 */
export function depositFuel(world: World, move: FuelDeposit) {
  const { player, base, faction, units } = move
  const store = findStore(world, faction, base)
  if (!store.ok) return store
  if (bunkerCapacity(world, faction, base) === 0) {
    return fail('no_faction_storage', undefined, 'The faction has no fuel bunker here.')
  }
  const ship = world.read(Player).ship[player]
  const { fuel, issueFuel } = world.read(Ship)
  const have = fuel[ship] - issueFuel[ship]
  if (have < 1 && issueFuel[ship] > 0) return fail('issue_item')
  if (have < units) return fail('insufficient_items', { need: units, have })
  const full = refusesFuelFor(world, { faction, base }, units)
  if (full) return full
  if (isNearlyFull(world, FactionStore)) return fail('storage_full')
  world.write(Ship).fuel[ship] -= units
  changeBunker(world, faction, base, units)
  const where = `the bunker of ${factionName(world, faction)} at ${baseName(world, base)}`
  const summary = `Pumped ${units} fuel into ${where}.`
  const noted = { faction, player, action: 'deposit_fuel', summary, quantity: units, base }
  noteStoreMove(world, noted)
  logAction(world, player, 'storage', 'faction_deposit_fuel', summary, { quantity: units })
  const stored = bunkerFuel(world, faction, base)
  return ok({
    action: 'faction_deposit_fuel',
    fuel: units,
    fuel_capacity: bunkerCapacity(world, faction, base),
    ship_fuel: world.read(Ship).fuel[ship],
    storage_fuel: stored,
  }) satisfies Outcome<unknown>
}

/**
 * Draws fuel for a tank from the bunker of a faction here that can be reached; returns the units.
 * Source: travel.md section 7.
 */
export function drawBunker(world: World, faction: Row, base: Row, wanted: number): number {
  if (faction === 0 || bunkerCapacity(world, faction, base) === 0) return 0
  const units = Math.min(wanted, bunkerFuel(world, faction, base))
  if (units > 0) changeBunker(world, faction, base, -units)
  return units
}
