/**
 * The live activity on the map: the current body, and the updates of the topic `map` since then. If
 * the feed is not available, only the body is requested, in every tick. Source: WEB 1.2, 2.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { TopicData } from '../core/public/topics.ts'
import type { ActivityBody } from '../core/public/world.ts'
import { type Loaded, retry, useBody } from './api.ts'
import { applyUpdate, type MapUpdate } from './map-updates.ts'
import { listen, type StreamMessage, streamState } from './stream.ts'

export const ACTIVITY = '/api/map/activity'
/** The number of updates kept; bodies are never older. */
const UPDATES_MAX = 120

/** Ids of systems by the numbers that updates use for them. */
const systems = signal<readonly string[]>([])
const updates = signal<readonly MapUpdate[]>([])

/** False until the first update of a stream: updates before that were missed. */
let isJoined = false

function handle(message: StreamMessage): void {
  if (message.type === 'reset') updates.value = []
  if (message.type !== 'topic') return
  if (message.topic === 'map_table') {
    // Each stream begins with its table, and each new listener receives it first.
    isJoined = false
    systems.value = (message.data as TopicData['map_table']).systems
  }
  if (message.topic !== 'map') return
  if (!isJoined) retry(ACTIVITY)
  isJoined = true
  const update = message.data as MapUpdate
  const last = updates.value.at(-1)
  // After a reconnect the feed may repeat a tick.
  if (last && update.tick <= last.tick && update.tick > last.tick - UPDATES_MAX) return
  updates.value = [...updates.value.slice(1 - UPDATES_MAX), update]
}

/** The last body, and its state after the updates applied to it. */
let known: { readonly body: ActivityBody; now: ActivityBody } | undefined

/** Returns a body with all later updates applied, each only once. */
function withUpdates(body: ActivityBody): ActivityBody {
  if (known?.body !== body) known = { body, now: body }
  for (const update of updates.value)
    if (update.tick > known.now.current_tick)
      known.now = applyUpdate(known.now, update, systems.value)
  return known.now
}

/** Returns the live activity while the component is mounted and `isWanted`. */
export function useLiveActivity(isWanted: boolean): ReadonlySignal<Loaded<ActivityBody>> {
  const isStreamed = streamState.value === 'live'
  const body = useBody<ActivityBody>(isWanted ? ACTIVITY : undefined, isStreamed ? 'M' : 'T')
  useEffect(() => (isWanted ? listen(['map'], handle) : undefined), [isWanted])
  return computed(() => {
    const loaded = body.value
    return loaded.data ? { ...loaded, data: withUpdates(loaded.data) } : loaded
  })
}
