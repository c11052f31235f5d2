/**
 * What a facility looks like from outside: some hang out the sign of another trade. Source:
 * factions.md section 4, faction_espionage.
 */
import { FACILITIES, type FacilityRow } from '../../core/catalog/index.ts'
import { hash32, hashText } from '../../core/rng.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Facility, OF_FACTION } from './columns.ts'
import { facilityTypeAt } from './rules.ts'

const COVER = hashText('facility.cover')

/** Trades that nobody looks at twice. Ours: real ones, or the catalogue would give it away. */
const SIGNS: readonly FacilityRow[] = FACILITIES.filter(
  ({ category, level, disguised, faction_service_type }) =>
    category === 'faction' &&
    level === 1 &&
    !disguised &&
    faction_service_type !== 'faction_storage' &&
    faction_service_type !== 'storage_extension',
)

/**
 * The type that members of a faction see over the door; 0 for everybody else. The sign of a
 * facility is a function of its number, so it never changes.
 */
export function shownType(view: WorldView, row: Row, viewer: Row): FacilityRow {
  const type = facilityTypeAt(view, row)
  if (!type.disguised) return type
  const { faction, ownerKind, seq } = view.read(Facility)
  if (viewer !== 0 && ownerKind[row] === OF_FACTION && faction[row] === viewer) return type
  return SIGNS[hash32(view.seed, COVER, seq[row]) % SIGNS.length]
}
