/** Wrecks and containers by id. */
import { byIdAlone, type ReferenceDef } from '../../core/reference.ts'
import { containerById } from '../cargo/adrift-rules.ts'
import { poiOf } from '../travel/rules.ts'
import { wreckById } from './wrecks.ts'

export const wrecks: ReferenceDef = byIdAlone(
  'wreck',
  (view, id, player) => wreckById(view, id) || containerById(view, poiOf(view, player), id),
  'wreck_not_found',
)
