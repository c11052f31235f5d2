/** Prizes by id. */
import { byIdAlone, type ReferenceDef } from '../../core/reference.ts'
import { prizeById } from './holdings.ts'

export const prizes: ReferenceDef = byIdAlone('prize', prizeById, 'prize_not_found')
