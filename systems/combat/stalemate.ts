/**
 * When a battle is given up because nothing comes of it. Source: combat.md section 15; ours: the
 * count stands still while a boarding gets ahead or hulls are being shot up, or else a siege, a
 * pursuit and a fight aboard would be cut off under way.
 */
import type { Row, World, WorldView } from '../../core/types.ts'
import { isBoardingAhead } from '../boarding/rules.ts'
import { Battle } from './columns.ts'

/** Ticks without kill, capture or escape after which a battle is given up. */
export const STALEMATE_TICKS = 30
/** Ticks for which damage to a hull keeps the count from running. */
const HULL_TICKS = 10
/** Ticks for which the count stands still between two events. */
const HELD_TICKS_MAX = 120

/** A kill, a capture or an escape: the count begins anew. */
export function noteTurn(world: World, battle: Row): void {
  const { eventTick, heldTicks } = world.write(Battle)
  eventTick[battle] = world.tick
  heldTicks[battle] = 0
}

/** Counts a tick that was fought, or lets the count stand still in it. */
export function countTick(world: World, battle: Row, isHullHit: boolean): void {
  const { eventTick, hullTick, heldTicks } = world.write(Battle)
  if (isHullHit) hullTick[battle] = world.tick
  if (eventTick[battle] === world.tick || heldTicks[battle] >= HELD_TICKS_MAX) return
  const isShotUp = hullTick[battle] !== 0 && world.tick - hullTick[battle] < HULL_TICKS
  if (isShotUp || isBoardingAhead(world, battle)) heldTicks[battle]++
}

/** True once nothing has come of a battle for too long. */
export function isStale(view: WorldView, battle: Row): boolean {
  const { eventTick, heldTicks } = view.read(Battle)
  return view.tick - eventTick[battle] - heldTicks[battle] >= STALEMATE_TICKS
}
