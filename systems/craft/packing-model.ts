/**
 * Packing and unpacking: plans, refusals, quotes. Source: crafting.md section 5, trade-storage.md
 * section 5.
 */
import { GOODS, recipeIndex } from '../../core/catalog/index.ts'
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import type { Held } from '../../core/goods.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Row, WorldView } from '../../core/types.ts'
import {
  CARGO_CONTAINER,
  findGood,
  isNearlyFull,
  manifestOf,
  packageOwner,
  packagePlace,
  packageRoom,
  packedSize,
  sealedById,
} from '../cargo/model.ts'
import { isPackageId, PACKAGE_LABEL_CHARACTERS_MAX, Package } from '../cargo/state.ts'
import { factionOf, permissionRefusal } from '../faction/model.ts'
import { factionPackageRoom, storeContainer, storesAt } from '../faction/store-model.ts'
import { activeShip, canCarry, cargoUnits, freeSpace } from '../ship/model.ts'
import { escrowView, type OrderRow, planView } from './model.ts'
import {
  creditsRefusal,
  creditsTotal,
  jobRefusal,
  missingDetails,
  type Plan,
} from './plan-model.ts'
import { PACK, PACKAGE_SIZE, UNPACK } from './state.ts'
import {
  HOLD,
  namedStore,
  OWN_HOLD,
  type Place,
  roomIn,
  type Store,
  unitsHeld,
} from './store-model.ts'
import { chooseVenue, type Preset } from './venue-model.ts'

/** The parameters of `craft` for packing or unpacking. */
interface PackOrder {
  readonly recipe_id: string
  readonly items?: readonly { readonly item_id: string; readonly quantity: number }[]
  readonly label?: string
  readonly package_id?: string
  readonly source?: string
  readonly target?: string
  readonly facility_id?: string
  readonly preset?: Preset
}

/** The plan of a job that packs or unpacks. */
export interface PackPlan extends Plan {
  readonly items: readonly Held[]
  readonly label: string
  /** The package to open; 0 to pack one. */
  readonly pkg: Row
}

/** Returns a package in the player's hold, or in their locker at the base. Refusal: not_found. */
export function packageAtHand(
  view: WorldView,
  place: Place,
  id: string,
): Row | Failure<'not_found'> {
  const pkg = sealedById(view, id)
  if (pkg === 0) return fail('not_found', { package_id: id })
  const { ship, base } = view.read(Package)
  const isAboard = ship[pkg] !== 0 && ship[pkg] === activeShip(view, place.player)
  const isStored =
    packagePlace(view, pkg) === 'locker' &&
    base[pkg] === place.base &&
    packageOwner(view, pkg).player === place.player
  return isAboard || isStored ? pkg : fail('not_found', { package_id: id })
}

/** Returns whether an order packs or unpacks. */
export const packsOrUnpacks = ({ recipe_id: id }: OrderRow): boolean =>
  id === 'pack_package' || id === 'unpack_package'

/** Returns the store, or the hold, that an order names. */
const namedSide = (view: WorldView, place: Place, text: string, use: 'pays' | 'takes') =>
  text.trim().toLowerCase() === 'cargo'
    ? OWN_HOLD
    : namedStore(view, place, text, { field: use === 'pays' ? 'source' : 'target', use })

interface Source {
  readonly pkg: Row
  /** The store of the player's faction that it is in. */
  readonly store?: Store
}

/**
 * Returns the package to open: at hand, or in a store of the player's faction here, which then
 * pays. Refusals: not_found, no_permission.
 */
function packageToOpen(
  view: WorldView,
  place: Place,
  id: string,
): Source | Failure<'no_permission' | 'not_found' | 'not_in_faction'> {
  const pkg = packageAtHand(view, place, id)
  if (typeof pkg === 'number') return { pkg }
  const sealed = sealedById(view, id)
  const faction = factionOf(view, place.player)
  const { holder } = view.read(Package)
  const store = storesAt(view, faction, place.base).find(
    (candidate) => sealed !== 0 && storeContainer(view, candidate) === holder[sealed],
  )
  if (faction === 0 || store === undefined) return pkg
  const denied = permissionRefusal(view, place.player, 'manage_treasury')
  return denied ?? { pkg: sealed, store: { faction, bucket: store.bucket } }
}

/**
 * Returns the goods to pack, equal ones added up. Refusals: invalid_payload, package_nested,
 * unknown_item, quest_item.
 */
function itemsToPack(
  items: PackOrder['items'],
): Outcome<Held[], 'invalid_payload' | 'package_nested' | 'quest_item' | 'unknown_item'> {
  if (items === undefined || items.length === 0) {
    return invalidFields({ field: 'items', expected: 'a list of what to pack' })
  }
  const sums = new Map<number, number>()
  for (const { item_id, quantity } of items) {
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
    ? cargoUnits(view, activeShip(view, place.player), item)
    : unitsHeld(view, place, store, item)

/** Refuses goods that cannot be packed: output_too_large, missing_materials, no_cargo_container. */
function contentsRefusal(
  view: WorldView,
  plan: PackPlan,
): Failure<'missing_materials' | 'no_cargo_container' | 'output_too_large'> | undefined {
  const size = packedSize(plan.items)
  if (size > PACKAGE_SIZE) return fail('output_too_large', { size, most: PACKAGE_SIZE })
  const unitsOf = (item: number) => unitsAt(view, plan, plan.source, item)
  const missing = missingDetails(plan.items, unitsOf)
  if (missing.length > 0) return fail('missing_materials', { missing })
  const packed = plan.items.find(({ item }) => item === CARGO_CONTAINER)?.units ?? 0
  return unitsOf(CARGO_CONTAINER) > packed ? undefined : fail('no_cargo_container')
}

/**
 * Refuses a package that would have no room: package_storage_full, no_cargo_space, limit_reached.
 * The player's locker needs room even for a package of a faction, since the faction may no longer
 * exist when the package is done.
 */
function slotRefusal(view: WorldView, plan: PackPlan) {
  const { player, base } = plan
  const { faction } = plan.target
  if (packageRoom(view, player, base) < 1) return fail('package_storage_full')
  if (faction !== 0 && factionPackageRoom(view, faction, base) < 1) {
    return fail('package_storage_full')
  }
  if (isNearlyFull(view, Package)) return fail('limit_reached', { full: 'packages' })
  if (plan.target.bucket !== HOLD) return undefined
  const freed = plan.source.bucket === HOLD ? packedSize(plan.items) : 0
  const room = freeSpace(view, activeShip(view, player)) + freed
  if (room >= PACKAGE_SIZE) return undefined
  return fail('no_cargo_space', { need: PACKAGE_SIZE, free: room })
}

function hazardRefusal(
  view: WorldView,
  plan: PackPlan,
): Failure<'hazard_not_supported'> | undefined {
  if (plan.target.bucket !== HOLD) return undefined
  const ship = activeShip(view, plan.player)
  const hazard = plan.items.find(({ item }) => !canCarry(view, ship, item))
  return hazard && fail('hazard_not_supported', { item_id: GOODS[hazard.item].id })
}

/** Refuses to unpack goods that have no room in the store: storage_full. */
function unpackRefusal(view: WorldView, plan: PackPlan): Failure<'storage_full'> | undefined {
  if (plan.target.bucket === HOLD) return undefined
  const full = plan.items.find(({ item, units }) => roomIn(view, plan, plan.target, item) < units)
  return full && fail('storage_full', { item_id: GOODS[full.item].id, need: full.units })
}

/** Cleans the label of a package, which others read. Refusals: invalid_payload, too_long. */
const cleanLabel = (label: string): Outcome<string, 'invalid_payload' | 'too_long'> =>
  cleanText(label, {
    max: PACKAGE_LABEL_CHARACTERS_MAX,
    unit: 'codepoints',
    field: 'label',
    mayBeEmpty: true,
    oneLine: true,
  })

/**
 * Plans a job that packs or unpacks. Refusals: no_logistics, no_crafting_service and those of the
 * venue and stores, not_found, unknown_item, quest_item, package_nested.
 */
export function planPackage(view: WorldView, place: Place, order: PackOrder) {
  const mode = order.recipe_id === 'pack_package' ? PACK : UNPACK
  const opened = mode === UNPACK ? packageToOpen(view, place, order.package_id ?? '') : { pkg: 0 }
  if ('code' in opened) return opened
  const { pkg } = opened
  const items = mode === PACK ? itemsToPack(order.items) : ok(manifestOf(view, pkg))
  if (!items.ok) return items
  const recipe = recipeIndex(mode === PACK ? 'pack_package' : 'unpack_package')
  const venue = chooseVenue(view, place, { recipe, mode, runs: 1 }, order)
  if ('code' in venue) return venue
  const source = opened.store ?? namedSide(view, place, order.source ?? 'storage', 'pays')
  if ('code' in source) return source
  const target = namedSide(view, place, order.target ?? 'storage', 'takes')
  if ('code' in target) return target
  const label = cleanLabel(order.label ?? '')
  if (!label.ok) return label
  const job = { recipe, mode, venue, source, target, quantity: 1, runs: 1, takes: [], gives: [] }
  return ok({ ...place, ...job, items: items.result, label: label.result, pkg })
}

/** Refuses packing or unpacking that cannot be ordered now. */
export function packageRefusal(view: WorldView, plan: PackPlan) {
  const refused = jobRefusal(view, plan) ?? creditsRefusal(view, plan)
  if (refused) return refused
  if (plan.mode === UNPACK) return unpackRefusal(view, plan) ?? hazardRefusal(view, plan)
  return contentsRefusal(view, plan) ?? slotRefusal(view, plan) ?? hazardRefusal(view, plan)
}

/* Quotes */

/** Renders whether a condition of an order is met. */
export const gate = (refused: Failure | undefined) =>
  refused ? { ok: false, reason: refused.message } : { ok: true }

/** Quotes packing or unpacking: what it costs, and which conditions are met. */
export function quotePacking(view: WorldView, place: Place, row: OrderRow) {
  const planned = planPackage(view, place, row)
  if (!planned.ok) return planned
  const plan = planned.result
  const refused = packageRefusal(view, plan)
  const only = (...codes: string[]) =>
    gate(refused && codes.includes(refused.code) ? refused : undefined)
  const gates = {
    inputs: only('missing_materials'),
    logistics: { ok: true },
    cargo_container: only('no_cargo_container'),
    output_size: only('output_too_large'),
    destination_room: only(
      ...['package_storage_full', 'no_cargo_space', 'hazard_not_supported'],
      ...['limit_reached', 'job_limit_reached', 'storage_full'],
    ),
    package_match: { ok: true },
    credits: only('no_credits', 'faction_no_credits'),
  }
  return ok({
    action: 'craft',
    kind: 'packaged_quote',
    dry_run: true,
    ...planView(view, plan),
    mode: 'craft',
    quantity: 1,
    cost: escrowView(plan.mode === PACK ? plan.items : [], plan.venue.laborEach, plan.venue.fee),
    credits_total: creditsTotal(plan),
    gates,
    ready: refused === undefined,
    message: refused ? refused.message : 'This can be ordered as it is.',
  })
}
