/** Jobs in facilities: rent, wages, priority, refunds, recycling. Source: crafting.md 1 to 4. */
import { beforeEach, describe, expect, test } from 'vitest'
import { facilityTypeIndex } from '../../../core/catalog/index.ts'
import { balanceOf } from '../../../core/ledger.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { baseTreasury } from '../../../systems/base/model.ts'
import { cancelJobsOf } from '../../../systems/craft/rules.ts'
import { jobsOf, liveJobsOf } from '../../../systems/craft/venue-model.ts'
import { addFacility, changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { citizenPool, facilityId } from '../../../systems/facility/model.ts'
import {
  DAMAGED,
  Facility,
  OF_PLAYER,
  OF_STATION,
  ONLINE,
  PRIVATE,
  PUBLIC,
} from '../../../systems/facility/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { counted } from '../achievement/scene.ts'
import {
  act,
  bench,
  done,
  give,
  INGOT,
  lockerContents,
  ORE,
  pay,
  refuses,
  type Scene,
  stored,
  wallet,
} from './scene.ts'

onSmallMap()

let scene: Scene
let ann: Eid
let bob: Eid

beforeEach(async () => {
  scene = await bench(2, 1_000)
  ;[ann, bob] = scene.players
  pay(scene.world, ann, 100_000)
})

/** Builds a facility of the station, or of a player. */
function build(id: string, player = 0, access = PUBLIC): Row {
  const { world, base } = scene
  const kind = player === 0 ? OF_STATION : OF_PLAYER
  const owner = { kind, player, faction: 0 }
  const row = addFacility(world, { type: facilityTypeIndex(id), base, owner, status: ONLINE })
  world.write(Facility).access[row] = access
  return row
}

const SMELT = { recipe_id: 'smelt_iron', quantity: 100 }
/** The ticks of that order: each run takes 260 thousandths of a tick. */
const SMELT_TICKS = 26
const idOf = (row: Row): string => facilityId(scene.world, row)

describe('a facility', () => {
  test('of the station charges rent to its orderer and pays wages to its citizens', () => {
    const { world, base } = scene
    const row = build('smelter')
    const [money, pool] = [wallet(scene, ann), balanceOf(world, citizenPool(world, base))]
    const income = balanceOf(world, baseTreasury(world, base))
    const ordered = done(scene, ann, { ...SMELT, facility_id: idOf(row) })
    expect(ordered).toMatchObject({ venue_type: 'public', external: true, runs: 100 })
    const { labor, fee } = ordered.escrowed as { labor: number; fee: number }
    expect(labor).toBe(200)
    expect(fee).toBeGreaterThan(0)
    expect(wallet(scene, ann)).toBe(money - labor - fee)
    scene.small.ticks(SMELT_TICKS)
    expect(stored(scene, ann, INGOT)).toBe(100)
    expect(counted(world, ann, 'facility_items_produced')).toBe(100)
    expect(balanceOf(world, citizenPool(world, base)) - pool).toBe(labor)
    expect(balanceOf(world, baseTreasury(world, base)) - income).toBeGreaterThanOrEqual(fee)
    expect(wallet(scene, ann)).toBe(money - labor - fee)
  })

  test('pauses its jobs while it is damaged', () => {
    const row = build('smelter')
    done(scene, ann, { ...SMELT, facility_id: idOf(row) })
    expect(scene.world.read(Facility).busy[row]).toBe(1)
    changeState(scene.world, row, { status: DAMAGED })
    const made = stored(scene, ann, INGOT)
    scene.small.ticks(3)
    expect(stored(scene, ann, INGOT)).toBe(made)
    expect(act(scene, ann, 'craft')).toMatchObject({ result: { jobs: [{ status: 'paused' }] } })
    changeState(scene.world, row, { status: ONLINE })
    scene.small.ticks(SMELT_TICKS)
    expect(stored(scene, ann, INGOT)).toBe(100)
    expect(scene.world.read(Facility).busy[row]).toBe(0)
  })

  test('of a player is free and preferred for its owner, and rented to others', () => {
    const mine = build('smelter', ann)
    build('smelter')
    scene.world.write(Facility).priceMilli[mine] = 1_500
    expect(done(scene, ann, SMELT)).toMatchObject({ facility_id: idOf(mine), venue_type: 'own' })
    pay(scene.world, bob, 1_000)
    const before = wallet(scene, ann)
    const order = { recipe_id: 'smelt_iron', quantity: 3, facility_id: idOf(mine) }
    const rented = done(scene, bob, order)
    // Three units at 1.5 credits, rounded up once.
    expect(rented).toMatchObject({ external: true, escrowed: { labor: 6, fee: 5 } })
    scene.small.ticks(30)
    expect(stored(scene, bob, INGOT)).toBe(3)
    expect(wallet(scene, ann)).toBe(before + 5)
  })

  test('serves its owner before others, but ends the run it has begun', () => {
    const mine = build('smelter', ann)
    pay(scene.world, bob, 1_000)
    done(scene, bob, { ...SMELT, facility_id: idOf(mine) })
    const { job_id } = done(scene, ann, {
      recipe_id: 'smelt_iron',
      quantity: 4,
      facility_id: idOf(mine),
    })
    scene.small.ticks(1)
    expect(stored(scene, ann, INGOT)).toBe(4)
    expect(job_id).toBeDefined()
    expect(stored(scene, bob, INGOT)).toBeGreaterThanOrEqual(4)
  })

  test('refunds its jobs when it closes or is lost', () => {
    const row = build('smelter')
    const goods = lockerContents(scene, ann)
    const plan = { ...SMELT, facility_id: idOf(row) }
    done(scene, ann, { jobs: [plan, plan] })
    // The first job has begun: only the second is cancelled when the facility closes.
    expect(cancelJobsOf(scene.world, row, 'external')).toBe(1)
    expect(liveJobsOf(scene.world, row)).toBe(1)
    expect(cancelJobsOf(scene.world, row, 'all')).toBe(1)
    expect(jobsOf(scene.world, ann)).toEqual([])
    expect(goods).toContainEqual({ item: ORE, units: 1_000 })
    expect(stored(scene, ann, ORE)).toBe(1_000 - 2 * stored(scene, ann, INGOT))
  })

  test('is refused as a venue if it is private, damaged or unsuitable', () => {
    const closed = build('smelter', bob, PRIVATE)
    refuses(scene, ann, { ...SMELT, facility_id: idOf(closed) }, 'facility_private')
    const broken = build('smelter')
    changeState(scene.world, broken, { status: DAMAGED })
    refuses(scene, ann, { ...SMELT, facility_id: idOf(broken) }, 'facility_offline')
    refuses(scene, ann, { ...SMELT, facility_id: idOf(build('recycler')) }, 'no_venue')
  })

  test('is refused as a venue to players who cannot pay or have too many jobs there', () => {
    const row = build('smelter')
    const plan = { recipe_id: 'smelt_iron', quantity: 20, facility_id: idOf(row) }
    give(scene.world, ann, scene.base, ORE, 10_000)
    done(scene, ann, { jobs: Array.from({ length: 21 }, () => plan) })
    refuses(scene, ann, plan, 'job_limit_reached')
    give(scene.world, bob, scene.base, ORE, 20_000)
    pay(scene.world, bob, 1)
    refuses(scene, bob, { ...plan, quantity: 400 }, 'no_credits')
  })
})

describe('recycling', () => {
  test('gives half of the inputs back, at a recycler', () => {
    give(scene.world, ann, scene.base, INGOT, 11)
    refuses(scene, ann, { recipe_id: 'smelt_iron', quantity: 1 }, 'no_recycler', 'recycle')
    build('recycler')
    const params = { recipe_id: 'smelt_iron', quantity: 11 }
    expect(done(scene, ann, params, 'recycle')).toMatchObject({ mode: 'recycle', runs: 11 })
    scene.small.ticks(4)
    expect(stored(scene, ann, INGOT)).toBe(0)
    expect(stored(scene, ann, ORE)).toBe(1_011)
    refuses(scene, ann, { recipe_id: 'mill_fuel' }, 'not_recyclable', 'recycle')
  })
})
