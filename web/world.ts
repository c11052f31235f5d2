/**
 * What the map, the system and the scrubber read: the bodies of now, or those of the moment that
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

/** Frames are kept whole every so many ticks. */
export const KEYFRAME_TICKS = 60

/** A moment of the past, as one object. */
type Moment = Pick<MomentBody, 'tick' | 'activity' | 'territory'>

export const useMap = () => useBody<MapBody>('/api/map', 'M')
export const useStations = () => useBody<StationsBody>('/api/stations', 'M')

const slotOf = (tick: number): number => Math.floor(tick / KEYFRAME_TICKS) * KEYFRAME_TICKS

/** Returns the address of the frames around a tick; `e` makes what a restore rewrote a new one. */
function useStepsPath(): string | undefined {
  const epoch = useBody<StatsBody>('/api/stats', 'M').value.data?.epoch
  const tick = pastTick.value
  // A moment that is not public yet waits.
  if (tick === undefined || tick > newestTick.value || epoch === undefined) return undefined
  return `/api/history/${Math.max(1, slotOf(tick))}/steps?e=${encodeURIComponent(epoch)}`
}

/** The moment that was made last: the next one is often a tick later. */
let made: { readonly body: StepsBody; index: number; moment: Moment } | undefined

/** Returns the last moment at or before a tick; the first one where all are later. */
function momentAt(body: StepsBody, tick: number): Moment | undefined {
  const { steps } = body
  let index = steps.findLastIndex((step) => step.tick <= tick)
  if (index < 0) index = 0
  if (made?.body !== body || made.index > index) made = undefined
  for (let next = (made?.index ?? -1) + 1; next <= index; next++) {
    const { frame, changes } = steps[next]
    const moment = frame ?? applyDifference(made?.moment as Json, changes as Json)
    made = { body, index: next, moment: moment as Moment }
  }
  return made?.moment
}

/** Reads the moment that the address names; none while the world is live. */
function useMoment(): { readonly path?: string; readonly moment: ReadonlySignal<Loaded<Moment>> } {
  const path = useStepsPath()
  const tick = pastTick.value ?? 0
  const [isRead, setRead] = useState(false)
  const body = useBody<StepsBody>(path, isRead ? 'I' : 'T')
  const { steps = [], complete = false } = body.value.data ?? {}
  // Steps are added until the next whole frame, but only the one that is shown is waited for.
  const isNowRead = complete || (steps.at(-1)?.tick ?? 0) >= tick
  if (isNowRead !== isRead) setRead(isNowRead)
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

/** Returns what happens on the map, and who holds it, at the moment that is shown. */
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

/** Returns the strip of the scrubber: what happened from tick to tick. */
export const useHistory = (from: number, to: number) =>
  useBody<HistoryBody>(to > 0 ? `/api/history?from=${from}&to=${to}` : undefined, 'M')
