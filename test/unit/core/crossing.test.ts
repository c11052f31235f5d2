/** The public frame that crosses to the main thread: it arrives unchanged, in fewer bytes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packFrame, unpackFrame } from '../../../core/public/crossing.ts'
import type { PublicFrame } from '../../../core/public/frame.ts'

const rows = (width: number) =>
  fc
    .array(fc.array(fc.integer(), { minLength: width, maxLength: width }), { maxLength: 20 })
    .map((list) => Int32Array.from(list.flat()))

const frames = fc
  .record({
    presence: fc.record({
      online: rows(2),
      onlineBySystem: rows(2),
      named: rows(2),
      namedFlying: rows(2),
      bound: rows(1),
      npcs: rows(3),
    }),
    flights: fc.record({ jumps: rows(5), local: rows(5) }),
    heat: rows(2),
    tick: fc.nat(),
  })
  .map((frame) => frame as unknown as PublicFrame)

test('a frame is unchanged after it has crossed, whatever its lists hold', () => {
  fc.assert(
    fc.property(frames, (frame) => {
      const crossed = unpackFrame(structuredClone(packFrame(frame)))
      expect(crossed).toEqual(frame)
    }),
  )
})

test('a list of rows with ascending numbers takes less than 4 bytes a row', () => {
  const named = Int32Array.from({ length: 2_000 }, (_, i) =>
    i % 2 === 0 ? (i * 7_919) % 8_000 : 100_000 + i,
  )
  const [frame] = fc.sample(frames, 1)
  const packed = packFrame({ ...frame, presence: { ...frame.presence, named } })
  const without = packFrame({ ...frame, presence: { ...frame.presence, named: new Int32Array() } })
  expect(packed.lists.byteLength - without.lists.byteLength).toBeLessThan(1_000 * 4)
})
