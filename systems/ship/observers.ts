/** What ships do when something happens to those who own them. */
import { observe } from '../../core/occurrence.ts'
import { levelled } from '../skill/columns.ts'
import { recompute, SHIP_SKILLS, shipsOf } from './rules.ts'

/** Some skills change what the ships of a player can do. */
export const recomputeOnLevel = observe(levelled, (world, { player, skill }) => {
  if (!SHIP_SKILLS.has(skill)) return
  for (const ship of shipsOf(world, player)) recompute(world, ship)
})
