/**
 * The pulls of mining drones at one place: each draws a deposit by weight, and what there is too
 * little of they share by their numbers. As `mine`, with power 5, no skill but drone control and no
 * family. Source: mining.md sections 3, 6, 7.
 */
import { assert } from '../../core/assert.ts'
import type { KernelColumns } from '../../core/columns.ts'
import { DEPOSITS_PER_POI_MAX } from '../../core/limits.ts'
import { hashLast, hashNext, hashPrefix, hashText } from '../../core/rng.ts'
import type { KernelEnv } from '../../core/system.ts'
import { Deposit } from '../mining/columns.ts'
import { pickWeight, shareOf, supportedPower } from '../mining/rules.ts'
import { Poi } from '../travel/columns.ts'
import { Drone, Thought } from './columns.ts'
import { FIGURES, MINING, MINING_POWER } from './types.ts'

const DRAW = hashText('mine')
const POWER = MINING_POWER
/** Precision ×1000 of a beam that is neither fine nor coarse. */
const PLAIN_BEAM = 1_000
const HOLD = FIGURES[MINING].hold
const prefixOf = hashPrefix
const nextOf = hashNext
const lastOf = hashLast
const powerFor = supportedPower
const partOf = shareOf
const weightOf = pickWeight

/** Units of a pull before hold and contention. Source: mining.md sections 3.4, 6. */
export const droneYield = (power: number, richness: number, control: number): number =>
  Math.max(1, Math.trunc((power * (50 + richness) * (100 + control)) / 10_000))

/** What is known of the deposits of the place at hand, by their order there. */
interface Stock {
  /** Units at the start; -1 = unlimited. */
  readonly units: Float64Array
  /** Part-unit to keep if the deposit is written. */
  readonly parts: Float64Array
  /** In the draw; 0 = nothing to pull. */
  readonly weight: Float64Array
  /** Power after the deposit's cap. */
  readonly power: Float64Array
  /** Sum of what was asked of it. */
  readonly wanted: Float64Array
  /** Units that nobody has been given yet, where there are too few. */
  readonly rest: Float64Array
}

const numbers = (): Float64Array => new Float64Array(DEPOSITS_PER_POI_MAX)

const createStock = (): Stock => ({
  ...{ units: numbers(), parts: numbers(), weight: numbers() },
  ...{ power: numbers(), wanted: numbers(), rest: numbers() },
})

/** Reads deposits, and writes back those that were pulled from. */
function createBook(columns: KernelColumns, stock: Stock) {
  const { unlimited, deepCore, base, baseTick, frac, window, max, richness, rank } =
    columns.of(Deposit)
  const { units, parts, weight, power, wanted, rest } = stock

  /** Returns the sum of the weights. */
  function read(first: number, count: number, tick: number): number {
    let sum = 0
    for (let i = 0; i < count; i++) {
      const row = first + i
      wanted[i] = 0
      weight[i] = 0
      units[i] = -1
      if (unlimited[row] === 0) {
        const grown = frac[row] + Math.min(tick - baseTick[row], window[row]) * max[row]
        const all = base[row] + Math.floor(grown / window[row])
        units[i] = Math.min(max[row], all)
        parts[i] = all >= max[row] ? 0 : grown % window[row]
      }
      rest[i] = units[i]
      if (units[i] === 0 || deepCore[row] === 1) continue
      weight[i] = weightOf(richness[row], 0, rank[row])
      power[i] = units[i] < 0 ? POWER : Math.min(POWER, powerFor(units[i], PLAIN_BEAM))
      sum += weight[i]
    }
    return sum
  }

  function write(first: number, count: number, tick: number): void {
    for (let i = 0; i < count; i++) {
      if (wanted[i] === 0 || units[i] < 0) continue
      const row = first + i
      if (wanted[i] > units[i]) assert(rest[i] === 0, 'units of a shared deposit are left over')
      base[row] = Math.max(0, units[i] - wanted[i])
      frac[row] = parts[i]
      baseTick[row] = tick
    }
  }
  return { read, write }
}

/** Works out a run of drones, in order of their numbers, that mine at one place. */
export function createPull(columns: KernelColumns) {
  const { seq, holdUsed, poi } = columns.of(Drone)
  const { control, deposit: picked, units, left } = columns.of(Thought)
  const { firstDeposit, depositCount, seq: placeNumber } = columns.of(Poi)
  const { richness, size } = columns.of(Deposit)
  const stock = createStock()
  const book = createBook(columns, stock)
  const { units: there, weight, power, wanted, rest } = stock

  function ask(row: number, first: number, lot: number): void {
    let at = 0
    for (; lot >= weight[at]; at++) lot -= weight[at]
    const from = first + at
    const fits = Math.floor(Math.max(0, HOLD - holdUsed[row]) / size[from])
    const pulled = Math.min(fits, droneYield(power[at], richness[from], control[row]))
    picked[row] = pulled === 0 ? 0 : from
    units[row] = pulled
    wanted[at] += pulled
  }

  /** Cuts the pulls on what cannot satisfy all of them. */
  function share(rows: Uint32Array, start: number, end: number, first: number): void {
    for (let i = start; i < end; i++) {
      const row = rows[i]
      if (picked[row] === 0) continue
      const at = picked[row] - first
      if (there[at] < 0 || wanted[at] <= there[at]) continue
      units[row] = partOf(units[row], there[at], wanted[at])
      rest[at] -= units[row]
    }
  }

  /** What is left over goes one each, by number; and everyone learns what is left. */
  function settle(rows: Uint32Array, start: number, end: number, first: number): void {
    for (let i = start; i < end; i++) {
      const row = rows[i]
      if (picked[row] === 0) continue
      const at = picked[row] - first
      if (there[at] >= 0 && wanted[at] > there[at] && rest[at] > 0) {
        units[row]++
        rest[at]--
      }
      left[row] = there[at] < 0 ? -1 : Math.max(0, there[at] - wanted[at])
    }
  }

  return (rows: Uint32Array, start: number, end: number, { seed, tick }: KernelEnv): void => {
    const place = poi[rows[start]]
    const first = firstDeposit[place]
    const sum = book.read(first, depositCount[place], tick)
    const prefix = prefixOf(seed, tick, DRAW)
    for (let i = start; i < end; i++) {
      const row = rows[i]
      picked[row] = 0
      units[row] = 0
      if (sum > 0) ask(row, first, lastOf(nextOf(prefix, seq[row]), placeNumber[place]) % sum)
    }
    share(rows, start, end, first)
    settle(rows, start, end, first)
    book.write(first, depositCount[place], tick)
  }
}
