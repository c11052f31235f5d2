/** Facilities by id: one name may stand over many doors. */
import { byIdAlone, type ReferenceDef } from '../../core/reference.ts'
import { facilityById } from './rules.ts'

export const facilities: ReferenceDef = byIdAlone('facility', facilityById, 'facility_not_found')
