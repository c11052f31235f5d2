/** Which hulls are prizes. */
import { idOf, rowOfId } from '../../core/entity.ts'
import { defineIndex, type Eid, type Row, type World, type WorldView } from '../../core/world.ts'
import { Location } from '../travel/columns.ts'
import { Prize } from './columns.ts'

const PRIZES = defineIndex('boarding.prizes', () => new Map<Eid, Row>())

/** The prize that a hull is; 0 none. */
export const prizeOf = (view: WorldView, ship: Eid): Row => view.index(PRIZES).get(ship) ?? 0

export const prizeId = (view: WorldView, prize: Row): string => idOf(view, Prize, prize)

/** Notes that a hull is a prize, or that it is none any more: prize 0. */
export function notePrize(world: World, ship: Eid, prize: Row): void {
  if (prize === 0) world.index(PRIZES).delete(ship)
  else world.index(PRIZES).set(ship, prize)
}

/** A prize by wire id; 0 none. */
export const prizeById = (view: WorldView, id: string): Row => rowOfId(view, Prize, id)

/** Prizes at a place, in the order of their taking. */
export function prizesAt(view: WorldView, poi: Eid): Row[] {
  const { seq, ship } = view.read(Prize)
  const at = view.read(Location).poi
  const here = [...view.index(PRIZES).values()].filter((prize) => at[ship[prize]] === poi)
  return here.sort((a, b) => seq[a] - seq[b])
}

/** A hull is no prize any more: claimed, destroyed, or taken again. Nothing if it was none. */
export function endPrize(world: World, ship: Eid): void {
  const prize = prizeOf(world, ship)
  if (prize === 0) return
  notePrize(world, ship, 0)
  world.release(Prize, prize)
}

/** Fills the index from the table, after a restore. */
export function rebuildPrizes(world: World): void {
  world.index(PRIZES).clear()
  const { alive, ship } = world.read(Prize)
  for (let row = 1; row <= world.highOf(Prize); row++) {
    if (alive[row] === 1) notePrize(world, ship[row], row)
  }
}
