/** Constants of the power formulas of mining, and how the catalogue publishes them. */
import { deepFreeze } from './freeze.ts'

/** Units of stock that a unit of power needs, at plain precision. Source: mining.md section 2. */
export const PRECISION_K = 20
/** A depleted deposit locks out rigs with more than this many times the power it sustains. */
export const OVERKILL_RATIO = 4
/** A deposit with less than this share of its maximum is depleted. */
export const DEPLETION_FLOOR_PCT = 25

/** Member `mining` of the bulk file. Source: newer.md section 3. */
export const MINING = deepFreeze({
  precision_k: PRECISION_K,
  overkill_ratio: OVERKILL_RATIO,
  depletion_floor: DEPLETION_FLOOR_PCT / 100,
})
