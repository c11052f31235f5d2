/** Invariants of personnel. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Base } from '../base/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Leaderless, POOL_NAMES, Pools, Survivors } from './columns.ts'
import { isLeaderless, poolSize } from './rules.ts'

export const poolsHold: CheckDef = {
  name: 'personnel: no pool of a base is fuller than it can be',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Base)
    const pools = view.read(Pools)
    for (let base = 1; base <= view.highOf(Base); base++) {
      if (alive[base] === 0) continue
      for (const pool of POOL_NAMES) {
        const have = pools[pool][base]
        if (have > poolSize(view, base, pool)) assert(false, `base ${base}: ${have} in ${pool}`)
      }
    }
  },
}

export const survivorsWait: CheckDef = {
  name: 'personnel: whoever has injured crew and nobody fit waits for one to be up again',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Ship)
    const { rallyTick } = view.read(Survivors)
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0) continue
      const waits = isLeaderless(view, ship)
      if ((rallyTick[ship] !== 0) !== waits) assert(false, `ship ${ship} waits for nobody`)
      if (waits && !view.has(Ship, ship, Leaderless)) assert(false, `ship ${ship} is forgotten`)
    }
  },
}
