/**
 * Berths: how many a hull and its modules have, how many are taken, and what else of a ship matters
 * to those who travel in it. Source: ships.md section 1, crafting.md section 9.
 */
import type { ModuleRow } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { ridersOf } from '../fleet/ride-rules.ts'
import { Ship } from '../ship/columns.ts'
import { fitOf, shipClassOf } from '../ship/rules.ts'
import { CLASSES, Passenger } from './columns.ts'
import { hasPassengers, passengersOf } from './list-rules.ts'

export { hasPassengers } from './list-rules.ts'

const BERTH_FIGURES = [
  'passenger_economy_berths',
  'passenger_business_berths',
  'passenger_first_berths',
] as const

export type CabinFigure =
  | (typeof BERTH_FIGURES)[number]
  | 'passenger_comfort'
  | 'dining_points'
  | 'leisure_points'

/** What hull and modules have of a figure together; `fit` is that of the ship unless given. */
export function cabinFigure(
  view: WorldView,
  ship: Eid,
  name: CabinFigure,
  fit: readonly ModuleRow[] = fitOf(view, ship),
): number {
  const own = shipClassOf(view, ship).inherent_capabilities
  const ofHull = own.reduce((sum, { type, value }) => sum + (type === name ? value : 0), 0)
  return fit.reduce((sum, row) => sum + (row[name] ?? 0), ofHull)
}

/** Berths by CLASSES. */
export type Berths = readonly number[]

export function berthsOf(
  view: WorldView,
  ship: Eid,
  fit: readonly ModuleRow[] = fitOf(view, ship),
): Berths {
  return BERTH_FIGURES.map((name) => cabinFigure(view, ship, name, fit))
}

/** Berths that paying passengers lie in, by CLASSES. */
export function takenBerths(view: WorldView, ship: Eid): Berths {
  const taken = CLASSES.map(() => 0)
  if (!hasPassengers(view, ship)) return taken
  const { berth } = view.read(Passenger)
  for (const row of passengersOf(view, ship)) taken[berth[row]]++
  return taken
}

/** Berths without a paying passenger, by CLASSES: what riders can have, and what is left of it. */
function unsoldBerths(view: WorldView, ship: Eid): number[] {
  const taken = takenBerths(view, ship)
  return berthsOf(view, ship).map((total, of) => Math.max(0, total - taken[of]))
}

/** Players who ride along in this ship. */
function ridersIn(view: WorldView, ship: Eid): number {
  const pilot = view.read(Ship).owner[ship]
  return pilot !== 0 && view.read(Player).ship[pilot] === ship ? ridersOf(view, pilot).length : 0
}

/** Free berths by CLASSES. ours: players who ride along lie in the simplest that are not sold. */
export function freeBerths(view: WorldView, ship: Eid): number[] {
  let riders = ridersIn(view, ship)
  return unsoldBerths(view, ship).map((berths) => {
    const ridden = Math.min(berths, riders)
    riders -= ridden
    return berths - ridden
  })
}

const sumOf = (berths: Berths): number => berths.reduce((sum, count) => sum + count, 0)

/** Berths of a ship, whoever lies in them. */
export const berthCount = (view: WorldView, ship: Eid): number => sumOf(berthsOf(view, ship))

/** Berths that players who ride along may have: all without a paying passenger. */
export const riderBerths = (view: WorldView, ship: Eid): number => sumOf(unsoldBerths(view, ship))

/** The lowest free berth that somebody of a class takes; -1 none. */
export function berthFor(free: readonly number[], travelClass: number): number {
  return free.findIndex((berths, of) => of >= travelClass && berths > 0)
}

/** Refuses a fit with fewer berths than passengers and riders lie in. Refusal: no_berths. */
export function refusesCabins(
  view: WorldView,
  ship: Eid,
  fit: readonly ModuleRow[],
): Failure | undefined {
  const left = berthsOf(view, ship, fit)
  const taken = takenBerths(view, ship)
  const of = taken.findIndex((people, index) => people > left[index])
  const [riders, free] = [ridersIn(view, ship), sumOf(left) - sumOf(taken)]
  if (of < 0 && riders > free) {
    const said = `${riders} of your fleet ride with you and need a berth each; ${free} would be left.`
    return fail('no_berths', { riders, berths: free }, said)
  }
  if (of < 0) return undefined
  return fail(
    'no_berths',
    { class: CLASSES[of], passengers: taken[of], berths: left[of] },
    'Passengers have their berths there; bring them where they want to be first.',
  )
}
