/** Invariants of stations in and after battles. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Base } from '../base/columns.ts'
import { Fighting } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Siege, StationHull } from './columns.ts'
import { besieged } from './muster.ts'

/** A handful of reads a base: every base. */
export const stationsFight: CheckDef = {
  name: 'stations: one hull a base that fights, in a battle; wrecked ones have none and no services',
  run(view, full) {
    if (!full) return
    const { alive, hull, hullMax } = view.read(Base)
    const { ship, repairedTick } = view.read(Siege)
    const { base: of } = view.read(StationHull)
    const fighting = new Set(besieged(view))
    for (let base = 1; base <= view.highOf(Base); base++) {
      if (alive[base] === 0) continue
      const own = ship[base]
      const isDown = repairedTick[base] !== 0
      assert(isDown === (hull[base] === 0 && hullMax[base] > 0), `base ${base}: wrecked or not`)
      assert(fighting.has(base) === (own !== 0), `base ${base} is listed wrongly`)
      if (own === 0) continue
      assert(!isDown, `base ${base} fights and is wrecked`)
      assert(view.read(Ship).alive[own] === 1 && of[own] === base, `base ${base} has a lost hull`)
      assert(view.read(Fighting).participant[own] !== 0, `base ${base} has a hull and no battle`)
    }
  },
}
