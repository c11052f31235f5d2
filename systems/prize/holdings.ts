/** Which hulls are prizes, whose, and where. */
import { assert } from '../../core/assert.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Location } from '../travel/columns.ts'
import { shipsAt } from '../travel/rules.ts'
import { Flotilla, PRIZE_STATUS, Prize, type PrizeStatus, WAIT_REASONS } from './columns.ts'

const PRIZES = defineIndex('prize.hulls', () => new Map<Eid, Row>())

/** The prize that a hull is; 0 none. */
export const prizeOf = (view: WorldView, ship: Eid): Row => view.index(PRIZES).get(ship) ?? 0

export const prizeId = (view: WorldView, prize: Row): string => idOf(view, Prize, prize)

/** Notes that a hull is a prize. */
export function notePrize(world: World, ship: Eid, prize: Row): void {
  world.index(PRIZES).set(ship, prize)
}

/** A prize by wire id; 0 none. */
export const prizeById = (view: WorldView, id: string): Row => rowOfId(view, Prize, id)

/** Prizes at a place, in the order of their taking. */
export function prizesAt(view: WorldView, poi: Eid): Row[] {
  if (view.countOf(Prize) === 0) return []
  const { seq } = view.read(Prize)
  const here = shipsAt(view, poi).map((ship) => prizeOf(view, ship))
  return here.filter((prize) => prize !== 0).sort((a, b) => seq[a] - seq[b])
}

/** Prizes a player has claimed that are not home yet, the first taken first. O(prizes), or 1. */
export function prizesOf(view: WorldView, player: Eid): Row[] {
  if (view.read(Flotilla).claimed[player] === 0) return []
  const { alive, claimant, seq } = view.read(Prize)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Prize); row++) {
    if (alive[row] === 1 && claimant[row] === player) rows.push(row)
  }
  return rows.sort((a, b) => seq[a] - seq[b])
}

export const statusOf = (view: WorldView, prize: Row): PrizeStatus =>
  PRIZE_STATUS[view.read(Prize).status[prize]]

export function setStatus(world: World, prize: Row, status: PrizeStatus): void {
  const columns = world.write(Prize)
  columns.status[prize] = PRIZE_STATUS.indexOf(status)
  if (status !== 'waiting') columns.wait[prize] = 0
}

/** Why it waits; undefined unless it does. */
export const waitOf = (view: WorldView, prize: Row) =>
  WAIT_REASONS[view.read(Prize).wait[prize]] || undefined

/** The player who has claimed a hull as a prize; 0 nobody. */
export function claimantOf(view: WorldView, ship: Eid): Eid {
  const prize = prizeOf(view, ship)
  return prize === 0 ? 0 : view.read(Prize).claimant[prize]
}

/** Place of a hull, or the one it left. */
export function whereOf(view: WorldView, ship: Eid): Eid {
  const { poi, fromPoi } = view.read(Location)
  return poi[ship] || fromPoi[ship]
}

/** Has a prize think again at the next tick: something about it has changed. */
export function hurryPrize(world: World, prize: Row): void {
  world.write(Prize).nextTick[prize] = world.tick + 1
}

export function setClaimant(world: World, prize: Row, player: Eid): void {
  const { claimant } = world.write(Prize)
  const { claimed } = world.write(Flotilla)
  assert(claimant[prize] === 0 && player !== 0, `prize ${prize} is claimed twice`)
  claimant[prize] = player
  claimed[player]++
}

/** A hull is no prize any more. Nothing if it was none. */
export function endPrize(world: World, ship: Eid): void {
  const prize = prizeOf(world, ship)
  if (prize === 0) return
  const player = world.read(Prize).claimant[prize]
  if (player !== 0) world.write(Flotilla).claimed[player]--
  world.index(PRIZES).delete(ship)
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
