/** How NPCs get about and mend, whatever they are. */
import { divCeil } from '../../core/math.ts'
import type { Eid, World } from '../../core/types.ts'
import { Ship } from '../ship/columns.ts'
import { Location, Poi } from '../travel/columns.ts'
import { depart, distanceMilliAu, flightOf, travelTicks } from '../travel/rules.ts'

/** Ticks between two looks around. ours: the sheet says what NPCs do, not how fast. */
export const LOOK_TICKS = 10
/** Hull mended a tick outside of battles, as creatures do. Source: combat.md section 13. */
const MEND_PCT = 1

/** What a hull mends by itself between two looks. */
export function mend(world: World, ship: Eid): void {
  const { hull, hullMax } = world.write(Ship)
  const points = divCeil(hullMax[ship] * MEND_PCT * LOOK_TICKS, 100)
  hull[ship] = Math.min(hullMax[ship], hull[ship] + points)
}

/** Sets out for another place of the system; returns the ticks it takes. NPCs burn no fuel. */
export function flyTo(world: World, ship: Eid, to: Eid): number {
  const from = world.read(Location).poi[ship]
  const { x, y } = world.read(Poi)
  const distance = distanceMilliAu(x[from], y[from], x[to], y[to])
  const ticks = travelTicks(flightOf(world, ship), distance)
  depart(world, ship, to, ticks)
  return ticks
}
