/**
 * Taxes: income and purchases since the last assessment, losses carried forward, and prepaid
 * credits. All prepaid credits are in one account, the pool. Source: market.md section 9.
 */
import { defineComponent, defineTable, f64, ref, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import { Faction } from '../faction/state.ts'

/** Categories of taxed income, in the order of their columns (append only). */
export const INCOME_CATEGORIES = ['mission', 'market', 'salvage', 'ship_sale', 'rescue'] as const
export type IncomeCategory = (typeof INCOME_CATEGORIES)[number]
/** Width of columns by category: leaves room for later categories. */
export const INCOME_WIDTH = 8

export const TaxLedger = defineComponent(Player, 'tax_ledger', {
  earned: f64('lifetime income by INCOME_CATEGORIES, credits', { width: INCOME_WIDTH }),
  earnedBefore: f64('part of it that has been assessed, credits', { width: INCOME_WIDTH }),
  boughtBefore: f64('market_purchases_deductible when last assessed, credits'),
  lossCarry: f64('market losses of earlier weeks that no sale has offset, credits'),
  prepaid: f64('paid ahead: the share in the pool, credits'),
  assessedTick: u32('tick of the last assessment; 0 = never'),
  assessedMs: f64('wall time of the last assessment, ms since 1970; 0 = never'),
})

/** The last assessment of a player. */
export interface Statement {
  /** Wall time of the assessment before it, or of joining. */
  readonly startedMs: number
  readonly assessedMs: number
  /** Credits by INCOME_CATEGORIES; for the market its profit. */
  readonly income: readonly number[]
  readonly empires: readonly {
    /** Index into EMPIRES. */
    readonly empire: number
    readonly owed: number
    readonly paid: number
  }[]
}

/** Last statement of each player who had income or owed tax, by their durable number. */
export const STATEMENTS = defineRecords<Statement>('tax_statements', ROWS.players)

/** One row, made with the first prepayment. */
export const TaxOffice = defineTable(
  'tax_office',
  4,
  { pool: ref('account', 'everything paid ahead') },
  { fixed: true },
)

/** Index of lawless space in the columns by EMPIRES. */
export const NO_EMPIRE = EMPIRES_WIDTH - 1

export const CorporateLedger = defineComponent(Faction, 'corporate_ledger', {
  earned: f64('income since the last assessment by EMPIRES, the last in lawless space, credits', {
    width: EMPIRES_WIDTH,
  }),
  spent: f64('expenses since the last assessment, in the same order, credits', {
    width: EMPIRES_WIDTH,
  }),
  debt: f64('tax of earlier weeks not paid yet by EMPIRES, credits', { width: EMPIRES_WIDTH }),
  lossCarry: f64('losses of earlier weeks that no profit has offset, credits'),
  prepaid: f64('paid ahead: the share in the pool, credits'),
  assessedMs: f64('wall time of the last assessment, ms since 1970; 0 = never'),
})
