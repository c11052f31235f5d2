/**
 * The command repair: station, kits, other players, fleet list. Source: ships.md sections 5, 10.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemIndex, shipClassIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { playerId, statOf, walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { activeShip, cargoUnits, loadCargo } from '../../../systems/ship/model.ts'
import { createShip, fitModule, recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace, undockShip } from '../../../systems/travel/rules.ts'
import { Location, Poi } from '../../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let player: Eid
let ship: Eid
let count = 0
beforeAll(async () => {
  small = await smallWorld()
})
beforeEach(() => {
  player = small.join(`Pilot ${++count}`)
  ship = activeShip(small.world, player)
})

const hull = (target = ship) => small.world.read(Ship).hull[target]
const hullMax = (target = ship) => small.world.read(Ship).hullMax[target]
const credits = () => balanceOf(small.world, walletOf(small.world, player))
function damage(points: number, target = ship): void {
  small.world.write(Ship).hull[target] = hullMax(target) - points
}
function give(id: string, units: number): void {
  loadCargo(small.world, ship, namedContainer('supply'), itemIndex(id), units)
}
function spendAllBut(left: number): void {
  post(small.world, walletOf(small.world, player), namedAccount('fee_sink'), credits() - left)
}
/** Returns a place of the system without a base. */
function openPoi(): Eid {
  const { base, hidden } = small.world.read(Poi)
  const found = poisOf(small.world, small.world.read(Location).system[ship]).find(
    (poi) => base[poi] === 0 && hidden[poi] === 0,
  )
  if (found === undefined) throw new Error('every place has a base')
  return found
}
const kits = (id = 'repair_kit') => cargoUnits(small.world, ship, itemIndex(id))
const repair = (params: object = {}) => small.answer(player, 'repair', params)

describe('repair at a station', () => {
  test('restores the hull for 5 credits a point', () => {
    damage(20)
    const before = credits()
    const sunk = balanceOf(small.world, namedAccount('repair_sink'))
    expect(repair().outcome).toMatchObject({
      ok: true,
      result: { source: 'station', cost: 100, repaired: 20, hull: hullMax(), max_hull: hullMax() },
    })
    expect(hull()).toBe(hullMax())
    expect(credits()).toBe(before - 100)
    expect(balanceOf(small.world, namedAccount('repair_sink'))).toBe(sunk + 100)
    expect(statOf(small.world, player, 'credits_spent')).toBe(100)
  })

  test('restores as many points as the player can pay for', () => {
    damage(20)
    spendAllBut(37)
    expect(repair().outcome).toMatchObject({ ok: true, result: { cost: 35, repaired: 7 } })
    expect([hull(), credits()]).toEqual([hullMax() - 13, 2])
  })

  test('is refused for a full hull or an empty wallet, and changes nothing', () => {
    expect(repair().outcome).toMatchObject({ ok: false, code: 'hull_full' })
    damage(1)
    spendAllBut(4)
    expect(repair().outcome).toMatchObject({ ok: false, code: 'no_credits' })
    expect([hull(), credits()]).toEqual([hullMax() - 1, 4])
  })

  test('docks a ship at the place of the station first', () => {
    damage(5)
    undockShip(small.world, ship)
    expect(repair()).toMatchObject({ autoDocked: true, outcome: { ok: true } })
    expect(dockedBase(small.world, player)).not.toBe(0)
  })

  test('uses a kit that is named, without docking', () => {
    damage(10)
    undockShip(small.world, ship)
    const answer = repair({ item_id: 'repair_kit' })
    expect(answer).toMatchObject({ outcome: { ok: true, result: { source: 'cargo' } } })
    expect(answer.autoDocked).toBeUndefined()
    expect(dockedBase(small.world, player)).toBe(0)
    expect([hull(), kits()]).toEqual([hullMax(), 0])
  })

  test('uses kits at a base without the service, and is refused without kits', () => {
    const base = dockedBase(small.world, player)
    small.world.write(Base).services[base] &= ~serviceBit('repair')
    damage(60)
    expect(repair().outcome).toMatchObject({ ok: true, result: { kits_used: 1, repaired: 50 } })
    expect(repair().outcome).toMatchObject({ ok: false, code: 'no_service' })
    small.world.write(Base).services[base] |= serviceBit('repair')
  })
})

describe('repair with kits', () => {
  test.each([
    ['hull_patch', 15],
    ['repair_kit', 50],
    ['advanced_repair_kit', 150],
  ])('%s restores %i points', (item_id, points) => {
    const base = dockedBase(small.world, player)
    const shipClass = shipClassIndex('granary')
    ship = createShip(small.world, { owner: player, shipClass, modules: [] })
    small.world.write(Player).ship[player] = ship
    dockShip(small.world, ship, base)
    damage(points + 10)
    give(item_id, 1)
    const { outcome } = repair({ item_id })
    expect(outcome).toMatchObject({ ok: true, result: { item_id, repaired: points } })
  })

  test('uses the cheapest kits first', () => {
    damage(20)
    give('hull_patch', 1)
    const { outcome } = repair({ item_id: 'hull_patch', quantity: 5 })
    expect(outcome).toMatchObject({ ok: true, result: { kits_used: 1, repaired: 15 } })
    give('hull_patch', 1)
    undockShip(small.world, ship)
    placeInSpace(small.world, ship, openPoi())
    expect(repair().outcome).toMatchObject({ ok: true, result: { item_id: 'hull_patch' } })
    expect([kits('hull_patch'), kits()]).toEqual([0, 1])
  })

  test('uses no more kits than the damage needs', () => {
    damage(60)
    give('repair_kit', 4)
    const answer = repair({ item_id: 'Repair Kit', quantity: 99 })
    expect(answer.outcome).toMatchObject({ ok: true, result: { kits_used: 2, repaired: 60 } })
    expect(kits()).toBe(3)
    expect(statOf(small.world, player, 'consumables_used')).toBe(2)
  })

  test('names every kind of kit that it uses', () => {
    undockShip(small.world, ship)
    placeInSpace(small.world, ship, openPoi())
    damage(90)
    give('hull_patch', 1)
    const { outcome } = repair({ quantity: 2 })
    expect(outcome).toMatchObject({ ok: true, result: { kits_used: 2 } })
    expect((outcome as { result: { message: string } }).result.message).toMatch(
      /with 1 Hull Patch and 1 Repair Kit\.$/,
    )
  })

  test('restores more by each kit with the skill outer_rim_survival', () => {
    const index = player * SKILLS_WIDTH + skillIndex('outer_rim_survival')
    small.world.write(PlayerSkills).level[index] = 25
    damage(80)
    expect(repair({ item_id: 'repair_kit' }).outcome).toMatchObject({ result: { repaired: 62 } })
  })

  test('is refused for an item that is unknown, missing or not a kit', () => {
    damage(10)
    expect(repair({ item_id: 'fuel_cell' }).outcome).toMatchObject({ code: 'no_repair_kits' })
    expect(repair({ item_id: 'hull_patch' }).outcome).toMatchObject({ code: 'no_repair_kits' })
    expect(repair({ item_id: 'no such thing' }).outcome).toMatchObject({ code: 'unknown_item' })
    expect(hull()).toBe(hullMax() - 10)
  })
})

describe('another player', () => {
  let other: Eid
  let theirs: Eid
  beforeEach(() => {
    other = small.join(`Other ${count}`)
    theirs = activeShip(small.world, other)
    damage(30, theirs)
  })
  const fitArm = () => {
    fitModule(small.world, ship, itemIndex('repair_arm'))
    recompute(small.world, ship)
  }

  test('cannot be repaired without a repair arm', () => {
    expect(repair({ target: `Other ${count}` }).outcome).toMatchObject({ code: 'no_repair_arm' })
  })

  test('is repaired with kits of the helper, and notified', () => {
    fitArm()
    small.takeEmissions()
    expect(repair({ target: `OTHER ${count}` }).outcome).toMatchObject({
      ok: true,
      result: {
        target_player_name: `Other ${count}`,
        repaired: 30,
        target_hull_now: hullMax(theirs),
      },
    })
    expect([hull(theirs), kits()]).toEqual([hullMax(theirs), 0])
    expect(statOf(small.world, player, 'repairs_given')).toBe(1)
    const emissions = small.takeEmissions().filter((event) => event.type === 'repaired_by')
    expect(emissions).toHaveLength(1)
    expect(emissions[0].payload).toEqual({
      source_player_id: playerId(small.world, player),
      source_username: `Pilot ${count}`,
      repaired: 30,
      hull: hullMax(theirs),
      max_hull: hullMax(theirs),
    })
    expect(emissions[0].to).toEqual([small.world.read(Player).seq[other]])
  })

  test('must be docked at the same base, known and not the helper: invalid_target', () => {
    fitArm()
    undockShip(small.world, theirs)
    for (const target of [`Other ${count}`, `Pilot ${count}`, 'Nobody']) {
      expect(repair({ target }).outcome).toMatchObject({ code: 'invalid_target' })
    }
    expect(hull(theirs)).toBe(hullMax(theirs) - 30)
  })
})

test("target fleet lists the player's ship at once, and takes no slot", () => {
  const { tick } = small.world
  const answer = repair({ target: 'fleet' })
  expect(answer.outcome).toMatchObject({
    ok: true,
    result: {
      members: [{ username: `Pilot ${count}`, hull: hull(), is_you: true, is_leader: false }],
    },
  })
  expect(small.world.tick).toBe(tick)
})
