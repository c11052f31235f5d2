/** Invariants of facilities. Source: crafting.md section 12. */
import { assert } from '../../core/assert.ts'
import { FACILITIES } from '../../core/catalog/index.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Base } from '../base/columns.ts'
import { Facility, FacilityListing } from './columns.ts'
import { facilitiesAt } from './store.ts'

export const facilitiesHold: CheckDef = {
  name: 'facilities: at a base that is, listed there, of a known type, owing no less than nothing',
  run(view, full) {
    if (!full) return
    const { alive, base, type, arrears, listing } = view.read(Facility)
    const { alive: isBase } = view.read(Base)
    let listed = 0
    for (let row = 1; row <= view.highOf(Facility); row++) {
      if (alive[row] === 0) continue
      assert(isBase[base[row]] === 1, `facility ${row} stands nowhere`)
      assert(FACILITIES[type[row]], `facility ${row} is of no type`)
      assert(arrears[row] >= 0, `facility ${row} owes ${arrears[row]}`)
      assert(facilitiesAt(view, base[row]).includes(row), `facility ${row} is not listed`)
      if (listing[row] === 0) continue
      listed++
      assert(
        view.read(FacilityListing).facility[listing[row]] === row,
        `facility ${row} is offered by the listing of another`,
      )
    }
    assert(listed === view.countOf(FacilityListing), 'a listing offers no facility')
  },
}
