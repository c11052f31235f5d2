/** Commands in the middle of a tick: queries are answered, all others wait for its end. */
import { describe, expect, test } from 'vitest'
import { COMPUTE_SLICE_MS } from '../../../core/limits.ts'
import type { Submission } from '../../../core/types.ts'
import { type Tiny, tinyLoop } from './tiny.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Makes a loop whose every step is a slice of its own. */
const slicedLoop = (): Promise<Tiny> => {
  let nowMs = 0
  return tinyLoop({ monotonicMs: () => (nowMs += COMPUTE_SLICE_MS) })
}

const command = (ref: number, player: number, name: string): Submission => ({
  ref,
  player,
  command: name,
  params: {},
  framing: 'ws1',
})

/** Begins a tick and returns in the middle of it. */
async function beginTick(tiny: Tiny): Promise<void> {
  const { loop, messages } = tiny
  const batches = messages.length
  loop.receive({ kind: 'step', ticks: 1 })
  await turn()
  await turn()
  expect(loop.world.tick).toBeGreaterThan(0)
  expect(messages.slice(batches).filter(({ kind }) => kind === 'batch')).toEqual([])
}

const refsOf = ({ answers }: Tiny, from: number): number[] =>
  answers()
    .slice(from)
    .map(({ ref }) => ref)

describe('in the middle of a tick', () => {
  test('a query is answered at once, with the tick in progress', async () => {
    const tiny = await slicedLoop()
    await beginTick(tiny)
    tiny.loop.receive({ kind: 'submit', commands: [command(1, 1, 'look')] })
    expect(tiny.answers()).toMatchObject([{ ref: 1, stage: 'final', tick: 1 }])
    await tiny.loop.idle()
  })

  test("a mutation waits for the tick to end, as do its player's later commands", async () => {
    const tiny = await slicedLoop()
    const { loop, answers, store, step } = tiny
    await beginTick(tiny)
    const commands = [command(1, 1, 'act'), command(2, 1, 'look'), command(3, 2, 'look')]
    loop.receive({ kind: 'submit', commands })
    loop.receive({ kind: 'submit', commands: [command(4, 2, 'ping')] })
    expect(refsOf(tiny, 0)).toEqual([3])
    await loop.idle()
    expect(refsOf(tiny, 0)).toEqual([3, 1, 2, 4])
    expect(answers()[1]).toMatchObject({ ref: 1, stage: 'accepted' })
    await step(1)
    const inputs = store.journal().map(({ tick, part, inputs }) => [tick, part, inputs.length])
    expect(inputs).toEqual([
      [1, 0, 0],
      [1, 1, 1],
      [2, 0, 1],
    ])
  })

  test('a player whose mutation is in this tick may send one for the next tick', async () => {
    const tiny = await slicedLoop()
    const { loop, answers, store, send, step } = tiny
    await send('act')
    await beginTick(tiny)
    loop.receive({ kind: 'submit', commands: [command(9, 1, 'act')] })
    await loop.idle()
    await step(1)
    expect(answers().map(({ ref, stage }) => [ref, stage])).toEqual([
      [1, 'accepted'],
      [9, 'accepted'],
      [1, 'final'],
      [9, 'final'],
    ])
    expect(store.journal().map(({ inputs }) => inputs.map(({ ref }) => ref))).toEqual([[1], [9]])
  })
})

test('a command that arrives as a tick ends is answered, in whichever turn it comes', async () => {
  for (let turns = 0; turns < 12; turns++) {
    const tiny = await tinyLoop()
    const { loop, messages, answers, step } = tiny
    const push = messages.push.bind(messages)
    const stepped = new Promise<void>((resolve) => {
      messages.push = (...added) => {
        if (added.some(({ kind }) => kind === 'stepped')) resolve()
        return push(...added)
      }
    })
    const running = step(1)
    await stepped
    for (let i = 0; i < turns; i++) await Promise.resolve()
    loop.receive({ kind: 'submit', commands: [command(1, 1, 'ping')] })
    await running
    await turn()
    await loop.idle()
    expect({ turns, refs: answers().map(({ ref }) => ref) }).toEqual({ turns, refs: [1] })
  }
})

test('a stop in the middle of a tick runs one more tick for accepted mutations', async () => {
  const tiny = await slicedLoop()
  const { loop, answers, store, messages } = tiny
  await beginTick(tiny)
  loop.receive({ kind: 'submit', commands: [command(1, 1, 'act')] })
  loop.receive({ kind: 'stop' })
  await loop.idle()
  expect(answers().map(({ ref, stage }) => [ref, stage])).toEqual([
    [1, 'accepted'],
    [1, 'final'],
  ])
  const inputs = store.journal().map(({ tick, part, inputs }) => [tick, part, inputs.length])
  expect(inputs).toEqual([
    [1, 0, 0],
    [2, 0, 1],
  ])
  expect(messages.at(-1)).toEqual({ kind: 'stopped' })
})
