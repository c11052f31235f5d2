/** What happens when the time of a journey is over. Source: crafting.md sections 9, 11. */
import type { Eid, Row, World } from '../../core/types.ts'
import { Ship } from '../ship/columns.ts'
import { Location } from '../travel/columns.ts'
import { putOff } from './arrival-rules.ts'
import { ABOARD, Passenger } from './columns.ts'
import { expectAt, PATIENCE_TICKS, takeDue } from './list-rules.ts'
import { remindGuest } from './lounge-rules.ts'

/**
 * True for somebody who leaves now: aboard of a ship in dock, or after a day past the deadline also
 * in space. ours: a ship that never docks does not keep people, and their fares, for ever.
 */
function leavesNow(world: World, row: Row): boolean {
  const { ship, deadline } = world.read(Passenger)
  if (world.read(Location).base[ship[row]] !== 0) return true
  return world.tick > deadline[row] + PATIENCE_TICKS
}

/** Looks at everybody whose time it is; those of one ship leave it together. */
export function remind(world: World): void {
  const { state, ship, deadline } = world.read(Passenger)
  const leaving = new Map<Eid, Row[]>()
  for (const row of takeDue(world)) {
    if (state[row] !== ABOARD) remindGuest(world, row)
    else if (leavesNow(world, row)) {
      const rows = leaving.get(ship[row])
      if (rows) rows.push(row)
      else leaving.set(ship[row], [row])
    } else expectAt(world, row, deadline[row] + PATIENCE_TICKS + 1)
  }
  const { owner } = world.read(Ship)
  const { base } = world.read(Location)
  for (const [hull, rows] of leaving) putOff(world, owner[hull], rows, base[hull])
}
