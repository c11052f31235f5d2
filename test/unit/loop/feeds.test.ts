/** The main thread's copy of a feed equals the world's, whatever happens to the world thread. */
import { expect, test } from 'vitest'
import type { PublishedEmission } from '../../../core/ports.ts'
import { createFeedModel, type FeedModel } from '../../feed-model.ts'
import { tinyFeed, tinyList, tinyLoop } from './tiny.ts'

function follow(model: FeedModel, emissions: readonly PublishedEmission[]): void {
  for (const emission of emissions) {
    const [{ payload }] = model.follow(emission, tinyFeed.feed)
    const { tick, rows } = payload as { tick: number; rows: unknown }
    expect(rows).toEqual(tinyList(tick))
  }
}
const kinds = (emissions: readonly PublishedEmission[]) =>
  emissions.map(({ feed }) => (feed?.isFull ? 'full' : 'change'))

test('a list is sent whole once, then as changes', async () => {
  const { send, step, feeds } = await tinyLoop()
  await step(2)
  expect(feeds()).toEqual([])
  await send('ping')
  await step(10)
  follow(createFeedModel(), feeds())
  expect(kinds(feeds())).toEqual(['full', ...new Array<string>(9).fill('change')])
})

test('a new world thread sends whole lists for missed batches and for its next tick', async () => {
  const first = await tinyLoop()
  await first.send('ping')
  await first.step(6)
  const model = createFeedModel()
  // The main thread has received the batch of the ping and four ticks.
  follow(model, first.feeds().slice(0, 4))
  const second = await tinyLoop({ memory: first.store, lastPublished: 5 })
  await second.step(3)
  follow(model, second.feeds())
  expect(second.feeds().map(({ feed }) => feed?.tick)).toEqual([5, 6, 7, 8, 9])
  expect(kinds(second.feeds())).toEqual(['full', 'full', 'full', 'change', 'change'])
})

test('after the main thread has lost a batch, the next tick sends the whole list', async () => {
  const { send, step, feeds, loop, messages } = await tinyLoop()
  await send('ping')
  await step(3)
  const batch = messages.filter(({ kind }) => kind === 'batch').length
  loop.receive({ kind: 'published', batch, isLost: true })
  await step(2)
  expect(kinds(feeds())).toEqual(['full', 'change', 'change', 'full', 'change'])
})
