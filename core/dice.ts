/**
 * Random draws of the simulation: a sequence from one seed, and named branches that do not disturb
 * each other.
 */
import { drawBelow, hash32, hashText } from './rng.ts'

export interface Dice {
  /** Draws from 0 to bound-1. */
  below(bound: number): number
  chance(pct: number): boolean
  /** Draws one element of a list, which must not be empty. */
  pick<T>(list: readonly T[]): T
  /** Draws about half of a list, in its order; never an empty one. */
  half<T>(list: readonly T[]): T[]
  /** Returns another sequence, always the same for a name. */
  branch(name: string): Dice
}

/** Creates the sequence of a seed. */
export function createDice(seed: number): Dice {
  let drawn = 0
  const below = (bound: number): number => drawBelow(bound, hash32(seed, ++drawn))
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]
  return {
    below,
    chance: (pct) => below(100) < pct,
    pick,
    half(list) {
      const kept = list.filter(() => below(2) === 0)
      return kept.length > 0 ? kept : [pick(list)]
    },
    branch: (name) => createDice(hash32(seed, hashText(name))),
  }
}
