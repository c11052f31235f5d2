/** When a player last wrote to an empire. The petitions themselves are archive text. */
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'

/** Player number → wall time in ms of the last petition to each empire, 0 for none. */
export const PETITIONED = defineRecords<readonly number[]>('petitioned', ROWS.players)
