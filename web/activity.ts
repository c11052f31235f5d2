/**
 * What happens on the map, live: the current body, and the updates of the topic `map` since. Where
 * the feed is away, only the body is requested with every tick. Source: WEB 1.2, 2.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { TopicData } from '../core/public/topics.ts'
import type { ActivityBody } from '../core/public/world.ts'
import { type Loaded, retry, useBody } from './api.ts'
import { applyNews, type News } from './map-news.ts'
import { listen, type StreamMessage, streamState } from './stream.ts'

export const ACTIVITY = '/api/map/activity'
/** Ticks of news that are kept: a body is never older. */
const NEWS_MAX = 120

/** Ids of systems by the numbers that news has for them. */
const systems = signal<readonly string[]>([])
const news = signal<readonly News[]>([])

/** False until the first news of a stream: updates before it were missed. */
let isJoined = false

function hear(message: StreamMessage): void {
  if (message.type === 'reset') news.value = []
  if (message.type !== 'topic') return
  if (message.topic === 'map_table') {
    // Each stream begins with its table, as does each new listener.
    isJoined = false
    systems.value = (message.data as TopicData['map_table']).systems
  }
  if (message.topic !== 'map') return
  if (!isJoined) retry(ACTIVITY)
  isJoined = true
  const update = message.data as News
  const last = news.value.at(-1)
  // The same tick comes again where the feed was taken up anew.
  if (last && update.tick <= last.tick && update.tick > last.tick - NEWS_MAX) return
  news.value = [...news.value.slice(1 - NEWS_MAX), update]
}

/** The last body, and what it has become. */
let known: { readonly body: ActivityBody; now: ActivityBody } | undefined

/** Returns a body with all news that came after it; each is applied once. */
function withNews(body: ActivityBody): ActivityBody {
  if (known?.body !== body) known = { body, now: body }
  for (const update of news.value)
    if (update.tick > known.now.current_tick)
      known.now = applyNews(known.now, update, systems.value)
  return known.now
}

/** Reads the activity of now while the component is mounted and `isWanted`. */
export function useLiveActivity(isWanted: boolean): ReadonlySignal<Loaded<ActivityBody>> {
  const isStreamed = streamState.value === 'live'
  const body = useBody<ActivityBody>(isWanted ? ACTIVITY : undefined, isStreamed ? 'M' : 'T')
  useEffect(() => (isWanted ? listen(['map'], hear) : undefined), [isWanted])
  return computed(() => {
    const loaded = body.value
    return loaded.data ? { ...loaded, data: withNews(loaded.data) } : loaded
  })
}
