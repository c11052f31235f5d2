/** Jobs of factions: stores, treasury, permissions, allies, disbanding. crafting.md 1, 2, 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { FACILITIES, facilityTypeIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { jobsOf } from '../../../systems/craft/venue-model.ts'
import { makeAlliance } from '../../../systems/diplomacy/rules.ts'
import { addFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { facilityId } from '../../../systems/facility/model.ts'
import { Facility, OF_FACTION, ONLINE, PRIVATE, PUBLIC } from '../../../systems/facility/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { Faction } from '../../../systems/faction/state.ts'
import { openStore, storeContainer } from '../../../systems/faction/store-model.ts'
import { onSmallMap } from '../../small-world.ts'
import { addService } from '../faction/scene.ts'
import { act, bench, done, give, INGOT, ORE, pay, refuses, type Scene, stored } from './scene.ts'

onSmallMap()

let scene: Scene
let leader: Eid
let recruit: Eid
let stranger: Eid
let faction: Row

beforeEach(async () => {
  scene = await bench(3, 0)
  ;[leader, recruit, stranger] = scene.players
  faction = foundFaction(scene.world, leader, 'Slag and Sons', 'SLAG')
  addMember(scene.world, recruit, faction)
})

const mainStore = () => ({ faction, base: scene.base, bucket: 0 })
const held = (item: number, bucket = 0): number => {
  const container = storeContainer(scene.world, { ...mainStore(), bucket })
  return container === 0 ? 0 : unitsIn(scene.world, container, item)
}
const funds = (): number => balanceOf(scene.world, treasuryOf(scene.world, faction))
function stock(item: number, units: number): void {
  moveItems(scene.world, namedContainer('mined'), openStore(scene.world, mainStore()), item, units)
}
const fund = (credits: number): void =>
  post(scene.world, namedAccount('starting_grant'), treasuryOf(scene.world, faction), credits)
const service = (name: string): Row => addService(scene.world, faction, scene.base, name)

const SMELTER = 'smelter'

/** Builds a smelter of the faction. */
function smelter(access = PRIVATE): Row {
  const { world, base } = scene
  const owner = { kind: OF_FACTION, player: 0, faction }
  const type = facilityTypeIndex(SMELTER)
  const row = addFacility(world, { type, base, owner, status: ONLINE })
  world.write(Facility).access[row] = access
  return row
}

const giveOre = (player: Eid, units: number): void =>
  give(scene.world, player, scene.base, ORE, units)

const smelt = (quantity: number, overrides: object = {}) => ({
  recipe_id: 'smelt_iron',
  quantity,
  ...overrides,
})

describe('a store of a faction', () => {
  test('supplies the goods of a job and takes its output', () => {
    service('faction_storage')
    smelter()
    stock(ORE, 40)
    fund(1_000)
    const ordered = done(scene, leader, smelt(10, { deliver_to: 'faction' }))
    expect(ordered).toMatchObject({ venue_type: 'faction', external: false })
    expect(held(ORE)).toBe(20)
    expect(funds()).toBe(980)
    scene.small.ticks(6)
    expect(held(INGOT)).toBe(10)
    expect(stored(scene, leader, INGOT)).toBe(0)
    expect(jobsOf(scene.world, leader)).toEqual([])
  })

  test('fills in missing goods for members who manage the treasury', () => {
    service('faction_storage')
    stock(ORE, 40)
    refuses(scene, recruit, smelt(10), 'missing_materials')
    done(scene, leader, smelt(10))
    expect(held(ORE)).toBe(20)
    refuses(scene, leader, smelt(11), 'missing_materials')
  })

  test('takes deliveries into a bucket that is named by its id', () => {
    service('faction_storage')
    const bucket = service('storage_extension')
    stock(ORE, 20)
    const target = `faction:${facilityId(scene.world, bucket)}`
    const { job_id } = done(scene, leader, smelt(5, { source: 'faction', deliver_to: target }))
    expect(job_id).toBeDefined()
    scene.small.ticks(12)
    expect(held(INGOT, scene.world.read(Facility).seq[bucket])).toBe(5)
  })

  test('blocks a job while it is full', () => {
    const row = service('faction_storage')
    smelter()
    stock(ORE, 20)
    fund(100)
    const cap = FACILITIES[scene.world.read(Facility).type[row]].capacity ?? 0
    stock(INGOT, cap)
    done(scene, leader, smelt(10, { source: 'faction' }))
    scene.small.ticks(8)
    expect(held(INGOT)).toBe(cap)
    const [job] = done(scene, leader, {}).jobs as object[]
    expect(job).toMatchObject({ status: 'blocked', runs_done: 0 })
    const store = openStore(scene.world, mainStore())
    moveItems(scene.world, store, namedContainer('consumption'), INGOT, 10)
    scene.small.ticks(8)
    expect(held(INGOT)).toBe(cap)
    expect(jobsOf(scene.world, leader)).toEqual([])
  })

  test('gets back the goods and wages of a cancelled job', () => {
    service('faction_storage')
    smelter()
    stock(ORE, 40)
    fund(1_000)
    const { job_id } = done(scene, leader, smelt(20, { source: 'faction' }))
    expect(held(ORE)).toBe(0)
    done(scene, leader, { job_id })
    const made = held(INGOT)
    expect(made).toBeLessThan(20)
    expect(held(ORE) + 2 * made).toBe(40)
    expect(1_000 - funds()).toBe(made * FACILITIES[facilityTypeIndex(SMELTER)].labor_cost)
    expect(jobsOf(scene.world, leader)).toEqual([])
  })

  test('can be made the destination of an own job only', () => {
    service('faction_storage')
    stock(ORE, 40)
    pay(scene.world, leader, 100)
    const { job_id } = done(scene, leader, smelt(20, { source: 'faction' }))
    const answer = done(scene, leader, { job_id, deliver_to: 'storage' })
    expect(answer).toMatchObject({ old_destination: 'faction', new_destination: 'storage' })
    done(scene, leader, { job_id, deliver_to: 'faction' })
    refuses(scene, leader, { job_id, deliver_to: 'faction:nowhere' }, 'bucket_not_found')
    refuses(scene, recruit, { job_id, deliver_to: 'faction' }, 'not_your_job')
  })
})

describe('jobs of factions are refused', () => {
  test('to outsiders and recruits, and without a store, a bucket or credits', () => {
    const fromFaction = { source: 'faction' }
    refuses(scene, stranger, smelt(1, fromFaction), 'not_in_faction')
    refuses(scene, recruit, smelt(1, fromFaction), 'no_permission')
    refuses(scene, leader, smelt(1, fromFaction), 'no_faction_storage')
    service('faction_storage')
    refuses(scene, leader, smelt(1, { source: 'faction:ores' }), 'bucket_not_found')
    stock(ORE, 20)
    const facility_id = facilityId(scene.world, smelter())
    refuses(scene, leader, smelt(1, { ...fromFaction, facility_id }), 'faction_no_credits')
  })

  test('when they would pack goods of the faction', () => {
    service('faction_storage')
    const labelled = smelt(1, { source: 'faction', output_package_label: 'x' })
    stock(ORE, 2)
    refuses(scene, leader, labelled, 'invalid_payload')
  })
})

describe('a facility of a faction', () => {
  test('is closed to strangers, and free to allies if the faction allows it', () => {
    const { world } = scene
    const facility_id = facilityId(world, smelter())
    const order = smelt(1, { facility_id })
    refuses(scene, stranger, order, 'facility_private')
    const other = foundFaction(world, stranger, 'Ore Friends', 'OREF')
    makeAlliance(world, { own: faction, other })
    scene.small.ticks(1)
    refuses(scene, stranger, order, 'facility_private')
    world.write(Faction).allyFacilityAccess[faction] = 1
    refuses(scene, stranger, order, 'missing_materials')
    const quote = act(scene, stranger, 'craft', { ...order, dry_run: true })
    expect(quote).toMatchObject({
      result: { venue_type: 'ally', external: true, cost: { fee: 0 } },
    })
  })

  test('earns rent for the treasury', () => {
    const { world } = scene
    const row = smelter(PUBLIC)
    world.write(Facility).priceMilli[row] = 2_000
    pay(world, stranger, 100)
    giveOre(stranger, 10)
    const before = funds()
    done(scene, stranger, smelt(5, { facility_id: facilityId(world, row) }))
    scene.small.ticks(6)
    expect(funds() - before).toBe(10)
  })
})

describe('the end of a faction', () => {
  test('cancels the jobs it paid for and leaves the others to their orderers', () => {
    service('faction_storage')
    stock(ORE, 40)
    scene.small.act(recruit, 'leave_faction', {})
    giveOre(leader, 80)
    done(scene, leader, smelt(40, { source: 'storage', deliver_to: 'faction' }))
    done(scene, leader, smelt(20, { source: 'faction' }))
    expect(jobsOf(scene.world, leader)).toHaveLength(2)
    expect(act(scene, leader, 'leave_faction')).toMatchObject({ ok: true })
    expect(jobsOf(scene.world, leader)).toHaveLength(1)
    scene.small.ticks(30)
    const made = stored(scene, leader, INGOT)
    expect(made).toBeGreaterThanOrEqual(10)
    expect(stored(scene, leader, ORE) + made * 2).toBe(120)
  })
})
