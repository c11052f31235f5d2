/**
 * Derelicts: hulks that no player or NPC flew. What drifts at which depth, and what it is worth.
 * Source: balance.md section 8; figures by its section 2.
 */

/** A range, both ends included. */
export type Span = readonly [min: number, max: number]

export interface HulkRow {
  /** Tier of the hull: a tug of a lower tier does not have the scale to pull it. */
  readonly tier: number
  /** What a yard pays for it. */
  readonly credits: Span
}

/** Hulks by tier: the first drift in settled space, the last in the deepest space. */
export const HULKS: readonly HulkRow[] = [
  { tier: 1, credits: [560, 1_050] },
  { tier: 2, credits: [1_400, 2_600] },
  { tier: 3, credits: [4_200, 7_200] },
  { tier: 4, credits: [9_000, 15_000] },
]

/** Value of the goods aboard, credits. */
export const CARGO_CREDITS: Span = [300, 600]
/** Each derelict carries one of these goods; every port trades all of them. */
export const DERELICT_GOODS: readonly string[] = [
  'salvage_components',
  'circuit_board',
  'medical_supplies',
  'repair_kit',
  'steel_plate',
]
