/** Policies of ships, and the counts that raise a premium: deaths, kills, payouts. */
import { defineComponent, defineEntity, ref, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'
import { Ship } from '../ship/state.ts'

/** Factors that multiply the base risk of the tier, in the order they are applied. */
export const MULTIPLIERS = [
  'recent_deaths',
  'lifetime_losses',
  'player_kills',
  'pirate_kills',
  'war',
  'claims',
  'calm',
] as const
/** Factors of a premium in the order they are shown; saved by index (append only). ships.md 9. */
export const RISK_FACTORS = ['tier', ...MULTIPLIERS, 'market'] as const
export type RiskFactorName = (typeof RISK_FACTORS)[number]

/** An active insurance policy of a ship. Source: ships.md section 9. */
export const Policy = defineEntity('policy', ROWS.policies, {
  ship: ref('ship', 'the ship it covers'),
  player: ref('player', 'player who bought it and is paid'),
  base: ref('base', 'where it was bought'),
  premium: u32('paid, credits'),
  coverage: u32('maximum payout for hull and modules, credits'),
  riskPpm: u32('probability of a loss over the term, millionths'),
  expireTick: u32('tick in which it expires'),
  inputs: u32('inputs of the premium, by RISK_FACTORS', {
    width: RISK_FACTORS.length,
  }),
})

/** The insurance of a ship. */
export const Cover = defineComponent(Ship, 'cover', {
  policy: ref('policy', 'its active policy; 0 none'),
})

/** Days in the ring of deaths: more than the seven that count. */
export const DEATH_DAYS = 8

/** Counts of a player that raise their premiums. */
export const Risk = defineComponent(Player, 'risk', {
  deaths: u8('deaths of a day, by day modulo DEATH_DAYS', { width: DEATH_DAYS }),
  deathDay: u32('day of the last death, from the first tick on'),
  deathTick: u32('tick of the last death; 0 = never'),
  playerKills: u32('ships of players destroyed'),
  claims: u32('payouts received'),
})

/** Premiums and payouts of a tier on a day, credits. */
export interface MarketDay {
  readonly day: number
  readonly premiums: number
  readonly paid: number
}
/** Days with premiums or payouts, by tier; the oldest first. */
export const INSURANCE_MARKET = defineRecords<readonly MarketDay[]>('insurance_market', 16)

/** Policies by player, in the order of purchase, and by the tick in which they expire. */
export const POLICIES = defineIndex('insurance.policies', () => ({
  byPlayer: new Map<Eid, Row[]>(),
  byExpiry: new Map<number, Row[]>(),
}))
