/**
 * What a call of `craft` or `recycle` asks for: the fields given choose one of its forms; those
 * that contradict each other are refused. Source: crafting.md section 5.
 */
import { ID_CHARACTERS_MAX, LIST_ROWS_MAX, QUANTITY_MAX } from '../../core/limits.ts'
import {
  bool,
  choice,
  int,
  itemId,
  obj,
  optional,
  quantity,
  ref,
  str,
  Type,
} from '../../core/params.ts'
import { PACKAGE_LABEL_CHARACTERS_MAX } from '../cargo/state.ts'
import { PRESETS } from './schemas.ts'
import {
  JOB_LABEL_CHARACTERS_MAX,
  JOBS_PER_PLAYER_MAX,
  PACKAGE_SIZE,
  PACKAGES_BROUGHT_MAX,
} from './state.ts'

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

export const craftRow = obj({ recipe_id, ...ordered, ...packing, preset: optional(craftPreset) })
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
