/** Invariants of creatures. */
import { assert } from '../../core/assert.ts'
import { CREATURES } from '../../core/catalog/index.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Fighting } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Location } from '../travel/columns.ts'
import { Creature, Herd, Wild } from './columns.ts'
import { creatures, membersOf, rousedCreatures } from './rules.ts'

/** A handful of reads a creature: every creature. */
export const creaturesLive: CheckDef = {
  name: 'creatures: each is one hull without an owner, in its system; no herd outgrows its size',
  run(view, full) {
    if (!full) return
    const row = view.read(Creature)
    const herds = view.read(Herd)
    const { owner, alive, hull, hullMax } = view.read(Ship)
    const { creature: wild } = view.read(Wild)
    const { system } = view.read(Location)
    const { participant } = view.read(Fighting)
    const roused = rousedCreatures(view)
    for (const creature of creatures(view)) {
      const body = row.ship[creature]
      const isSound = alive[body] === 1 && wild[body] === creature && owner[body] === 0
      if (!isSound) assert(false, `creature ${creature} has no body of its own`)
      const herd = row.herd[creature]
      const isHome = herd === 0 || herds.system[herd] === system[body]
      if (!isHome) assert(false, `creature ${creature} is away from home`)
      const isUp = participant[body] !== 0 || hull[body] < hullMax[body]
      if (isUp && !roused.has(creature)) assert(false, `creature ${creature} is overlooked`)
    }
    for (let herd = 1; herd <= view.highOf(Herd); herd++) {
      const count = herds.count[herd]
      if (count !== membersOf(view, herd).length) assert(false, `herd ${herd} is miscounted`)
      const isBound = count <= herds.size[herd]
      if (!isBound) assert(false, `herd ${herd} is larger than it may be`)
      const isKind = herds.size[herd] <= CREATURES[herds.kind[herd]].herd[1]
      if (!isKind) assert(false, `herd ${herd} is larger than its kind allows`)
    }
  },
}
