/**
 * Ordering jobs with packages: packing and unpacking, inputs out of packages, outputs into one.
 * Source: crafting.md section 5, trade-storage.md section 5.
 */
import { GOODS, recipeIndex } from '../../core/catalog/index.ts'
import { badFields, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import type { Held } from '../../core/goods.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import {
  CARGO_CONTAINER,
  findGood,
  isNearlyFull,
  manifestOf,
  packageOwner,
  packageRoom,
  packedSize,
  placeOf,
  sealedById,
} from '../cargo/model.ts'
import { isPackageId, PACKAGE_LABEL_CHARACTERS_MAX, Package } from '../cargo/state.ts'
import { factionOf, permissionRefusal } from '../faction/model.ts'
import { factionPackageRoom, storeContainer, storesAt } from '../faction/store-model.ts'
import { cargoUnits, freeSpace, mayCarry } from '../ship/model.ts'
import { creditsRefusal, jobRefusal, type Plan } from './enqueue-model.ts'
import { PACK, PACKAGE_SIZE, UNPACK } from './state.ts'
import {
  HOLD,
  OWN_HOLD,
  OWN_STORE,
  roomIn,
  type Store,
  storeMeant,
  unitsHeld,
} from './store-model.ts'
import { chooseVenue, hasLogistics, type Preset } from './venue-model.ts'

export interface Place {
  readonly player: Eid
  readonly base: Row
}

/** A row that packs or unpacks. */
interface PackAsked {
  readonly items?: readonly { readonly item_id: string; readonly quantity: number }[]
  readonly label?: string
  readonly package_id?: string
  readonly source?: string
  readonly target?: string
  readonly facility_id?: string
  readonly preset?: Preset
}

export interface PackPlan extends Plan {
  readonly items: readonly Held[]
  readonly label: string
  /** What is opened; 0 where one is packed. */
  readonly pkg: Row
}

export const flownBy = (view: WorldView, player: Eid): Eid => view.read(Player).ship[player]

/**
 * The package of an id in the caller's hold, or in their locker at the base. Refusal: not_found.
 */
export function packageAtHand(
  view: WorldView,
  place: Place,
  id: string,
): Row | Failure<'not_found'> {
  const pkg = sealedById(view, id)
  if (pkg === 0) return fail('not_found', { package_id: id })
  const { ship, base } = view.read(Package)
  const isAboard = ship[pkg] !== 0 && ship[pkg] === flownBy(view, place.player)
  const isStored =
    placeOf(view, pkg) === 'locker' &&
    base[pkg] === place.base &&
    packageOwner(view, pkg).player === place.player
  return isAboard || isStored ? pkg : fail('not_found', { package_id: id })
}

/* Packing and unpacking */

/** A store, or the hold, that a row names. */
const sideMeant = (view: WorldView, place: Place, text: string, use: 'pays' | 'takes') =>
  text.trim().toLowerCase() === 'cargo' ? OWN_HOLD : storeMeant(view, place, text, use)

interface Brought {
  readonly pkg: Row
  /** Of the own faction, where it stands there. */
  readonly store?: Store
}

/**
 * The package that is to be opened: at hand, or in a store of the own faction here, which then
 * pays. Refusals: not_found, no_permission.
 */
function packageMeant(
  view: WorldView,
  place: Place,
  id: string,
): Brought | Failure<'no_permission' | 'not_found' | 'not_in_faction'> {
  const pkg = packageAtHand(view, place, id)
  if (typeof pkg === 'number') return { pkg }
  const [sealed, faction] = [sealedById(view, id), factionOf(view, place.player)]
  const { holder } = view.read(Package)
  const store = storesAt(view, faction, place.base).find(
    (at) => sealed !== 0 && storeContainer(view, at) === holder[sealed],
  )
  if (faction === 0 || store === undefined) return pkg
  const denied = permissionRefusal(view, place.player, 'manage_treasury')
  return denied ?? { pkg: sealed, store: { faction, bucket: store.bucket } }
}

/** The goods named, equal ones as one. Refusals: package_nested, unknown_item, quest_item. */
function itemsMeant(
  asked: PackAsked['items'],
): Outcome<Held[], 'invalid_payload' | 'package_nested' | 'quest_item' | 'unknown_item'> {
  if (asked === undefined || asked.length === 0) {
    return badFields({ field: 'items', expected: 'a list of what to pack' })
  }
  const sums = new Map<number, number>()
  for (const { item_id, quantity } of asked) {
    if (isPackageId(item_id)) return fail('package_nested', { item_id })
    const found = findGood(item_id)
    if (!found.ok) return found
    if (GOODS[found.result].quest_item === true) return fail('quest_item', { item_id })
    sums.set(found.result, (sums.get(found.result) ?? 0) + quantity)
  }
  return ok([...sums].map(([item, units]) => ({ item, units })))
}

const unitsAt = (view: WorldView, place: Place, store: Store, item: number): number =>
  store.bucket === HOLD
    ? cargoUnits(view, flownBy(view, place.player), item)
    : unitsHeld(view, place, store, item)

/** Refusals: output_too_large, missing_materials, no_cargo_container. */
function contentsRefusal(
  view: WorldView,
  place: Place,
  plan: PackPlan,
): Failure<'missing_materials' | 'no_cargo_container' | 'output_too_large'> | undefined {
  const size = packedSize(plan.items)
  if (size > PACKAGE_SIZE) return fail('output_too_large', { size, most: PACKAGE_SIZE })
  const missing = plan.items.flatMap(({ item, units }) => {
    const have = unitsAt(view, place, plan.source, item)
    const { id, name } = GOODS[item]
    return have < units ? [{ item_id: id, item_name: name, need: units, have }] : []
  })
  if (missing.length > 0) return fail('missing_materials', { missing })
  const packed = plan.items.find(({ item }) => item === CARGO_CONTAINER)?.units ?? 0
  const boxes = unitsAt(view, place, plan.source, CARGO_CONTAINER)
  return boxes > packed ? undefined : fail('no_cargo_container')
}

/**
 * Refusals: package_storage_full, no_cargo_space, limit_reached. A place is kept in the own locker,
 * also for a package of a faction: who knows whether there will be one.
 */
function slotRefusal(view: WorldView, { player, base }: Place, plan: PackPlan) {
  const { faction } = plan.target
  if (packageRoom(view, player, base) < 1) return fail('package_storage_full')
  if (faction !== 0 && factionPackageRoom(view, faction, base) < 1) {
    return fail('package_storage_full')
  }
  if (isNearlyFull(view, Package)) return fail('limit_reached', { full: 'packages' })
  if (plan.target.bucket !== HOLD) return undefined
  const freed = plan.source.bucket === HOLD ? packedSize(plan.items) : 0
  const room = freeSpace(view, flownBy(view, player)) + freed
  if (room >= PACKAGE_SIZE) return undefined
  return fail('no_cargo_space', { need: PACKAGE_SIZE, free: room })
}

function hazardRefusal(
  view: WorldView,
  { player }: Place,
  plan: PackPlan,
): Failure<'hazard_not_supported'> | undefined {
  if (plan.target.bucket !== HOLD) return undefined
  const ship = flownBy(view, player)
  const bad = plan.items.find(({ item }) => !mayCarry(view, ship, item))
  return bad && fail('hazard_not_supported', { item_id: GOODS[bad.item].id })
}

/** Refusal: storage_full. */
function openedRefusal(view: WorldView, plan: PackPlan): Failure<'storage_full'> | undefined {
  if (plan.target.bucket === HOLD) return undefined
  const full = plan.items.find(({ item, units }) => roomIn(view, plan, plan.target, item) < units)
  return full && fail('storage_full', { item_id: GOODS[full.item].id, need: full.units })
}

/** The label of a package, which others read. Refusals: invalid_payload, too_long. */
const labelMeant = (label: string): Outcome<string, 'invalid_payload' | 'too_long'> =>
  cleanText(label, {
    max: PACKAGE_LABEL_CHARACTERS_MAX,
    unit: 'codepoints',
    field: 'label',
    mayBeEmpty: true,
  })

/**
 * A pack or unpack job as it would be ordered. Refusals: no_logistics, no_crafting_service and
 * those of the venue and stores, not_found, unknown_item, quest_item, package_nested.
 */
export function planPackage(
  view: WorldView,
  place: Place,
  mode: typeof PACK | typeof UNPACK,
  asked: PackAsked,
) {
  const brought = mode === UNPACK ? packageMeant(view, place, asked.package_id ?? '') : { pkg: 0 }
  if ('code' in brought) return brought
  const { pkg } = brought
  const items = mode === PACK ? itemsMeant(asked.items) : ok(manifestOf(view, pkg))
  if (!items.ok) return items
  const recipe = recipeIndex(mode === PACK ? 'pack_package' : 'unpack_package')
  const wanted = { facilityId: asked.facility_id, preset: asked.preset }
  const venue = chooseVenue(view, place, { recipe, mode, runs: 1 }, wanted)
  if ('code' in venue) return venue
  const source = brought.store ?? sideMeant(view, place, asked.source ?? 'storage', 'pays')
  if ('code' in source) return source
  const target = sideMeant(view, place, asked.target ?? 'storage', 'takes')
  if ('code' in target) return target
  const nothing = { takes: [], gives: [], quantity: 1, runs: 1 }
  const label = labelMeant(asked.label ?? '')
  if (!label.ok) return label
  const plan = { ...place, recipe, mode, venue, source, target, ...nothing }
  return ok({ ...plan, items: items.result, label: label.result, pkg })
}

/** Everything that stands in the way of packing or unpacking. */
export function packageRefusal(view: WorldView, plan: PackPlan) {
  const refused = jobRefusal(view, plan) ?? creditsRefusal(view, plan)
  if (refused) return refused
  if (plan.mode === UNPACK) return openedRefusal(view, plan) ?? hazardRefusal(view, plan, plan)
  return (
    contentsRefusal(view, plan, plan) ??
    slotRefusal(view, plan, plan) ??
    hazardRefusal(view, plan, plan)
  )
}

/* Packages around a recipe */

export interface Packaged {
  readonly packages: readonly Row[]
  /** Of the package that the outputs go into. */
  readonly label?: string
}

/** Refusal: package_mismatch. */
export function matchRefusal(view: WorldView, plan: Plan, { packages }: Packaged) {
  if (packages.length === 0) return undefined
  const sums = new Map<number, number>()
  for (const { item, units } of packages.flatMap((pkg) => manifestOf(view, pkg))) {
    sums.set(item, (sums.get(item) ?? 0) + units)
  }
  const fits =
    sums.size === plan.takes.length &&
    plan.takes.every(({ item, units }) => sums.get(item) === units)
  return fits ? undefined : fail('package_mismatch')
}

export const logisticsRefusal = (
  view: WorldView,
  { player, base }: Plan,
): Failure<'no_logistics'> | undefined =>
  hasLogistics(view, player, base) ? undefined : fail('no_logistics')

/** Refusal: output_too_large. */
export function outputSizeRefusal(
  plan: Plan,
  { label }: Packaged,
): Failure<'output_too_large'> | undefined {
  const size = packedSize(plan.gives)
  if (label === undefined || size <= PACKAGE_SIZE) return undefined
  return fail('output_too_large', { size, most: PACKAGE_SIZE })
}

/** Refusal: no_cargo_container. */
export function boxRefusal(view: WorldView, plan: Plan, { label, packages }: Packaged) {
  if (label === undefined) return undefined
  const used = packages.length > 0 ? [] : plan.takes
  const taken = used.find(({ item }) => item === CARGO_CONTAINER)?.units ?? 0
  const boxes = unitsAt(view, plan, OWN_STORE, CARGO_CONTAINER)
  return boxes > taken ? undefined : fail('no_cargo_container')
}

/** Refusals: package_storage_full, limit_reached. */
export function destinationRefusal(view: WorldView, plan: Plan, { label }: Packaged) {
  if (label === undefined) return undefined
  if (packageRoom(view, plan.player, plan.base) < 1) return fail('package_storage_full')
  return isNearlyFull(view, Package) ? fail('limit_reached', { full: 'packages' }) : undefined
}
