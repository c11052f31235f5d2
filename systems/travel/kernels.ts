/**
 * The kernel of movement: positions of many ships under way at once, for those who watch them. A
 * single position is read by the same rule (views.ts). Source: travel.md section 10.
 */
import { kernel } from '../../core/system.ts'
import { Course, Location, Position } from './columns.ts'
import { coordinateAt } from './course.ts'

export const kernelsFile = import.meta.url

/** Writes `Position` of ships that travel within their system. A part is any run of rows. */
export const positions = kernel((columns) => {
  const { departTick } = columns.of(Location)
  const { x, y, wayX, wayY } = columns.of(Course)
  const position = columns.of(Position)
  const atX = position.x
  const atY = position.y
  return (rows, from, to, env) => {
    const tick = env.tick
    for (let i = from; i < to; i++) {
      const ship = rows[i]
      const elapsed = (tick - departTick[ship]) | 0
      atX[ship] = coordinateAt(x[ship], wayX[ship], elapsed)
      atY[ship] = coordinateAt(y[ship], wayY[ship], elapsed)
    }
  }
})
