/**
 * Seeded draws for the map generator: one short sequence per thing, so that adding a draw to one
 * does not change the others.
 */
import { drawBelow, hash32, hashText } from '../rng.ts'

export interface Draws {
  /** Draws an integer from 0 to bound-1. */
  below(bound: number): number
  /** Draws an integer from low to high. */
  between(low: number, high: number): number
  /** Returns true in `percent` of 100 cases. */
  chance(percent: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Returns the sequence of draws for one thing: number `index` of those with this purpose. */
export function drawsFor(seed: number, purpose: string, index: number): Draws {
  const tag = hashText(purpose)
  let count = 0
  const below = (bound: number) => drawBelow(bound, hash32(seed, tag, index, count++))
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (percent) => below(100) < percent,
    pick: (list) => list[below(list.length)]!,
  }
}
