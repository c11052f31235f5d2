/** What facilities do by themselves: works end, power flows, rent falls due. crafting.md 11. */
import { Container, Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import type { SystemDef } from '../../core/system.ts'
import { Base } from '../base/columns.ts'
import { Package } from '../package/columns.ts'
import { PlayerSkills } from '../skill/columns.ts'
import { Facility, FacilityListing, Grid } from './columns.ts'
import { runGrids } from './grid.ts'
import { tendRanches } from './ranch.ts'
import { billBases } from './rent.ts'
import { endWorks } from './works.ts'

export const finishWorks: SystemDef = {
  name: 'facility.finish',
  phase: 'arrive',
  reads: [],
  writes: [Facility, Base, Package, Container, Stack],
  run: endWorks,
}

export const flowPower: SystemDef = {
  name: 'facility.power',
  phase: 'produce',
  reads: [Facility],
  writes: [Grid],
  run: runGrids,
}

export const billRent: SystemDef = {
  name: 'facility.rent',
  phase: 'settle',
  reads: [],
  writes: [Facility, Base, Grid, FacilityListing, Account, Container, Stack, PlayerSkills],
  run: billBases,
}

/** After rent: what is left pays the hands. */
export const tend: SystemDef = {
  name: 'facility.ranch',
  phase: 'settle',
  reads: [],
  writes: [Facility, Grid, Account, Container, Stack],
  run: tendRanches,
}
