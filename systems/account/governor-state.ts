/** What the governor of faucets knows: how much they pay, and what it judges that by. */
import { defineRecords } from '../../core/records.ts'

export interface Governor {
  /** What faucets pay of their figures, in thousandths. */
  readonly perMille: number
  /** Credits in circulation at the last closings of a day, the oldest first. */
  readonly supplies: readonly number[]
}

export const GOVERNOR = defineRecords<Governor>('governor', 8)
