/**
 * Constants of the balance that one world may have otherwise than the rules say: a fork, to try
 * them out. They are state, so that such a world starts, replays and hashes with them; a world that
 * has none hashes as if there were no such table.
 */
import { defineRecords } from '../../core/records.ts'

interface BalanceConstant {
  readonly fallback: number
  readonly min: number
  readonly max: number
  readonly unit: string
  readonly about: string
}

/** In the order in which they are listed. Each is read by `tuned` where the figure counts. */
export const BALANCE = {
  faucets_pct: {
    fallback: 100,
    min: 0,
    max: 300,
    unit: '%',
    about: 'what faucets of credits pay of their figures',
  },
  clone_credits: {
    fallback: 50,
    min: 0,
    max: 10_000,
    unit: 'credits',
    about: 'a new body after a death, times the square of the tier of the ship',
  },
  wallet_floor_credits: {
    fallback: 100,
    min: 0,
    max: 10_000,
    unit: 'credits',
    about: 'what a purse is filled up to after a death, once a day',
  },
  survey_credits: {
    fallback: 120,
    min: 0,
    max: 10_000,
    unit: 'credits',
    about: 'a fresh chart of a system at no depth',
  },
  rescue_credits: {
    fallback: 500,
    min: 0,
    max: 100_000,
    unit: 'credits',
    about: 'what an empire pays for a rescue',
  },
  workshop_fee_pct: {
    fallback: 25,
    min: 0,
    max: 100,
    unit: '%',
    about: 'rent of a facility of a station, of the value of what it makes',
  },
} as const satisfies Readonly<Record<string, BalanceConstant>>

export type BalanceName = keyof typeof BALANCE

/** By BalanceName; absent: as the rules say. */
export const TUNED = defineRecords<number>('tuned', Object.keys(BALANCE).length, { isRare: true })
