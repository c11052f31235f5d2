/** The public feed: what readers are sent, in which order, what they miss, and who is refused. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  FEED_BACKLOG,
  FEED_HEARTBEAT_MS,
  FEED_RING_MESSAGES,
  FEED_RING_TICKS,
  WATCHED_BATTLES_MAX,
  WATCHER_STALL_MS,
  WATCHER_UNSENT_BYTES_MAX,
  WATCHERS_MAX,
  WATCHERS_PER_ADDRESS_MAX,
} from '../../../core/limits.ts'
import type { FeedMessage } from '../../../core/public/events.ts'
import { parseTopics, TOPICS_MAX, type Topic } from '../../../core/public/topics.ts'
import { createFeed, type Feed, type TopicSource } from '../../../net/public/feed.ts'
import { parseId } from '../../../net/public/ring.ts'

interface Message {
  readonly id: string
  readonly type: string
  readonly data: Record<string, unknown>
  readonly timestamp: string
  readonly tick: number
}

/** Joins a reader whose socket takes everything, unless the test changes its state. */
function readerOn(feed: Feed, topics = 'feed', options: { after?: string; address?: string } = {}) {
  const pieces: string[] = []
  const state = { pending: 0, takes: true, isCut: false, isEnded: false, fails: false }
  let gone = (): void => {}
  const refused = feed.join({
    address: options.address ?? 'a',
    topics: parseTopics(topics) as ReadonlyMap<string, Topic>,
    ...(options.after === undefined ? {} : { after: parseId(options.after) }),
    open: () => ({
      write: (piece) => {
        if (state.fails) throw new Error('no')
        pieces.push(String(piece))
        if (!state.takes) state.pending += Buffer.byteLength(piece)
        return state.takes
      },
      pending: () => state.pending,
      end: () => {
        state.isEnded = true
      },
    }),
    cutOff: () => {
      state.isCut = true
      gone()
    },
    onGone: (handler) => {
      gone = handler
    },
  })
  const messages = (): Message[] =>
    pieces
      .join('')
      .split('\n\n')
      .filter((block) => block.startsWith('id: '))
      .map((block) => {
        const [id, data] = block.split('\n')
        return { id: id.slice(4), ...JSON.parse(data.slice(6)) }
      })
  return {
    refused,
    pieces,
    state,
    messages,
    types: () => messages().map(({ type }) => type),
    leave: () => gone(),
  }
}

const QUIET: TopicSource = { greet: () => [], updates: () => [] }

function feedWith(source: TopicSource = QUIET) {
  const errors: string[] = []
  const log = { error: (_: object, text: string) => errors.push(text) }
  const feed = createFeed(source, { wallMs: () => 5_000, monoMs: () => 0 }, log)
  const tick = async (number: number, events: readonly FeedMessage[] = []): Promise<void> => {
    feed.publish({ tick: number, wallMs: number * 1_000, online: 2, battles: 1, events })
    await setImmediate()
  }
  return { errors, feed, tick }
}

const joined = (username: string, tick = 1): FeedMessage => ({
  type: 'player_joined',
  data: { username, empire: 'solarian' },
  timestamp: '2026-01-01T00:00:00.000Z',
  tick,
})

describe('a reader', () => {
  test('gets a greeting, the last events, then each tick in one write', async () => {
    const { feed, tick } = feedWith()
    tick(
      1,
      Array.from({ length: FEED_BACKLOG + 5 }, (_, n) => joined(`p${n}`)),
    )
    const reader = readerOn(feed)
    expect(reader.pieces[0]).toMatch(/^retry: 3000\n\n/)
    expect(reader.types()).toEqual(['connected', ...Array(FEED_BACKLOG).fill('player_joined')])
    expect(reader.messages().at(-1)?.data.username).toBe(`p${FEED_BACKLOG + 4}`)
    const before = reader.pieces.length
    await tick(2, [joined('last', 2)])
    expect(reader.pieces.length).toBe(before + 1)
    expect(reader.messages().slice(-2)).toMatchObject([
      { id: '2.0', type: 'player_joined', tick: 2 },
      { id: '2.1', type: 'tick', data: { tick: 2, online: 2, battles: 1 } },
    ])
    expect(reader.messages().at(-1)?.timestamp).toBe('1970-01-01T00:00:02.000001Z')
  })

  test('is sent the type of an event only within its data', async () => {
    const { feed, tick } = feedWith()
    const reader = readerOn(feed)
    await tick(1, [joined('a')])
    expect(reader.pieces.join('')).not.toMatch(/^event:/m)
  })

  test('that resumes is sent what it missed, and nothing twice', async () => {
    const { feed, tick } = feedWith()
    await tick(1)
    const first = readerOn(feed)
    await tick(2, [joined('a', 2), joined('b', 2)])
    first.leave()
    await tick(3, [joined('c', 3)])
    const resumed = readerOn(feed, 'feed', { after: '2.0' })
    expect(resumed.messages().map(({ id }) => id)).toEqual(['2.1', '2.2', '3.0', '3.1'])
    const upToDate = readerOn(feed, 'feed', { after: '3.1' })
    expect(upToDate.messages()).toEqual([])
    await tick(4)
    expect(upToDate.types()).toEqual(['tick'])
  })

  test('that resumes after a message that is not kept, or was never sent, is reset', async () => {
    const { feed, tick } = feedWith()
    for (let index = 1; index <= FEED_RING_TICKS + 2; index++) await tick(index)
    for (const after of ['1.0', '999.0']) {
      const reader = readerOn(feed, 'feed', { after })
      expect(reader.types().slice(0, 2)).toEqual(['reset', 'connected'])
    }
    expect(readerOn(feed, 'feed', { after: '3.0' }).types()[0]).toBe('tick')
  })

  test('is reset when ids go back after a restore, and reads on', async () => {
    const { feed, tick } = feedWith()
    await tick(9)
    const reader = readerOn(feed)
    await tick(4)
    await tick(5)
    expect(reader.types()).toEqual(['connected', 'reset', 'tick', 'tick'])
    expect(readerOn(feed, 'feed', { after: '9.0' }).types()[0]).toBe('reset')
  })

  test('that resumes after a restart of the server is reset, even in the first tick', async () => {
    const { feed, tick } = feedWith()
    await tick(9)
    for (const after of ['5.3', '8.0']) {
      expect(readerOn(feed, 'feed', { after }).types()[0]).toBe('reset')
    }
    const reader = readerOn(feed)
    await tick(10)
    expect(reader.types()).toEqual(['connected', 'tick'])
    expect(readerOn(feed, 'feed', { after: '9.0' }).types()).toEqual(['tick'])
  })

  test('reads on if the public tick is published twice', async () => {
    const { feed, tick } = feedWith()
    await tick(9)
    const reader = readerOn(feed)
    await tick(9, [joined('a', 9)])
    await tick(10)
    expect(reader.messages().map(({ id, type }) => [id, type])).toEqual([
      ['9.0', 'connected'],
      ['9.1', 'player_joined'],
      ['9.2', 'tick'],
      ['10.0', 'tick'],
    ])
  })

  test('that cannot be written to is closed, counted and logged, and the others read on', async () => {
    const { errors, feed, tick } = feedWith()
    const [reader, other] = [readerOn(feed), readerOn(feed)]
    reader.state.fails = true
    await tick(1)
    expect(errors).toHaveLength(1)
    expect(reader.state.isCut).toBe(true)
    expect([feed.watchers(), feed.figures().closed]).toEqual([1, { slow: 0, failed: 1 }])
    await tick(2)
    expect(other.types()).toEqual(['connected', 'tick', 'tick'])
    expect(errors).toHaveLength(1)
    expect(feed.figures().bytes).toBeGreaterThan(0)
  })

  test('gets keep-alives, and is closed when it reads nothing for long', async () => {
    const { feed } = feedWith()
    const [quiet, stuck] = [readerOn(feed), readerOn(feed)]
    stuck.state.pending = 10
    feed.sweep(1)
    feed.sweep(WATCHER_STALL_MS - 1)
    expect(stuck.state.isCut).toBe(false)
    feed.sweep(1)
    expect([stuck.state.isCut, quiet.state.isCut]).toEqual([true, false])
    feed.sweep(FEED_HEARTBEAT_MS)
    expect(quiet.pieces.at(-1)).toBe(':\n\n')
    expect(feed.watchers()).toBe(1)
  })

  test('with too many unsent bytes is closed at once, and the others read on', async () => {
    const { feed, tick } = feedWith()
    const [stuck, other] = [readerOn(feed), readerOn(feed)]
    stuck.state.takes = false
    const long = joined('x'.repeat(1_000))
    const ticksToFill = Math.ceil(WATCHER_UNSENT_BYTES_MAX / 1_000 / 300)
    for (let index = 1; index <= ticksToFill + 2; index++) await tick(index, Array(300).fill(long))
    expect([stuck.state.isCut, other.state.isCut]).toEqual([true, false])
    expect(other.messages().at(-1)).toMatchObject({ type: 'tick', tick: ticksToFill + 2 })
  })

  test('is ended when the feed closes, and no other reader may join', async () => {
    const { feed } = feedWith()
    const reader = readerOn(feed)
    feed.publishEvent('server_announcement', { title: 'Restart', message: 'Soon.' })
    await setImmediate()
    feed.close()
    expect(reader.types()).toEqual(['connected', 'server_announcement'])
    expect([reader.state.isEnded, feed.watchers()]).toEqual([true, 0])
    expect(readerOn(feed).refused).toBe('closed')
  })
})

describe('bounds', () => {
  test('limit the readers of an address, and all readers', async () => {
    const { feed } = feedWith()
    const own = Array.from({ length: WATCHERS_PER_ADDRESS_MAX + 1 }, () => readerOn(feed))
    expect(own.at(-1)?.refused).toBe('too_many')
    own[0].leave()
    expect(readerOn(feed).refused).toBeUndefined()
    for (let n = feed.watchers(); n < WATCHERS_MAX; n++) readerOn(feed, 'feed', { address: `${n}` })
    expect(readerOn(feed, 'feed', { address: 'late' }).refused).toBe('too_many')
  })

  test('limit the topics, but a topic without readers makes room for another', async () => {
    const { feed } = feedWith()
    const readers = Array.from({ length: WATCHED_BATTLES_MAX }, (_, n) =>
      readerOn(feed, `battle:b${n}`, { address: `${n}` }),
    )
    expect(readerOn(feed, 'battle:more', { address: 'm' }).refused).toBe('too_many_topics')
    expect(readerOn(feed, 'battle:b1', { address: 'm' }).refused).toBeUndefined()
    readers[0].leave()
    expect(readerOn(feed, 'battle:more', { address: 'm' }).refused).toBeUndefined()
  })

  test('limit the topics, and never drop one that the same request reads', async () => {
    const { feed, tick } = feedWith({
      greet: () => [],
      updates: () => [{ type: 'map', data: { tick: 0 } }],
    })
    const readers = Array.from({ length: WATCHED_BATTLES_MAX }, (_, n) =>
      readerOn(feed, `battle:b${n}`, { address: `${n}` }),
    )
    readers[0].leave()
    expect(readerOn(feed, 'battle:b0,battle:more', { address: 'm' }).refused).toBe(
      'too_many_topics',
    )
    readers[1].leave()
    const reader = readerOn(feed, 'battle:b0,battle:more', { address: 'm' })
    await tick(1)
    expect(reader.types()).toEqual(['connected', 'map', 'map', 'tick'])
  })

  test('limit the messages that a topic keeps', async () => {
    const { feed, tick } = feedWith()
    await tick(1)
    for (let n = 0; n < FEED_RING_MESSAGES + 1; n++)
      feed.publishEvent('forum_post', { author: 'a', title: 't', is_dev_team: false })
    expect(readerOn(feed, 'feed', { after: '1.0' }).types()[0]).toBe('reset')
    expect(readerOn(feed, 'feed', { after: '1.1' }).messages().length).toBe(FEED_RING_MESSAGES)
  })
})

describe('topics', () => {
  const source: TopicSource = {
    greet: (topic) =>
      topic.name === 'battle' && topic.id === 'none'
        ? undefined
        : [{ type: 'map_table', data: { tick: 0, systems: [topic.name] } }],
    updates: (topic) => [{ type: 'map', data: { tick: 0, online: [topic.name.length] } }],
  }

  test('are read together in the order of their messages, with the tick last', async () => {
    const { feed, tick } = feedWith(source)
    const reader = readerOn(feed, 'battle:x,feed,map')
    expect(reader.types()).toEqual(['connected', 'map_table', 'map_table'])
    await tick(1, [joined('a')])
    expect(reader.messages().slice(3)).toMatchObject([
      { id: '1.0', type: 'player_joined' },
      { id: '1.1', type: 'map' },
      { id: '1.2', type: 'map' },
      { id: '1.3', type: 'tick' },
    ])
    const plain = readerOn(feed)
    await tick(2)
    expect(plain.types()).toEqual(['connected', 'player_joined', 'tick'])
  })

  test('are resumed with their tables, and another can be added without a reset', async () => {
    const { feed, tick } = feedWith(source)
    await tick(1)
    readerOn(feed, 'map')
    await tick(2)
    const resumed = readerOn(feed, 'map', { after: '1.0' })
    expect(resumed.messages().map(({ id, type }) => [id, type])).toEqual([
      ['1.0', 'map_table'],
      ['2.0', 'map'],
      ['2.1', 'tick'],
    ])
    const extended = readerOn(feed, 'map,battle:x', { after: '2.0' })
    expect(extended.types()).toEqual(['map_table', 'map_table', 'tick'])
    await tick(3)
    expect(extended.types().slice(3)).toEqual(['map', 'map', 'tick'])
  })

  test('of unknown things are refused, except those that were read before', async () => {
    const known = new Set(['b'])
    const { feed, tick } = feedWith({
      greet: (topic) => (topic.name === 'battle' && known.has(topic.id) ? [] : undefined),
      updates: () => [],
    })
    expect(readerOn(feed, 'battle:none').refused).toBe('no_topic')
    const reader = readerOn(feed, 'battle:b')
    await tick(1)
    reader.leave()
    known.clear()
    expect(readerOn(feed, 'battle:b').refused).toBeUndefined()
    expect(readerOn(feed, 'battle:c').refused).toBe('no_topic')
  })

  test('cost nothing once nobody has read them for long', async () => {
    const updated: string[] = []
    const { feed, tick } = feedWith({
      greet: () => [],
      updates: (topic) => {
        updated.push(topic.name)
        return []
      },
    })
    await tick(1)
    const reader = readerOn(feed, 'map')
    await tick(2)
    reader.leave()
    for (let index = 3; index < FEED_RING_TICKS + 2; index++) await tick(index)
    expect(updated.length).toBe(FEED_RING_TICKS)
    await tick(FEED_RING_TICKS + 2)
    await tick(FEED_RING_TICKS + 3)
    expect(updated.length).toBe(FEED_RING_TICKS)
  })

  test.each([
    ['feed', 1],
    ['feed,map,market,ops,system:sol,item:sol_1/iron_ore,battle:b-1', 7],
    ['feed,feed', 1],
    ['', undefined],
    ['chat', undefined],
    ['system:', undefined],
    ['system:a/b', undefined],
    ['item:a', undefined],
    ['item:a/b/c', undefined],
    ['battle:../x', undefined],
    [Array.from({ length: TOPICS_MAX + 1 }, (_, n) => `battle:${n}`).join(), undefined],
  ])('the list "%s" has %s topics', (text, count) => {
    expect(parseTopics(text)?.size).toBe(count)
  })

  test.each([['1.2'], [''], ['1'], ['-1.0'], ['1.x'], ['1.2.3'], ['99999999999999999.1']])(
    'the id "%s" of a message is parsed only if it is well formed',
    (text) => {
      expect(parseId(text)).toEqual(text === '1.2' ? { tick: 1, n: 2 } : undefined)
    },
  )
})

describe('operators', () => {
  test('are sent figures at once, and count only while they read', async () => {
    const { feed, tick } = feedWith()
    await tick(7)
    feed.publishOps({ inbox: 0 })
    const reader = readerOn(feed, 'ops')
    expect(feed.hasOperators()).toBe(true)
    feed.publishOps({ inbox: 3 })
    await setImmediate()
    expect(reader.messages().at(-1)).toMatchObject({ id: '7.1', type: 'ops', data: { inbox: 3 } })
    reader.leave()
    expect(feed.hasOperators()).toBe(false)
  })
})
