/**
 * What a script makes of what its drone sees: a walk over its program that ends with the first
 * action, or when the budget is spent. It changes nothing but the drone's `Thought`, so drones may
 * be evaluated in any order and on any thread. Source: drones.md sections 3.4, 3.5.
 */
import { type KernelColumns, overColumns } from '../../core/columns.ts'
import { Deposit } from '../mining/state.ts'
import { Ship } from '../ship/state.ts'
import { Poi } from '../travel/state.ts'
import { DRONE_FIGURES, MINING_TYPE } from './figures-model.ts'
import { ANY, FN, OP, WIDTH } from './program-model.ts'
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
const STEP = WIDTH
const ANY_ITEM = ANY
const AT_PLACE = DEPLOYED
const ON_HOP = HOPPING
const MINER = MINING_TYPE

const { end: END, if: IF, jump: JUMP, else: ELSE, set: SET } = OP
const HOLDS = DRONE_FIGURES.map(({ hold }) => hold)

interface Evaluator {
  /** Fills the outputs of the drone's `Thought`. */
  evaluate(drone: number, tick: number): void
  /** Pairs of key and value that the latest evaluation wrote, in order. */
  readonly writes: Uint32Array
  written(): number
}

export const evaluatorOf = overColumns((columns: KernelColumns): Evaluator => {
  const { code } = columns.of(DroneScript)
  const { poi: poiOf, good } = columns.of(DroneWord)
  const { script, state, poi, type, holdUsed, body } = columns.of(Drone)
  const { sees, ownerPct, allyPct, action, word, limited, writes: changes } = columns.of(Thought)
  const memory = createMemory(columns)
  const hasDeposit = createDeposits(columns)
  const { hull, hullMax } = columns.of(Ship)
  const writes = new Uint32Array(2 * (STEPS + 1))
  let count = 0

  function compare(comparison: number, value: number, to: number): boolean {
    switch (comparison) {
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

  /** A function that is true or false by itself; on a hop all about a place is false. */
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
        return hasDeposit(poi[row], a === ANY_ITEM ? -1 : good[a] - 1, type[row] === MINER, tick)
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

  function holds(row: number, address: number, tick: number): boolean {
    const head = code[address]
    const fn = (head >>> 4) & 15
    const a = code[address + 1]
    if (fn < FN.hull_pct) return truth(row, fn, a, tick)
    const comparison = (head >>> 8) & 15
    const b = code[address + 2]
    if (fn === FN.mem) return compare(comparison, memory.valueOf(row, a), b)
    const value = numberOf(row, fn, tick)
    return compare(comparison, b === 0 ? value : value % b, a)
  }

  function write(row: number, key: number, value: number): void {
    writes[2 * count] = key
    writes[2 * count + 1] = value
    count++
    if (!memory.holds(row, key, value)) changes[row] = 1
  }

  function evaluate(row: number, tick: number): void {
    const base = script[row] * CODE_WORDS
    let address = base
    let steps = 0
    count = 0
    action[row] = 0
    word[row] = 0
    limited[row] = 0
    changes[row] = 0
    memory.forget()
    for (;;) {
      const head = code[address]
      const op = head & 15
      steps += (head >>> 12) & 15
      if (steps > STEPS) {
        limited[row] = 1
        changes[row] = 0
        count = 0
        return
      }
      if (op === IF)
        address = holds(row, address, tick) ? address + STEP : base + (head >>> 16) * STEP
      else if (op === ELSE) address += STEP
      else if (op === SET) {
        write(row, code[address + 1], code[address + 2])
        address += STEP
      } else if (op === JUMP) address = base + (head >>> 16) * STEP
      else {
        if (op === END) return
        action[row] = (head >>> 4) & 15
        word[row] = code[address + 1]
        return
      }
    }
  }
  return { evaluate, writes, written: () => count }
})

/**
 * The memory of the drone in evaluation. Its list is read once, when a script first looks into it,
 * and kept by word.
 */
function createMemory(columns: KernelColumns) {
  const { firstMemo } = columns.of(Drone)
  const { next, key: keyOf, value: valueOfMemo } = columns.of(DroneMemo)
  const words = columns.of(DroneWord).uses.length
  /** By word: the evaluation that read it, and its value. */
  const readIn = new Float64Array(words)
  const values = new Uint32Array(words)
  let evaluation = 0
  let isRead = false

  function read(row: number): void {
    isRead = true
    for (let memo = firstMemo[row]; memo !== 0; memo = next[memo]) {
      readIn[keyOf[memo]] = evaluation
      values[keyOf[memo]] = valueOfMemo[memo]
    }
  }
  return {
    forget(): void {
      evaluation++
      isRead = false
    },
    /** Returns the word under a key; 0, the empty text, where there is none. */
    valueOf(row: number, key: number): number {
      if (!isRead) read(row)
      return readIn[key] === evaluation ? values[key] : 0
    },
    holds(row: number, key: number, value: number): boolean {
      if (!isRead) read(row)
      return readIn[key] === evaluation && values[key] === value
    },
  }
}

/** Tells whether a place has any of an item left (-1: of any item) that the drone may mine. */
function createDeposits(columns: KernelColumns) {
  const { firstDeposit, depositCount } = columns.of(Poi)
  const { item, unlimited, deepCore, base, baseTick, frac, window, max } = columns.of(Deposit)

  function isLeft(row: number, tick: number): boolean {
    if (unlimited[row] === 1 || base[row] > 0) return true
    const ticks = Math.min(tick - baseTick[row], window[row])
    return frac[row] + ticks * max[row] >= window[row]
  }
  return (poi: number, sought: number, isMiner: boolean, tick: number): boolean => {
    const end = firstDeposit[poi] + depositCount[poi]
    for (let row = firstDeposit[poi]; row < end; row++) {
      if (sought >= 0 && item[row] !== sought) continue
      if (isMiner && deepCore[row] === 1) continue
      if (isLeft(row, tick)) return true
    }
    return false
  }
}
