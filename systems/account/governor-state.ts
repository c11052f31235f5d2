/** State of the governor of faucets: the share they pay, and the money supplies it is based on. */
import { defineRecords } from '../../core/records.ts'

/** Saved state of the governor. */
export interface Governor {
  /** Share of their nominal amounts that faucets pay, in thousandths. */
  readonly perMille: number
  /** Credits in circulation at the end of each of the last days, the oldest first. */
  readonly supplies: readonly number[]
}

/** The one governor, under the key `faucets`. */
export const GOVERNOR = defineRecords<Governor>('governor', 8)
