/**
 * Answers still owed to players: one a player, kept as world state until the outcome is known.
 * Source: DESIGN 2.
 */
import { assert } from './assert.ts'
import type { Outcome } from './errors.ts'
import type { Eid, PendingAnswer, World, WorldView } from './types.ts'
import { defineIndex, PENDING } from './world.ts'

/** The durable number of a player. */
export function playerNumber(view: WorldView, player: Eid): number {
  return (view.read(view.players) as unknown as { seq: ArrayLike<number> }).seq[player]
}

export function pendingOf(view: WorldView, player: Eid): Readonly<PendingAnswer> | undefined {
  return view.records(PENDING).get(String(playerNumber(view, player)))
}

export function addPending(world: World, pending: PendingAnswer): void {
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

const asideKey = (view: WorldView, player: Eid): string => `${playerNumber(view, player)} aside`

/**
 * Frees the player's slot while what is owed cannot come about: a battle holds the flight up, and
 * what battles allow takes the slot meanwhile.
 */
export function setAside(world: World, player: Eid): void {
  const pending = pendingOf(world, player)
  if (!pending) return
  world.records(PENDING).delete(String(pending.player))
  world.records(PENDING).set(asideKey(world, player), pending)
}

/** Undoes `setAside`: nothing else is owed any more. */
export function takeBack(world: World, player: Eid): void {
  const key = asideKey(world, player)
  const pending = world.records(PENDING).get(key)
  if (!pending) return
  world.records(PENDING).delete(key)
  addPending(world, pending)
}

/** Answers what was set aside: what it waited for will not come about. */
export function dropAside(world: World, player: Eid, outcome: Outcome<unknown>): void {
  const key = asideKey(world, player)
  const pending = world.records(PENDING).get(key)
  if (!pending) return
  world.records(PENDING).delete(key)
  world.outbox.settled.push({ pending, outcome })
}

/** Players whom a battle pulled in since the tick's attacks began. Empty between ticks. */
const INTERRUPTED = defineIndex('core.interrupted', () => new Set<Eid>())

/** Drops the mutation the player has in this tick, with combat_interrupt. For phase engage. */
export function interrupt(world: World, player: Eid): void {
  world.index(INTERRUPTED).add(player)
}

export function takeInterrupted(world: World): ReadonlySet<Eid> {
  const found = new Set(world.index(INTERRUPTED))
  world.index(INTERRUPTED).clear()
  return found
}
