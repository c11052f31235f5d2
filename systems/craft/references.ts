/** Jobs by id. */
import { byIdAlone, type ReferenceDef } from '../../core/reference.ts'
import { jobById } from './rules.ts'

export const jobs: ReferenceDef = byIdAlone('job', jobById, 'job_not_found')
