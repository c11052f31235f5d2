/** What the facilities of a faction do for it. Source: factions.md sections 1 and 4. */
import { divFloor } from '../../core/math.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { facilityTypeAt, factionFacilities, isRunning } from '../facility/rules.ts'

/** Members a faction may have without a recruitment office. */
const MEMBERS_WITHOUT_OFFICE = 20
/** What each further office adds of its own cap, percent. */
const FURTHER_OFFICE_PCT = 25

/**
 * Most members: what the highest office allows, and a quarter of every other one's. Source:
 * factions.md section 1; ours: no office allows less than none.
 */
export function memberCap(view: WorldView, faction: Row): number {
  const caps = factionFacilities(view, faction).flatMap((row) => {
    const type = facilityTypeAt(view, row)
    const isOffice = type.faction_service_type === 'faction_recruitment' && isRunning(view, row)
    return isOffice ? [type.capacity ?? 0] : []
  })
  if (caps.length === 0) return MEMBERS_WITHOUT_OFFICE
  const highest = Math.max(MEMBERS_WITHOUT_OFFICE, ...caps)
  const all = caps.reduce((sum, cap) => sum + divFloor(cap * FURTHER_OFFICE_PCT, 100), 0)
  return highest + all - divFloor(Math.max(...caps) * FURTHER_OFFICE_PCT, 100)
}

/** True while a facility of that service runs for a faction, at whichever station. */
export const runsService = (view: WorldView, faction: Row, service: string): boolean =>
  factionFacilities(view, faction).some(
    (row) => facilityTypeAt(view, row).faction_service_type === service && isRunning(view, row),
  )
