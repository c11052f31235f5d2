/**
 * Connects the public feed of a server: ticks come from the public clock, other events from archive
 * writes and from the operator. Source: WEB 2.
 */
import type { Net } from '../session/types.ts'
import { createFeed, type Feed } from './feed.ts'
import { createTopics } from './topics.ts'

/** Opens the feed of a server and registers its metrics. */
export function openFeed(net: Pick<Net, 'frames' | 'clock' | 'log' | 'metrics'>): Feed {
  const { frames, clock, log, metrics } = net
  const topics = createTopics()
  const feed = createFeed(topics, clock, log)
  frames.onPublic((state, frame) => {
    topics.take(state, frame)
    const { tick, wallMs, figures, battles } = state
    const { events } = frame
    feed.publish({ tick, wallMs, online: figures.online, battles: battles.length, events })
  })
  metrics.read({
    feedReaders: () => feed.watchers(),
    feedRefused: () => feed.figures().refused,
    feedClosed: () => feed.figures().closed,
    feedBytes: () => feed.figures().bytes,
  })
  return feed
}
