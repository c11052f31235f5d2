/** What happens at bases by itself: tanks refill. */
import { divCeil } from '../../core/math.ts'
import type { SystemDef } from '../../core/system.ts'
import { ownerOfBase } from '../station/access-rules.ts'
import { Base } from './columns.ts'

/** Every so many ticks a tank gains a hundredth of its size. Source: travel.md section 7. */
export const REFILL_TICKS = 100
const REFILL_DIVISOR = 100

/**
 * Looks at every base, once in a hundred ticks: at most 2,000. ours: the tank of a faction's station
 * holds what its owner buys, mills or is sold; nothing flows in by itself.
 */
export const refill: SystemDef = {
  name: 'base.refill',
  phase: 'produce',
  reads: [],
  writes: [Base],
  run(world) {
    if (world.tick % REFILL_TICKS !== 0) return
    const { alive, fuel, fuelMax } = world.write(Base)
    for (let row = 1; row <= world.highOf(Base); row++) {
      if (alive[row] === 0 || ownerOfBase(world, row) !== 0) continue
      fuel[row] = Math.min(fuelMax[row], fuel[row] + divCeil(fuelMax[row], REFILL_DIVISOR))
    }
  },
}
