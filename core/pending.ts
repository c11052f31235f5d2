/**
 * Answers still owed to players: one a player, kept as world state until the outcome is known.
 * Source: DESIGN 2.
 */
import { assert } from './assert.ts'
import type { Outcome } from './errors.ts'
import type { PendingAnswer } from './ports.ts'
import { type Eid, PENDING, type World, type WorldView } from './world.ts'

/** The durable number of a player. */
export function playerNumber(view: WorldView, player: Eid): number {
  return (view.read(view.players) as unknown as { seq: ArrayLike<number> }).seq[player]
}

export function pendingOf(view: WorldView, player: Eid): Readonly<PendingAnswer> | undefined {
  return view.records(PENDING).get(String(playerNumber(view, player)))
}

export function owe(world: World, pending: PendingAnswer): void {
  const key = String(pending.player)
  assert(!world.records(PENDING).has(key), `player ${key} is owed two answers`)
  world.records(PENDING).set(key, pending)
}

/** Gives the answer of a mutation whose `run` returned LATER. */
export function answerLater(world: World, player: Eid, outcome: Outcome<unknown>): void {
  const key = String(playerNumber(world, player))
  const pending = world.records(PENDING).get(key)
  assert(pending, `player ${key} is owed no answer`)
  world.records(PENDING).delete(key)
  world.outbox.settled.push({ pending, outcome })
}
