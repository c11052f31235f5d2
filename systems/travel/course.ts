/**
 * Where a ship under way is: a pure function of the tick. Its course is a straight line, kept as
 * the point of departure and the way of one tick, so that a position costs one multiplication an
 * axis; the kernel and the views use the same rule. Source: travel.md sections 3, 10; the fixed
 * point is ours.
 */
import { assert } from '../../core/assert.ts'
import { divFloor } from '../../core/math.ts'

/** Bits of a way below one unit: the error stays under a unit for flights of 1,024 ticks. */
const FRACTION_BITS = 10
const FRACTION = 1 << FRACTION_BITS
/** Longest way an axis: its product with FRACTION must fit 32 bits. */
const WAY_MAX = 2 ** (31 - FRACTION_BITS) - 1

/** Way of one tick along an axis, in 1/1024 units, for a flight of so many ticks. */
export function wayOfTick(from: number, to: number, ticks: number): number {
  assert(ticks >= 1, 'a flight takes a tick at least')
  assert(Math.abs(to - from) <= WAY_MAX, 'a flight leaves the range of its system')
  return divFloor((to - from) * FRACTION, ticks)
}

/** Coordinate so many ticks after the departure, rounded down. */
export function coordinateAt(start: number, way: number, elapsedTicks: number): number {
  return start + (Math.imul(way, elapsedTicks) >> FRACTION_BITS)
}
