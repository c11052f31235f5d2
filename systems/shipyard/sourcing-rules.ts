/**
 * Finds materials that a commission lacks: where they are sold, how long they take, and what to do
 * about those that nobody sells here. Writes nothing; it is a rule file because prices come from
 * the market. Source: balance.md section 4.
 */
import { GOODS } from '../../core/catalog/index.ts'
import type { Held } from '../../core/goods.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { say } from '../../core/say.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { bestLevel, bookOf } from '../market/book-model.ts'
import { ASK, Level } from '../market/state.ts'
import { destinationsOf } from '../passenger/model.ts'
import { missingOf, priceLimit } from './materials-model.ts'
import { buildTicks, commissionsAt, levelOfYard, statusOf } from './model.ts'
import { bestAsk, reserveUnits } from './quote-rules.ts'
import { Commission, SOURCING_TICKS_MAX } from './state.ts'

/** A material that a commission lacks. */
export interface Shortage {
  readonly item: number
  readonly units: number
  /** Units offered here at prices that a yard pays. */
  readonly onSale: number
  /** Units that a commission may buy from the station's reserve in a cycle. */
  readonly reserve: number
  /** The nearest base that sells it, if there is too little here, and the jumps to it. */
  readonly seller?: Eid
  readonly jumps?: number
}

/** Returns the units offered in asks at prices that a yard pays. O(price levels). */
function unitsOnSale(view: WorldView, base: Eid, item: number): number {
  const { price, worse, units, stationUnits } = view.read(Level)
  const limit = priceLimit(item)
  let sum = 0
  const book = bookOf(view, base, item)
  let level = book === 0 ? 0 : bestLevel(view, book, ASK)
  for (; level !== 0 && price[level] <= limit; level = worse[level]) {
    sum += units[level] + stationUnits[level]
  }
  return sum
}

/** Returns where missing materials can be had. O(materials × stations in reach). */
export function shortagesOf(view: WorldView, base: Eid, goods: readonly Held[]): Shortage[] {
  let reach: ReturnType<typeof destinationsOf> | undefined
  return goods.map(({ item, units }) => {
    const onSale = unitsOnSale(view, base, item)
    const reserve = onSale > 0 ? 0 : reserveUnits(view, base, item)
    if (onSale >= units) return { item, units, onSale, reserve }
    reach ??= destinationsOf(view, base)
    const next = reach.find((place) => bestAsk(view, place.base, item) > 0)
    return { item, units, onSale, reserve, seller: next?.base, jumps: next?.jumps }
  })
}

/** Returns the units of a shortage that a yard can get in a cycle. */
const unitsPerCycle = ({ onSale, reserve }: Shortage): number => (onSale > 0 ? onSale : reserve)

/** Estimates the ticks until all materials are there, by current offers; undefined: never. */
function sourcingTicks(shortages: readonly Shortage[]): number | undefined {
  let cycles = 0
  for (const shortage of shortages) {
    const units = unitsPerCycle(shortage)
    if (units === 0) return undefined
    cycles = Math.max(cycles, divCeil(shortage.units, units))
  }
  return cycles * CYCLE_TICKS
}

/** Estimates the ticks that a hull waits for a bay behind those `ahead` of it. */
const bayTicks = (view: WorldView, base: Eid, shipClass: number, ahead: number): number =>
  divFloor(ahead, levelOfYard(view, base)) * buildTicks(view, base, shipClass)

/** A hull whose completion is to be estimated. */
interface Planned {
  readonly base: Eid
  readonly shipClass: number
  /** Commissions that have a bay before it. */
  readonly ahead: number
}

/** Estimates the ticks until a hull is done, by current offers; undefined: never. */
export function etaOf(
  view: WorldView,
  { base, shipClass, ahead }: Planned,
  shortages: readonly Shortage[],
): number | undefined {
  const sourcing = sourcingTicks(shortages)
  if (sourcing === undefined) return undefined
  return sourcing + bayTicks(view, base, shipClass, ahead) + buildTicks(view, base, shipClass)
}

/** Counts the commissions of a yard that have all their materials. */
export const countReady = (view: WorldView, base: Eid): number =>
  commissionsAt(view, base).filter((row) => statusOf(view, row) !== 'sourcing').length

/** Estimates the ticks until an open commission is done; undefined: never by current offers. */
export function etaOfCommission(
  view: WorldView,
  row: Row,
  shortages: readonly Shortage[],
): number | undefined {
  const { base, class: shipClass, doneTick } = view.read(Commission)
  if (doneTick[row] !== 0) return Math.max(0, doneTick[row] - view.tick)
  const rows = commissionsAt(view, base[row]).filter(
    (other) => statusOf(view, other) !== 'sourcing',
  )
  const place = rows.indexOf(row)
  const ahead = place < 0 ? rows.length : place
  return etaOf(view, { base: base[row], shipClass: shipClass[row], ahead }, shortages)
}

/** Returns the materials that a paid commission lacks. */
export const shortagesOfCommission = (view: WorldView, row: Row): Shortage[] =>
  shortagesOf(view, view.read(Commission).base[row], missingOf(view, row))

const BRING = say`{supply_commission} takes what you bring`

/** Returns a warning about materials that nobody offers here; undefined if there are none. */
export function sourcingWarning(shortages: readonly Shortage[]): string | undefined {
  const names = shortages
    .filter((shortage) => unitsPerCycle(shortage) === 0)
    .map(({ item }) => GOODS[item].name)
  if (names.length === 0) return undefined
  return (
    `Nobody sells ${names.join(', ')} here now. ${BRING}; if materials are still missing after ` +
    `${SOURCING_TICKS_MAX} ticks, the commission ends and unspent credits are refunded.`
  )
}
