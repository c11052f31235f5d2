/**
 * The kernels of drones: `think` runs each drone's script, `pull` computes what mining drones take
 * from deposits. They write `Thought` and the deposits of their star systems, nothing else.
 * Source: drones.md sections 3.5, 5; mining.md sections 3, 6, 7.
 */
import { assert } from '../../core/assert.ts'
import type { KernelColumns } from '../../core/columns.ts'
import { DEPOSITS_PER_POI_MAX } from '../../core/limits.ts'
import { hashLast, hashNext, hashPrefix, hashText } from '../../core/rng.ts'
import { type KernelEnv, kernel } from '../../core/system.ts'
import { pickWeight, shareOf, supportedPower } from '../mining/kernels.ts'
import { Deposit } from '../mining/state.ts'
import { Poi } from '../travel/state.ts'
import { evaluatorOf } from './evaluate-kernels.ts'
import { DRONE_FIGURES, MINING_TYPE } from './figures-model.ts'
import { Drone, Thought } from './state.ts'

export const kernelsFile = import.meta.url

/** Evaluates the scripts of drones. */
export const think = kernel((columns) => {
  const { evaluate } = evaluatorOf(columns)
  return (rows, from, to, env) => {
    for (let i = from; i < to; i++) evaluate(rows[i], env.tick)
  }
})

/** Mines place by place; `rows` come in the order of system, place and number. */
export const pull = kernel((columns) => {
  const { poi } = columns.of(Drone)
  const pullAt = createPull(columns)
  return (rows, from, to, env) => {
    let start = from
    while (start < to) {
      let end = start + 1
      while (end < to && poi[rows[end]] === poi[rows[start]]) end++
      pullAt(rows, start, end, env)
      start = end
    }
  }
})

/*
 * Mining at one place: each drone draws a deposit by weight, and drones whose deposit has too
 * little for all of them share it in order of their numbers. The rules are those of `mine`, with
 * the power of the drone's beam, and drone control as the only skill.
 */

const DRAW = hashText('mine')
/** Precision ×1000 of a beam that is neither fine nor coarse. */
const PLAIN_BEAM = 1_000

// V8 reads an import through a cell and checks it each time; it folds constants of the module.
const HOLD = DRONE_FIGURES[MINING_TYPE].hold
const prefixOf = hashPrefix
const nextOf = hashNext
const lastOf = hashLast
const powerFor = supportedPower
const partOf = shareOf
const weightOf = pickWeight

/** Returns the units of a pull before hold and contention. Source: mining.md sections 3.4, 6. */
export const droneYield = (power: number, richness: number, control: number): number =>
  Math.max(1, Math.trunc((power * (50 + richness) * (100 + control)) / 10_000))

/** The deposits of the current place, by their order there. */
interface Stock {
  /** Units at the start; -1 = unlimited. */
  readonly units: Float64Array
  /** Fraction of a unit to save if the deposit is written. */
  readonly parts: Float64Array
  /** Its weight in the draw; 0 = nothing to pull. */
  readonly weight: Float64Array
  /** The most power that the deposit lets a beam have. */
  readonly power: Float64Array
  /** Sum of the pulls on it. */
  readonly requested: Float64Array
  /** Units not yet shared out, where there are too few. */
  readonly rest: Float64Array
}

const numbers = (): Float64Array => new Float64Array(DEPOSITS_PER_POI_MAX)

const createStock = (): Stock => ({
  units: numbers(),
  parts: numbers(),
  weight: numbers(),
  power: numbers(),
  requested: numbers(),
  rest: numbers(),
})

/** Reads deposits, and writes back those that were pulled from. */
function createBook(columns: KernelColumns, stock: Stock) {
  const { unlimited, deepCore, base, baseTick, frac, window, max, richness, rank } =
    columns.of(Deposit)
  const { units, parts, weight, power, requested, rest } = stock

  /** Reads the deposits of a place; returns the sum of their weights. */
  function read(first: number, count: number, tick: number): number {
    let sum = 0
    for (let i = 0; i < count; i++) {
      const row = first + i
      requested[i] = 0
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
      power[i] = units[i] < 0 ? Number.MAX_SAFE_INTEGER : powerFor(units[i], PLAIN_BEAM)
      sum += weight[i]
    }
    return sum
  }

  function write(first: number, count: number, tick: number): void {
    for (let i = 0; i < count; i++) {
      if (requested[i] === 0 || units[i] < 0) continue
      const row = first + i
      if (requested[i] > units[i]) assert(rest[i] === 0, 'units of a shared deposit are left over')
      base[row] = Math.max(0, units[i] - requested[i])
      frac[row] = parts[i]
      baseTick[row] = tick
    }
  }
  return { read, write }
}

/** Makes the function that computes the pulls of drones at one place, in order of their numbers. */
function createPull(columns: KernelColumns) {
  const { seq, holdUsed, poi } = columns.of(Drone)
  const { control, power: beam, deposit: picked, units, left } = columns.of(Thought)
  const { firstDeposit, depositCount, seq: placeNumber } = columns.of(Poi)
  const { richness, size } = columns.of(Deposit)
  const stock = createStock()
  const book = createBook(columns, stock)
  const { units: stocked, weight, power, requested, rest } = stock

  /** Draws the deposit of a drone, and enters its pull. */
  function request(row: number, first: number, ticket: number): void {
    let index = 0
    for (; ticket >= weight[index]; index++) ticket -= weight[index]
    const from = first + index
    const fits = Math.floor(Math.max(0, HOLD - holdUsed[row]) / size[from])
    const strength = Math.min(beam[row], power[index])
    const pulled = Math.min(fits, droneYield(strength, richness[from], control[row]))
    picked[row] = pulled === 0 ? 0 : from
    units[row] = pulled
    requested[index] += pulled
  }

  /** Cuts the pulls on each deposit that has too little for all of them. */
  function share(rows: Uint32Array, start: number, end: number, first: number): void {
    for (let i = start; i < end; i++) {
      const row = rows[i]
      if (picked[row] === 0) continue
      const index = picked[row] - first
      if (stocked[index] < 0 || requested[index] <= stocked[index]) continue
      units[row] = partOf(units[row], stocked[index], requested[index])
      rest[index] -= units[row]
    }
  }

  /** Shares out the units that rounding left over, one a drone, and records what deposits keep. */
  function settle(rows: Uint32Array, start: number, end: number, first: number): void {
    for (let i = start; i < end; i++) {
      const row = rows[i]
      if (picked[row] === 0) continue
      const index = picked[row] - first
      if (stocked[index] >= 0 && requested[index] > stocked[index] && rest[index] > 0) {
        units[row]++
        rest[index]--
      }
      left[row] = stocked[index] < 0 ? -1 : Math.max(0, stocked[index] - requested[index])
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
      if (sum > 0) request(row, first, lastOf(nextOf(prefix, seq[row]), placeNumber[place]) % sum)
    }
    share(rows, start, end, first)
    settle(rows, start, end, first)
    book.write(first, depositCount[place], tick)
  }
}
