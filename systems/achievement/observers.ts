/** What becomes of achievements when a faction ends. Source: factions.md section 3. */
import { observe } from '../../core/occurrence.ts'
import { disbanded, Faction } from '../faction/columns.ts'
import { FACTION_EARNED } from './columns.ts'

export const forgetEarned = observe(disbanded, (world, { faction }) => {
  world.records(FACTION_EARNED).delete(String(world.read(Faction).seq[faction]))
})
