/** Worlds loaded by a tool, which keep the settings of their snapshot. */
import { expect, test } from 'vitest'
import { engineOf } from '../../../cli/world.ts'
import { loadConfig } from '../../../config.ts'
import { smallWorld } from '../../small-world.ts'

test('tick length and capacity are taken from the snapshot or the configuration', async () => {
  const { world, image } = await smallWorld()
  const { tickMs, maxEntities } = world
  const config = loadConfig({ TICK_MS: String(tickMs + 1), MAX_ENTITIES: '1000' }, [])
  const tool = { config, note: () => {}, progress: () => {} }
  const engine = await engineOf(tool, image())
  expect(engine.world).toMatchObject({ tickMs, maxEntities })
  const { tickMs: _, maxEntities: __, ...older } = image()
  const larger = { ...config, maxEntities: maxEntities + 1_000 }
  expect((await engineOf({ ...tool, config: larger }, older)).world).toMatchObject({
    tickMs: tickMs + 1,
    maxEntities: maxEntities + 1_000,
  })
})
