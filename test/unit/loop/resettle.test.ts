/** A world that starts with other settings than it ran with still replays its journal. */
import { describe, expect, test } from 'vitest'
import { stateHash } from '../../../core/hash.ts'
import { tinyLoop } from './tiny.ts'

/** Makes a world that was killed with a journal whose hashes include the settings it ran with. */
async function killedWorld() {
  const { store, send, step, loop } = await tinyLoop()
  await step(1)
  await send('measure', 'ping')
  await step(1)
  return { memory: store, hash: stateHash(loop.world), batch: loop.world.batch }
}

describe.each([
  ['a longer tick', { tickMs: 2_500 }],
  ['more room', { maxEntities: 3_000 }],
  ['both', { tickMs: 50, maxEntities: 1_200 }],
])('started with %s', (_, settings) => {
  test('a world continues from the state in which it was killed', async () => {
    const { memory, hash, batch } = await killedWorld()
    const { loop, messages } = await tinyLoop({ memory, ...settings })
    expect(stateHash(loop.world)).toBe(hash)
    expect(loop.world).toMatchObject({ batch, ...settings })
    expect(messages).toContainEqual(
      expect.objectContaining({ level: 'info', text: expect.stringContaining('have changed') }),
    )
  })

  test('a world is stored before it continues, so that no replay spans both settings', async () => {
    const { memory, batch } = await killedWorld()
    const second = await tinyLoop({ memory, ...settings })
    expect(memory.snapshots.at(-1)).toMatchObject({ batch, ...settings })
    await second.send('measure')
    await second.step(1)
    const hash = stateHash(second.loop.world)
    const third = await tinyLoop({ memory, ...settings })
    expect(stateHash(third.loop.world)).toBe(hash)
    const reverted = await tinyLoop({ memory })
    expect(stateHash(reverted.loop.world)).toBe(hash)
  })
})

test('a world that starts with the same settings is not stored', async () => {
  const { memory } = await killedWorld()
  const before = memory.snapshots.length
  await tinyLoop({ memory })
  expect(memory.snapshots).toHaveLength(before)
})

test('an image without settings is loaded with those of the start', async () => {
  const { store } = await tinyLoop()
  store.snapshots = store.snapshots.map(({ tickMs: _, maxEntities: __, ...image }) => image)
  const { loop } = await tinyLoop({ memory: store, tickMs: 2_500 })
  expect(loop.world.tickMs).toBe(2_500)
  expect(store.snapshots).toHaveLength(1)
})
