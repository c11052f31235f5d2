/** Which hulls are prizes. */
import { idOf } from '../../core/entity.ts'
import { defineIndex, type Eid, type Row, type World, type WorldView } from '../../core/world.ts'
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

/** Fills the index from the table, after a restore. */
export function rebuildPrizes(world: World): void {
  world.index(PRIZES).clear()
  const { alive, ship } = world.read(Prize)
  for (let row = 1; row <= world.highOf(Prize); row++) {
    if (alive[row] === 1) notePrize(world, ship[row], row)
  }
}
