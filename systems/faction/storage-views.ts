/** The store of a player's faction as he looks at it, on both versions. */
import { fail, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { baseById } from '../base/rules.ts'
import { dockedBase, notDocked } from '../travel/rules.ts'
import { factionOf, refusesMember } from './rules.ts'
import { findStore } from './store-rules.ts'
import { renderStorage } from './views.ts'

/**
 * The store of the player's faction at a base, or one of its buckets there, for both versions.
 * Refusals: not_in_faction, station_not_found, not_docked, no_faction_storage,
 * bucket_not_found.
 */
export function viewFactionStorageAt(
  view: WorldView,
  player: Eid,
  stationId?: string,
  bucket?: string,
): Outcome<unknown> {
  const outside = refusesMember(view, player)
  if (outside) return outside
  const base = stationId === undefined ? dockedBase(view, player) : baseById(view, stationId)
  if (base === 0) {
    if (stationId !== undefined) return fail('station_not_found', { station_id: stationId })
    return notDocked(view, player)
  }
  const found = findStore(view, factionOf(view, player), base, bucket)
  return found.ok ? ok(renderStorage(view, found.result)) : found
}
