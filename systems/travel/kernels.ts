/**
 * The kernel of movement: positions of many ships under way at once. views.ts computes a single
 * position by the same rule. Source: travel.md section 10.
 */
import { kernel } from '../../core/system.ts'
import { Course, Location, Position } from './state.ts'

/**
 * Fraction bits of a way, the distance of one tick: the error stays under a unit for flights of
 * 1,024 ticks. Not exported: the compiler reads the value of an exported constant again in each
 * turn of a loop, which made the kernel slower by a fifth.
 */
const FRACTION_BITS = 10
export const FRACTION = 1 << FRACTION_BITS

/** Returns the coordinate a number of ticks after the departure, rounded down. */
export function coordinateAt(start: number, way: number, elapsedTicks: number): number {
  return start + (Math.imul(way, elapsedTicks) >> FRACTION_BITS)
}

export const kernelsFile = import.meta.url

/** Rows for one call of an inner loop: few, so that a tick calls it often enough to compile it. */
const BLOCK_ROWS = 1_024

/**
 * Writes `Position` of ships that travel within their system. A part is any slice of the list of
 * rows, which ascends. A block of consecutive rows is iterated without reading the list.
 */
export const positions = kernel((columns) => {
  const { departTick } = columns.of(Location)
  const { x, y, wayX, wayY } = columns.of(Course)
  const { x: positionX, y: positionY } = columns.of(Position)

  const writeConsecutive = (first: number, end: number, tick: number): void => {
    for (let ship = first; ship < end; ship++) {
      const elapsed = (tick - departTick[ship]) | 0
      positionX[ship] = coordinateAt(x[ship], wayX[ship], elapsed)
      positionY[ship] = coordinateAt(y[ship], wayY[ship], elapsed)
    }
  }
  const writeScattered = (rows: Uint32Array, from: number, to: number, tick: number): void => {
    for (let i = from; i < to; i++) {
      const ship = rows[i]
      const elapsed = (tick - departTick[ship]) | 0
      positionX[ship] = coordinateAt(x[ship], wayX[ship], elapsed)
      positionY[ship] = coordinateAt(y[ship], wayY[ship], elapsed)
    }
  }
  return (rows, from, to, env) => {
    for (let start = from; start < to; start += BLOCK_ROWS) {
      const end = Math.min(start + BLOCK_ROWS, to)
      const first = rows[start]
      const last = rows[end - 1]
      if (last - first === end - 1 - start) writeConsecutive(first, last + 1, env.tick)
      else writeScattered(rows, start, end, env.tick)
    }
  }
})
