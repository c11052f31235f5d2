/**
 * Orders and quotes that have to do with packages: each gate is one thing that must be so. Source:
 * crafting.md section 5, packaged_quote.
 */
import { badFields, type Failure, type Outcome, ok } from '../../core/errors.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { packedSize } from '../cargo/model.ts'
import {
  creditsRefusal,
  creditsTotal,
  jobRefusal,
  materialsRefusal,
  type Plan,
  planJob,
} from './enqueue-model.ts'
import { costView, escrowView, itemRows, type OrderRow, planView } from './model.ts'
import {
  boxRefusal,
  destinationRefusal,
  logisticsRefusal,
  matchRefusal,
  outputSizeRefusal,
  type Packaged,
  type Place,
  packageAtHand,
  packageRefusal,
  planPackage,
} from './packing-model.ts'
import { JOB_LABEL_CHARACTERS_MAX, PACK, PACKAGE_SIZE, UNPACK } from './state.ts'
import { makesFuel } from './store-model.ts'

/** True for a row that packs or unpacks. */
export const packsOrUnpacks = ({ recipe_id: id }: OrderRow): boolean =>
  id === 'pack_package' || id === 'unpack_package'

/** True for a row that makes things out of packages, or into one. */
export const hasPackages = (row: OrderRow): boolean =>
  row.package_ids !== undefined || row.output_package_label !== undefined

/** The label of the package that a row's outputs go into. Refusals: invalid_payload, too_long. */
const labelOfRow = ({
  output_package_label: label,
}: OrderRow): Outcome<string | undefined, 'invalid_payload' | 'too_long'> =>
  label === undefined
    ? ok(undefined)
    : cleanText(label, {
        max: JOB_LABEL_CHARACTERS_MAX,
        unit: 'codepoints',
        field: 'output_package_label',
      })

/* Packing and unpacking */

export const planOf = (view: WorldView, place: Place, row: OrderRow) =>
  planPackage(view, place, row.recipe_id === 'pack_package' ? PACK : UNPACK, row)

/* Recipes with packages around them */

/** The packages of a row, one named twice once: ids are read in any case. Refusal: not_found. */
function packagesMeant(
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

/** A row with packages means the own store where it names none. */
const ownRow = (row: OrderRow): OrderRow =>
  row.deliver_to === undefined && row.source === undefined ? { ...row, source: 'storage' } : row

/** Refuses packages of factions, and of fuel: outputs in one are the orderer's own goods. */
function storesRefusal({
  source,
  target,
  recipe,
  mode,
}: Plan): Failure<'invalid_payload'> | undefined {
  const isOwn = source.faction === 0 && target.faction === 0
  if (isOwn && !makesFuel(recipe, mode)) return undefined
  return badFields({ field: 'source', expected: 'storage' })
}

export interface PackagedPlan {
  readonly plan: Plan
  readonly packaged: Packaged
}

/** The plan of a row with packages, ready to be ordered. */
export function planPackaged(view: WorldView, place: Place, mode: number, row: OrderRow) {
  const planned = planJob(view, place, mode, ownRow(row))
  if (!planned.ok) return planned
  const plan = planned.result
  const packages = packagesMeant(view, place, row.package_ids ?? [])
  if (!Array.isArray(packages)) return packages
  const label = labelOfRow(row)
  if (!label.ok) return label
  const packaged: Packaged = { packages, label: label.result }
  const refused =
    storesRefusal(plan) ??
    jobRefusal(view, plan) ??
    logisticsRefusal(view, plan) ??
    (packages.length > 0 ? undefined : materialsRefusal(view, plan)) ??
    matchRefusal(view, plan, packaged) ??
    outputSizeRefusal(plan, packaged) ??
    boxRefusal(view, plan, packaged) ??
    destinationRefusal(view, plan, packaged) ??
    creditsRefusal(view, plan)
  return refused ?? ok({ plan, packaged })
}

/* Quotes */

const gate = (refused: Failure | undefined) =>
  refused ? { ok: false, reason: refused.message } : { ok: true }

/** What an order with packages would cost, and which of its gates are open. */
export function quotePackaged(view: WorldView, place: Place, mode: number, row: OrderRow) {
  const planned = planJob(view, place, mode, ownRow(row))
  if (!planned.ok) return planned
  const plan = planned.result
  const found = packagesMeant(view, place, row.package_ids ?? [])
  const bad = Array.isArray(found) ? undefined : found
  const packages = Array.isArray(found) ? found : []
  const written = labelOfRow(row)
  if (!written.ok) return written
  const label = written.result
  const packaged: Packaged = { packages, label }
  const brings = row.package_ids !== undefined
  const gates = {
    inputs: gate(brings ? bad : materialsRefusal(view, plan)),
    logistics: gate(logisticsRefusal(view, plan)),
    cargo_container: gate(boxRefusal(view, plan, packaged)),
    output_size: gate(outputSizeRefusal(plan, packaged)),
    destination_room: gate(jobRefusal(view, plan) ?? destinationRefusal(view, plan, packaged)),
    package_match: gate(bad ?? matchRefusal(view, plan, packaged)),
    credits: gate(creditsRefusal(view, plan)),
  }
  const ready = Object.values(gates).every(({ ok: isOpen }) => isOpen) && !storesRefusal(plan)
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
    ...(brings ? { package_ids: [...(row.package_ids ?? [])] } : {}),
    ...(label === undefined
      ? {}
      : {
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
    message: ready ? 'This can be ordered as it is.' : 'A gate is closed; its reason says why.',
  })
}

/** What packing or unpacking would cost, in the same form. */
export function quotePacking(view: WorldView, place: Place, row: OrderRow) {
  const planned = planOf(view, place, row)
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
