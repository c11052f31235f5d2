/** While tables for goods are nearly full, their last rows are kept for what must not fail. */
import { expect, test } from 'vitest'
import { rowsOf } from '../../../core/columns.ts'
import { Stack } from '../../../core/goods.ts'
import { TABLE_FILL_MAX_PCT } from '../../../core/limits.ts'
import { isStorageNearlyFull } from '../../../systems/cargo/model.ts'
import { onSmallMap, smallWorld, uncheck } from '../../small-world.ts'

onSmallMap()

test('buying, storing and jettison are refused in a nearly full world, mining is not', async () => {
  const small = await smallWorld()
  const { world } = small
  const player = small.join('Collector')
  // Rows without a container belong to nobody: only the checks would notice them.
  uncheck(small)
  const stacksMax = Math.floor((rowsOf(Stack, world.maxEntities) * TABLE_FILL_MAX_PCT) / 100)
  while (world.countOf(Stack) < stacksMax) world.take(Stack)
  expect(isStorageNearlyFull(world)).toBe(true)
  const cell = { item_id: 'fuel_cell', quantity: 1 }
  expect(small.act(player, 'buy', cell)).toMatchObject({ code: 'limit_reached' })
  expect(small.act(player, 'deposit_items', cell)).toMatchObject({ code: 'storage_full' })
  expect(small.act(player, 'jettison', cell)).toMatchObject({ code: 'limit_reached' })
  const place = small.ask(player, 'get_system')
  const { pois } = (place as { result: { system: { pois: { id: string; type: string }[] } } })
    .result.system
  const belt = pois.find((poi) => poi.type === 'asteroid_belt')?.id
  expect(small.act(player, 'travel', { target_poi: belt })).toMatchObject({ ok: true })
  expect(small.act(player, 'mine')).toMatchObject({ ok: true })
})
