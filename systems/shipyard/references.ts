/** What yards and their customers put up, by id. */
import { byIdAlone, type ReferenceDef } from '../../core/reference.ts'
import { commissionById, listingById, shipOrderById } from './store.ts'

export const yardReferences: readonly ReferenceDef[] = [
  byIdAlone('commission', commissionById, 'commission_not_found'),
  byIdAlone('listing', listingById, 'listing_not_found'),
  byIdAlone('ship_order', shipOrderById, 'order_not_found'),
]
