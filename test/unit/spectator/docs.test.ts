/** Keyed sections of the public frame: what does not fit a full frame follows in later frames. */
import { expect, test } from 'vitest'
import { PUBLIC_WHOLE_BYTES_MAX } from '../../../core/limits.ts'
import { createDocs } from '../../../systems/spectator/docs-views.ts'

const KEYS = 40
const text = (name: string) => name.repeat(Math.ceil(PUBLIC_WHOLE_BYTES_MAX / KEYS) + 1)

test('the rest of a section too large for a full frame follows its changed entries', () => {
  const docs = createDocs()
  const update = (key: string, name: string) => docs.update('stations', key, text(name) as never)
  const take = (isFull: boolean): string[] => {
    const patch = docs.take(isFull).stations
    expect(patch?.isWhole ?? false).toBe(false)
    return (patch?.set ?? []).map(([key]) => key)
  }
  const takeAll = (first: boolean): string[] => {
    const taken = take(first)
    for (let keys = take(false); keys.length > 0; keys = take(false)) taken.push(...keys)
    return taken
  }
  const all = Array.from({ length: KEYS }, (_, index) => `s${index}`)
  for (const key of all) update(key, 'a')
  expect(takeAll(false)).toEqual(all)
  const inFullFrame = take(true)
  expect(inFullFrame).toEqual(all.slice(0, inFullFrame.length))
  update('s39', 'b')
  const rest = takeAll(false)
  expect(rest[0]).toBe('s39')
  expect([...inFullFrame, ...rest].sort()).toEqual([...all].sort())
})
