/**
 * What a script makes of what its drone sees: a walk over its program that ends with the first
 * action, or when the budget is spent. It changes nothing but the drone's `Thought`, so drones may
 * be thought about in any order and on any thread. Source: drones.md sections 3.4, 3.5.
 *
 * head = op | fn << 4 | compare << 8 | cost << 12 | jump << 16 a b END - - IF fn, compare, cost;
 * jumps when false literal or word modulus JUMP - - ELSE cost - - SET cost key word value word ACT
 * fn = action, cost word -
 *
 * Source: drones.md sections 3.5, 5; the layout is ours.
 */
import { type KernelColumns, overColumns } from '../../core/columns.ts'
import { Deposit } from '../mining/state.ts'
import { Ship } from '../ship/state.ts'
import { Poi } from '../travel/state.ts'
import { FIGURES, MINING } from './pull-kernels.ts'
import {
  DEPLOYED,
  DRONE_CODE_WORDS,
  DRONE_STEPS_MAX,
  Drone,
  DroneMemo,
  DroneScript,
  DroneWord,
  HOPPING,
  SEES,
  Thought,
} from './state.ts'

// V8 reads an import through a cell and checks it each time; constants of the module it folds.
const STEPS = DRONE_STEPS_MAX
const CODE_WORDS = DRONE_CODE_WORDS

/*
 * The form of a compiled script: instructions of three values each, in a row. Jumps lead forwards
 * alone, so a program ends by itself; costs stand in the instructions, so the budget is exact.
 */

/** Values an instruction takes. */
export const WIDTH = 3

const STEP = WIDTH

/** Operand of resource_available() without an item. */
export const ANY = 0xffffffff

const ANY_ITEM = ANY
const AT_PLACE = DEPLOYED
const ON_HOP = HOPPING
const MINER = MINING

export const OP = { end: 0, if: 1, jump: 2, else: 3, set: 4, act: 5 } as const

const { end: END, if: IF, jump: JUMP, else: ELSE, set: SET } = OP
const HOLDS = FIGURES.map(({ hold }) => hold)

interface Evaluator {
  /** Fills the outputs of the drone's `Thought`. */
  evaluate(drone: number, tick: number): void
  /** Pairs of key and value that the evaluation before wrote, in order. */
  readonly writes: Uint32Array
  /** How many pairs. */
  written(): number
}

type Columns = KernelColumns

export const evaluatorOf = overColumns((columns: Columns): Evaluator => {
  const drone = columns.of(Drone)
  const { code } = columns.of(DroneScript)
  const { poi: poiOf, good } = columns.of(DroneWord)
  const thought = columns.of(Thought)
  const { script, state, poi, type, holdUsed } = drone
  const { sees, ownerPct, allyPct, action, word, limited, writes: changes } = thought
  const memory = createMemory(columns)
  const deposits = createDeposits(columns)
  const body = drone.body
  const { hull, hullMax } = columns.of(Ship)
  const writes = new Uint32Array(2 * (STEPS + 1))
  let count = 0

  function compare(how: number, value: number, to: number): boolean {
    switch (how) {
      case 1:
        return value === to
      case 2:
        return value !== to
      case 3:
        return value < to
      case 4:
        return value <= to
      case 5:
        return value > to
      default:
        return value >= to
    }
  }

  /** True or false by itself. On a hop everything about a place is false. */
  function truth(row: number, fn: number, a: number, tick: number): boolean {
    const isHere = state[row] === AT_PLACE
    switch (fn) {
      case FN.cargo_full:
        return HOLDS[type[row]] > 0 && holdUsed[row] >= HOLDS[type[row]]
      case FN.traveling:
        return state[row] === ON_HOP
      case FN.at:
        return isHere && poiOf[a] !== 0 && poiOf[a] === poi[row]
      case FN.enemy_nearby:
        return (sees[row] & SEES.enemy) !== 0
      case FN.pirate_nearby:
        return (sees[row] & SEES.pirate) !== 0
      case FN.in_battle:
        return (sees[row] & SEES.battle) !== 0
      case FN.resource_available:
        if (!isHere || (a !== ANY_ITEM && good[a] === 0)) return false
        return deposits(poi[row], a === ANY_ITEM ? -1 : good[a] - 1, type[row] === MINER, tick)
      default:
        return isHere && allyPct[row] !== 0xff && allyPct[row] < a
    }
  }

  function numberOf(row: number, fn: number, tick: number): number {
    switch (fn) {
      case FN.hull_pct:
        return ((100 * hull[body[row]]) / hullMax[body[row]]) | 0
      case FN.cargo_pct: {
        const hold = HOLDS[type[row]]
        return hold === 0 ? 0 : ((100 * holdUsed[row]) / hold) | 0
      }
      case FN.owner_hull_pct:
        return ownerPct[row]
      default:
        return tick
    }
  }

  function holds(row: number, at: number, tick: number): boolean {
    const head = code[at]
    const fn = (head >>> 4) & 15
    const a = code[at + 1]
    if (fn < FN.hull_pct) return truth(row, fn, a, tick)
    const how = (head >>> 8) & 15
    const b = code[at + 2]
    if (fn === FN.mem) return compare(how, memory.valueOf(row, a), b)
    const value = numberOf(row, fn, tick)
    return compare(how, b === 0 ? value : value % b, a)
  }

  function write(row: number, key: number, value: number): void {
    writes[2 * count] = key
    writes[2 * count + 1] = value
    count++
    if (!memory.holds(row, key, value)) changes[row] = 1
  }

  function evaluate(row: number, tick: number): void {
    const base = script[row] * CODE_WORDS
    let at = base
    let steps = 0
    count = 0
    action[row] = 0
    word[row] = 0
    limited[row] = 0
    changes[row] = 0
    memory.forget()
    for (;;) {
      const head = code[at]
      const op = head & 15
      steps += (head >>> 12) & 15
      if (steps > STEPS) {
        limited[row] = 1
        changes[row] = 0
        count = 0
        return
      }
      if (op === IF) at = holds(row, at, tick) ? at + STEP : base + (head >>> 16) * STEP
      else if (op === ELSE) at += STEP
      else if (op === SET) {
        write(row, code[at + 1], code[at + 2])
        at += STEP
      } else if (op === JUMP) at = base + (head >>> 16) * STEP
      else {
        if (op === END) return
        action[row] = (head >>> 4) & 15
        word[row] = code[at + 1]
        return
      }
    }
  }
  return { evaluate, writes, written: () => count }
})

/**
 * The memory of the drone at hand. Its list is walked once an evaluation, when it is first asked:
 * what was found is noted by word.
 */
function createMemory(columns: Columns) {
  const { firstMemo } = columns.of(Drone)
  const { next, key: keyOf, value: valueOfMemo } = columns.of(DroneMemo)
  const words = columns.of(DroneWord).uses.length
  /** By word: the evaluation that noted it, and its value. */
  const noted = new Float64Array(words)
  const values = new Uint32Array(words)
  let evaluation = 0
  let isRead = false

  function read(row: number): void {
    isRead = true
    for (let memo = firstMemo[row]; memo !== 0; memo = next[memo]) {
      noted[keyOf[memo]] = evaluation
      values[keyOf[memo]] = valueOfMemo[memo]
    }
  }
  return {
    forget(): void {
      evaluation++
      isRead = false
    },
    /** The word under a key; 0, the empty text, where there is none. */
    valueOf(row: number, key: number): number {
      if (!isRead) read(row)
      return noted[key] === evaluation ? values[key] : 0
    },
    holds(row: number, key: number, value: number): boolean {
      if (!isRead) read(row)
      return noted[key] === evaluation && values[key] === value
    },
  }
}

/** Whether a place has something of an item left (-1: of any); a miner leaves deep cores alone. */
function createDeposits(columns: Columns) {
  const { firstDeposit, depositCount } = columns.of(Poi)
  const { item, unlimited, deepCore, base, baseTick, frac, window, max } = columns.of(Deposit)

  function isLeft(row: number, tick: number): boolean {
    if (unlimited[row] === 1 || base[row] > 0) return true
    const ticks = Math.min(tick - baseTick[row], window[row])
    return frac[row] + ticks * max[row] >= window[row]
  }
  return (poi: number, wanted: number, isMiner: boolean, tick: number): boolean => {
    const end = firstDeposit[poi] + depositCount[poi]
    for (let row = firstDeposit[poi]; row < end; row++) {
      if (wanted >= 0 && item[row] !== wanted) continue
      if (isMiner && deepCore[row] === 1) continue
      if (isLeft(row, tick)) return true
    }
    return false
  }
}

/** Functions of conditions by their code. */
export const FN = {
  cargo_full: 0,
  traveling: 1,
  at: 2,
  enemy_nearby: 3,
  pirate_nearby: 4,
  in_battle: 5,
  resource_available: 6,
  ally_hull_below: 7,
  hull_pct: 8,
  cargo_pct: 9,
  owner_hull_pct: 10,
  tick: 11,
  mem: 12,
} as const
