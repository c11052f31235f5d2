/** Hiring people, and the pools they come from. Source: ships.md sections 4 and 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import { baseTreasury, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { peopleOf } from '../../../systems/personnel/model.ts'
import { refillPools } from '../../../systems/personnel/systems.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Ward, wards } from './scene.ts'

onSmallMap()

const openWard = await wards()
let ward: Ward

beforeEach(async () => {
  ward = await openWard()
  ward.fit(ward.ship, 'marine_barracks')
  ward.setCredits(10_000)
})

const recruit = (params: object) => ward.act('recruit_personnel', params)

describe('a hall that is closed', () => {
  // The check of all invariants runs after each test.
  test('keeps its people, and hires none out', () => {
    const before = ward.pools()
    expect(before.crew).toBeGreaterThan(0)
    const { services } = ward.world.write(Base)
    services[ward.base] &= ~serviceBit('personnel')
    expect(recruit({ crew: 1 })).toMatchObject({ code: 'no_service' })
    expect(ward.pools()).toEqual(before)
  })
})

describe('recruit_personnel', () => {
  test('hires crew at 25 and marines at 120 credits out of the pools of the base', () => {
    ward.man(ward.ship, { fitCrew: 1 })
    const before = ward.pools()
    const version = ward.world.read(Ship).personnelVersion[ward.ship]
    const treasuryBefore = balanceOf(ward.world, baseTreasury(ward.world, ward.base))
    expect(recruit({ crew: 2, marines: 3 })).toMatchObject({
      ok: true,
      result: {
        action: 'recruit_personnel',
        crew: 2,
        marines: 3,
        cost: 2 * 25 + 3 * 120,
        personnel: { fit_crew: 3, fit_marines: 3, version: version + 1 },
        pool: { crew: before.crew - 2, marines: before.marines - 3 },
      },
    })
    expect(ward.credits()).toBe(10_000 - 410)
    expect(balanceOf(ward.world, baseTreasury(ward.world, ward.base)) - treasuryBefore).toBe(410)
    expect(ward.pools()).toEqual({
      ...before,
      crew: before.crew - 2,
      marines: before.marines - 3,
    })
  })

  test('hires no more than the berths and the pool allow', () => {
    ward.man(ward.ship, { fitCrew: 1, injuredCrew: 1 })
    expect(recruit({ crew: 50 })).toMatchObject({ result: { crew: 2, cost: 50 } })
    ward.setPool('marines', 4)
    expect(recruit({ marines: 9 })).toMatchObject({ result: { marines: 4 } })
    expect(ward.pools().marines).toBe(0)
  })

  test('docks first', () => {
    ward.man(ward.ship, { fitCrew: 1 })
    ward.act('undock')
    expect(ward.small.answer(ward.pilot, 'recruit_personnel', { crew: 1 })).toMatchObject({
      autoDocked: true,
      outcome: { ok: true },
    })
  })

  test('is refused invalid_payload without any people', () => {
    expect(recruit({})).toMatchObject({ code: 'invalid_payload' })
    expect(recruit({ crew: 0, marines: 0 })).toMatchObject({ code: 'invalid_payload' })
  })

  test('is refused no_service where nobody is for hire', () => {
    ward.world.write(Base).services[ward.base] &= ~serviceBit('personnel')
    for (const pool of ['crew', 'marines', 'medical'] as const) ward.setPool(pool, 0)
    expect(recruit({ crew: 1 })).toMatchObject({ code: 'no_service' })
  })

  test('is refused pool_empty when nobody is left in the pool', () => {
    ward.setPool('marines', 0)
    expect(recruit({ marines: 1 })).toMatchObject({ code: 'pool_empty' })
  })

  test('is refused no_berths on a full ship, counting the injured', () => {
    ward.man(ward.ship, { fitCrew: 1, injuredCrew: 3 })
    expect(recruit({ crew: 1 })).toMatchObject({
      code: 'no_berths',
      details: { berths: { crew: 0, marines: 15 } },
    })
  })

  test('is refused no_credits and changes nothing', () => {
    ward.setCredits(119)
    const before = [ward.pools(), peopleOf(ward.world, ward.ship)]
    expect(recruit({ marines: 1 })).toMatchObject({
      code: 'no_credits',
      details: { need: 120, have: 119 },
    })
    expect([ward.pools(), peopleOf(ward.world, ward.ship)]).toEqual(before)
  })

  test('gives the last people of a pool to only one of two players', () => {
    const { small, pilot, friend, world } = ward
    ward.man(ward.ship, { fitCrew: 1 })
    ward.man(ward.friendShip, { fitCrew: 1 })
    ward.setPool('crew', 2)
    const [command, params] = ['recruit_personnel', { crew: 2 }]
    const answers = small.tick(
      { player: pilot, command, params },
      { player: friend, command, params },
    )
    const codes = [pilot, friend].map((player) => {
      const answer = answers.get(player)
      return answer?.ok ? 'ok' : answer?.code
    })
    expect(codes.sort()).toEqual(['ok', 'pool_empty'])
    const fit = world.read(Ship).crewFit
    expect(fit[ward.ship] + fit[ward.friendShip]).toBe(4)
  })
})

describe('the pools of a base', () => {
  /** Refills the pools of the base, without the rest of a tick. */
  const refill = () => {
    ward.world.tick = 1_000 + (ward.base % 100)
    refillPools.run?.(ward.world)
  }

  test('start full, sized by the square of its level, and are shown by get_base', () => {
    const level = ward.world.read(Base).level[ward.base]
    const full = { crew: 40 * level ** 2, marines: 10 * level ** 2, medical: 20 * level ** 2 }
    expect(ward.pools()).toEqual(full)
    expect(ward.small.ask(ward.pilot, 'get_base')).toMatchObject({
      result: { personnel: { ...full, crew_price: 25, marine_price: 120 } },
    })
  })

  test('gain a tenth every hundred ticks, up to their size', () => {
    const full = ward.pools()
    ward.setPool('crew', 0)
    ward.setPool('medical', full.medical - 1)
    refill()
    expect(ward.pools()).toEqual({ ...full, crew: full.crew / 10 })
  })

  test.each([
    ['rations', ['crew', 'marines']],
    ['medical_supplies', ['medical']],
  ])('are not refilled without %s in stock: %s', (supply, empty) => {
    const { stock, escrow } = ward.world.read(Base)
    const item = itemIndex(supply)
    for (const container of [stock[ward.base], escrow[ward.base]]) {
      const units = unitsIn(ward.world, container, item)
      moveItems(ward.world, container, namedContainer('consumption'), item, units)
    }
    const full = ward.pools()
    for (const pool of ['crew', 'marines', 'medical'] as const) ward.setPool(pool, 0)
    refill()
    const grown = { crew: full.crew / 10, marines: full.marines / 10, medical: full.medical / 10 }
    const none = Object.fromEntries(empty.map((pool) => [pool, 0]))
    expect(ward.pools()).toEqual({ ...grown, ...none })
  })
})
