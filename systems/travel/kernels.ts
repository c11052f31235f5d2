/**
 * The kernel of movement: positions of many ships under way at once, for those who watch them. A
 * single position is read by the same rule (views.ts). Source: travel.md section 10.
 */
import { kernel } from '../../core/system.ts'
import { Course, Location, Position } from './state.ts'

/** Bits of a way below one unit: the error stays under a unit for flights of 1,024 ticks. */
export const FRACTION_BITS = 10

/** Coordinate so many ticks after the departure, rounded down. */
export function coordinateAt(start: number, way: number, elapsedTicks: number): number {
  return start + (Math.imul(way, elapsedTicks) >> FRACTION_BITS)
}

export const kernelsFile = import.meta.url

/** Rows a call of the inner loops: enough calls in a tick to have them compiled as functions. */
const BLOCK_ROWS = 1_024

/**
 * Writes `Position` of ships that travel within their system. A part is any run of rows; the rows
 * of a part ascend. A block of neighbours, as when all are watched, needs no list.
 */
export const positions = kernel((columns) => {
  const { departTick } = columns.of(Location)
  const { x, y, wayX, wayY } = columns.of(Course)
  const { x: atX, y: atY } = columns.of(Position)

  const neighbours = (first: number, end: number, tick: number): void => {
    for (let ship = first; ship < end; ship++) {
      const elapsed = (tick - departTick[ship]) | 0
      atX[ship] = coordinateAt(x[ship], wayX[ship], elapsed)
      atY[ship] = coordinateAt(y[ship], wayY[ship], elapsed)
    }
  }
  const scattered = (rows: Uint32Array, from: number, to: number, tick: number): void => {
    for (let i = from; i < to; i++) {
      const ship = rows[i]
      const elapsed = (tick - departTick[ship]) | 0
      atX[ship] = coordinateAt(x[ship], wayX[ship], elapsed)
      atY[ship] = coordinateAt(y[ship], wayY[ship], elapsed)
    }
  }
  return (rows, from, to, env) => {
    for (let at = from; at < to; at += BLOCK_ROWS) {
      const end = Math.min(at + BLOCK_ROWS, to)
      const [first, last] = [rows[at], rows[end - 1]]
      if (last - first === end - 1 - at) neighbours(first, last + 1, env.tick)
      else scattered(rows, at, end, env.tick)
    }
  }
})
