/** Parameters and results of corrections, and the event that notifies the player of one. */
import { defineEvent } from '../../core/event.ts'
import {
  int,
  ints,
  itemId,
  list,
  obj,
  opt,
  optional,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { CORRECTION_UNITS_MAX, MODULES_MAX, REASON_CHARACTERS_MAX } from './state.ts'

const playerParam = int('Durable number of the player.', { min: 1 })
const reasonParam = str('Why; the player reads it.', {
  min: 1,
  max: REASON_CHARACTERS_MAX,
  example: 'The market took the order twice.',
})
const baseParam = (about: string) => str(about, { min: 1, max: 128, example: 'sol_central' })

const signed = (about: string) =>
  Type.Integer({
    description: about,
    minimum: -CORRECTION_UNITS_MAX,
    maximum: CORRECTION_UNITS_MAX,
    examples: [500],
  })

export const grantParams = obj({
  player: playerParam,
  credits: optional(signed('Credits given; below 0 taken back.')),
  item_id: optional(itemId()),
  quantity: optional(signed('Units given; below 0 taken back.')),
  base: optional(baseParam('Id of the base in whose storage the units are; absent: the hold.')),
  reason: reasonParam,
})

export const moveParams = obj({
  player: playerParam,
  to: baseParam('Id of the base where the ship docks, or of the place where it is put.'),
  reason: reasonParam,
})

export const restoreParams = obj({
  player: playerParam,
  lost_ship_id: str('Id of the ship that was lost.', { min: 1, max: 64 }),
  design: str('Id of its class.', { min: 1, max: 128, example: 'hornet' }),
  modules: Type.Array(itemId(), {
    description: 'Modules that were fitted to it.',
    maxItems: MODULES_MAX,
    examples: [['blaster_i']],
  }),
  base: baseParam('Id of the base where the ship is docked.'),
  reason: reasonParam,
})

export const correctionResult = obj({
  ...strings('message'),
  ...ints('tick'),
  ...opt({ ...strings('ship_id', 'old_ship_id', 'place'), ...ints('balance', 'held') }),
  ...opt({ modules: list(Type.String()) }),
})

export const operatorCorrection = defineEvent({
  type: 'operator_correction',
  summary: 'An operator of the server has corrected something of yours, and says why.',
  fields: obj({ ...strings('kind', 'message', 'reason'), ...ints('tick') }),
  queue: 'system',
})
