/**
 * Wire shapes of jobs, quotes and queues. Source: contract, CraftCommandResponse and its kin.
 *
 * What players are told of their jobs. Source: crafting.md section 5, Events.
 */
import { defineEvent } from '../../core/event.ts'
import {
  bools,
  choice,
  ints,
  list,
  named,
  numbers,
  obj,
  opt,
  optional,
  strings,
  Type,
} from '../../core/params.ts'

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

const one = <const V extends string>(value: V) => choice(`Always ${value}.`, [value])
const docking = opt(bools('auto_docked', 'auto_undocked'))

export const itemQuantitySchema = named('ItemQuantity', {
  ...strings('item_id', 'name'),
  ...ints('quantity'),
})
export const escrowSchema = named('EscrowSummary', {
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
  action: choice('What was asked.', ['craft', 'recycle', 'job_add']),
  kind: one('job'),
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
  action: choice('What was asked.', ['craft', 'recycle']),
  kind: one('quote'),
  mode: choice('What the job would do.', ['craft', 'recycle']),
  ...quoted,
  ...bools('have_inputs', 'have_credits'),
  ...opt(bools('have_capacity')),
})

const gateSchema = named('PackagedCraftGate', { ...bools('ok'), ...opt(strings('reason')) })

export const packagedQuoteSchema = obj({
  action: one('craft'),
  kind: one('packaged_quote'),
  mode: one('craft'),
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
  kind: one('package'),
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

export const craftQueueSchema = obj({
  action: one('queue'),
  kind: one('queue'),
  ...ints('total_jobs'),
  jobs: list(jobViewSchema),
  ...opt(strings('message')),
  ...docking,
})

const summary = named('BulkSummary', ints('total', 'succeeded', 'failed'))

export const bulkCraftSchema = obj({
  action: choice('What was asked.', ['craft', 'recycle']),
  kind: one('bulk_craft'),
  mode: one('bulk'),
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
  action: one('job_cancel'),
  kind: one('cancel'),
  ...strings('job_id', 'message'),
  refunded: escrowSchema,
  ...docking,
})

export const bulkCancelSchema = obj({
  action: one('job_cancel'),
  kind: one('bulk_cancel'),
  mode: one('bulk'),
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

/** ours: the contract knows no answer for it. */
export const retargetSchema = obj({
  action: choice('What was asked.', ['craft', 'recycle']),
  kind: one('retarget'),
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

export const PRESETS = ['fast', 'cheap', 'prefer_own', 'workshop'] as const
