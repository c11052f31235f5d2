/** Wrecks: cargo and modules that drop, their value, their limits and their events. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex, SHIP_CLASSES, shipClassIndex } from '../../../core/catalog/index.ts'
import { rowsOf } from '../../../core/columns.ts'
import { contentsOf, namedContainer, unitsIn } from '../../../core/goods.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { makeWreck } from '../../../systems/salvage/make-rules.ts'
import { hasCargo, hasModules, wrecksAt } from '../../../systems/salvage/model.ts'
import { rebuildWrecks, removeWreck } from '../../../systems/salvage/rules.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { loadCargo, modulesOf } from '../../../systems/ship/model.ts'
import { createShip, releaseShip } from '../../../systems/ship/rules.ts'
import { Module } from '../../../systems/ship/state.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { hullOf, meeting, payloadsTo, putAt } from '../combat/scene.ts'

onSmallMap()

const ORE = itemIndex('iron_ore')
const REAVER = shipClassIndex('reaver')
const template: Promise<SmallWorld> = smallWorld({ players: 1 })
let small: SmallWorld
let world: World
const [HERE, THERE] = [1, 2]

beforeEach(async () => {
  small = await (await template).reload()
  world = small.world
})

interface Lost {
  readonly modules?: readonly string[]
  readonly issue?: boolean
  readonly ore?: number
  readonly poi?: Eid
  readonly isNpc?: boolean
}

/** Destroys a new ship and returns its wreck, or 0 if none was made. */
function lose({ modules = [], issue = false, ore = 0, poi = HERE, isNpc = false }: Lost = {}): Row {
  const ship = createShip(world, {
    owner: 0,
    shipClass: REAVER,
    modules: modules.map(itemIndex),
    issue,
  })
  loadCargo(world, ship, namedContainer('mined'), ORE, ore)
  const wreck = makeWreck(world, {
    ship,
    poi,
    isNpc,
    victimId: 'v',
    victimName: 'Victim',
    killerId: 'k',
    killerName: 'Killer',
  })
  releaseShip(world, ship)
  world.recycle()
  return wreck
}

/** Runs a tick without commands, which checks every invariant. */
const checkInvariants = (): void => small.ticks(1)

describe('a wreck', () => {
  test('holds the part of the cargo that drops, and the rest is destroyed', () => {
    const wreck = lose({ ore: 40 })
    const [held] = contentsOf(world, world.read(Wreck).cargo[wreck])
    expect(held.units).toBeGreaterThanOrEqual(20)
    expect(held.units).toBeLessThanOrEqual(32)
    expect(unitsIn(world, namedContainer('destroyed'), ORE)).toBe(40 - held.units)
    expect(hasCargo(world, wreck)).toBe(true)
    checkInvariants()
  })

  test('of an NPC holds all of its cargo', () => {
    const wreck = lose({ ore: 40, isNpc: true })
    expect(contentsOf(world, world.read(Wreck).cargo[wreck])).toEqual([{ item: ORE, units: 40 }])
  })

  test('keeps about 70 % of the modules, in their condition', () => {
    let dropped = 0
    for (let i = 0; i < 60; i++) {
      world.tick++
      const wreck = lose({ modules: ['autocannon_i', 'autocannon_i', 'shield_booster_i'] })
      const { number } = world.read(Module)
      let row = world.read(Wreck).firstModule[wreck]
      let last = 0
      while (row !== 0) {
        expect(number[row]).toBeGreaterThan(last)
        last = number[row]
        expect(world.read(Module).ship[row]).toBe(0)
        dropped++
        row = world.read(Module).next[row]
      }
      removeWreck(world, wreck)
    }
    expect(dropped / 180).toBeGreaterThan(0.55)
    expect(dropped / 180).toBeLessThan(0.85)
  })

  test('is worth a tenth of the hull and the modules that did not drop', () => {
    const hull = SHIP_CLASSES[REAVER].build_materials.reduce(
      (sum, { item_id, quantity }) => sum + GOODS[itemIndex(item_id)].base_value * quantity,
      0,
    )
    expect(hull).toBeGreaterThan(0)
    expect(world.read(Wreck).value[lose()]).toBe(Math.floor(hull / 10))
    const wreck = lose({ modules: ['autocannon_i'] })
    const gun = hasModules(world, wreck) ? 0 : GOODS[itemIndex('autocannon_i')].base_value
    expect(world.read(Wreck).value[wreck]).toBe(Math.floor((hull + gun) / 10))
  })

  test('of an issue ship is worth nothing, and is made only if it holds cargo', () => {
    expect(lose({ issue: true, modules: ['autocannon_i'] })).toBe(0)
    const wreck = lose({ issue: true, ore: 10 })
    expect(world.read(Wreck).value[wreck]).toBe(0)
    expect(hasModules(world, wreck)).toBe(false)
    checkInvariants()
  })

  test('holds no items that are bound to their owner', () => {
    const bound = itemIndex('courier_satchel')
    expect(GOODS[bound].quest_item).toBe(true)
    const ship = createShip(world, { owner: 0, shipClass: REAVER, modules: [] })
    loadCargo(world, ship, namedContainer('mined'), bound, 1)
    const names = { victimId: 'v', victimName: 'Victim', killerId: '', killerName: '' }
    const wreck = makeWreck(world, { ship, poi: HERE, isNpc: true, ...names })
    releaseShip(world, ship)
    expect(hasCargo(world, wreck)).toBe(false)
    expect(unitsIn(world, namedContainer('destroyed'), bound)).toBe(1)
    checkInvariants()
  })

  test('beyond 200 cheap wrecks at a place replaces the oldest of them', () => {
    const first = lose({ issue: true, ore: 4 })
    const rich = lose()
    expect(world.read(Wreck).value[rich]).toBeGreaterThanOrEqual(500)
    for (let i = 0; i < 200; i++) lose({ issue: true, ore: 4 })
    expect(world.read(Wreck).alive[rich]).toBe(1)
    expect(wrecksAt(world, HERE)).toHaveLength(201)
    expect(wrecksAt(world, HERE)).not.toContain(first)
    checkInvariants()
  })

  test('is not made when the table of wrecks is full', () => {
    const rows = rowsOf(Wreck, world.maxEntities)
    for (let i = 0; world.countOf(Wreck) < rows; i++) lose({ poi: 3 + (i % 8) })
    const before = unitsIn(world, namedContainer('destroyed'), ORE)
    expect(lose({ ore: 10 })).toBe(0)
    expect(unitsIn(world, namedContainer('destroyed'), ORE)).toBe(before + 10)
    checkInvariants()
  })

  test('is not made in the row of a wreck removed in the same tick', () => {
    const rows = rowsOf(Wreck, world.maxEntities)
    for (let i = 0; world.countOf(Wreck) < rows; i++) lose({ poi: 3 + (i % 8) })
    removeWreck(world, wrecksAt(world, 3)[0])
    expect(lose({ ore: 10 })).toBe(0)
    expect(lose({ ore: 10 })).toBeGreaterThan(0)
    checkInvariants()
  })

  test('is found at its place in a reloaded world', async () => {
    const wrecks = [lose(), lose({ poi: THERE }), lose()]
    const loaded = await small.reload()
    rebuildWrecks(loaded.world)
    expect(wrecksAt(loaded.world, HERE)).toEqual([wrecks[0], wrecks[2]])
    expect(wrecksAt(loaded.world, THERE)).toEqual([wrecks[1]])
  })

  test('is removed with everything in it', () => {
    const wreck = lose({ ore: 20, modules: ['autocannon_i', 'autocannon_i'] })
    const modules = world.countOf(Module)
    const dropped = hasModules(world, wreck)
    removeWreck(world, wreck)
    expect(wrecksAt(world, HERE)).toEqual([])
    expect(world.countOf(Module) < modules).toBe(dropped)
    expect(unitsIn(world, namedContainer('destroyed'), ORE)).toBe(20)
    checkInvariants()
  })
})

test('a wreck at a hidden place is announced without the place', async () => {
  const scene = await meeting(2)
  const [one, two] = scene.players
  putAt(scene.world, two, scene.poi, { shipClass: 'reaver' })
  expect(modulesOf(scene.world, hullOf(scene.world, two))).toEqual([])
  scene.world.write(Poi).hidden[scene.poi] = 1
  scene.small.act(one, 'attack', { target_id: scene.id(two) })
  scene.doom(two, 'destroyed', one)
  scene.small.ticks(1)
  const emissions = scene.takeEmissions()
  for (const [player, type] of [
    [one, 'player_kill'],
    [two, 'player_died'],
  ] as const) {
    const [payload] = payloadsTo(scene, emissions, player, type)
    expect('wreck_id' in payload).toBe(true)
    expect('wreck_poi_id' in payload || 'wreck_system_id' in payload).toBe(false)
  }
})
