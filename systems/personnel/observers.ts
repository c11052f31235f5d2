/** What becomes of reserves when a faction ends. Source: factions.md section 3. */
import { observe } from '../../core/occurrence.ts'
import { disbanded } from '../faction/columns.ts'
import { endReserves } from './reserve-rules.ts'

export const releaseReserves = observe(disbanded, (world, { faction }) =>
  endReserves(world, faction),
)
