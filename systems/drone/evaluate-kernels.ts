/**
 * Evaluates the script of a drone: walks its program until the first action or the end of the
 * budget. It changes nothing but the drone's `Thought`, so drones may be evaluated in any order and
 * on any thread. The layout of an instruction is in program-model.ts. Source: drones.md sections
 * 3.4, 3.5.
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

// V8 re-checks an imported binding at each read, but folds a constant of this module.
const STEPS_MAX = DRONE_STEPS_MAX
const CODE_WORDS = DRONE_CODE_WORDS
const INSTRUCTION_WIDTH = WIDTH
const ANY_ITEM = ANY
const AT_PLACE = DEPLOYED
const ON_HOP = HOPPING
const MINER = MINING_TYPE

const { end: END, if: IF, jump: JUMP, else: ELSE, set: SET } = OP
/** By type of drone: the capacity of its hold; 0 = none. */
const HOLD_CAPACITIES = DRONE_FIGURES.map(({ hold }) => hold)

interface Evaluator {
  /** Evaluates the script of a drone and fills the outputs of its `Thought`. */
  evaluate(drone: number, tick: number): void
  /** Memory writes of the latest evaluation, in order: key, value, key, value, and so on. */
  readonly pairs: Uint32Array
  /** Returns how many pairs the latest evaluation wrote. */
  pairCount(): number
}

/** Returns the evaluator over these columns. */
export const evaluatorOf = overColumns((columns: KernelColumns): Evaluator => {
  const { code } = columns.of(DroneScript)
  const { poi: poiOf, good } = columns.of(DroneWord)
  const { script, state, poi, type, holdUsed, body } = columns.of(Drone)
  const { sees, ownerPct, allyPct, action, word, limited, writes } = columns.of(Thought)
  const memory = createMemory(columns)
  const hasDeposit = createDepositLookup(columns)
  const { hull, hullMax } = columns.of(Ship)
  const pairs = new Uint32Array(2 * (STEPS_MAX + 1))
  let count = 0

  /** Compares two values by an index into COMPARISONS. */
  function compare(comparison: number, value: number, other: number): boolean {
    switch (comparison) {
      // ==
      case 1:
        return value === other
      // !=
      case 2:
        return value !== other
      // <
      case 3:
        return value < other
      // <=
      case 4:
        return value <= other
      // >
      case 5:
        return value > other
      // >=
      default:
        return value >= other
    }
  }

  /**
   * Evaluates a function that returns true or false; functions about a place are false while the
   * drone is on a hop.
   */
  function evaluatePredicate(row: number, fn: number, operand: number, tick: number): boolean {
    const isHere = state[row] === AT_PLACE
    switch (fn) {
      case FN.cargo_full:
        return HOLD_CAPACITIES[type[row]] > 0 && holdUsed[row] >= HOLD_CAPACITIES[type[row]]
      case FN.traveling:
        return state[row] === ON_HOP
      case FN.at:
        return isHere && poiOf[operand] !== 0 && poiOf[operand] === poi[row]
      case FN.enemy_nearby:
        return (sees[row] & SEES.enemy) !== 0
      case FN.pirate_nearby:
        return (sees[row] & SEES.pirate) !== 0
      case FN.in_battle:
        return (sees[row] & SEES.battle) !== 0
      case FN.resource_available:
        if (!isHere || (operand !== ANY_ITEM && good[operand] === 0)) return false
        return hasDeposit(
          poi[row],
          operand === ANY_ITEM ? -1 : good[operand] - 1,
          type[row] === MINER,
          tick,
        )
      // ally_hull_below
      default:
        return isHere && allyPct[row] !== 0xff && allyPct[row] < operand
    }
  }

  /** Returns the value of a function that scripts compare with a number. */
  function numericValueOf(row: number, fn: number, tick: number): number {
    switch (fn) {
      case FN.hull_pct:
        return ((100 * hull[body[row]]) / hullMax[body[row]]) | 0
      case FN.cargo_pct: {
        const capacity = HOLD_CAPACITIES[type[row]]
        return capacity === 0 ? 0 : ((100 * holdUsed[row]) / capacity) | 0
      }
      case FN.owner_hull_pct:
        return ownerPct[row]
      // tick
      default:
        return tick
    }
  }

  /** Returns whether the condition of the IF at an address is true. */
  function isConditionTrue(row: number, address: number, tick: number): boolean {
    const head = code[address]
    const fn = (head >>> 4) & 15
    const operand = code[address + 1]
    if (fn < FN.hull_pct) return evaluatePredicate(row, fn, operand, tick)
    const comparison = (head >>> 8) & 15
    if (fn === FN.mem) {
      return compare(comparison, memory.valueOf(row, operand), code[address + 2])
    }
    const modulus = code[address + 2]
    const value = numericValueOf(row, fn, tick)
    return compare(comparison, modulus === 0 ? value : value % modulus, operand)
  }

  /** Adds a pair to write after the evaluation, which goes on reading the memory as it was. */
  function write(row: number, key: number, value: number): void {
    pairs[2 * count] = key
    pairs[2 * count + 1] = value
    count++
    if (!memory.contains(row, key, value)) writes[row] = 1
  }

  function evaluate(row: number, tick: number): void {
    const base = script[row] * CODE_WORDS
    let address = base
    let steps = 0
    count = 0
    action[row] = 0
    word[row] = 0
    limited[row] = 0
    writes[row] = 0
    memory.startEvaluation()
    for (;;) {
      const head = code[address]
      const op = head & 15
      steps += (head >>> 12) & 15
      if (steps > STEPS_MAX) {
        limited[row] = 1
        writes[row] = 0
        count = 0
        return
      }
      if (op === IF) {
        address = isConditionTrue(row, address, tick)
          ? address + INSTRUCTION_WIDTH
          : base + (head >>> 16) * INSTRUCTION_WIDTH
      } else if (op === ELSE) {
        address += INSTRUCTION_WIDTH
      } else if (op === SET) {
        write(row, code[address + 1], code[address + 2])
        address += INSTRUCTION_WIDTH
      } else if (op === JUMP) {
        address = base + (head >>> 16) * INSTRUCTION_WIDTH
      } else {
        if (op === END) return
        action[row] = (head >>> 4) & 15
        word[row] = code[address + 1]
        return
      }
    }
  }
  return { evaluate, pairs, pairCount: () => count }
})

/**
 * Returns the memory of the drone in evaluation. Its list is read at most once an evaluation, when
 * the script first needs it, into arrays by word.
 */
function createMemory(columns: KernelColumns) {
  const { firstMemo } = columns.of(Drone)
  const { next, key: keyOf, value: valueOfMemo } = columns.of(DroneMemo)
  const words = columns.of(DroneWord).uses.length
  /** By word: the evaluation in which it was last read as a key, and its value then. */
  const readIn = new Float64Array(words)
  const values = new Uint32Array(words)
  let evaluation = 0
  let isRead = false

  function ensureRead(row: number): void {
    if (isRead) return
    isRead = true
    for (let memo = firstMemo[row]; memo !== 0; memo = next[memo]) {
      readIn[keyOf[memo]] = evaluation
      values[keyOf[memo]] = valueOfMemo[memo]
    }
  }
  return {
    startEvaluation(): void {
      evaluation++
      isRead = false
    },
    /** Returns the word under a key; 0, the empty text, where there is none. */
    valueOf(row: number, key: number): number {
      ensureRead(row)
      return readIn[key] === evaluation ? values[key] : 0
    },
    /** Returns whether the memory holds this value under the key. */
    contains(row: number, key: number, value: number): boolean {
      ensureRead(row)
      return readIn[key] === evaluation && values[key] === value
    },
  }
}

/**
 * Returns a function that says if a place has a deposit of the item left (-1: any item) that the
 * drone may mine.
 */
function createDepositLookup(columns: KernelColumns) {
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
