/**
 * Recipes that make fuel: it is no good but goes where fuel lives. The orderer's is bought by the
 * station, whose tank it fills, at what it pays to pilots; a faction's goes into its bunker.
 * Source: crafting.md section 1, fuel_output; travel.md section 7. ours: who pays, and that a run
 * waits until tank and funds, or the bunker, take all of it.
 */
import { type Failure, fail } from '../../core/errors.ts'
import type { World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { baseName, hasService } from '../base/rules.ts'
import { bunkerCapacity, changeBunker } from '../faction/store-rules.ts'
import { creditMove } from '../log/rules.ts'
import { freeBunker } from '../market/bunker-rules.ts'
import { quoteFuelSale } from '../market/fuel-rules.ts'
import { CRAFT } from './columns.ts'
import { countUnits, recipeRow, type Units } from './recipe-rules.ts'
import { type Place, roomIn, type Store } from './store-rules.ts'

export const makesFuel = (recipe: number, mode: number): boolean =>
  mode === CRAFT && recipeRow(recipe).fuel_output === true

/** Where fuel cannot go at all. Refusals: no_storage_service, no_faction_storage. */
export function refusesFuel(view: WorldView, { base }: Place, store: Store): Failure | undefined {
  if (store.faction === 0) {
    if (hasService(view, base, 'refuel') && view.read(Base).fuelMax[base] > 0) return undefined
    return fail('no_storage_service', { service: 'refuel' })
  }
  if (bunkerCapacity(view, store.faction, base) > 0) return undefined
  return fail('no_faction_storage', undefined, 'The faction has no fuel bunker here.')
}

function takesFuel(view: WorldView, { base }: Place, { faction }: Store, units: number): boolean {
  if (faction !== 0) return freeBunker(view, faction, base) >= units
  return quoteFuelSale(view, base, units).units === units
}

/** What a job gives, and to whom. */
export interface Delivery {
  readonly recipe: number
  readonly mode: number
  readonly gives: readonly Units[]
}

/** True if a store takes all of what a job gives. */
export function takesAll(view: WorldView, place: Place, store: Store, delivery: Delivery): boolean {
  const { recipe, mode, gives } = delivery
  if (makesFuel(recipe, mode)) return takesFuel(view, place, store, countUnits(gives))
  return gives.every(({ item, units }) => roomIn(view, place, store, item) >= units)
}

/** Fuel of completed runs into the bunker, or into the tank of the station, which pays for it. */
export function pourFuel(
  world: World,
  { player, base }: Place,
  { faction }: Store,
  units: number,
  job: string,
): void {
  if (faction !== 0) {
    changeBunker(world, faction, base, units)
    return
  }
  const { credits } = quoteFuelSale(world, base, units)
  world.write(Base).fuel[base] += units
  const { manager } = world.read(Base)
  const said = `Milled ${units} fuel into the tank of ${baseName(world, base)}.`
  const wallet = walletOf(world, player)
  const data = { job_id: job, quantity: units }
  creditMove(world, player, manager[base], wallet, credits, 'crafting', 'fuel_milled', said, data)
}
