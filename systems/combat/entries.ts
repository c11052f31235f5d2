/** Where combat.fire stands in the battle at hand: its next entry, and what it has counted. */

export interface Entries {
  /** By AT. */
  readonly state: Int32Array
  /** Damage that the ship at hand has dealt: to others, to players. */
  readonly dealt: Float64Array
}

/** Indices into `state`: next row of Attack, entries that splash may still take, the battle. */
export const AT = { next: 0, splashLeft: 1, battle: 2 } as const

/** Memory outside V8's heap, which a typed array of few bytes would not have: it never moves. */
export const scratch = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)

export const createEntries = (): Entries => ({
  state: new Int32Array(scratch(4 * 3)),
  dealt: new Float64Array(scratch(8 * 2)),
})
