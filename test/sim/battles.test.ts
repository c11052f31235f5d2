/** Battles end in the same state on 0, 1, 2 and 4 kernel threads, and when repeated (I5). */
import { describe, expect, test } from 'vitest'
import { fightSection, fightsOf, hashOfFights } from '../../bench/fights.ts'
import type { World } from '../../core/types.ts'
import { Attack, Battle, Participant, Turn } from '../../systems/combat/state.ts'
import { Module, Ship } from '../../systems/ship/state.ts'

const BATTLES = 12
const SHIPS_EACH = 16
const TICKS = 8

/** Returns the highest row in use; scratch tables, which take no rows, follow from others. */
function rowsOf(world: World, name: string): number {
  if (name === Turn.name) return world.highOf(Participant)
  if (name !== Attack.name) return world.stores.get(name)?.high ?? 0
  const { firstAttack, attackCount } = world.read(Battle)
  const last = world.highOf(Battle)
  return firstAttack[last] + attackCount[last]
}

/** Returns every column that the fight may have written, scratch included. */
function stateOf(world: World): Record<string, number[]> {
  const state: Record<string, number[]> = {}
  for (const { name, columns } of [Ship, Module, Battle, Participant, Turn, Attack]) {
    const store = world.stores.get(name)
    for (const [column, { width }] of Object.entries(columns)) {
      const values = store?.columns[column].subarray(0, (rowsOf(world, name) + 1) * width)
      state[`${name}.${column}`] = [...(values ?? [])]
    }
  }
  return state
}

async function fight(
  workers: number,
): Promise<{ hash: string; state: ReturnType<typeof stateOf> }> {
  const world = fightsOf(BATTLES, SHIPS_EACH)
  const section = await fightSection(world, workers)
  for (let i = 0; i < TICKS; i++) await section.tick()
  await section.close()
  return { hash: hashOfFights(world), state: stateOf(world) }
}

describe('a battle', () => {
  test('ends in the same state on 0, 1, 2 and 4 kernel threads', async () => {
    const alone = await fight(0)
    const hits = alone.state['attack.hullHit'].filter((points) => points > 0)
    expect(hits.length).toBeGreaterThan(100)
    for (const workers of [0, 1, 2, 4]) {
      const shared = await fight(workers)
      expect({ workers, hash: shared.hash }).toEqual({ workers, hash: alone.hash })
      expect(shared.state).toEqual(alone.state)
    }
  })
})
