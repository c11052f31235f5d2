/**
 * Systems of facilities: work on them ends, power flows, rent falls due, herds are tended. Source:
 * crafting.md section 11.
 */
import { assert } from '../../core/assert.ts'
import { FACILITIES, type FacilityRow } from '../../core/catalog/index.ts'
import { GOODS_WRITES } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import { FACILITIES_FOUNDED_PER_BASE_MAX } from '../../core/limits.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import { hash32 } from '../../core/rng.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World } from '../../core/types.ts'
import { offersService } from '../base/model.ts'
import { Base, SERVICES } from '../base/state.ts'
import { PACKAGE_WRITES } from '../cargo/rules.ts'
import { Locker } from '../cargo/state.ts'
import { Job } from '../craft/state.ts'
import { disbanded, FactionStore } from '../faction/state.ts'
import { Cabin, Lounge, Passenger, Terminal } from '../passenger/state.ts'
import { XP_WRITES } from '../skill/rules.ts'
import { CorporateLedger } from '../tax/state.ts'
import { addFacility } from './lifecycle-rules.ts'
import { facilitiesAt, factionFacilities, STATION_OWNER } from './model.ts'
import { tendRanches } from './ranch-rules.ts'
import { billBases, leaveToStations } from './rent-systems.ts'
import { openCitizenPool, runGrids } from './rules.ts'
import { Facility, FacilityListing, Grid, OF_STATION, ONLINE, PUBLIC } from './state.ts'
import { ranchHolds } from './types-model.ts'
import { endWorks, worksDue } from './works-systems.ts'

/*
 * Facilities that the stations of a new world own: services, power, air, and as much industry as
 * their level allows. There are few per base, all chosen from the catalogue.
 */

/** Lowest level of a base that has its own logistics and recycler. */
const LARGE_LEVEL = 3
/** Highest tier of a station's own rentable facilities; higher tiers are left to players. */
const RENTED_TIER_MAX = 2

type TypeFilter = (type: FacilityRow) => boolean

/**
 * Returns the index of the fitting type of the highest tier up to `tierMax`, the first of several;
 * -1 none.
 */
function bestType(tierMax: number, fits: TypeFilter): number {
  let found = -1
  for (const [index, type] of FACILITIES.entries()) {
    if (type.level > tierMax || !fits(type)) continue
    if (found < 0 || type.level > FACILITIES[found].level) found = index
  }
  return found
}

const isOpen: TypeFilter = ({ category }) => category !== 'faction' && category !== 'personal'
const isProduction: TypeFilter = (type) =>
  type.category === 'production' && !type.is_recycler && !type.logistics

/** Returns the types that a station starts with, in the order in which they are founded. */
function foundedTypes(world: World, base: Row): number[] {
  const { level } = world.read(Base)
  const tier = Math.max(1, level[base] - 1)
  const rented = Math.min(tier, RENTED_TIER_MAX)
  const found = [
    bestType(tier, (type) => isOpen(type) && type.power_supply > 0),
    bestType(tier, (type) => isOpen(type) && type.life_support_supply > 0),
    ...SERVICES.filter((service) => offersService(world, base, service)).map((service) =>
      bestType(tier, (type) => type.category === 'service' && type.service === service),
    ),
  ]
  if (level[base] >= LARGE_LEVEL) {
    found.push(bestType(rented, (type) => isOpen(type) && type.logistics === true))
    found.push(bestType(rented, (type) => isOpen(type) && type.is_recycler === true))
  }
  if (offersService(world, base, 'crafting'))
    found.push(...foundedIndustry(world, base, level[base]))
  return found.filter((type) => type >= 0).slice(0, FACILITIES_FOUNDED_PER_BASE_MAX)
}

/** Returns `count` production types, chosen by the seed and the location of the base. */
function foundedIndustry(world: World, base: Row, count: number): number[] {
  const lines = [...FACILITIES.keys()].filter(
    (index) => FACILITIES[index].level === 1 && isProduction(FACILITIES[index]),
  )
  if (lines.length === 0) return []
  const start = hash32(world.seed, world.read(Base).poi[base], count) % lines.length
  const chosen = Math.min(count, lines.length)
  return Array.from({ length: chosen }, (_, i) => lines[(start + i) % lines.length])
}

/** Founds the facilities of every base of a new world. */
export function foundFacilities(world: World): void {
  const { alive } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0) continue
    openCitizenPool(world, base)
    for (const type of foundedTypes(world, base)) {
      const row = addFacility(world, { type, base, owner: STATION_OWNER, status: ONLINE })
      world.write(Facility).access[row] = PUBLIC
    }
  }
}

/* Invariants of facilities. Source: crafting.md section 12. */

export const facilitiesHold: CheckDef = {
  name: 'facilities: at a base that exists, listed there, of a known type, owing nothing negative',
  run(view, full) {
    if (!full) return
    const { alive, base, type, arrears, listing } = view.read(Facility)
    const { alive: isBase } = view.read(Base)
    let listed = 0
    for (let row = 1; row <= view.highOf(Facility); row++) {
      if (alive[row] === 0) continue
      assert(isBase[base[row]] === 1, `facility ${row} is at no base`)
      assert(FACILITIES[type[row]], `facility ${row} has an unknown type`)
      assert(arrears[row] >= 0, `facility ${row} owes ${arrears[row]}`)
      assert(facilitiesAt(view, base[row]).includes(row), `facility ${row} is not listed`)
      assert(ranchHolds(view, row), `the herd of facility ${row} does not fit its type`)
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
  name: 'facilities: scheduled work is what the columns say, once each, and none is overdue',
  run(view, full) {
    if (!full) return
    const { alive, dueTick } = view.read(Facility)
    let due = 0
    for (const [tick, row] of worksDue(view)) {
      due++
      assert(alive[row] === 1 && dueTick[row] === tick, `the work on facility ${row} is misplaced`)
      assert(tick > view.tick, `the work on facility ${row} is overdue`)
    }
    let expected = 0
    for (let row = 1; row <= view.highOf(Facility); row++) {
      if (alive[row] === 1 && dueTick[row] !== 0) expected++
    }
    assert(due === expected, `${due} of ${expected} works are scheduled`)
  },
}

/* Facilities of a faction that is disbanded. Source: factions.md section 3. */

/** Returns a faction's repossessed facilities. Scans all rows: factions are rarely disbanded. */
function repossessedFrom(world: World, faction: Row): Row[] {
  const { alive, ownerKind, faction: factions } = world.read(Facility)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Facility); row++) {
    const isStations = alive[row] === 1 && ownerKind[row] === OF_STATION
    if (isStations && factions[row] === faction) rows.push(row)
  }
  return rows
}

/** Leaves the facilities of a disbanded faction to the stations where they are. */
export const leaveStations = observe(disbanded, (world, { faction }) =>
  leaveToStations(world, [
    ...factionFacilities(world, faction),
    ...repossessedFrom(world, faction),
  ]),
)

export const finishWorks: SystemDef = {
  name: 'facility.finish',
  phase: 'arrive',
  writes: [
    ...PACKAGE_WRITES,
    Account,
    Base,
    Cabin,
    Facility,
    FactionStore,
    Job,
    Lounge,
    Passenger,
    Terminal,
  ],
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
  writes: [
    ...PACKAGE_WRITES,
    ...XP_WRITES,
    Account,
    Base,
    Cabin,
    CorporateLedger,
    Facility,
    FacilityListing,
    FactionStore,
    Grid,
    Job,
    Lounge,
    Passenger,
    Terminal,
  ],
  run: billBases,
}

/** Runs after rent, so that wages are paid from what is left. */
export const tendHerds: SystemDef = {
  name: 'facility.ranch',
  phase: 'settle',
  writes: [...GOODS_WRITES, Account, Facility, FactionStore, Grid, Locker],
  run: tendRanches,
}
