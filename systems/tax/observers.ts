/** What becomes of taxes when a faction ends. Source: factions.md section 3. */
import { observe } from '../../core/occurrence.ts'
import { disbanded } from '../faction/columns.ts'
import { settleTaxes } from './corporate.ts'

export const settleLastTaxes = observe(disbanded, (world, { faction }) =>
  settleTaxes(world, faction),
)
