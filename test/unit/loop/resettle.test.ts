/** A world that is started with other settings than it ran by: its journal replays all the same. */
import { describe, expect, test } from 'vitest'
import { stateHash } from '../../../core/hash.ts'
import { tinyLoop } from './tiny.ts'

/** Makes a world that was killed with a journal whose hashes name the settings it ran by. */
async function killed() {
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
  test('it goes on from where it was', async () => {
    const { memory, hash, batch } = await killed()
    const { loop, messages } = await tinyLoop({ memory, ...settings })
    expect(stateHash(loop.world)).toBe(hash)
    expect(loop.world).toMatchObject({ batch, ...settings })
    expect(messages).toContainEqual(
      expect.objectContaining({ level: 'info', text: expect.stringContaining('have changed') }),
    )
  })

  test('it is stored before it goes on, so that no replay spans both', async () => {
    const { memory, batch } = await killed()
    const second = await tinyLoop({ memory, ...settings })
    expect(memory.snapshots.at(-1)).toMatchObject({ batch, ...settings })
    await second.send('measure')
    await second.step(1)
    const hash = stateHash(second.loop.world)
    const third = await tinyLoop({ memory, ...settings })
    expect(stateHash(third.loop.world)).toBe(hash)
    const back = await tinyLoop({ memory })
    expect(stateHash(back.loop.world)).toBe(hash)
  })
})

test('the same settings store nothing', async () => {
  const { memory } = await killed()
  const before = memory.snapshots.length
  await tinyLoop({ memory })
  expect(memory.snapshots).toHaveLength(before)
})

test('an image that does not say is loaded with the settings given', async () => {
  const { store } = await tinyLoop()
  store.snapshots = store.snapshots.map(({ tickMs: _, maxEntities: __, ...image }) => image)
  const { loop } = await tinyLoop({ memory: store, tickMs: 2_500 })
  expect(loop.world.tickMs).toBe(2_500)
  expect(store.snapshots).toHaveLength(1)
})
