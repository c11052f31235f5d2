/** What players are told of their jobs. Source: crafting.md section 5, Events. */
import { defineEvent } from '../../core/event.ts'
import { bools, ints, list, named, obj, opt, strings } from '../../core/params.ts'

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
