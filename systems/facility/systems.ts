/**
 * What facilities do by themselves: works end, power flows, rent falls due. crafting.md 11.
 *
 * Invariants of facilities. Source: crafting.md section 12.
 *
 * What becomes of a faction's facilities when it ends. Source: factions.md section 3.
 */
import { assert } from '../../core/assert.ts'
import { FACILITIES } from '../../core/catalog/index.ts'
import { Container, Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { Package } from '../cargo/state.ts'
import { disbanded } from '../faction/state.ts'
import { PlayerSkills } from '../skill/state.ts'
import { facilitiesAt, factionFacilities } from './model.ts'
import { tendRanches } from './ranch-rules.ts'
import { billBases, leaveToStations } from './rent-systems.ts'
import { runGrids } from './rules.ts'
import { Facility, FacilityListing, Grid, OF_STATION } from './state.ts'
import { ranchHolds } from './types-model.ts'
import { endWorks, worksDue } from './works-systems.ts'

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

/** Facilities of a faction that stations have locked up. It ends rarely: all are looked at. */
function lockedUp(world: World, faction: Row): Row[] {
  const { alive, ownerKind, faction: of } = world.read(Facility)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Facility); row++) {
    if (alive[row] === 1 && ownerKind[row] === OF_STATION && of[row] === faction) rows.push(row)
  }
  return rows
}

/** Leaves what a faction built to the stations. */
export const leaveStations = observe(disbanded, (world, { faction }) =>
  leaveToStations(world, [...factionFacilities(world, faction), ...lockedUp(world, faction)]),
)

export const finishWorks: SystemDef = {
  name: 'facility.finish',
  phase: 'arrive',
  writes: [Facility, Base, Package, Container, Stack],
  run: endWorks,
}

export const flowPower: SystemDef = {
  name: 'facility.power',
  phase: 'produce',
  writes: [Grid],
  run: runGrids,
}

export const billRent: SystemDef = {
  name: 'facility.rent',
  phase: 'settle',
  writes: [Facility, Base, Grid, FacilityListing, Account, Container, Stack, PlayerSkills],
  run: billBases,
}

/** After rent: what is left pays the hands. */
export const tend: SystemDef = {
  name: 'facility.ranch',
  phase: 'settle',
  writes: [Facility, Grid, Account, Container, Stack],
  run: tendRanches,
}
