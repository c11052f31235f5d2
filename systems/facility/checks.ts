/** Invariants of facilities. Source: crafting.md section 12. */
import { assert } from '../../core/assert.ts'
import { FACILITIES } from '../../core/catalog/index.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Base } from '../base/columns.ts'
import { Facility, FacilityListing } from './columns.ts'
import { ranchHolds } from './ranch-rules.ts'
import { facilitiesAt } from './store.ts'
import { worksDue } from './works.ts'

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
      assert(ranchHolds(view, row), `the herd of facility ${row} cannot be`)
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

export const worksHold: CheckDef = {
  name: 'facilities: the wheel of works holds what the columns say, once, and nothing overdue',
  run(view, full) {
    if (!full) return
    const { alive, dueTick } = view.read(Facility)
    let due = 0
    for (const [tick, row] of worksDue(view)) {
      due++
      assert(alive[row] === 1 && dueTick[row] === tick, `the work on facility ${row} is misplaced`)
      assert(tick > view.tick, `the work on facility ${row} is overdue`)
    }
    let wanted = 0
    for (let row = 1; row <= view.highOf(Facility); row++) {
      if (alive[row] === 1 && dueTick[row] !== 0) wanted++
    }
    assert(due === wanted, `${due} works are on the wheel, of ${wanted}`)
  },
}
