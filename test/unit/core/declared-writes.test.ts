/** A system writes the tables it declares, and no others, where the engine checks it. */
import { expect, test } from 'vitest'
import { createRegistry, type DomainDef } from '../../../core/registry.ts'
import type { SystemDef } from '../../../core/system.ts'
import { runTick } from '../../../core/tick.ts'
import type { World } from '../../../core/types.ts'
import { openEngine } from '../../../engine/start.ts'
import { Player } from '../../../systems/account/state.ts'
import { DOMAINS } from '../../../systems/registry.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { bornWorld } from '../../born-world.ts'

/** Runs a tick of a world with one more system, which runs `run` and declares Player alone. */
async function tickWith(run: (world: World) => void, checksWrites?: boolean): Promise<World> {
  const system: SystemDef = { name: 'test.write', phase: 'decide', writes: [Player], run }
  const domain: DomainDef = { name: 'test', systems: [system] }
  const registry = createRegistry([...DOMAINS, domain])
  const world = bornWorld({ registry, seed: 1, tickMs: 10_000, maxEntities: 2_000 })
  const engine = await openEngine(
    world,
    registry,
    checksWrites === undefined ? {} : { checksWrites },
  )
  runTick(engine, [], 0)
  return world
}

test('what it declares it may write', async () => {
  const world = await tickWith((at) => at.write(Player))
  expect(world.tick).toBe(1)
})

test('another table it may not: write, take, release, clear or give a text', async () => {
  const refused = 'test.write writes ship, which it does not declare'
  await expect(tickWith((world) => world.write(Ship))).rejects.toThrow(refused)
  await expect(tickWith((world) => world.take(Ship))).rejects.toThrow(refused)
  await expect(tickWith((world) => world.release(Ship, 1))).rejects.toThrow(refused)
  await expect(tickWith((world) => world.clearRow(Ship, 1))).rejects.toThrow(refused)
  await expect(tickWith((world) => world.setText(Ship, 'name', 1, 'x'))).rejects.toThrow(refused)
})

test('without the check it passes, and commands may write everything', async () => {
  const world = await tickWith((at) => at.write(Ship), false)
  expect(() => world.write(Ship)).not.toThrow()
})
