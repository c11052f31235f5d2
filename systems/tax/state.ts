/**
 * Taxes: what a player earned and bought since the last assessment, losses carried forward, and
 * what was paid ahead. The credits paid ahead lie in one account. Source: market.md section 9.
 */
import { defineComponent, defineTable, f64, ref, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import { Faction } from '../faction/state.ts'

/** Sources of income that are taxed, in the order of their column index (append only). */
export const INCOME_CATEGORIES = ['mission', 'market', 'salvage', 'ship_sale', 'rescue'] as const
export type IncomeCategory = (typeof INCOME_CATEGORIES)[number]
/** Room for later sources. */
export const INCOME_WIDTH = 8

export const TaxLedger = defineComponent(Player, 'tax_ledger', {
  earned: f64('income of a lifetime by INCOME_CATEGORIES, credits', { width: INCOME_WIDTH }),
  earnedBefore: f64('of it assessed already, credits', { width: INCOME_WIDTH }),
  boughtBefore: f64('market_purchases_deductible when last assessed, credits'),
  lossCarry: f64('market losses of earlier weeks that no sale has made good, credits'),
  prepaid: f64('paid ahead: the share in the pool, credits'),
  assessedTick: u32('tick of the last assessment; 0 = never'),
  assessedMs: f64('wall time of the last assessment, ms since 1970; 0 = never'),
})

/** What the last assessment of a player came to. */
export interface Statement {
  /** Of the assessment before it, or of joining. */
  readonly startedMs: number
  readonly assessedMs: number
  /** By INCOME_CATEGORIES, credits; of the market its profit. */
  readonly income: readonly number[]
  /** By index into EMPIRES. */
  readonly empires: readonly {
    readonly empire: number
    readonly owed: number
    readonly paid: number
  }[]
}

/** Last statements by number of the player: of those who have earned something. */
export const STATEMENTS = defineRecords<Statement>('tax_statements', ROWS.players)

/** One row, made with the first credits paid ahead. */
export const TaxOffice = defineTable(
  'tax_office',
  4,
  { pool: ref('account', 'everything paid ahead') },
  { fixed: true },
)

/** Column of what belongs to no empire, in those by EMPIRES. */
export const NO_EMPIRE = EMPIRES_WIDTH - 1

export const CorporateLedger = defineComponent(Faction, 'corporate_ledger', {
  earned: f64('income since the last assessment by EMPIRES, the last in lawless space, credits', {
    width: EMPIRES_WIDTH,
  }),
  spent: f64('expenses likewise, credits', { width: EMPIRES_WIDTH }),
  debt: f64('tax of earlier weeks not paid yet by EMPIRES, credits', { width: EMPIRES_WIDTH }),
  lossCarry: f64('losses of earlier weeks that no profit has made good, credits'),
  prepaid: f64('paid ahead: the share in the pool, credits'),
  assessedMs: f64('wall time of the last assessment, ms since 1970; 0 = never'),
})
