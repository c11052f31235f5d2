/**
 * The public feed of a server: its ticks come from the public clock, what does not wait for one
 * from the archive's writes and the operator. Source: WEB 2.
 */
import type { FeedMessage } from '../../core/public/events.ts'
import type { Net } from '../session/types.ts'
import { createFeed, type Feed } from './feed.ts'
import { createTopics } from './topics.ts'

/** Types that tell where a player is. */
const WHEREABOUTS: ReadonlySet<FeedMessage['type']> = new Set([
  ...(['jump', 'system_activity', 'player_destroyed', 'pirate_destroyed'] as const),
  ...(['base_constructed'] as const),
])

/** Opens the feed of a server. */
export function openFeed(net: Pick<Net, 'frames' | 'clock' | 'config' | 'log'>): Feed {
  const { frames, clock, config, log } = net
  const topics = createTopics()
  const feed = createFeed(topics, clock, log)
  frames.onPublic((state, frame) => {
    topics.take(state, frame)
    const { tick, wallMs, figures, battles } = state
    const events = config.spectatorNames
      ? frame.events
      : frame.events.filter(({ type }) => !WHEREABOUTS.has(type))
    feed.publish({ tick, wallMs, online: figures.online, battles: battles.length, events })
  })
  return feed
}
