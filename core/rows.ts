/** Lists of numbers that keep their memory, and predicates that remember their answers by row. */
import type { Row } from './types.ts'

/**
 * A list that keeps its memory when it is emptied; `numbers` has room for more than `length`. Not a
 * plain array: V8 allocates one of more than 16,384 elements by itself, page by page, and again
 * whenever it grows, at ten times the cost of a short one.
 */
interface NumberList<T extends Int32Array | Float64Array> {
  numbers: T
  length: number
}
export type IntList = NumberList<Int32Array>
export type FloatList = NumberList<Float64Array>

const ROOM_MIN = 1_024

/** Creates an empty list of 32-bit numbers. */
export const newIntList = (): IntList => ({ numbers: new Int32Array(ROOM_MIN), length: 0 })

/** Creates an empty list. */
export const newFloatList = (): FloatList => ({ numbers: new Float64Array(ROOM_MIN), length: 0 })

/** Appends a number. */
export function append(list: IntList | FloatList, number: number): void {
  if (list.length === list.numbers.length) {
    const { numbers } = list
    list.numbers = new (numbers.constructor as Int32ArrayConstructor)(2 * numbers.length)
    list.numbers.set(numbers)
  }
  list.numbers[list.length++] = number
}

/** Appends numbers, which are few. */
export function appendAll(list: IntList | FloatList, numbers: readonly number[]): void {
  for (let i = 0; i < numbers.length; i++) append(list, numbers[i])
}

/** Returns a copy of the numbers of a list. */
export const numbersOf = <T extends Int32Array | Float64Array>(list: NumberList<T>): T =>
  list.numbers.slice(0, list.length) as T

/** Returns a predicate of rows up to `high` that evaluates `holds` only once for each. */
export function oncePerRow(high: Row, holds: (row: Row) => boolean): (row: Row) => boolean {
  // 0 not known yet, 1 false, 2 true.
  const known = new Uint8Array(high + 1)
  return (row) => {
    known[row] ||= holds(row) ? 2 : 1
    return known[row] === 2
  }
}
