/** Shipping contracts by id. */
import { byIdAlone, type ReferenceDef } from '../../core/reference.ts'
import { shipmentById } from './store.ts'

export const shipments: ReferenceDef = byIdAlone('shipment', shipmentById, 'shipment_not_found')
