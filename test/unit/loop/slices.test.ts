/** Work in slices: short ones, unless the turns between them would take all the time. */
import { expect, test } from 'vitest'
import { LONG_SLICE_MS } from '../../../core/limits.ts'
import { inSlices } from '../../../engine/slices.ts'

/** Runs steps of a millisecond each; a turn between two slices takes `turnMs`. */
async function slicesOf(steps: number, turnMs: number) {
  let nowMs = 0
  const slices: number[] = []
  const turns: number[] = []
  let sinceMs = 0
  function* work(): Generator<void, string> {
    for (let i = 0; i < steps; i++) {
      nowMs++
      yield
    }
    return 'done'
  }
  const busy = (isBusy: boolean): void => {
    if (isBusy) sinceMs = nowMs
    else {
      slices.push(nowMs - sinceMs)
      setImmediate(() => {
        nowMs += turnMs
      })
    }
  }
  const { result, busyMs, sliceMs } = await inSlices(
    { monotonicMs: () => nowMs, busy, sliceMsMax: 4, between: (_, ms) => turns.push(ms) },
    work(),
  )
  expect({ result, busyMs, sliceMs }).toEqual({
    result: 'done',
    busyMs: steps,
    sliceMs: Math.max(...slices),
  })
  return { slices, turns }
}

test('slices are short while the turns between them are', async () => {
  const { slices, turns } = await slicesOf(10, 1)
  expect(slices).toEqual([4, 4, 2])
  expect(turns).toEqual([1, 1])
})

test('long turns leave the work half of the time, with slices up to a bound', async () => {
  const { slices } = await slicesOf(80, 20)
  expect(slices).toEqual([4, 20, 20, 20, 16])
  expect((await slicesOf(200, 400)).slices).toEqual([4, LONG_SLICE_MS, LONG_SLICE_MS, 50, 46])
})
