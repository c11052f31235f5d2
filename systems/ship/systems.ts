/**
 * What ships do by themselves.
 *
 * What ships do when something happens to those who own them.
 */
import { observe } from '../../core/occurrence.ts'
import type { SystemDef } from '../../core/system.ts'
import { levelled } from '../skill/state.ts'
import { SHIP_SKILLS } from './derive-model.ts'
import { shipsOf } from './model.ts'
import { recompute, trackShield } from './rules.ts'
import { Recovering, Ship } from './state.ts'

/** Some skills change what the ships of a player can do. */
export const recomputeOnLevel = observe(levelled, (world, { player, skill }) => {
  if (!SHIP_SKILLS.has(skill)) return
  for (const ship of shipsOf(world, player)) recompute(world, ship)
})

/**
 * Shields regrow by their recharge; hulls never do. Only ships below their maximum are visited:
 * they carry a tag. Source: ships.md section 2.
 */
export const regenerate: SystemDef = {
  name: 'ship.regenerate',
  phase: 'produce',
  writes: [Ship],
  run(world) {
    const recovering = world.byId(Ship, [Recovering])
    if (recovering.length === 0) return
    const { shield, shieldMax, shieldRegen } = world.write(Ship)
    for (const ship of recovering) {
      shield[ship] = Math.min(shieldMax[ship], shield[ship] + shieldRegen[ship])
      trackShield(world, ship)
    }
  },
}
