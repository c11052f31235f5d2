/** Keyed sections of the public frame: what a full frame has no room for is sent again in turn. */
import { expect, test } from 'vitest'
import { PUBLIC_WHOLE_BYTES_MAX } from '../../../core/limits.ts'
import { createDocs } from '../../../systems/spectator/docs-views.ts'

const KEYS = 40
const text = (name: string) => name.repeat(Math.ceil(PUBLIC_WHOLE_BYTES_MAX / KEYS) + 1)

test('a section too large for a full frame is sent again, after what has changed', () => {
  const docs = createDocs()
  const tell = (key: string, name: string) => docs.update('stations', key, text(name) as never)
  const take = (isFull: boolean): string[] => {
    const patch = docs.take(isFull).stations
    expect(patch?.isWhole ?? false).toBe(false)
    return (patch?.set ?? []).map(([key]) => key)
  }
  const takeAll = (first: boolean): string[] => {
    const taken = take(first)
    for (let more = take(false); more.length > 0; more = take(false)) taken.push(...more)
    return taken
  }
  const all = Array.from({ length: KEYS }, (_, index) => `s${index}`)
  for (const key of all) tell(key, 'a')
  expect(takeAll(false)).toEqual(all)
  const again = take(true)
  expect(again).toEqual(all.slice(0, again.length))
  tell('s39', 'b')
  const rest = takeAll(false)
  expect(rest[0]).toBe('s39')
  expect([...again, ...rest].sort()).toEqual([...all].sort())
})
