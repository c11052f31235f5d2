/** Defines a profile: a row of the load table. */
import type { Judged } from './judge.ts'

/** The size of a run, possibly smaller than in the table. */
export interface Scaled {
  readonly minutes: number
  readonly players: number
  print(line: string): void
}

export interface Profile {
  readonly id: string
  readonly what: string
  /** The size in the table. */
  readonly minutes: number
  readonly players: number
  run(scaled: Scaled): Promise<Judged[]>
}
