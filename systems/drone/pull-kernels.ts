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
import { pickWeight, shareOf, supportedPower } from '../mining/kernels.ts'
import { Deposit } from '../mining/state.ts'
import { Poi } from '../travel/state.ts'
import { Drone, Thought } from './state.ts'

const DRAW = hashText('mine')

/*
 * The five types of drone and the actions that scripts name: plain figures, for kernels, parser and
 * commands alike. Source: drones.md sections 1, 3.3.
 */

const MINING_POWER = 5

const POWER = MINING_POWER
/** Precision ×1000 of a beam that is neither fine nor coarse. */
const PLAIN_BEAM = 1_000

/** By `Drone.type`. Source: drones.md section 1. */
export const FIGURES: readonly DroneFigures[] = [
  {
    id: 'combat_drone',
    name: 'Combat Drone',
    hull: 50,
    hopTicks: 4,
    hold: 0,
    bandwidth: 15,
    actions: ['ATTACK', 'ADVANCE', 'RETREAT', 'STANCE'],
  },
  {
    id: 'mining_drone',
    name: 'Mining Drone',
    hull: 40,
    hopTicks: 6,
    hold: 50,
    bandwidth: 10,
    actions: ['MINE', 'DEPOSIT', 'TRANSFER', 'JETTISON'],
  },
  {
    id: 'repair_drone',
    name: 'Repair Drone',
    hull: 45,
    hopTicks: 5,
    hold: 0,
    bandwidth: 12,
    actions: ['REPAIR'],
  },
  {
    id: 'salvage_drone',
    name: 'Salvage Drone',
    hull: 35,
    hopTicks: 5,
    hold: 30,
    bandwidth: 12,
    actions: ['LOOT', 'SALVAGE', 'DEPOSIT', 'TRANSFER', 'JETTISON'],
  },
  {
    id: 'scout_drone',
    name: 'Scout Drone',
    hull: 30,
    hopTicks: 3,
    hold: 0,
    bandwidth: 8,
    actions: ['SCAN', 'SURVEY'],
  },
]

/** Values of `Drone.type` (append only). */
export const DRONE_TYPES = ['combat', 'mining', 'repair', 'salvage', 'scout'] as const

export const MINING = DRONE_TYPES.indexOf('mining')

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
  units: numbers(),
  parts: numbers(),
  weight: numbers(),
  power: numbers(),
  wanted: numbers(),
  rest: numbers(),
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

/** Actions by their code (append only): programs hold it. */
export const ACTIONS = [
  'WAIT',
  'MOVE',
  'ATTACK',
  'ADVANCE',
  'RETREAT',
  'STANCE',
  'MINE',
  'DEPOSIT',
  'TRANSFER',
  'JETTISON',
  'REPAIR',
  'LOOT',
  'SALVAGE',
  'SCAN',
  'SURVEY',
] as const
export type Action = (typeof ACTIONS)[number]

export interface DroneFigures {
  /** Item id, and the wire's `type`. */
  readonly id: string
  readonly name: string
  /** Points. */
  readonly hull: number
  /** Ticks of a flight, whatever the distance. */
  readonly hopTicks: number
  /** Space of its hold; 0: none. */
  readonly hold: number
  readonly bandwidth: number
  /** What it may do besides WAIT and MOVE. */
  readonly actions: readonly Action[]
}
