/** The world loop: what the watchdog sees, what a bug in a query ends, and the sizes of batches. */
import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../../core/columns.ts'
import { Container, openContainer } from '../../../core/goods.ts'
import { IMMEDIATES_PER_BATCH_MAX, IMMEDIATES_PER_BATCH_MIN } from '../../../core/limits.ts'
import type { JournalRow } from '../../../core/ports.ts'
import { tinyLoop } from './tiny.ts'

describe('the watchdog', () => {
  test('does not count the wait for the journal of a slow database', async () => {
    const seen: boolean[] = []
    await tinyLoop({
      store: (store, busy) => ({
        ...store,
        async *journalAfter(batch): AsyncGenerator<JournalRow> {
          await new Promise((resolve) => setImmediate(resolve))
          seen.push(busy())
          yield* store.journalAfter(batch)
        },
      }),
    })
    expect(seen).toEqual([false])
  })

  test('sees which command the world works on', async () => {
    const refs: number[] = []
    const { send } = await tinyLoop({ beat: (ref) => refs.push(ref) })
    await send('look', 'act')
    expect(refs).toEqual([1, 2, 0])
  })
})

describe('a bug in a command that only reads', () => {
  test.each(['broken_look', 'broken_touch', 'broken_preview'])(
    'ends the exchange of %s alone, and is logged',
    async (name) => {
      const { send, answers, messages } = await tinyLoop()
      await send(name, 'act')
      expect(answers()).toMatchObject([
        { command: name, stage: 'final', outcome: { ok: false, code: 'internal_error' } },
        { command: 'act', stage: 'accepted' },
      ])
      const logged = messages.filter(
        (message) => message.kind === 'log' && message.level === 'error',
      )
      expect(logged).toMatchObject([{ level: 'error', fields: { command: name, player: 1 } }])
    },
  )
})

test('a world almost full of goods refuses commands that change cargo', async () => {
  const { send, answers, loop } = await tinyLoop()
  const containersMax = rowsOf(Container, loop.world.maxEntities)
  while (loop.world.countOf(Container) <= containersMax * 0.97) openContainer(loop.world)
  await send('haul', 'act')
  expect(answers()).toMatchObject([
    { stage: 'final', outcome: { ok: false, code: 'limit_reached' } },
    { stage: 'accepted' },
  ])
  expect(loop.world.countOf(Container)).toBeLessThan(containersMax)
})

describe('immediates', () => {
  const sizesOf = (rows: readonly JournalRow[]) => rows.map(({ inputs }) => inputs.length)
  const pings = (count: number) => new Array<string>(count).fill('ping')

  test('that are quick share one batch, up to the bound', async () => {
    const { send, store } = await tinyLoop()
    await send(...pings(IMMEDIATES_PER_BATCH_MAX + 3))
    expect(sizesOf(store.journal())).toEqual([IMMEDIATES_PER_BATCH_MAX, 3])
  })

  test('that are slow run in smaller batches, then in larger ones once they are quick', async () => {
    let nowMs = 0
    let costMs = 1
    const { send, store } = await tinyLoop({
      monotonicMs: () => nowMs,
      beat: () => {
        nowMs += costMs
      },
    })
    await send(...pings(4_000))
    const sizes = sizesOf(store.journal())
    expect(sizes.slice(0, 3)).toEqual([2_000, 1_000, 500])
    expect(Math.min(...sizes.slice(0, -1))).toBe(IMMEDIATES_PER_BATCH_MIN)
    costMs = 0
    await send(...pings(4_000))
    expect(Math.max(...sizesOf(store.journal()).slice(sizes.length))).toBe(1_600)
  })
})
