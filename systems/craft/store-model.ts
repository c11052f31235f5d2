/**
 * Where a job's goods and credits come from, and where its outputs go: the own locker and wallet,
 * or store and treasury of the own faction. Source: crafting.md section 2, Escrow.
 */
import { assert } from '../../core/assert.ts'
import {
  GOODS,
  itemIndex,
  type MaterialRow,
  RECIPES,
  type RecipeRow,
  recipeIndex,
  recipeMilliTicks,
} from '../../core/catalog/index.ts'
import { badFields, type Failure, fail } from '../../core/errors.ts'
import { unitsIn } from '../../core/goods.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { lockerOf } from '../cargo/model.ts'
import { facilityName } from '../facility/model.ts'
import { Facility, OF_FACTION, REPOSSESSED } from '../facility/state.ts'
import {
  bucketIn,
  factionOf,
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
import { CRAFT, RECYCLE } from './state.ts'

export const makesFuel = (recipe: number, mode: number): boolean =>
  mode === CRAFT && recipeRow(recipe).fuel_output === true

/** Where fuel cannot go at all. Refusals: no_storage_service, no_faction_storage. */
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

/*
 * Recipes as jobs use them: items by number, what a run takes and what so many runs give. Source:
 * crafting.md sections 1, 4.
 */

export interface Units {
  /** Index into GOODS. */
  readonly item: number
  readonly units: number
}

interface Formula {
  readonly inputs: readonly Units[]
  readonly outputs: readonly Units[]
  readonly need: number
  /** Experience a run is worth at a workshop. */
  readonly xp: number
}

/** What recycling gives back of the inputs, in percent. Source: crafting.md section 4. */
const RECYCLED_PCT = 50
/** Credits of output for a point of experience. Source: crafting.md section 2. */
const CREDITS_PER_XP = 20

const unitsOf = (rows: readonly MaterialRow[]): readonly Units[] =>
  rows.map(({ item_id, quantity }) => {
    const item = itemIndex(item_id)
    assert(item >= 0, `recipes name the unknown item ${item_id}`)
    return { item, units: quantity }
  })

export const countUnits = (rows: readonly Units[]): number =>
  rows.reduce((sum, { units }) => sum + units, 0)

/** Base value of goods, credits. */
export const goodsValue = (rows: readonly Units[]): number =>
  rows.reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)

const FORMULAS: readonly Formula[] = RECIPES.map((row) => {
  const outputs = unitsOf(row.outputs)
  const xp = Math.max(1, divFloor(goodsValue(outputs), CREDITS_PER_XP))
  return { inputs: unitsOf(row.inputs), outputs, need: recipeMilliTicks(row), xp }
})

/** Index of a recipe by id, not hidden ones; -1 when there is none. */
export function findRecipe(id: string): number {
  const index = recipeIndex(id)
  return index < 0 || RECIPES[index].hidden === true ? -1 : index
}

export const recipeRow = (recipe: number): RecipeRow => RECIPES[recipe]
export const needOf = (recipe: number): number => FORMULAS[recipe].need
export const xpOfRun = (recipe: number): number => FORMULAS[recipe].xp

const NOTHING: readonly Units[] = []

/** What a run takes: inputs, or, where it recycles, the outputs. Packing follows no recipe. */
export function takenBy(recipe: number, mode: number): readonly Units[] {
  if (mode !== CRAFT && mode !== RECYCLE) return NOTHING
  return mode === RECYCLE ? FORMULAS[recipe].outputs : FORMULAS[recipe].inputs
}

/** What the runs after the first `done` give, `runs` of them; rounding is by the whole job. */
export function givenBy(recipe: number, mode: number, done: number, runs: number): Units[] {
  const { inputs, outputs } = FORMULAS[recipe]
  if (mode === CRAFT) return outputs.map(({ item, units }) => ({ item, units: units * runs }))
  if (mode !== RECYCLE) return []
  return inputs
    .map(({ item, units }) => ({
      item,
      units:
        divFloor(units * (done + runs) * RECYCLED_PCT, 100) -
        divFloor(units * done * RECYCLED_PCT, 100),
    }))
    .filter(({ units }) => units > 0)
}

/** Runs that give so many units of the first output. Source: crafting.md section 2. */
export const runsFor = (recipe: number, quantity: number): number =>
  Math.ceil(quantity / FORMULAS[recipe].outputs[0].units)

/** Skill that a workshop's speed and experience come from. Source: crafting.md section 1. */
export const skillOfRecipe = (recipe: number): 'refining' | 'crafting' =>
  RECIPES[recipe].category === 'refining' ? 'refining' : 'crafting'

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
export function placeOf(view: WorldView, base: Row, { faction, bucket }: Store): StorePlace {
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
) {
  if (namesFaction(text)) {
    const refused =
      use === 'pays'
        ? permissionRefusal(view, player, 'manage_treasury')
        : memberRefusal(view, player)
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
const goodsOf = (view: WorldView, { player, base }: Place, store: Store): Row =>
  store.faction === 0
    ? lockerOf(view, player, base)
    : storeContainer(view, placeOf(view, base, store))

/** Units of an item in a store. */
export function unitsHeld(view: WorldView, place: Place, store: Store, item: number): number {
  const goods = goodsOf(view, place, store)
  return goods === 0 ? 0 : unitsIn(view, goods, item)
}

/** Account that pays for jobs from this store. */
export const creditsOf = (view: WorldView, player: Eid, { faction }: Store): Row =>
  faction === 0 ? walletOf(view, player) : treasuryOf(view, faction)

/** Units of an item that a store still takes: none where the faction cannot reach its own. */
export const roomIn = (view: WorldView, { base }: Place, store: Store, item: number): number =>
  store.faction === 0
    ? Number.MAX_SAFE_INTEGER
    : roomInStore(view, placeOf(view, base, store), item)
