/** Effects of the actions of drone scripts, and how they fail. Source: drones.md section 3.6. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex, STARTER } from '../../../core/catalog/index.ts'
import { contentsOf, namedContainer, unitsIn } from '../../../core/goods.ts'
import type { Row, World } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { jettisonContainerAt, lockerOf } from '../../../systems/cargo/model.ts'
import { JettisonContainer } from '../../../systems/cargo/state.ts'
import { stow } from '../../../systems/drone/actions-systems.ts'
import { droneYield } from '../../../systems/drone/kernels.ts'
import { depositsOf, unitsRemaining } from '../../../systems/mining/model.ts'
import { Deposit } from '../../../systems/mining/state.ts'
import { makeWreck } from '../../../systems/salvage/make-rules.ts'
import { wreckId, wrecksAt } from '../../../systems/salvage/model.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { releaseShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { poiId, poisOf } from '../../../systems/travel/model.ts'
import { removeFromMap } from '../../../systems/travel/rules.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { counted } from '../achievement/scene.ts'
import {
  boardNewShip,
  deployed,
  dock,
  give,
  idOf,
  park,
  payloadsOf,
  placeId,
  shipOf,
  show,
  stockUp,
  teachDrones,
  write,
  type Yard,
  yard,
} from './scene.ts'

onSmallMap()

let scene: Yard
let world: World
let drone: Row
beforeEach(async () => {
  scene = await yard()
  world = scene.world
  teachDrones(world, scene.owner)
  stockUp(world, scene.belt)
  scene.small.takeEmissions()
})

const xp = (): number => xpOf(world, scene.owner, 'drone_control')
const oreOf = (row: Row): number =>
  show(scene, row).cargo.reduce((sum, { quantity }) => sum + quantity, 0)
const iron = itemIndex('iron_ore')
const load = (row: Row, units: number, item = iron): void =>
  stow(world, row, namedContainer('supply'), { item, units })

describe('MOVE', () => {
  test('takes the ticks of its type whatever the distance, and trains drone control', () => {
    drone = deployed(scene, 'mining', `MOVE "${placeId(scene, scene.port)}"`)
    scene.small.ticks(1)
    expect(show(scene, drone)).toMatchObject({ status: 'traveling', travel_ticks: 6 })
    expect(xp()).toBe(5)
    expect(counted(world, scene.owner, 'drone_actions')).toBe(1)
    scene.small.ticks(5)
    expect(show(scene, drone)).toMatchObject({ status: 'traveling', travel_ticks: 1 })
    scene.small.ticks(1)
    expect(show(scene, drone)).toMatchObject({
      status: 'running',
      poi_id: placeId(scene, scene.port),
    })
    expect(xp()).toBe(5)
  })

  test('fails for its own, unknown and hidden places and for those of other systems', () => {
    const elsewhere = poisOf(world, scene.system === 1 ? 2 : 1)[0]
    world.write(Poi).hidden[scene.open] = 1
    for (const to of [
      placeId(scene, scene.belt),
      'nowhere',
      poiId(world, elsewhere),
      placeId(scene, scene.open),
    ]) {
      drone = deployed(scene, 'scout', `MOVE "${to}"`)
      scene.small.ticks(1)
      expect(show(scene, drone).status, to).toBe('running')
    }
    expect(xp()).toBe(0)
  })
})

describe('MINE', () => {
  test('mines with power 3, raised by drone control, and notifies the owner', () => {
    drone = deployed(scene, 'mining', 'MINE')
    scene.small.ticks(1)
    const [payload] = payloadsOf(scene, 'mining_yield')
    expect(payload).toMatchObject({
      kind: 'yield',
      drone_id: idOf(scene, drone),
      quantity: oreOf(drone),
    })
    const row = depositsOf(world, scene.belt).find((deposit) => {
      const good = GOODS[world.read(Deposit).item[deposit]]
      return good.id === payload.resource_id
    }) as Row
    const richness = world.read(Deposit).richness[row]
    expect(oreOf(drone)).toBe(droneYield(3, richness, 20))
    expect(unitsRemaining(world, row)).toBe(payload.remaining)
    expect(xp()).toBe(5)
  })

  test('stops at a full hold', () => {
    drone = deployed(scene, 'mining', 'MINE')
    scene.small.ticks(40)
    expect(show(scene, drone)).toMatchObject({ cargo_used: 50, cargo_capacity: 50 })
    const before = xp()
    scene.small.ticks(3)
    expect(xp()).toBe(before)
  })

  test('fails at a place without deposits', () => {
    drone = deployed(scene, 'mining', 'MINE', scene.open)
    scene.small.ticks(2)
    expect(show(scene, drone).cargo_used).toBe(0)
    expect(xp()).toBe(0)
  })

  test('divides the last units of a deposit among drones in the order of their numbers', () => {
    const [row] = depositsOf(world, scene.belt)
    const { base, max, baseTick, frac, unlimited, richness, window } = world.write(Deposit)
    for (const deposit of depositsOf(world, scene.belt)) {
      unlimited[deposit] = 0
      window[deposit] = Math.max(8_640, window[deposit])
      max[deposit] = Math.max(1, max[deposit])
      base[deposit] = deposit === row ? Math.min(37, max[deposit]) : 0
      baseTick[deposit] = world.tick + 1
      frac[deposit] = 0
      richness[deposit] = 50
    }
    const left = base[row]
    const drones = Array.from({ length: 15 }, () => deployed(scene, 'mining', 'MINE'))
    scene.small.ticks(1)
    const pulled = drones.map(oreOf)
    expect(pulled.reduce((sum, units) => sum + units, 0)).toBe(left)
    expect(Math.max(...pulled) - Math.min(...pulled)).toBeLessThanOrEqual(1)
    expect(pulled).toEqual([...pulled].sort((a, b) => b - a))
    expect(base[row]).toBe(0)
  })
})

describe('DEPOSIT', () => {
  test('moves the whole hold into the store of the owner and logs it', () => {
    drone = deployed(scene, 'mining', 'DEPOSIT', scene.port)
    load(drone, 30)
    scene.small.ticks(1)
    const base = world.read(Poi).base[scene.port]
    expect(unitsIn(world, lockerOf(world, scene.owner, base), iron)).toBe(30)
    expect(show(scene, drone).cargo_used).toBe(0)
    expect(xp()).toBe(5)
    const log = JSON.stringify(world.outbox.writes)
    expect(log).toContain('drone.deposit')
  })

  test('fails without a base, and with nothing to store', () => {
    drone = deployed(scene, 'mining', 'DEPOSIT')
    load(drone, 3)
    const empty = deployed(scene, 'mining', 'DEPOSIT', scene.port)
    scene.small.ticks(1)
    expect(show(scene, drone).cargo_used).toBe(3)
    expect(show(scene, empty).cargo_used).toBe(0)
    expect(xp()).toBe(0)
  })
})

describe('TRANSFER', () => {
  test('moves as much as fits into the hold of the owner, docked or not', () => {
    drone = deployed(scene, 'mining', 'TRANSFER', scene.port)
    load(drone, 30)
    dock(world, scene.owner, scene.port)
    const ship = shipOf(world, scene.owner)
    const { cargoCap, cargoUsed, hold } = world.read(Ship)
    give(world, scene.owner, 'fuel_cell', cargoCap[ship] - cargoUsed[ship] - 10)
    scene.small.ticks(1)
    expect(unitsIn(world, hold[ship], iron)).toBe(10)
    expect(show(scene, drone).cargo_used).toBe(20)
    scene.small.ticks(1)
    expect(show(scene, drone).cargo_used).toBe(20)
    expect(xp()).toBe(5)
  })

  test('fails when the owner is elsewhere', () => {
    drone = deployed(scene, 'mining', 'TRANSFER')
    load(drone, 5)
    park(world, scene.owner, scene.open)
    scene.small.ticks(1)
    expect(show(scene, drone).cargo_used).toBe(5)
  })
})

test('JETTISON leaves the hold in a container of the owner at the place', () => {
  drone = deployed(scene, 'mining', 'JETTISON')
  load(drone, 7)
  scene.small.ticks(1)
  const row = jettisonContainerAt(world, scene.belt, scene.owner)
  const held = contentsOf(world, world.read(JettisonContainer).container[row])
  expect(held).toEqual([{ item: iron, units: 7 }])
  expect(show(scene, drone).cargo_used).toBe(0)
  scene.small.ticks(1)
  expect(xp()).toBe(5)
})

describe('REPAIR', () => {
  const damage = (player: Row, points: number): void => {
    world.write(Ship).hull[shipOf(world, player)] -= points
  }
  const missing = (player: Row): number => {
    const { hull, hullMax } = world.read(Ship)
    return hullMax[shipOf(world, player)] - hull[shipOf(world, player)]
  }

  test('repairs 5 hull a tick, raised by drone control, up to the maximum', () => {
    drone = deployed(scene, 'repair', 'REPAIR "owner"')
    damage(scene.owner, 10)
    scene.small.ticks(1)
    expect(missing(scene.owner)).toBe(4)
    scene.small.ticks(1)
    expect(missing(scene.owner)).toBe(0)
    scene.small.ticks(1)
    expect(xp()).toBe(10)
  })

  test('repairs the ship of a player given by id or name', () => {
    damage(scene.other, 20)
    drone = deployed(scene, 'repair', `REPAIR "${playerId(world, scene.other)}"`)
    deployed(scene, 'repair', 'REPAIR "Tester 2"')
    scene.small.ticks(1)
    expect(missing(scene.other)).toBe(8)
  })

  test('fails for docked, distant and unknown ships, and without an ally', () => {
    for (const target of ['owner', 'nearest_ally', 'nobody at all']) {
      drone = deployed(scene, 'repair', `REPAIR "${target}"`, scene.port)
    }
    damage(scene.owner, 10)
    dock(world, scene.owner, scene.port)
    scene.small.ticks(1)
    expect(missing(scene.owner)).toBe(10)
    park(world, scene.owner, scene.belt)
    scene.small.ticks(1)
    expect(missing(scene.owner)).toBe(10)
    expect(xp()).toBe(0)
  })
})

/** Makes a wreck of a loaded ship at the belt. */
function wreckHere(cargo: readonly [string, number][]): Row {
  const ship = boardNewShip(world, scene.other, scene.belt, [], 'almoner')
  for (const [item, units] of cargo) give(world, scene.other, item, units)
  boardNewShip(world, scene.other, scene.open, [], STARTER[0].ship_class)
  removeFromMap(world, ship)
  const wreck = makeWreck(world, {
    ship,
    poi: scene.belt,
    victimId: 'x',
    victimName: 'X',
    killerId: '',
    killerName: '',
    isNpc: true,
  })
  releaseShip(world, ship)
  return wreck
}

describe('LOOT', () => {
  test('takes goods from the oldest wreck here until the hold is full', () => {
    const first = wreckHere([['iron_ore', 40]])
    const second = wreckHere([['iron_ore', 40]])
    drone = deployed(scene, 'salvage', 'LOOT "nearest"')
    scene.small.ticks(1)
    expect(show(scene, drone).cargo_used).toBe(30)
    const { cargo } = world.read(Wreck)
    expect(unitsIn(world, cargo[first], iron)).toBe(10)
    expect(unitsIn(world, cargo[second], iron)).toBe(40)
    scene.small.ticks(1)
    expect(xp()).toBe(5)
  })

  test('takes goods from the wreck it names, and fails for an unknown wreck', () => {
    wreckHere([['iron_ore', 4]])
    const second = wreckHere([['iron_ore', 3]])
    drone = deployed(scene, 'salvage', `LOOT "${wreckId(world, second)}"`)
    const misled = deployed(scene, 'salvage', 'LOOT "nothing"')
    scene.small.ticks(2)
    expect(show(scene, drone).cargo_used).toBe(3)
    expect(show(scene, misled).cargo_used).toBe(0)
    expect(xp()).toBe(5)
  })
})

describe('SALVAGE', () => {
  test('takes a tenth of the value a tick as metal, until nothing is left', () => {
    const wreck = wreckHere([])
    const { value, initialValue } = world.write(Wreck)
    initialValue[wreck] = 1_000
    value[wreck] = 1_000
    drone = deployed(scene, 'salvage', `SALVAGE "${wreckId(world, wreck)}"`)
    scene.small.ticks(1)
    const metal = GOODS[itemIndex('salvage_metal')]
    const units = Math.trunc((Math.trunc(100 / metal.base_value) * 120) / 100)
    expect(show(scene, drone).cargo).toMatchObject([{ item_id: metal.id, quantity: units }])
    expect(value[wreck]).toBe(900)
    write(world, drone, 'IF cargo_full() JETTISON END SALVAGE "nearest"')
    scene.small.ticks(20)
    expect(wrecksAt(world, scene.belt)).toEqual([])
  })

  test('fails with a full hold, and with no wreck here', () => {
    drone = deployed(scene, 'salvage', 'SALVAGE "nearest"')
    scene.small.ticks(1)
    load(drone, 30)
    const wreck = wreckHere([])
    const before = world.read(Wreck).value[wreck]
    scene.small.ticks(1)
    expect(world.read(Wreck).value[wreck]).toBe(before)
    expect(xp()).toBe(0)
  })
})
