/** What a row of the load table is. */
import type { Judged } from './judge.ts'

/** A run of a profile, perhaps smaller than the table has it. */
export interface Scaled {
  readonly minutes: number
  readonly players: number
  print(line: string): void
}

export interface Profile {
  readonly id: string
  readonly what: string
  /** As the table has them. */
  readonly minutes: number
  readonly players: number
  run(scaled: Scaled): Promise<Judged[]>
}
