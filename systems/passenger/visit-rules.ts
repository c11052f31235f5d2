/**
 * What visitors leave at a station: a journey's end, or a stop on the way. Source: crafting.md
 * section 9, tourism.
 */
import { balanceOf, canReceive, post } from '../../core/ledger.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { baseTreasury } from '../base/rules.ts'
import { facilitiesAt, facilityTypeAt, isRunning } from '../facility/rules.ts'
import { CLASSES, Passenger } from './columns.ts'
import { type Attractions, tierFitPct, tourismOf } from './fare-rules.ts'
import { citizensOf } from './market-rules.ts'
import { tastesOf } from './people.ts'

/** What a station has for visitors, by class of travel. O(facilities there). */
export function attractionsAt(view: WorldView, base: Row): readonly Attractions[] {
  const sums = CLASSES.map(() => ({ dining: 0, leisure: 0 }))
  for (const row of facilitiesAt(view, base)) {
    const { dining_points = 0, leisure_points = 0, level } = facilityTypeAt(view, row)
    if (dining_points + leisure_points === 0 || !isRunning(view, row)) continue
    for (const [travelClass, sum] of sums.entries()) {
      const fit = tierFitPct(travelClass, level)
      sum.dining += dining_points * fit
      sum.leisure += leisure_points * fit
    }
  }
  return sums
}

/**
 * A visitor spends what he has a mind to, and his people at home have, on the owner of the station.
 * Returns the credits.
 */
export function visit(
  world: World,
  row: Row,
  base: Row,
  { attractions, sharePct }: { attractions: readonly Attractions[]; sharePct: number },
): number {
  const { class: travelClass, home } = world.read(Passenger)
  const of = travelClass[row]
  const wanted = tourismOf(attractions[of], tastesOf(world, row), of, sharePct)
  const pool = citizensOf(world, home[row])
  const owner = baseTreasury(world, base)
  const credits = Math.min(wanted, balanceOf(world, pool))
  if (credits === 0 || !canReceive(world, owner, credits)) return 0
  post(world, pool, owner, credits)
  return credits
}
