/**
 * Derelicts: hulks that nobody flew. What drifts at which depth, and what it is worth. Source:
 * balance.md section 8; figures by its section 2.
 */

/** Least and most. */
export type Span = readonly [min: number, max: number]

export interface HulkRow {
  /** Of the hull: a tug of a lower tier has not the scale to pull it. */
  readonly tier: number
  /** What a yard pays for it. */
  readonly credits: Span
}

/** By tier: where space is settled drift the first of them, in the deepest the last. */
export const HULKS: readonly HulkRow[] = [
  { tier: 1, credits: [560, 1_050] },
  { tier: 2, credits: [1_400, 2_600] },
  { tier: 3, credits: [4_200, 7_200] },
  { tier: 4, credits: [9_000, 15_000] },
]

/** What the goods aboard are worth. */
export const CARGO_CREDITS: Span = [300, 600]
/** Each derelict has one of them; every port deals in all of them. */
export const DERELICT_GOODS: readonly string[] = [
  'salvage_components',
  'circuit_board',
  'medical_supplies',
  'repair_kit',
  'steel_plate',
]
