/** What becomes of orders when a faction ends. Source: factions.md section 3. */
import { observe } from '../../core/occurrence.ts'
import { disbanded } from '../faction/columns.ts'
import { closeFactionOrders } from './closing-rules.ts'

export const closeOrders = observe(disbanded, (world, { faction }) =>
  closeFactionOrders(world, faction),
)
