/**
 * Garages: their invariants, and what happens to them when a faction is disbanded. Source:
 * factions.md section 3.
 */
import { assert } from '../../core/assert.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import { disbanded } from '../faction/state.ts'
import { Ship } from '../ship/state.ts'
import { Location } from '../travel/state.ts'
import { garagedShips } from './model.ts'
import { emptyGarages } from './rules.ts'
import { Garaged } from './state.ts'

export const garagesHold: CheckDef = {
  name: 'garages: a hull in one is docked, nobody owns it, and its faction lists it',
  run(view, full) {
    if (!full) return
    const { alive, owner } = view.read(Ship)
    const { faction } = view.read(Garaged)
    const { base } = view.read(Location)
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || faction[ship] === 0) continue
      assert(owner[ship] === 0, `ship ${ship} is garaged and owned`)
      assert(base[ship] !== 0, `ship ${ship} is garaged but at no base`)
      assert(garagedShips(view, faction[ship]).includes(ship), `ship ${ship} is in no list`)
    }
  },
}

/** Hands the garages of a disbanded faction to its heir. */
export const clearGarages = observe(disbanded, (world, { faction, heir }) =>
  emptyGarages(world, faction, heir),
)
