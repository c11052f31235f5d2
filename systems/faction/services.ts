/** What the facilities of a faction do for it. Source: factions.md section 4. */
import type { Row, WorldView } from '../../core/world.ts'

/** Members a faction may have without a recruitment office. */
const MEMBERS_WITHOUT_OFFICE = 20

/** Most members. Source: factions.md section 1. */
export const memberCap = (_view: WorldView, _faction: Row): number => MEMBERS_WITHOUT_OFFICE
