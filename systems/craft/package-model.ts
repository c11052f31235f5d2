/**
 * Recipes with packages: inputs out of packages, outputs into one; plans, refusals, quotes. Source:
 * crafting.md section 5, packaged_quote.
 */
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { sumHeld } from '../../core/goods.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Row, WorldView } from '../../core/types.ts'
import {
  CARGO_CONTAINER,
  isNearlyFull,
  manifestOf,
  packageRoom,
  packedSize,
} from '../cargo/model.ts'
import { Package } from '../cargo/state.ts'
import { costView, itemRows, type OrderRow, planView } from './model.ts'
import { gate, packageAtHand } from './packing-model.ts'
import {
  backlogRefusal,
  creditsRefusal,
  creditsTotal,
  jobRefusal,
  materialsRefusal,
  type Plan,
  planJob,
} from './plan-model.ts'
import { makesFuel } from './recipe-model.ts'
import { JOB_LABEL_CHARACTERS_MAX, PACKAGE_SIZE } from './state.ts'
import { OWN_STORE, type Place, unitsHeld } from './store-model.ts'
import { hasLogistics } from './venue-model.ts'

/** Returns whether an order makes things out of packages, or into one. */
export const hasPackages = (row: OrderRow): boolean =>
  row.package_ids !== undefined || row.output_package_label !== undefined

/** Cleans the label of the package for the outputs. Refusals: invalid_payload, too_long. */
const outputLabel = ({
  output_package_label: label,
}: OrderRow): Outcome<string | undefined, 'invalid_payload' | 'too_long'> =>
  label === undefined
    ? ok(undefined)
    : cleanText(label, {
        max: JOB_LABEL_CHARACTERS_MAX,
        unit: 'codepoints',
        field: 'output_package_label',
        oneLine: true,
      })

/** The packages that a job with packages takes and makes. */
export interface Packaged {
  readonly packages: readonly Row[]
  /** Label of the package that the outputs go into. */
  readonly label?: string
}

/** Refuses packages that do not hold exactly the inputs: package_mismatch. */
function matchRefusal(view: WorldView, plan: Plan, { packages }: Packaged) {
  if (packages.length === 0) return undefined
  const held = sumHeld(packages.flatMap((pkg) => manifestOf(view, pkg)))
  const needed = sumHeld(plan.takes)
  const fits = JSON.stringify(held) === JSON.stringify(needed)
  return fits ? undefined : fail('package_mismatch')
}

const logisticsRefusal = (
  view: WorldView,
  { player, base }: Plan,
): Failure<'no_logistics'> | undefined =>
  hasLogistics(view, player, base) ? undefined : fail('no_logistics')

/** Refuses outputs that do not fit into one package: output_too_large. */
function outputSizeRefusal(
  plan: Plan,
  { label }: Packaged,
): Failure<'output_too_large'> | undefined {
  const size = packedSize(plan.gives)
  if (label === undefined || size <= PACKAGE_SIZE) return undefined
  return fail('output_too_large', { size, most: PACKAGE_SIZE })
}

/** Refuses to pack outputs without a cargo container to spare: no_cargo_container. */
function cargoContainerRefusal(view: WorldView, plan: Plan, { label, packages }: Packaged) {
  if (label === undefined) return undefined
  const takes = packages.length > 0 ? [] : plan.takes
  const taken = takes.find(({ item }) => item === CARGO_CONTAINER)?.units ?? 0
  return unitsHeld(view, plan, OWN_STORE, CARGO_CONTAINER) > taken
    ? undefined
    : fail('no_cargo_container')
}

/** Refuses packed outputs that have no room at the base: package_storage_full, limit_reached. */
function destinationRefusal(view: WorldView, plan: Plan, { label }: Packaged) {
  if (label === undefined) return undefined
  if (packageRoom(view, plan.player, plan.base) < 1) return fail('package_storage_full')
  return isNearlyFull(view, Package) ? fail('limit_reached', { full: 'packages' }) : undefined
}

/* Planning */

/** Returns the packages of an order, each once. Refusal: not_found. */
function inputPackages(
  view: WorldView,
  place: Place,
  ids: readonly string[],
): Row[] | Failure<'not_found'> {
  const packages: Row[] = []
  for (const id of ids) {
    const pkg = packageAtHand(view, place, id)
    if (typeof pkg !== 'number') return pkg
    if (!packages.includes(pkg)) packages.push(pkg)
  }
  return packages
}

/** Returns an order with the player's own store filled in where it names none. */
const withOwnStore = (row: OrderRow): OrderRow =>
  row.deliver_to === undefined && row.source === undefined ? { ...row, source: 'storage' } : row

/** Refuses recipes of fuel, and stores of factions: the goods in packages are the player's own. */
function storesRefusal(
  { source, target, recipe, mode }: Plan,
  row: OrderRow,
): Failure<'invalid_payload'> | undefined {
  if (makesFuel(recipe, mode)) {
    return invalidFields({ field: 'recipe_id', expected: 'a recipe that makes no fuel' })
  }
  if (source.faction === 0 && target.faction === 0) return undefined
  const isSource = row.source !== undefined && source.faction !== 0
  return invalidFields({ field: isSource ? 'source' : 'deliver_to', expected: 'storage' })
}

/** Plans a job with packages, and refuses it where it cannot be ordered now. */
export function planPackaged(view: WorldView, place: Place, mode: number, row: OrderRow) {
  const planned = planJob(view, place, mode, withOwnStore(row))
  if (!planned.ok) return planned
  const plan = planned.result
  const packages = inputPackages(view, place, row.package_ids ?? [])
  if (!Array.isArray(packages)) return packages
  const label = outputLabel(row)
  if (!label.ok) return label
  const packaged: Packaged = { packages, label: label.result }
  const refused =
    storesRefusal(plan, row) ??
    jobRefusal(view, plan) ??
    logisticsRefusal(view, plan) ??
    (packages.length > 0 ? undefined : materialsRefusal(view, plan)) ??
    matchRefusal(view, plan, packaged) ??
    outputSizeRefusal(plan, packaged) ??
    cargoContainerRefusal(view, plan, packaged) ??
    destinationRefusal(view, plan, packaged) ??
    creditsRefusal(view, plan) ??
    backlogRefusal(view, plan)
  return refused ?? ok({ plan, packaged })
}

/* Quotes */

/** Quotes an order with packages: what it costs, and which conditions are met. */
export function quotePackaged(view: WorldView, place: Place, mode: number, row: OrderRow) {
  const planned = planJob(view, place, mode, withOwnStore(row))
  if (!planned.ok) return planned
  const plan = planned.result
  const barred = storesRefusal(plan, row)
  if (barred) return barred
  const found = inputPackages(view, place, row.package_ids ?? [])
  const notFound = Array.isArray(found) ? undefined : found
  const packages = Array.isArray(found) ? found : []
  const cleaned = outputLabel(row)
  if (!cleaned.ok) return cleaned
  const label = cleaned.result
  const packaged: Packaged = { packages, label }
  const hasInputPackages = row.package_ids !== undefined
  const gates = {
    inputs: gate(hasInputPackages ? notFound : materialsRefusal(view, plan)),
    logistics: gate(logisticsRefusal(view, plan)),
    cargo_container: gate(cargoContainerRefusal(view, plan, packaged)),
    output_size: gate(outputSizeRefusal(plan, packaged)),
    destination_room: gate(
      jobRefusal(view, plan) ??
        destinationRefusal(view, plan, packaged) ??
        backlogRefusal(view, plan),
    ),
    package_match: gate(notFound ?? matchRefusal(view, plan, packaged)),
    credits: gate(creditsRefusal(view, plan)),
  }
  const ready = Object.values(gates).every(({ ok: isOpen }) => isOpen)
  return ok({
    action: 'craft',
    kind: 'packaged_quote',
    dry_run: true,
    ...planView(view, plan),
    mode: 'craft',
    quantity: plan.quantity,
    cost: costView(plan),
    credits_total: creditsTotal(plan),
    gates,
    ready,
    ...(row.package_ids !== undefined && { package_ids: [...row.package_ids] }),
    ...(label !== undefined && {
      output_package_label: label,
      output_package: {
        label,
        items: itemRows(plan.gives),
        size_used: packedSize(plan.gives),
        size_max: PACKAGE_SIZE,
        container_consumed: 1,
        reclaimed_containers: packages.length,
      },
    }),
    message: ready
      ? 'This can be ordered as it is.'
      : 'This cannot be ordered yet: see the reason of each gate that is not ok.',
  })
}
