/** Invariants of wrecks. */
import { assert } from '../../core/assert.ts'
import { POOR_WRECKS_PER_POI_MAX, WRECKS_PER_POI_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Module } from '../ship/columns.ts'
import { Poi } from '../travel/columns.ts'
import { Wreck } from './columns.ts'
import { hasCargo, POOR_BELOW_CREDITS, wrecksAt } from './rules.ts'

export const wrecksAreSound: CheckDef = {
  name: 'wrecks: each is listed at its place, within the bounds of that, and holds something',
  run(view, full) {
    if (!full || view.countOf(Wreck) === 0) return
    const { alive, poi, value, firstModule } = view.read(Wreck)
    const { ship, next } = view.read(Module)
    let listed = 0
    for (let place = 1; place <= view.highOf(Poi); place++) {
      const wrecks = wrecksAt(view, place)
      const poor = wrecks.filter((row) => value[row] < POOR_BELOW_CREDITS)
      assert(wrecks.length <= WRECKS_PER_POI_MAX, `place ${place} is full of wrecks`)
      assert(poor.length <= POOR_WRECKS_PER_POI_MAX, `place ${place} is full of poor wrecks`)
      listed += wrecks.length
      for (const row of wrecks) {
        assert(alive[row] === 1 && poi[row] === place, `wreck ${row} is listed where it is not`)
        const isEmpty = value[row] === 0 && firstModule[row] === 0 && !hasCargo(view, row)
        assert(!isEmpty, `wreck ${row} holds nothing`)
        for (let module = firstModule[row]; module !== 0; module = next[module]) {
          assert(ship[module] === 0, `module ${module} of a wreck is fitted to a ship`)
        }
      }
    }
    assert(listed === view.countOf(Wreck), 'a wreck stands in no list')
  },
}
