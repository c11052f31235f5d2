/** State of the governor of faucets: how much they pay, and the supplies it decides by. */
import { defineRecords } from '../../core/records.ts'

export interface Governor {
  /** Share of their nominal amounts that faucets pay, in thousandths. */
  readonly perMille: number
  /** Credits in circulation at the last closings of a day, the oldest first. */
  readonly supplies: readonly number[]
}

export const GOVERNOR = defineRecords<Governor>('governor', 8)
