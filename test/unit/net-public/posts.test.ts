/** Forum posts on the public feed, which are published once the archive has them. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fail, ok } from '../../../core/errors.ts'
import type { Answer } from '../../../core/ports.ts'
import { FEED_EVENTS, type FeedType } from '../../../core/public/events.ts'
import type { Feed } from '../../../net/public/feed.ts'
import { publishPosts } from '../../../net/public/posts.ts'
import type { Net } from '../../../net/session/types.ts'
import { differsFrom } from '../../exact-schema.ts'

const ADA = {
  author: 'Ada',
  author_empire: 'solarian',
  author_faction_tag: 'ADA',
  is_dev_team: false,
}
const BOB = { author: 'Bob', author_empire: 'crimson', author_faction_tag: null, is_dev_team: true }

async function eventsOf(answers: readonly Partial<Answer>[], isAway = false): Promise<unknown[]> {
  const published: unknown[] = []
  const net = {
    log: { warn: () => published.push('warned') },
    archive: {
      read: async ({ args }: { args: { page: number } }) =>
        isAway
          ? fail('persist_timeout')
          : ok({
              thread: { ...ADA, title: 'Iron' },
              replies: args.page === 2 ? [{ ...BOB, id: '7' }] : [{ ...ADA, id: '6' }],
              total_replies: 2,
            }),
    },
  } as unknown as Net
  const feed = {
    publishEvent: (type: FeedType, data: object, names: object) => {
      expect(differsFrom(FEED_EVENTS[type], data)).toEqual([])
      published.push([type, data, names])
    },
  } as unknown as Feed
  publishPosts(net, feed, {
    batch: 1,
    tick: 0,
    ran: [],
    emissions: [],
    answers: answers.map((answer) => ({ stage: 'final', ...answer }) as Answer),
  })
  await setImmediate()
  return published
}

const thread = { command: 'forum_create_thread', outcome: ok({ thread_id: '3', title: 'Iron' }) }
const packed = { result: '{"reply_id":"7","thread_id":"3"}' }
const reply = { command: 'forum_reply', outcome: ok({}), packed }

test('a thread and a reply are published with their authors', async () => {
  expect(await eventsOf([thread, reply])).toEqual([
    [
      'forum_post',
      { author: 'Ada', title: 'Iron', is_dev_team: false },
      { Ada: { empire: 'solarian', faction_tag: 'ADA' } },
    ],
    [
      'forum_reply',
      { author: 'Bob', thread_title: 'Iron', is_dev_team: true },
      { Bob: { empire: 'crimson' } },
    ],
  ])
})

test('refusals, acknowledgements and other commands are not published', async () => {
  expect(
    await eventsOf([
      { ...thread, outcome: fail('too_long') },
      { ...thread, stage: 'accepted' },
      { command: 'mine', outcome: ok({ thread_id: '3' }) },
    ]),
  ).toEqual([])
})

test('nothing is published while the archive is away, or for a reply that is gone', async () => {
  expect(await eventsOf([thread, reply], true)).toEqual([])
  const gone = { ...reply, packed: { result: '{"reply_id":"9","thread_id":"3"}' } }
  expect(await eventsOf([gone])).toEqual([])
})
