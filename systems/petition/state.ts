/** When players last petitioned each empire. The texts of petitions are in the archive. */
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'

/** By player number: wall time of the last petition to each empire, ms since 1970; 0 if none. */
export const PETITIONED = defineRecords<readonly number[]>('petitioned', ROWS.players)
