/** Cutting a crowd to the length of a list, for one who is part of it. */
import { NEARBY_OFFLINE_MAX } from '../../core/limits.ts'
import type { Eid } from '../../core/types.ts'
import type { Gathering } from '../sensing/rules.ts'

/** The part of a gathering that is shown to one of it. */
export interface Shown {
  /** Online ones first; offline ones only up to a bound. */
  readonly players: readonly Eid[]
  /** Everyone the viewer could see. */
  readonly count: number
  /** Online ones left out. */
  readonly truncated: boolean
  /** Offline ones left out. */
  readonly offlineCollapsed: number
}

/**
 * Cuts a gathering to a length for a viewer, who is not part of it. Source: travel.md section 9,
 * get_nearby.
 */
export function showTo(gathering: Gathering, viewer: Eid, max: number): Shown {
  const online = firstOthers(gathering.online, viewer, max)
  const room = Math.min(NEARBY_OFFLINE_MAX, max - online.length)
  const offline = firstOthers(gathering.offline, viewer, room)
  const onlineCount = countOthers(gathering.online, viewer)
  const offlineCount = countOthers(gathering.offline, viewer)
  return {
    players: [...online, ...offline],
    count: onlineCount + offlineCount,
    truncated: onlineCount > online.length,
    offlineCollapsed: offlineCount - offline.length,
  }
}

function firstOthers(rows: readonly Eid[], viewer: Eid, max: number): Eid[] {
  return rows
    .slice(0, max + 1)
    .filter((row) => row !== viewer)
    .slice(0, max)
}

const countOthers = (rows: readonly Eid[], viewer: Eid): number =>
  rows.length - (rows.includes(viewer) ? 1 : 0)
