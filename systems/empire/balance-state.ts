/**
 * Balance constants that a world may override, such as a fork that tries out other values. The
 * overrides are state, so that the world starts, replays and hashes with them; a world without any
 * hashes as if there were no such table.
 */
import { defineRecords } from '../../core/records.ts'

interface BalanceConstant {
  readonly fallback: number
  readonly min: number
  readonly max: number
  readonly unit: string
  readonly about: string
}

/** Constants in the order in which they are listed. The rules read each one through `tuned`. */
export const BALANCE = {
  faucets_pct: {
    fallback: 100,
    min: 0,
    max: 300,
    unit: '%',
    about: 'share of their full amounts that credit faucets pay',
  },
  clone_credits: {
    fallback: 50,
    min: 0,
    max: 10_000,
    unit: 'credits',
    about: 'price of a new body after a death, times the square of the ship’s tier',
  },
  wallet_floor_credits: {
    fallback: 100,
    min: 0,
    max: 10_000,
    unit: 'credits',
    about: 'balance up to which a wallet is topped up after a death, once a day',
  },
  survey_credits: {
    fallback: 120,
    min: 0,
    max: 10_000,
    unit: 'credits',
    about: 'pay for a fresh survey of a system at depth 0',
  },
  rescue_credits: {
    fallback: 500,
    min: 0,
    max: 100_000,
    unit: 'credits',
    about: 'pay of an empire for a rescue',
  },
  workshop_fee_pct: {
    fallback: 25,
    min: 0,
    max: 100,
    unit: '%',
    about: 'rent of a station’s facility, as a share of the value it produces',
  },
} as const satisfies Readonly<Record<string, BalanceConstant>>

export type BalanceName = keyof typeof BALANCE

/** Overrides by BalanceName; without one, the fallback applies. */
export const TUNED = defineRecords<number>('tuned', Object.keys(BALANCE).length, { isRare: true })
