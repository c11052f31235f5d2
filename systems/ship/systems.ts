/** What ships do by themselves. */
import type { SystemDef } from '../../core/system.ts'
import { Recovering, Ship } from './columns.ts'
import { trackShield } from './rules.ts'

/**
 * Shields regrow by their recharge; hulls never do. Only ships below their maximum are visited:
 * they carry a tag. Source: ships.md section 2.
 */
export const regenerate: SystemDef = {
  name: 'ship.regenerate',
  phase: 'produce',
  reads: [],
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
