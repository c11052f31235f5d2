/** Rent, arrears, repossession and power. Source: crafting.md section 6. */
import { beforeEach, describe, expect, it } from 'vitest'
import { balanceOf } from '../../../core/ledger.ts'
import { CYCLE_TICKS } from '../../../core/time.ts'
import type { Row } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseTreasury } from '../../../systems/base/model.ts'
import { packageAllowance } from '../../../systems/cargo/model.ts'
import { PACKAGES_BY_LEVEL } from '../../../systems/cargo/state.ts'
import {
  efficiencyPermille,
  facilitiesAt,
  facilitiesOf,
  facilityId,
  factionFacilities,
  graceCycles,
  powerDraw,
  powerStep,
  powerSupply,
  serviceTier,
  storefrontTier,
} from '../../../systems/facility/model.ts'
import { isWarned, RETURN_TICKS } from '../../../systems/facility/rent-systems.ts'
import {
  damageFacility,
  damageProduction,
  restoreStationFacilities,
  setBusy,
} from '../../../systems/facility/rules.ts'
import {
  DAMAGED,
  Facility,
  Grid,
  OF_FACTION,
  OF_PLAYER,
  OF_STATION,
  ONLINE,
  PUBLIC,
  REPOSSESSED,
} from '../../../systems/facility/state.ts'
import { disband } from '../../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { onSmallMap } from '../../small-world.ts'
import { company, does, enrich, impoverish, type Scene, scene, shared, standing } from './scene.ts'

onSmallMap()

let s: Scene
let row: Row
/** The rent of a smelter a cycle, for 5 of power and 1 of life support. */
const RENT = 20
beforeEach(async () => {
  s = await scene()
  row = standing(s, 'smelter', s.owner)
})
const facility = () => s.small.world.read(Facility)
/** Runs to the end of the next tick in which the base bills. */
function cycle(): void {
  jumpToTurn(CYCLE_TICKS)
}
/** Jumps to the next turn of the base, which comes once in `span` ticks, and runs that tick. */
function jumpToTurn(span: number): void {
  const { small, base } = s
  const { world } = small
  const past = (world.tick + base) % span
  world.tick += span - past - 1
  small.ticks(1)
}
/** Runs the next bill as if this many cycles had been missed before. */
function billAfterMissing(cycles: number): void {
  s.small.world.write(Facility).missed[row] = cycles
  cycle()
}
const takePayloads = (type: string) => {
  const number = s.small.world.read(Player).seq[s.owner]
  return s.small
    .takeEmissions()
    .filter((emission) => emission.type === type && emission.to.includes(number))
    .map(({ payload }) => payload)
}

describe('rent', () => {
  it('is paid to the station every hundred ticks and gives experience', () => {
    const { small, owner, base } = s
    const { world } = small
    const [wallet, station] = [walletOf(world, owner), baseTreasury(world, base)]
    const before = [balanceOf(world, wallet), xpOf(world, owner, 'corporation_management')]
    const stationBefore = balanceOf(world, station)
    cycle()
    expect(balanceOf(world, wallet)).toBe(before[0] - RENT)
    expect(balanceOf(world, station)).toBeGreaterThanOrEqual(stationBefore + RENT)
    expect(xpOf(world, owner, 'corporation_management')).toBe(before[1] + 1)
    expect(facility().missed[row]).toBe(0)
  })

  it('adds up while it is unpaid and is later paid in one sum', () => {
    const { small, owner } = s
    const wallet = walletOf(small.world, owner)
    impoverish(small, wallet, RENT - 1)
    cycle()
    expect([facility().arrears[row], facility().missed[row]]).toEqual([RENT, 1])
    expect(takePayloads('facility_rent_warning')).toMatchObject([
      { missed_cycles: 1, grace_cycles: 260, credits_owed: RENT, facilities_behind: 1 },
    ])
    cycle()
    expect([facility().arrears[row], facility().missed[row]]).toEqual([2 * RENT, 2])
    expect(takePayloads('facility_rent_warning')).toEqual([])
    enrich(small, owner, 1000)
    const before = balanceOf(small.world, wallet)
    cycle()
    expect([facility().arrears[row], facility().missed[row]]).toEqual([0, 0])
    expect(balanceOf(small.world, wallet)).toBe(before - 3 * RENT)
  })

  it('is paid for the oldest facility first, as far as the wallet goes', () => {
    const { small, owner } = s
    const younger = standing(s, 'smelter', owner)
    impoverish(small, walletOf(small.world, owner), RENT)
    cycle()
    expect([facility().missed[row], facility().missed[younger]]).toEqual([0, 1])
  })

  it('is warned of four times during the grace period', () => {
    const warned = Array.from({ length: 260 }, (_, cycles) => cycles).filter((cycles) =>
      isWarned(cycles, 260),
    )
    expect(warned).toEqual([1, 130, 174, 257])
  })

  it('of a faction is paid by its treasury, and its members are warned', () => {
    const { small, owner } = s
    const faction = company(s, owner)
    const { world } = small
    const works = shared(s, 'smelter', faction)
    cycle()
    expect(facility().missed[works]).toBe(0)
    impoverish(small, treasuryOf(world, faction))
    small.takeEmissions()
    cycle()
    expect(facility().missed[works]).toBe(1)
    expect(takePayloads('facility_rent_warning')).toMatchObject([{ facilities_behind: 2 }])
  })
})

describe('repossession', () => {
  it('gives production facilities to the station and cancels their listing', () => {
    const { small, owner, base } = s
    does(small, owner, 'list_for_sale', {
      facility_id: facilityId(small.world, row),
      price: 100,
    })
    impoverish(small, walletOf(small.world, owner))
    billAfterMissing(graceCycles(small.world, base) - 1)
    const { ownerKind, status, access, arrears, listing } = facility()
    expect([ownerKind[row], status[row], access[row]]).toEqual([OF_STATION, ONLINE, PUBLIC])
    expect([arrears[row], listing[row]]).toEqual([0, 0])
    expect(facilitiesOf(small.world, owner)).toEqual([])
    expect(takePayloads('facility_reclaimed')).toMatchObject([{ facilities: 1 }])
  })

  it('locks rooms, and returns them to owners who can pay', () => {
    const { small, owner, base } = s
    row = standing(s, 'crew_quarters', owner)
    impoverish(small, walletOf(small.world, owner))
    billAfterMissing(graceCycles(small.world, base) - 1)
    expect(facility().status[row]).toBe(REPOSSESSED)
    enrich(small, owner, 1_000_000)
    jumpToTurn(RETURN_TICKS)
    expect([facility().status[row], facility().ownerKind[row]]).toEqual([ONLINE, OF_PLAYER])
    expect(takePayloads('facility_reclaimed').at(-1)).toMatchObject({ facilities: 1 })
  })

  it('deletes rooms that their owner has replaced', () => {
    const { small, owner, base } = s
    row = standing(s, 'crew_quarters', owner)
    impoverish(small, walletOf(small.world, owner))
    billAfterMissing(graceCycles(small.world, base) - 1)
    const second = standing(s, 'crew_quarters', owner)
    enrich(small, owner, 1_000_000)
    jumpToTurn(RETURN_TICKS)
    expect([facility().alive[row], facility().alive[second]]).toEqual([0, 1])
  })
})

describe('the end of a faction', () => {
  it('leaves its production to the station and removes its offices', () => {
    const { small, owner } = s
    const faction = company(s, owner)
    const works = shared(s, 'smelter', faction)
    expect(facility().ownerKind[works]).toBe(OF_FACTION)
    const [lockbox] = factionFacilities(small.world, faction)
    disband(small.world, faction, owner)
    expect([facility().ownerKind[works], facility().access[works]]).toEqual([OF_STATION, PUBLIC])
    expect(facility().alive[lockbox]).toBe(0)
    small.ticks(1)
  })
})

describe('power', () => {
  it('charges the battery, then drains it, then slows everything down', () => {
    const flow = { supply: 10, draw: 4, battery: 0, batteryMax: 8 }
    expect(powerStep(flow)).toEqual({ battery: 6, efficiency: 1000 })
    expect(powerStep({ ...flow, battery: 6 })).toEqual({ battery: 8, efficiency: 1000 })
    expect(powerStep({ ...flow, draw: 14, battery: 6 })).toEqual({ battery: 2, efficiency: 1000 })
    expect(powerStep({ ...flow, draw: 14, battery: 2 })).toEqual({ battery: 0, efficiency: 857 })
    expect(powerStep({ ...flow, draw: 1000 })).toEqual({ battery: 0, efficiency: 100 })
  })

  it('is drawn by a facility only while it works at jobs', () => {
    const { small, base, owner } = s
    const { world } = small
    const idle = powerDraw(world, base)
    setBusy(world, row, true)
    setBusy(world, row, true)
    expect(powerDraw(world, base)).toBe(idle + 5)
    setBusy(world, row, false)
    expect(powerDraw(world, base)).toBe(idle)
    const works = Array.from({ length: 40 }, () => standing(s, 'grand_arsenal', owner))
    for (const busy of works) setBusy(world, busy, true)
    const [supply, draw] = [powerSupply(world, base), powerDraw(world, base)]
    expect(draw).toBeGreaterThan(supply)
    small.ticks(1)
    const efficiency = Math.max(100, Math.floor((1000 * supply) / draw))
    expect(efficiencyPermille(world, base)).toBe(efficiency)
    expect(world.read(Grid).battery[base]).toBe(0)
    for (const busy of works) setBusy(world, busy, false)
    small.ticks(1)
    expect(efficiencyPermille(world, base)).toBe(1000)
  })
})

describe('a wrecked station', () => {
  it('damages some of the production here, and its repair mends only its own', () => {
    const { small, base, owner } = s
    const { world } = small
    const works = Array.from({ length: 20 }, () => standing(s, 'smelter', owner))
    const home = standing(s, 'crew_quarters', owner)
    damageProduction(world, base)
    const hit = works.filter((work) => facility().status[work] === DAMAGED)
    expect(hit.length).toBeGreaterThan(0)
    expect(hit.length).toBeLessThan(works.length)
    expect(facility().status[home]).toBe(ONLINE)
    const stations = facilitiesAt(world, base).filter(
      (work) => facility().ownerKind[work] === OF_STATION,
    )
    restoreStationFacilities(world, base)
    for (const work of stations) expect(facility().status[work]).toBe(ONLINE)
    expect(works.filter((work) => facility().status[work] === DAMAGED)).toEqual(hit)
  })
})

describe('facility tiers', () => {
  it('count for a storefront only while it works, and for the package storage', () => {
    const { small, base, owner, other } = s
    const { world } = small
    expect(storefrontTier(world, owner, base)).toBe(0)
    standing(s, 'market_stall', owner)
    const better = standing(s, 'storefront', owner)
    expect([storefrontTier(world, owner, base), storefrontTier(world, other, base)]).toEqual([2, 0])
    damageFacility(world, better)
    expect(storefrontTier(world, owner, base)).toBe(1)
    const tier = Math.max(1, serviceTier(world, base, 'storage'))
    expect(packageAllowance(world, base)).toBe(PACKAGES_BY_LEVEL[tier - 1])
  })
})
