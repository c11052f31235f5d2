/**
 * Seeded draws for the generator: one short sequence per thing, so adding a draw to one changes no
 * other.
 */
import { drawBelow, hash32, hashText } from '../rng.ts'

export interface Draws {
  /** An integer in 0 ... bound-1. */
  below(bound: number): number
  /** An integer in low ... high. */
  between(low: number, high: number): number
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean
  pick<T>(list: readonly T[]): T
}

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
