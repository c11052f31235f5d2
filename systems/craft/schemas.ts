/**
 * Wire shapes of jobs, quotes, queues and their events. Source: crafting.md section 5; contract.
 */
import { defineEvent } from '../../core/event.ts'
import { ID_CHARACTERS_MAX, LIST_ROWS_MAX, QUANTITY_MAX } from '../../core/limits.ts'
import {
  bool,
  bools,
  choice,
  int,
  ints,
  itemId,
  list,
  named,
  numbers,
  obj,
  opt,
  optional,
  quantity,
  ref,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { PACKAGE_LABEL_CHARACTERS_MAX } from '../cargo/state.ts'
import {
  JOB_LABEL_CHARACTERS_MAX,
  JOBS_PER_PLAYER_MAX,
  PACKAGE_SIZE,
  PACKAGES_BROUGHT_MAX,
} from './state.ts'

export const craftingUpdate = defineEvent({
  type: 'crafting_update',
  summary: 'Runs of your jobs are done and their outputs are stored; once a tick.',
  fields: obj({
    ...ints('tick'),
    jobs: list(
      named('CraftingJobUpdate', {
        ...strings('job_id', 'recipe', 'mode', 'venue', 'storage'),
        deposited: list(
          named('CraftingDeposit', { ...strings('item_id', 'item_name'), ...ints('quantity') }),
        ),
        ...ints('runs_done', 'runs_remaining', 'escrowed_credits'),
        ...bools('completed'),
        ...opt({ ...bools('external'), ...strings('output_package_id', 'output_package_label') }),
      }),
    ),
  }),
  queue: 'crafting',
  channel: () => 'activity',
})

const always = <const V extends string>(value: V) => choice(`Always ${value}.`, [value])
const docking = opt(bools('auto_docked', 'auto_undocked'))

const itemQuantitySchema = named('ItemQuantity', {
  ...strings('item_id', 'name'),
  ...ints('quantity'),
})
const escrowSchema = named('EscrowSummary', {
  inputs: optional(list(itemQuantitySchema)),
  ...opt(ints('labor', 'fee')),
})
const produces = optional(list(itemQuantitySchema))

const venue = {
  ...strings('facility_id', 'recipe', 'venue', 'venue_type'),
  ...numbers('effective_time_per_run'),
  ...ints('runs', 'est_completion_tick'),
  ...opt(bools('external')),
}

export const craftJobSchema = obj({
  action: choice('What was requested.', ['craft', 'recycle', 'job_add']),
  kind: always('job'),
  mode: choice('What the job does.', ['craft', 'recycle']),
  ...strings('job_id', 'message'),
  ...venue,
  escrowed: escrowSchema,
  produces,
  ...opt(strings('output_package_id', 'output_package_label')),
  ...docking,
})

const quoted = {
  ...strings('message'),
  ...ints('quantity', 'credits_total'),
  ...bools('dry_run'),
  ...venue,
  cost: escrowSchema,
  produces,
  ...docking,
}

export const craftQuoteSchema = obj({
  action: choice('What was requested.', ['craft', 'recycle']),
  kind: always('quote'),
  mode: choice('What the job would do.', ['craft', 'recycle']),
  ...quoted,
  ...bools('have_inputs', 'have_credits'),
  ...opt(bools('have_capacity')),
})

const gateSchema = named('PackagedCraftGate', { ...bools('ok'), ...opt(strings('reason')) })

const packagedQuoteSchema = obj({
  action: always('craft'),
  kind: always('packaged_quote'),
  mode: always('craft'),
  ...quoted,
  ...bools('ready'),
  gates: named(
    'PackagedCraftGates',
    opt({
      inputs: gateSchema,
      logistics: gateSchema,
      cargo_container: gateSchema,
      output_size: gateSchema,
      destination_room: gateSchema,
      package_match: gateSchema,
      credits: gateSchema,
    }),
  ),
  output_package: optional(
    named('PackagedOutputPreview', {
      ...strings('label'),
      ...ints('container_consumed', 'reclaimed_containers', 'size_max', 'size_used'),
      items: list(itemQuantitySchema),
    }),
  ),
  ...opt(strings('output_package_label')),
  package_ids: optional(list(Type.String())),
})

export const packageJobSchema = obj({
  action: choice('What the job does.', ['pack', 'unpack']),
  kind: always('package'),
  ...strings('job_id', 'package_id', 'label', 'venue', 'message'),
  ...ints('eta_ticks'),
  ...opt(bools('external')),
  escrowed: escrowSchema,
  ...docking,
})

export const jobViewSchema = named('JobView', {
  ...strings('job_id', 'recipe', 'mode', 'status', 'orderer', 'facility_id'),
  ...ints('position', 'runs_total', 'runs_done', 'runs_remaining', 'eta_ticks'),
  ...numbers('progress'),
  ...opt({ ...strings('base_id', 'base_name', 'label', 'package_id', 'venue') }),
  ...opt(bools('external')),
  produces,
})

const craftQueueSchema = obj({
  action: always('queue'),
  kind: always('queue'),
  ...ints('total_jobs'),
  jobs: list(jobViewSchema),
  ...opt(strings('message')),
  ...docking,
})

const summary = named('BulkSummary', ints('total', 'succeeded', 'failed'))

const bulkCraftSchema = obj({
  action: choice('What was requested.', ['craft', 'recycle']),
  kind: always('bulk_craft'),
  mode: always('bulk'),
  results: list(
    named('BulkCraftResult', {
      ...ints('index'),
      ...bools('success'),
      ...opt({
        ...strings('error', 'error_code', 'job_id', 'label', 'message', 'package_id', 'recipe'),
        ...strings('venue'),
        ...ints('runs'),
        ...bools('external'),
        escrowed: escrowSchema,
      }),
    }),
  ),
  summary,
  ...docking,
})

export const jobCancelSchema = obj({
  action: always('job_cancel'),
  kind: always('cancel'),
  ...strings('job_id', 'message'),
  refunded: escrowSchema,
  ...docking,
})

export const bulkCancelSchema = obj({
  action: always('job_cancel'),
  kind: always('bulk_cancel'),
  mode: always('bulk'),
  ...strings('message'),
  results: list(
    named('JobCancelResult', {
      ...strings('job_id'),
      ...bools('success'),
      ...opt({ ...strings('error', 'error_code'), refunded: escrowSchema }),
    }),
  ),
  summary,
  ...docking,
})

/** ours: the contract names no result for a new destination. */
const retargetSchema = obj({
  action: choice('What was requested.', ['craft', 'recycle']),
  kind: always('retarget'),
  ...strings('job_id', 'old_destination', 'new_destination', 'message'),
  ...docking,
})

export const craftSchema = Type.Union([
  craftJobSchema,
  packageJobSchema,
  packagedQuoteSchema,
  craftQueueSchema,
  bulkCraftSchema,
  craftQuoteSchema,
  jobCancelSchema,
  bulkCancelSchema,
  retargetSchema,
])

export const recycleSchema = Type.Union([
  craftJobSchema,
  bulkCraftSchema,
  craftQuoteSchema,
  jobCancelSchema,
  bulkCancelSchema,
  retargetSchema,
])

/** Presets by which a venue is chosen. */
export const PRESETS = ['fast', 'cheap', 'prefer_own', 'workshop'] as const

/* Requests */

const recipe_id = ref(
  ['recipe', 'item'],
  str('Id of a recipe, or what it makes.', {
    min: 1,
    example: 'smelt_iron',
  }),
)
const facility_id = str('Facility for the job; absent: the best by preset.', { min: 1 })
const deliver_to = str('Where outputs go: storage, faction or faction:<bucket>.', {
  min: 1,
  example: 'storage',
})
const source = str('What pays: storage, faction or faction:<bucket>; absent: as deliver_to.', {
  min: 1,
  example: 'storage',
})
const units = int('Units of the first output; runs are rounded up.', {
  min: 1,
  max: QUANTITY_MAX,
  example: 10,
})
const job_id = str('Id of a job.', { min: 1 })
const ids = (description: string, max: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: ID_CHARACTERS_MAX }), {
    description,
    minItems: 1,
    maxItems: max,
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
      description: 'For pack_package: the contents, of size 100 at most.',
      minItems: 1,
      maxItems: PACKAGE_SIZE,
      examples: [[{ item_id: 'iron_ingot', quantity: 10 }]],
    }),
  ),
  label: optional(
    str('For pack_package: label of the package.', { max: PACKAGE_LABEL_CHARACTERS_MAX }),
  ),
  package_id: optional(str('For unpack_package: the package to open.', { min: 1 })),
  target: optional(
    str('For both: where it goes; storage, cargo, faction or faction:<bucket>.', {
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
  dry_run: optional(bool('Only quote what it would cost; order nothing.')),
  job_id: optional(job_id),
  job_ids: optional(ids('Jobs to cancel.', JOBS_PER_PLAYER_MAX)),
}
const example = { recipe_id: 'smelt_iron', quantity: 10 }

export const craftRow = obj({ recipe_id, ...ordered, ...packing, preset: optional(craftPreset) })
const recycleRow = obj({ recipe_id, ...ordered, preset: optional(recyclePreset) })

export const craftParams = obj({
  action: optional(choice('List your jobs, or cancel some.', ['queue', 'cancel'])),
  recipe_id: optional(recipe_id),
  count: optional(int('The same as quantity.', { min: 1, max: QUANTITY_MAX, example: 10 })),
  preset: optional(craftPreset),
  ...packing,
  ...shared,
  jobs: optional(rows(craftRow, example)),
})

export const recycleParams = obj({
  action: optional(choice('Cancel jobs.', ['cancel'])),
  recipe_id: optional(recipe_id),
  preset: optional(recyclePreset),
  ...shared,
  jobs: optional(rows(recycleRow, example)),
})
