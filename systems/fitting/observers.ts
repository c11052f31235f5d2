/** What becomes of garages when a faction ends. Source: factions.md section 3. */
import { observe } from '../../core/occurrence.ts'
import { disbanded } from '../faction/state.ts'
import { emptyGarages } from './rules.ts'

export const clearGarages = observe(disbanded, (world, { faction, heir }) =>
  emptyGarages(world, faction, heir),
)
