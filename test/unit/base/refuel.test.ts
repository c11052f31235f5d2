/** Refuelling over real ticks: travel.md sections 7 and 9. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseTreasury, empireOfBase, empireTreasury } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { REFILL_TICKS } from '../../../systems/base/systems.ts'
import { cargoUnits } from '../../../systems/ship/model.ts'
import { fitModule, recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase, shipOf } from '../../../systems/travel/location-model.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let start: SmallWorld
let small: SmallWorld
let pilot: Eid
let friend: Eid
let base: Eid

beforeAll(async () => {
  start = await smallWorld({ players: 2 })
})

beforeEach(async () => {
  small = await start.reload()
  pilot = small.world.rowOf(Player, 1)
  friend = small.world.rowOf(Player, 2)
  base = dockedBase(small.world, pilot)
})

const tanks = () => small.world.write(Ship)
const setFuel = (player: Eid, units: number) => {
  tanks().fuel[shipOf(small.world, player)] = units
}
const tankOf = (player: Eid) => tanks().fuelMax[shipOf(small.world, player)]
const fuelOf = (player: Eid) => tanks().fuel[shipOf(small.world, player)]
const credits = (player: Eid) => balanceOf(small.world, walletOf(small.world, player))
const refuel = (params: object = {}) => small.act(pilot, 'refuel', params)

describe('refuelling at a station', () => {
  test('fills the tank, and pays the price to the base and the tax to the empire', () => {
    const { world } = small
    setFuel(pilot, tankOf(pilot) - 20)
    const before = credits(pilot)
    const accounts = [baseTreasury(world, base), empireTreasury(world, empireOfBase(world, base))]
    const balances = accounts.map((account) => balanceOf(world, account))
    expect(refuel()).toMatchObject({
      ok: true,
      result: { source: 'station', fuel: 20, fuel_now: tankOf(pilot), cost: 80, tax_amount: 40 },
    })
    expect(credits(pilot)).toBe(before - 80)
    expect(accounts.map((account, i) => balanceOf(world, account) - balances[i])).toEqual([40, 40])
    expect(world.read(Base).fuel[base]).toBe(world.read(Base).fuelMax[base] - 20)
  })

  test('buys as much as the wallet can pay for', () => {
    const { world } = small
    setFuel(pilot, 0)
    post(world, walletOf(world, pilot), namedAccount('fee_sink'), credits(pilot) - 10)
    expect(refuel()).toMatchObject({ result: { fuel: 2, cost: 8 } })
    expect(credits(pilot)).toBe(2)
    expect(refuel()).toMatchObject({ code: 'no_credits', details: { need: 4, have: 2 } })
  })

  test('docks automatically, even when nothing is missing', () => {
    small.act(pilot, 'undock')
    setFuel(pilot, 90)
    expect(small.answer(pilot, 'refuel')).toMatchObject({
      autoDocked: true,
      outcome: { result: { source: 'station' } },
    })
    small.act(pilot, 'undock')
    expect(small.answer(pilot, 'refuel')).toMatchObject({
      autoDocked: true,
      outcome: { code: 'tank_full' },
    })
    expect(dockedBase(small.world, pilot)).toBe(base)
  })

  test('uses cells aboard at an empty station, and is refused without: station_fuel_empty', () => {
    setFuel(pilot, 0)
    small.world.write(Base).fuel[base] = 0
    expect(refuel({ quantity: 9 })).toMatchObject({ result: { source: 'cargo', cells_used: 2 } })
    expect(refuel()).toMatchObject({ code: 'station_fuel_empty' })
  })

  test('draws on a tank that gains a hundredth every hundred ticks', () => {
    small.world.write(Base).fuel[base] = 0
    small.world.tick = REFILL_TICKS - 1
    small.ticks(1)
    const { fuel, fuelMax } = small.world.read(Base)
    expect(fuel[base]).toBe(fuelMax[base] / 100)
  })
})

describe('refuelling from cells', () => {
  test('burns up to the number requested, and no more than the tank needs', () => {
    const cell = itemIndex('fuel_cell')
    setFuel(pilot, 50)
    expect(refuel({ item_id: 'fuel_cell' })).toMatchObject({
      result: { source: 'cargo', fuel: 20, cells_used: 1, item_id: 'fuel_cell', cost: 0 },
    })
    setFuel(pilot, tankOf(pilot) - 5)
    expect(refuel({ item_id: 'fuel_cell', quantity: 5 })).toMatchObject({
      result: { fuel: 5, cells_used: 1 },
    })
    expect(cargoUnits(small.world, shipOf(small.world, pilot), cell)).toBe(0)
    setFuel(pilot, 50)
    expect(refuel({ item_id: 'fuel_cell' })).toMatchObject({ code: 'no_fuel_cells' })
    expect(refuel({ item_id: 'iron_ore' })).toMatchObject({ code: 'invalid_item' })
  })
})

describe('refuelling another ship', () => {
  const pump = () => {
    const ship = shipOf(small.world, pilot)
    fitModule(small.world, ship, itemIndex('refueling_pump'))
    recompute(small.world, ship)
  }

  test('needs a pump and a target at hand', () => {
    expect(refuel({ target: 'Tester 2' })).toMatchObject({ code: 'no_pump' })
    pump()
    expect(refuel({ target: 'Nobody' })).toMatchObject({ code: 'invalid_target' })
    expect(refuel({ target: 'Tester 1' })).toMatchObject({ code: 'invalid_target' })
    expect(refuel({ target: 'Tester 2' })).toMatchObject({ code: 'target_no_space' })
    small.act(pilot, 'undock')
    setFuel(friend, 0)
    expect(refuel({ target: 'Tester 2' })).toMatchObject({ code: 'invalid_target' })
  })

  test('moves fuel, keeps a unit, and notifies the receiver', () => {
    pump()
    setFuel(friend, 10)
    setFuel(pilot, 30)
    small.takeEmissions()
    expect(refuel({ target: 'Tester 2', quantity: 50 })).toMatchObject({
      result: { source: 'player', fuel: 29, fuel_now: 1, target_fuel_now: 39 },
    })
    expect([fuelOf(pilot), fuelOf(friend)]).toEqual([1, 39])
    expect(small.takeEmissions().filter(({ type }) => type === 'refueled_by')).toMatchObject([
      { payload: { source_username: 'Tester 1', fuel: 29, fuel_now: 39 }, to: [2] },
    ])
    expect(refuel({ target: 'Tester 2' })).toMatchObject({ code: 'no_fuel' })
  })

  test('is refused with issued fuel and for cloaked ships: issue_item, invalid_target', () => {
    pump()
    setFuel(friend, 10)
    tanks().issueFuel[shipOf(small.world, pilot)] = fuelOf(pilot)
    expect(refuel({ target: 'Tester 2' })).toMatchObject({ code: 'issue_item' })
    tanks().issueFuel[shipOf(small.world, pilot)] = 0
    small.world.write(Player).cloaked[friend] = 1
    expect(refuel({ target: 'Tester 2' })).toMatchObject({ code: 'invalid_target' })
  })
})

test('target fleet lists the tanks at once, without a tick', () => {
  const { tick } = small.world
  expect(refuel({ target: 'fleet' })).toMatchObject({
    result: { source: 'fleet', has_pump: false, members: [{ is_you: true, fuel_pct: 100 }] },
  })
  expect(small.world.tick).toBe(tick)
})
