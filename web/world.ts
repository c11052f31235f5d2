/**
 * What the map, the system and the scrubber read: the bodies of now, or those of the moment that
 * the address names. Source: WEB 1.2, 1.3.
 */
import { computed, type ReadonlySignal } from '@preact/signals'
import type { HistoryBody } from '../core/public/past.ts'
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

/** Frames are kept every so many ticks. */
export const KEYFRAME_TICKS = 60

/** A moment of the past, as one object. */
interface MomentBody {
  /** The tick of the frame: that asked for, or the last before it. */
  readonly tick: number
  readonly activity: ActivityBody
  readonly territory: TerritoryBody
}

export const useMap = () => useBody<MapBody>('/api/map', 'M')
export const useStations = () => useBody<StationsBody>('/api/stations', 'M')

const keyframeOf = (tick: number): number =>
  Math.max(1, Math.floor(tick / KEYFRAME_TICKS) * KEYFRAME_TICKS)

/** Returns the address of a past frame; `e` makes what a restore rewrote a new one. */
function useMomentPath(): string | undefined {
  const epoch = useBody<StatsBody>('/api/stats', 'M').value.data?.epoch
  const tick = pastTick.value
  // A moment that is not public yet waits.
  if (tick === undefined || tick > newestTick.value || epoch === undefined) return undefined
  return `/api/history/${keyframeOf(tick)}?e=${encodeURIComponent(epoch)}`
}

interface WorldNow {
  readonly activityPath: string
  readonly activity: ReadonlySignal<Loaded<ActivityBody>>
  readonly territory: ReadonlySignal<Loaded<TerritoryBody>>
}

/** Returns what happens on the map, and who holds it, at the moment that is shown. */
export function useWorld(): WorldNow {
  const isPast = pastTick.value !== undefined
  const momentPath = useMomentPath()
  const activity = useLiveActivity(!isPast)
  const territory = useBody<TerritoryBody>(isPast ? undefined : '/api/map/territory', 'M')
  const moment = useBody<MomentBody>(momentPath, 'I')
  if (!isPast) return { activityPath: ACTIVITY, activity, territory }
  return {
    activityPath: momentPath ?? '/api/history',
    activity: computed(() => ({ ...moment.value, data: moment.value.data?.activity })),
    territory: computed(() => ({ ...moment.value, data: moment.value.data?.territory })),
  }
}

/** Returns the strip of the scrubber: what happened from tick to tick. */
export const useHistory = (from: number, to: number) =>
  useBody<HistoryBody>(to > 0 ? `/api/history?from=${from}&to=${to}` : undefined, 'M')
