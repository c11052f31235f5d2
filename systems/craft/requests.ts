/**
 * What a call of `craft` or `recycle` asks for: the fields given choose one of its forms; those
 * that contradict each other are refused. Source: crafting.md section 5.
 */
import { badFields, type Failure, fail } from '../../core/errors.ts'
import {
  ID_CHARACTERS_MAX,
  LIST_ROWS_MAX,
  PACKAGE_LABEL_CHARACTERS_MAX,
  PACKAGE_SIZE,
  QUANTITY_MAX,
} from '../../core/limits.ts'
import {
  JOB_LABEL_CHARACTERS_MAX,
  JOBS_PER_PLAYER_MAX,
  PACKAGES_BROUGHT_MAX,
} from '../../core/limits-jobs.ts'
import {
  bool,
  choice,
  int,
  itemId,
  obj,
  optional,
  quantity,
  ref,
  type Static,
  str,
  Type,
} from '../../core/params.ts'
import { PRESETS } from './venue-rules.ts'

const recipe_id = ref(
  'recipe',
  str('Id of a recipe of the catalog.', { min: 1, example: 'smelt_iron' }),
)
const facility_id = str('The facility that shall do it; absent: the best by preset.', { min: 1 })
const deliver_to = str('Where outputs go: storage, faction or faction:<bucket>.', {
  min: 1,
  example: 'storage',
})
const source = str('What pays: storage, faction or faction:<bucket>; else as deliver_to.', {
  min: 1,
  example: 'storage',
})
const units = int('Units of the first output; runs are rounded up.', {
  min: 1,
  max: QUANTITY_MAX,
  example: 10,
})
const job_id = str('Id of a job.', { min: 1 })
const ids = (description: string, most: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: ID_CHARACTERS_MAX }), {
    description,
    minItems: 1,
    maxItems: most,
    uniqueItems: true,
    examples: [['x']],
  })
const rows = <R extends Parameters<typeof Type.Array>[0]>(row: R, example: object) =>
  Type.Array(row, {
    description: `Up to ${LIST_ROWS_MAX} jobs; each is ordered or refused alone.`,
    minItems: 1,
    maxItems: LIST_ROWS_MAX,
    examples: [[example]],
  })

const package_ids = ids('Packages that hold exactly the inputs.', PACKAGES_BROUGHT_MAX)
const output_package_label = str('Seal all outputs in one package with this label.', {
  min: 1,
  max: JOB_LABEL_CHARACTERS_MAX,
})
const packing = {
  items: optional(
    Type.Array(obj({ item_id: itemId(), quantity: quantity() }), {
      description: 'Of pack_package: what goes in, a size of 100 at most.',
      minItems: 1,
      maxItems: PACKAGE_SIZE,
      examples: [[{ item_id: 'iron_ingot', quantity: 10 }]],
    }),
  ),
  label: optional(
    str('Of pack_package: what is written on it.', { max: PACKAGE_LABEL_CHARACTERS_MAX }),
  ),
  package_id: optional(str('Of unpack_package: what is opened.', { min: 1 })),
  target: optional(
    str('Of both: where it goes; storage, cargo, faction or faction:<bucket>.', {
      min: 1,
      example: 'storage',
    }),
  ),
  package_ids: optional(package_ids),
  output_package_label: optional(output_package_label),
}

const ordered = {
  quantity: optional(units),
  facility_id: optional(facility_id),
  deliver_to: optional(deliver_to),
  source: optional(source),
}
const craftPreset = choice(
  'How the venue is chosen: fast (default) ends first, rented ones too; cheap; prefer_own; workshop.',
  PRESETS,
)
const recyclePreset = choice(
  'How the recycler is chosen: fast (default) ends first, rented ones too.',
  ['fast', 'cheap', 'prefer_own'],
)
const shared = {
  ...ordered,
  dry_run: optional(bool('Say what it would cost; order nothing.')),
  job_id: optional(job_id),
  job_ids: optional(ids('Jobs to call off.', JOBS_PER_PLAYER_MAX)),
}
const example = { recipe_id: 'smelt_iron', quantity: 10 }

const craftRow = obj({ recipe_id, ...ordered, ...packing, preset: optional(craftPreset) })
const recycleRow = obj({ recipe_id, ...ordered, preset: optional(recyclePreset) })

export const craftParams = obj({
  action: optional(choice('List your jobs, or call some off.', ['queue', 'cancel'])),
  recipe_id: optional(recipe_id),
  count: optional(int('The same as quantity.', { min: 1, max: QUANTITY_MAX, example: 10 })),
  preset: optional(craftPreset),
  ...packing,
  ...shared,
  jobs: optional(rows(craftRow, example)),
})

export const recycleParams = obj({
  action: optional(choice('Call jobs off.', ['cancel'])),
  recipe_id: optional(recipe_id),
  preset: optional(recyclePreset),
  ...shared,
  jobs: optional(rows(recycleRow, example)),
})

export type CraftParams = Static<typeof craftParams>
export type RecycleParams = Static<typeof recycleParams>
export type OrderRow = Static<typeof craftRow>

/** One form of the command. */
export type Request =
  | { readonly form: 'queue' }
  | { readonly form: 'cancel'; readonly ids: readonly string[]; readonly isBulk: boolean }
  | { readonly form: 'retarget'; readonly id: string; readonly to: string }
  | { readonly form: 'bulk'; readonly rows: readonly OrderRow[] }
  | { readonly form: 'quote' | 'order'; readonly row: OrderRow }

const contradiction = (...fields: string[]): Failure =>
  badFields(
    ...fields.map((field) => ({ field, expected: 'left out beside the other fields given' })),
  )

type Given = Partial<CraftParams>

/** Fields of packing and unpacking, and of packages around a recipe. */
const PACKING = ['items', 'label', 'package_id', 'target'] as const
const PACKAGED = ['package_ids', 'output_package_label'] as const
/** Fields that order something. */
const ORDERING = [
  ...(['recipe_id', 'quantity', 'count', 'facility_id', 'preset', 'source'] as const),
  ...PACKING,
  ...PACKAGED,
] as const

const given = (params: Given, names: readonly (keyof Given)[]): string[] =>
  names.filter((name) => params[name] !== undefined)

/** Of existing jobs: called off, or their outputs sent elsewhere. */
function ofJobs(params: Given): Request | Failure {
  const { job_id: id, job_ids: many, deliver_to: to, action } = params
  const beside = given(params, [...ORDERING, 'jobs', 'dry_run'])
  if (beside.length > 0) return contradiction(...beside)
  if (id !== undefined && many !== undefined) return contradiction('job_id', 'job_ids')
  if (action === 'queue') return contradiction('action')
  if (id !== undefined && to !== undefined) {
    return action === undefined ? { form: 'retarget', id, to } : contradiction('deliver_to')
  }
  if (to !== undefined) return contradiction('deliver_to')
  return { form: 'cancel', ids: many ?? [id ?? ''], isBulk: many !== undefined }
}

/** The row that the fields of the call itself make. */
function rowOf(params: Given): OrderRow {
  const {
    action: _,
    count,
    dry_run: _dry,
    job_id: _id,
    job_ids: _ids,
    jobs: _jobs,
    ...row
  } = params
  return { ...row, recipe_id: params.recipe_id ?? '', quantity: params.quantity ?? count }
}

/** Fields that do not go with the recipe of a row. Refusal: invalid_payload. */
export function refusesRow(row: OrderRow): Failure | undefined {
  const unfit: readonly (keyof OrderRow)[] =
    row.recipe_id === 'pack_package'
      ? ['package_id', 'deliver_to', ...PACKAGED]
      : row.recipe_id === 'unpack_package'
        ? ['items', 'label', 'deliver_to', ...PACKAGED]
        : PACKING
  const beside = unfit.filter((name) => row[name] !== undefined)
  return beside.length > 0 ? contradiction(...beside) : undefined
}

/** The form that the fields given ask for. Refusals: invalid_payload, dry_run_bulk. */
export function requestOf(params: Given, mayList: boolean): Request | Failure {
  const { action, jobs, dry_run, recipe_id: id, quantity, count } = params
  if (params.job_id !== undefined || params.job_ids !== undefined) return ofJobs(params)
  if (action === 'cancel') {
    return badFields({ field: 'job_id', expected: 'the id of a job' })
  }
  if (jobs !== undefined) {
    if (dry_run === true) return fail('dry_run_bulk')
    const beside = given(params, [...ORDERING, 'deliver_to', 'action'])
    return beside.length > 0 ? contradiction(...beside) : { form: 'bulk', rows: jobs }
  }
  if (id === undefined) {
    const beside = given(params, [...ORDERING, 'deliver_to', 'dry_run'])
    if (!mayList || beside.length > 0) {
      return badFields({ field: 'recipe_id', expected: 'a recipe' })
    }
    return { form: 'queue' }
  }
  if (action === 'queue') return contradiction('action', 'recipe_id')
  if (quantity !== undefined && count !== undefined && quantity !== count) {
    return contradiction('quantity', 'count')
  }
  if (params.facility_id !== undefined && params.preset !== undefined) {
    return contradiction('facility_id', 'preset')
  }
  const row = rowOf(params)
  return refusesRow(row) ?? { form: dry_run === true ? 'quote' : 'order', row }
}

/** True for forms that are answered at once and change nothing. */
export const onlyReads = (request: Request | Failure): boolean =>
  'code' in request || request.form === 'queue' || request.form === 'quote'
