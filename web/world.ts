/**
 * The data of the map, the system and the scrubber: the live bodies, or those of the moment that
 * the address names. Source: WEB 1.2, 1.3.
 */
import { computed, type ReadonlySignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { applyDifference, type Json } from '../core/public/difference.ts'
import type { HistoryBody, MomentBody, StepsBody } from '../core/public/past.ts'
import type {
  ActivityBody,
  MapBody,
  StationsBody,
  StatsBody,
  TerritoryBody,
} from '../core/public/world.ts'
import { ACTIVITY, useLiveActivity } from './activity.ts'
import { type Loaded, useBody } from './api.ts'
import { newestTick } from './clock.ts'
import { pastTick } from './router.ts'

/** One frame in so many ticks is complete; the others are differences. */
export const KEYFRAME_TICKS = 60

/** A moment of the past, as one object. */
type Moment = Pick<MomentBody, 'tick' | 'activity' | 'territory'>

export const useMap = () => useBody<MapBody>('/api/map', 'M')
export const useStations = () => useBody<StationsBody>('/api/stations', 'M')

const slotOf = (tick: number): number => Math.floor(tick / KEYFRAME_TICKS) * KEYFRAME_TICKS

/** Returns the address of the frames around a tick; `e` changes when a restore rewrote them. */
function useStepsPath(): string | undefined {
  const epoch = useBody<StatsBody>('/api/stats', 'M').value.data?.epoch
  const tick = pastTick.value
  // A moment that is not public yet is not requested.
  if (tick === undefined || tick > newestTick.value || epoch === undefined) return undefined
  return `/api/history/${Math.max(1, slotOf(tick))}/steps?e=${encodeURIComponent(epoch)}`
}

/** The moment that was built last: the next is often one tick later. */
let lastBuilt: { readonly body: StepsBody; index: number; moment: Moment } | undefined

/** Returns the last moment at or before a tick; the first one if all are later. */
function momentAt(body: StepsBody, tick: number): Moment | undefined {
  const { steps } = body
  let index = steps.findLastIndex((step) => step.tick <= tick)
  if (index < 0) index = 0
  if (lastBuilt?.body !== body || lastBuilt.index > index) lastBuilt = undefined
  for (let next = (lastBuilt?.index ?? -1) + 1; next <= index; next++) {
    const { frame, changes } = steps[next]
    const moment = frame ?? applyDifference(lastBuilt?.moment as Json, changes as Json)
    lastBuilt = { body, index: next, moment: moment as Moment }
  }
  return lastBuilt?.moment
}

/** Returns the moment that the address names; it has no data while the view is live. */
function useMoment(): { readonly path?: string; readonly moment: ReadonlySignal<Loaded<Moment>> } {
  const path = useStepsPath()
  const tick = pastTick.value ?? 0
  const [isRead, setRead] = useState(false)
  const body = useBody<StepsBody>(path, isRead ? 'I' : 'T')
  const { steps = [], complete = false } = body.value.data ?? {}
  // Steps are added until the next complete frame, but only the one that is shown is waited for.
  const isReadNow = complete || (steps.at(-1)?.tick ?? 0) >= tick
  if (isReadNow !== isRead) setRead(isReadNow)
  const moment = computed(() => {
    const { data, ...loaded } = body.value
    return { ...loaded, data: data && momentAt(data, tick) }
  })
  return { path, moment }
}

interface WorldNow {
  readonly activityPath: string
  readonly activity: ReadonlySignal<Loaded<ActivityBody>>
  readonly territory: ReadonlySignal<Loaded<TerritoryBody>>
}

/** Returns the activity and the territory of the map at the moment that is shown. */
export function useWorld(): WorldNow {
  const isPast = pastTick.value !== undefined
  const activity = useLiveActivity(!isPast)
  const territory = useBody<TerritoryBody>(isPast ? undefined : '/api/map/territory', 'M')
  const { path, moment } = useMoment()
  if (!isPast) return { activityPath: ACTIVITY, activity, territory }
  return {
    activityPath: path ?? '/api/history',
    activity: computed(() => ({ ...moment.value, data: moment.value.data?.activity })),
    territory: computed(() => ({ ...moment.value, data: moment.value.data?.territory })),
  }
}

/** Returns the history between two ticks, for the strip of the scrubber. */
export const useHistory = (from: number, to: number) =>
  useBody<HistoryBody>(to > 0 ? `/api/history?from=${from}&to=${to}` : undefined, 'M')
