/**
 * When NPCs think: a wheel by tick, so that a tick costs those whose turn it is. Derived from
 * `thinkTick`.
 */
import { assert } from '../../core/assert.ts'
import type { Row, World } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Ship } from '../ship/columns.ts'
import { Npc } from './columns.ts'

const WHEEL = defineIndex('npc.thinking', () => new Map<number, Row[]>())

/** Sets the tick of an NPC's next decision; an earlier appointment lapses. */
export function thinkAt(world: World, npc: Row, tick: number): void {
  assert(tick > world.tick, `NPC ${npc} cannot think in the past`)
  world.write(Npc).thinkTick[npc] = tick
  appoint(world, npc, tick)
}

function appoint(world: World, npc: Row, tick: number): void {
  const wheel = world.index(WHEEL)
  const due = wheel.get(tick)
  if (due) due.push(npc)
  else wheel.set(tick, [npc])
}

/**
 * NPCs whose turn it is at this tick, in order of their ships: those that stalk a prey, or the
 * others. An NPC that has set its next turn is in neither; a row that was given back and taken
 * again may be there twice, until then.
 */
export function thinkers(world: World, isStalking: boolean): Row[] {
  const due = world.index(WHEEL).get(world.tick)
  if (!due) return []
  const { alive, thinkTick, prey, ship } = world.read(Npc)
  const { seq } = world.read(Ship)
  const rows = due.filter(
    (npc) => alive[npc] === 1 && thinkTick[npc] === world.tick && (prey[npc] !== 0) === isStalking,
  )
  return rows.sort((a, b) => seq[ship[a]] - seq[ship[b]])
}

/** Ends the turns of this tick. */
export function closeTurns(world: World): void {
  world.index(WHEEL).delete(world.tick)
}

export function rebuildWheel(world: World): void {
  world.index(WHEEL).clear()
  const { alive, thinkTick } = world.read(Npc)
  for (let npc = 1; npc <= world.highOf(Npc); npc++) {
    if (alive[npc] === 1) appoint(world, npc, thinkTick[npc])
  }
}
