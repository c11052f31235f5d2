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

test('a system may write a table that it declares', async () => {
  const world = await tickWith((current) => current.write(Player))
  expect(world.tick).toBe(1)
})

test('a system may not change a table that it does not declare, in any way', async () => {
  const refused = 'test.write writes ship, which it does not declare'
  await expect(tickWith((world) => world.write(Ship))).rejects.toThrow(refused)
  await expect(tickWith((world) => world.take(Ship))).rejects.toThrow(refused)
  await expect(tickWith((world) => world.release(Ship, 1))).rejects.toThrow(refused)
  await expect(tickWith((world) => world.clearRow(Ship, 1))).rejects.toThrow(refused)
  await expect(tickWith((world) => world.setText(Ship, 'name', 1, 'x'))).rejects.toThrow(refused)
})

test('any table may be written without the check, or outside of systems', async () => {
  const world = await tickWith((current) => current.write(Ship), false)
  expect(() => world.write(Ship)).not.toThrow()
})
