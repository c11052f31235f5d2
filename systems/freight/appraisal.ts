/**
 * What a package is worth to the insurer: by what its goods fetched here lately. Source:
 * crafting.md section 10, appraisal; market.md section 7.
 */
import { GOODS } from '../../core/catalog/index.ts'
import type { Held } from '../../core/goods.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { type Span, type Traded, tradedIn } from '../market/vwap-rules.ts'
import { manifestOf } from '../package/rules.ts'
import type { UninsurableReason } from './columns.ts'

const FILLS_LEAST = 3
const TRADED_CREDITS_LEAST = 500
/** Most that a unit is worth, of its base value. ours, of the sheet: trades may be staged. */
const BASE_VALUES_MAX = 2

/** Times looked at, the shortest first, with how sure their price is. */
const LOOKBACKS = [
  { name: '24h', confidence: 'high', span: { hours: 24 } },
  { name: '7d', confidence: 'medium', span: { days: 7 } },
  { name: '30d', confidence: 'low', span: { days: 30 } },
] as const satisfies readonly { name: string; confidence: string; span: Span }[]
type Lookback = (typeof LOOKBACKS)[number]

export interface AppraisedLine extends Held {
  /** Credits a unit; 0 where nobody knows. */
  readonly unitValue: number
  readonly reason: UninsurableReason
  /** What the price is taken from. */
  readonly traded?: Traded
  readonly lookback?: Lookback
}

export interface Appraisal {
  readonly lines: readonly AppraisedLine[]
  /** Credits; 0 where some line has no price. */
  readonly value: number
  readonly reason: UninsurableReason
}

const suffices = ({ fills, credits, units }: Traded, wanted: number): boolean =>
  fills >= FILLS_LEAST && credits >= TRADED_CREDITS_LEAST && units >= wanted

function appraiseLine(view: WorldView, base: Eid, held: Held): AppraisedLine {
  for (const lookback of LOOKBACKS) {
    const traded = tradedIn(view, base, held.item, lookback.span)
    if (!suffices(traded, held.units)) continue
    const most = BASE_VALUES_MAX * GOODS[held.item].base_value
    const unitValue = Math.min(most, divFloor(traded.credits, traded.units))
    const reason = unitValue === 0 ? 'no_value' : ''
    return { ...held, unitValue, reason, traded, lookback }
  }
  return { ...held, unitValue: 0, reason: 'too_few_trades' }
}

/**
 * Worth of a package by the trades at a base. ours: one line without a price makes the whole
 * package unpriced, else the dear part would travel as if it were not there.
 */
export function appraise(view: WorldView, base: Eid, pkg: Row): Appraisal {
  const lines = manifestOf(view, pkg).map((held) => appraiseLine(view, base, held))
  const reason = lines.find((line) => line.reason !== '')?.reason ?? ''
  const value = lines.reduce((sum, { unitValue, units }) => sum + unitValue * units, 0)
  return { lines, value: reason === '' ? value : 0, reason }
}
