/** The store of a faction at a base, as building and dismantling use it. */
import { type Failure, fail } from '../../core/errors.ts'
import type { Row, WorldView } from '../../core/world.ts'
import { activeFacility } from './rules.ts'

/** Refusals: no_faction_storage, bucket_not_found. 0: nothing is stored yet. */
export function storeOf(view: WorldView, faction: Row, base: Row, bucket?: string): Row | Failure {
  if (activeFacility(view, faction, base, 'faction_storage') === 0) {
    return fail('no_faction_storage')
  }
  return bucket === undefined ? 0 : fail('bucket_not_found', { bucket })
}
