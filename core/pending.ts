/**
 * Pending answers: mutations whose outcome is not known yet, one per player, kept as world state.
 * Source: DESIGN 2.
 */
import { assert } from './assert.ts'
import type { Outcome } from './errors.ts'
import type { Eid, PendingAnswer, World, WorldView } from './types.ts'
import { defineIndex, PENDING } from './world.ts'

/** Returns the durable number of a player. */
export function playerNumber(view: WorldView, player: Eid): number {
  return (view.read(view.players) as unknown as { seq: ArrayLike<number> }).seq[player]
}

/** Returns the pending answer of a player, if any. */
export function pendingOf(view: WorldView, player: Eid): Readonly<PendingAnswer> | undefined {
  return view.records(PENDING).get(String(playerNumber(view, player)))
}

/** Adds a pending answer; asserts that its player has none. */
export function addPending(world: World, pending: PendingAnswer): void {
  const key = String(pending.player)
  assert(!world.records(PENDING).has(key), `player ${key} has two pending answers`)
  world.records(PENDING).set(key, pending)
}

/** Answers the mutation whose `run` returned LATER. */
export function answerLater(world: World, player: Eid, outcome: Outcome<unknown>): void {
  const key = String(playerNumber(world, player))
  const pending = world.records(PENDING).get(key)
  assert(pending, `player ${key} has no pending answer`)
  world.records(PENDING).delete(key)
  world.outbox.settled.push({ pending, outcome })
}

const asideKey = (view: WorldView, player: Eid): string => `${playerNumber(view, player)} aside`

/**
 * Suspends the pending answer and frees the player's slot: a battle delays a flight, and meanwhile
 * the player may send the commands that are possible in battle.
 */
export function suspendPending(world: World, player: Eid): void {
  const pending = pendingOf(world, player)
  if (!pending) return
  world.records(PENDING).delete(String(pending.player))
  world.records(PENDING).set(asideKey(world, player), pending)
}

/** Returns the suspended answer of a player, if any. */
export const suspendedOf = (view: WorldView, player: Eid): Readonly<PendingAnswer> | undefined =>
  view.records(PENDING).get(asideKey(view, player))

/** Undoes `suspendPending`, once no other answer is pending. */
export function resumePending(world: World, player: Eid): void {
  const key = asideKey(world, player)
  const pending = world.records(PENDING).get(key)
  if (!pending) return
  world.records(PENDING).delete(key)
  addPending(world, pending)
}

/** Answers the suspended mutation, which will not be completed. */
export function answerSuspended(world: World, player: Eid, outcome: Outcome<unknown>): void {
  const key = asideKey(world, player)
  const pending = world.records(PENDING).get(key)
  if (!pending) return
  world.records(PENDING).delete(key)
  world.outbox.settled.push({ pending, outcome })
}

/** Players drawn into a battle since the attacks of this tick began. Empty between ticks. */
const INTERRUPTED = defineIndex('core.interrupted', () => new Set<Eid>())

/**
 * Marks a player who was drawn into a battle: at the end of phase engage their mutation of this
 * tick is dropped with combat_interrupt.
 */
export function interrupt(world: World, player: Eid): void {
  world.index(INTERRUPTED).add(player)
}

/** Returns the players interrupted in this tick, and forgets them. */
export function takeInterrupted(world: World): ReadonlySet<Eid> {
  const found = new Set(world.index(INTERRUPTED))
  world.index(INTERRUPTED).clear()
  return found
}
