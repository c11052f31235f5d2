/** Readers of the feed whose connection can be neither written to nor closed. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WATCHER_STALL_MS } from '../../../core/limits.ts'
import { parseTopics, type Topic } from '../../../core/public/topics.ts'
import { createFeed } from '../../../net/public/feed.ts'

test('a reader that cannot be written to or cut off is dropped, and the others read on', async () => {
  const errors: string[] = []
  const log = { error: (_: object, text: string) => errors.push(text) }
  const source = { greet: () => [], updates: () => [] }
  const feed = createFeed(source, { wallMs: () => 5_000, monoMs: () => 0 }, log)
  const join = () => {
    const state = { pending: 0, fails: false, isCut: false, written: 0 }
    const check = (): void => {
      if (state.fails) throw new Error('no')
    }
    const write = () => {
      check()
      state.written += 1
      return true
    }
    feed.join({
      address: 'a',
      topics: parseTopics('feed') as ReadonlyMap<string, Topic>,
      open: () => ({ write, pending: () => state.pending, end: () => {} }),
      cutOff: () => {
        state.isCut = true
        check()
      },
      onGone: () => {},
    })
    return state
  }
  const [broken, stuck, other] = [join(), join(), join()]
  broken.fails = true
  const before = other.written
  feed.publish({ tick: 1, wallMs: 1_000, online: 2, battles: 1, events: [] })
  await setImmediate()
  expect(other.written).toBe(before + 1)
  expect(errors).toHaveLength(2)
  Object.assign(stuck, { pending: 10, fails: true })
  other.pending = 10
  feed.sweep(1)
  feed.sweep(WATCHER_STALL_MS)
  expect([broken.isCut, stuck.isCut, other.isCut]).toEqual([true, true, true])
  expect(feed.figures().closed).toEqual({ failed: 1, slow: 2 })
})
