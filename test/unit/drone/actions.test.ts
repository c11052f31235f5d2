/** What drones do when their scripts say so, and when it fails. Source: drones.md section 3.6. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, type ItemRow, itemIndex, STARTER } from '../../../core/catalog/index.ts'
import { contentsOf, namedContainer, unitsIn } from '../../../core/goods.ts'
import type { Row, World } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { jettisonContainerAt, lockerOf } from '../../../systems/cargo/model.ts'
import { JettisonContainer } from '../../../systems/cargo/state.ts'
import { stow } from '../../../systems/drone/actions-systems.ts'
import { droneYield } from '../../../systems/drone/kernels.ts'
import { Drone } from '../../../systems/drone/state.ts'
import { depositsOf, unitsRemaining } from '../../../systems/mining/model.ts'
import { Deposit } from '../../../systems/mining/state.ts'
import { makeWreck } from '../../../systems/salvage/make-rules.ts'
import { wreckId, wrecksAt } from '../../../systems/salvage/model.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { seesPoi } from '../../../systems/sensing/model.ts'
import { releaseShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { poiId, poisOf } from '../../../systems/travel/model.ts'
import { removeFromMap } from '../../../systems/travel/rules.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { counted } from '../achievement/scene.ts'
import {
  deployed,
  dock,
  fly,
  give,
  idOf,
  park,
  placeId,
  shipOf,
  show,
  stockUp,
  teach,
  teachDrones,
  payloadsOf,
  write,
  type Yard,
  yard,
} from './scene.ts'

let at: Yard
let world: World
let drone: Row
beforeEach(async () => {
  at = await yard()
  world = at.world
  teachDrones(world, at.owner)
  stockUp(world, at.belt)
  at.small.takeEmissions()
})

const xp = (): number => xpOf(world, at.owner, 'drone_control')
const oreOf = (row: Row): number =>
  show(at, row).cargo.reduce((sum, { quantity }) => sum + quantity, 0)
const iron = itemIndex('iron_ore')
const load = (row: Row, units: number, item = iron): void =>
  stow(world, row, namedContainer('supply'), { item, units })

describe('MOVE', () => {
  test('takes the ticks of its type, whatever the distance, and trains', () => {
    drone = deployed(at, 'mining', `MOVE "${placeId(at, at.port)}"`)
    at.small.ticks(1)
    expect(show(at, drone)).toMatchObject({ status: 'traveling', travel_ticks: 6 })
    expect(xp()).toBe(5)
    expect(counted(world, at.owner, 'drone_actions')).toBe(1)
    at.small.ticks(5)
    expect(show(at, drone)).toMatchObject({ status: 'traveling', travel_ticks: 1 })
    at.small.ticks(1)
    expect(show(at, drone)).toMatchObject({ status: 'running', poi_id: placeId(at, at.port) })
    expect(xp()).toBe(5)
  })

  test('fails where it is already, elsewhere, out of the system and where nothing is known', () => {
    const elsewhere = poisOf(world, at.system === 1 ? 2 : 1)[0]
    world.write(Poi).hidden[at.open] = 1
    for (const to of [
      placeId(at, at.belt),
      'nowhere',
      poiId(world, elsewhere),
      placeId(at, at.open),
    ]) {
      drone = deployed(at, 'scout', `MOVE "${to}"`)
      at.small.ticks(1)
      expect(show(at, drone).status, to).toBe('running')
    }
    expect(xp()).toBe(0)
  })
})

describe('MINE', () => {
  test('mines with power 3, raised by drone control, into its hold, and notifies the owner', () => {
    drone = deployed(at, 'mining', 'MINE')
    at.small.ticks(1)
    const [payload] = payloadsOf(at, 'mining_yield')
    expect(payload).toMatchObject({
      kind: 'yield',
      drone_id: idOf(at, drone),
      quantity: oreOf(drone),
    })
    const row = depositsOf(world, at.belt).find((deposit) => {
      const good = GOODS[world.read(Deposit).item[deposit]]
      return good.id === payload.resource_id
    }) as Row
    const richness = world.read(Deposit).richness[row]
    expect(oreOf(drone)).toBe(droneYield(3, richness, 20))
    expect(unitsRemaining(world, row)).toBe(payload.remaining)
    expect(xp()).toBe(5)
  })

  test('stops at a full hold', () => {
    drone = deployed(at, 'mining', 'MINE')
    at.small.ticks(40)
    expect(show(at, drone)).toMatchObject({ cargo_used: 50, cargo_capacity: 50 })
    const before = xp()
    at.small.ticks(3)
    expect(xp()).toBe(before)
  })

  test('fails where there is nothing', () => {
    drone = deployed(at, 'mining', 'MINE', at.open)
    at.small.ticks(2)
    expect(show(at, drone).cargo_used).toBe(0)
    expect(xp()).toBe(0)
  })

  test('of many shares what there is by their numbers: no unit too many', () => {
    const [row] = depositsOf(world, at.belt)
    const { base, max, baseTick, frac, unlimited, richness, window } = world.write(Deposit)
    for (const other of depositsOf(world, at.belt)) {
      unlimited[other] = 0
      window[other] = Math.max(8_640, window[other])
      max[other] = Math.max(1, max[other])
      base[other] = other === row ? Math.min(37, max[other]) : 0
      baseTick[other] = world.tick + 1
      frac[other] = 0
      richness[other] = 50
    }
    const left = base[row]
    const drones = Array.from({ length: 15 }, () => deployed(at, 'mining', 'MINE'))
    at.small.ticks(1)
    const pulled = drones.map(oreOf)
    expect(pulled.reduce((sum, units) => sum + units, 0)).toBe(left)
    expect(Math.max(...pulled) - Math.min(...pulled)).toBeLessThanOrEqual(1)
    expect(pulled).toEqual([...pulled].sort((a, b) => b - a))
    expect(base[row]).toBe(0)
  })
})

describe('DEPOSIT', () => {
  test('puts the whole hold into the store of the owner, and into the action log', () => {
    drone = deployed(at, 'mining', 'DEPOSIT', at.port)
    load(drone, 30)
    at.small.ticks(1)
    const base = world.read(Poi).base[at.port]
    expect(unitsIn(world, lockerOf(world, at.owner, base), iron)).toBe(30)
    expect(show(at, drone).cargo_used).toBe(0)
    expect(xp()).toBe(5)
    const log = JSON.stringify(world.outbox.writes)
    expect(log).toContain('drone.deposit')
  })

  test('fails without a base, and with nothing to store', () => {
    drone = deployed(at, 'mining', 'DEPOSIT')
    load(drone, 3)
    const empty = deployed(at, 'mining', 'DEPOSIT', at.port)
    at.small.ticks(1)
    expect(show(at, drone).cargo_used).toBe(3)
    expect(show(at, empty).cargo_used).toBe(0)
    expect(xp()).toBe(0)
  })
})

describe('TRANSFER', () => {
  test('moves into the hold of the owner as much as fits, docked or not', () => {
    drone = deployed(at, 'mining', 'TRANSFER', at.port)
    load(drone, 30)
    dock(world, at.owner, at.port)
    const ship = shipOf(world, at.owner)
    const { cargoCap, cargoUsed, hold } = world.read(Ship)
    give(world, at.owner, 'fuel_cell', cargoCap[ship] - cargoUsed[ship] - 10)
    at.small.ticks(1)
    expect(unitsIn(world, hold[ship], iron)).toBe(10)
    expect(show(at, drone).cargo_used).toBe(20)
    at.small.ticks(1)
    expect(show(at, drone).cargo_used).toBe(20)
    expect(xp()).toBe(5)
  })

  test('fails when the owner is elsewhere', () => {
    drone = deployed(at, 'mining', 'TRANSFER')
    load(drone, 5)
    park(world, at.owner, at.open)
    at.small.ticks(1)
    expect(show(at, drone).cargo_used).toBe(5)
  })
})

test('JETTISON leaves the hold in a container of the owner at the place', () => {
  drone = deployed(at, 'mining', 'JETTISON')
  load(drone, 7)
  at.small.ticks(1)
  const row = jettisonContainerAt(world, at.belt, at.owner)
  const held = contentsOf(world, world.read(JettisonContainer).container[row])
  expect(held).toEqual([{ item: iron, units: 7 }])
  expect(show(at, drone).cargo_used).toBe(0)
  at.small.ticks(1)
  expect(xp()).toBe(5)
})

describe('REPAIR', () => {
  const wound = (player: Row, points: number): void => {
    world.write(Ship).hull[shipOf(world, player)] -= points
  }
  const missing = (player: Row): number => {
    const { hull, hullMax } = world.read(Ship)
    return hullMax[shipOf(world, player)] - hull[shipOf(world, player)]
  }

  test('mends 5 hull a tick, raised by drone control, and only what is missing', () => {
    drone = deployed(at, 'repair', 'REPAIR "owner"')
    wound(at.owner, 10)
    at.small.ticks(1)
    expect(missing(at.owner)).toBe(4)
    at.small.ticks(1)
    expect(missing(at.owner)).toBe(0)
    at.small.ticks(1)
    expect(xp()).toBe(10)
  })

  test('mends a player by id or name', () => {
    wound(at.other, 20)
    drone = deployed(at, 'repair', `REPAIR "${playerId(world, at.other)}"`)
    deployed(at, 'repair', 'REPAIR "Tester 2"')
    at.small.ticks(1)
    expect(missing(at.other)).toBe(8)
  })

  test('fails for a docked ship, one elsewhere, one unknown, and when nobody is an ally', () => {
    for (const whom of ['owner', 'nearest_ally', 'nobody at all']) {
      drone = deployed(at, 'repair', `REPAIR "${whom}"`, at.port)
    }
    wound(at.owner, 10)
    dock(world, at.owner, at.port)
    at.small.ticks(1)
    expect(missing(at.owner)).toBe(10)
    park(world, at.owner, at.belt)
    at.small.ticks(1)
    expect(missing(at.owner)).toBe(10)
    expect(xp()).toBe(0)
  })
})

/** Makes a wreck of a loaded ship at the belt. */
function wreckHere(cargo: readonly [string, number][]): Row {
  const ship = fly(world, at.other, at.belt, [], 'almoner')
  for (const [item, units] of cargo) give(world, at.other, item, units)
  fly(world, at.other, at.open, [], STARTER[0].ship_class)
  removeFromMap(world, ship)
  const wreck = makeWreck(world, {
    ship,
    poi: at.belt,
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
    drone = deployed(at, 'salvage', 'LOOT "nearest"')
    at.small.ticks(1)
    expect(show(at, drone).cargo_used).toBe(30)
    const { cargo } = world.read(Wreck)
    expect(unitsIn(world, cargo[first], iron)).toBe(10)
    expect(unitsIn(world, cargo[second], iron)).toBe(40)
    at.small.ticks(1)
    expect(xp()).toBe(5)
  })

  test('takes from the wreck it names; fails for one that is not here', () => {
    wreckHere([['iron_ore', 4]])
    const second = wreckHere([['iron_ore', 3]])
    drone = deployed(at, 'salvage', `LOOT "${wreckId(world, second)}"`)
    const other = deployed(at, 'salvage', 'LOOT "nothing"')
    at.small.ticks(2)
    expect(show(at, drone).cargo_used).toBe(3)
    expect(show(at, other).cargo_used).toBe(0)
    expect(xp()).toBe(5)
  })
})

describe('SALVAGE', () => {
  test('takes a tenth of the value a tick as metal, until nothing is left', () => {
    const wreck = wreckHere([])
    const { value, initialValue } = world.write(Wreck)
    initialValue[wreck] = 1_000
    value[wreck] = 1_000
    drone = deployed(at, 'salvage', `SALVAGE "${wreckId(world, wreck)}"`)
    at.small.ticks(1)
    const metal = GOODS[itemIndex('salvage_metal')]
    const units = Math.trunc((Math.trunc(100 / metal.base_value) * 120) / 100)
    expect(show(at, drone).cargo).toMatchObject([{ item_id: metal.id, quantity: units }])
    expect(value[wreck]).toBe(900)
    write(world, drone, 'IF cargo_full() JETTISON END SALVAGE "nearest"')
    at.small.ticks(20)
    expect(wrecksAt(world, at.belt)).toEqual([])
  })

  test('fails with a full hold, and with no wreck here', () => {
    drone = deployed(at, 'salvage', 'SALVAGE "nearest"')
    at.small.ticks(1)
    load(drone, 30)
    const wreck = wreckHere([])
    const before = world.read(Wreck).value[wreck]
    at.small.ticks(1)
    expect(world.read(Wreck).value[wreck]).toBe(before)
    expect(xp()).toBe(0)
  })
})

describe('SCAN', () => {
  test('reports players visible at the place: drone_scan, and trains', () => {
    drone = deployed(at, 'scout', 'SCAN')
    at.small.ticks(1)
    const [payload] = payloadsOf(at, 'drone_scan')
    expect(payload).toMatchObject({ drone_id: idOf(at, drone), poi_id: placeId(at, at.belt) })
    expect(payload.players).toEqual([
      { id: playerId(world, at.other), username: 'Tester 2', hull_pct: 100 },
    ])
    expect(xp()).toBe(5)
  })

  test('shows no cloaked player, and no name of an anonymous one', () => {
    drone = deployed(at, 'scout', 'SCAN')
    world.write(Player).anonymous[at.other] = 1
    at.small.ticks(1)
    expect(payloadsOf(at, 'drone_scan')[0].players).toEqual([
      { id: '', username: '', hull_pct: 100 },
    ])
    world.write(Player).cloaked[at.other] = 1
    at.small.ticks(1)
    expect(payloadsOf(at, 'drone_scan')[0].players).toEqual([])
  })
})

test('SURVEY reveals what power 10 and the scanning of the owner reach: drone_survey', () => {
  const { hidden, difficulty } = world.write(Poi)
  hidden[at.open] = 1
  difficulty[at.open] = 12
  drone = deployed(at, 'scout', 'SURVEY')
  at.small.ticks(1)
  expect(seesPoi(world, at.owner, at.open)).toBe(false)
  const [own] = payloadsOf(at, 'drone_survey')
  expect(own).toMatchObject({ drone_id: idOf(at, drone), poi_id: placeId(at, at.belt) })
  expect((own.resources as unknown[]).length).toBe(depositsOf(world, at.belt).length)
  teach(world, at.owner, 'scanning', 20)
  at.small.ticks(1)
  expect(seesPoi(world, at.owner, at.open)).toBe(true)
  expect(seesPoi(world, at.other, at.open)).toBe(false)
  expect(payloadsOf(at, 'drone_survey').map(({ poi_id }) => poi_id)).toContain(placeId(at, at.open))
  at.small.ticks(1)
  expect(payloadsOf(at, 'drone_survey').length).toBe(1)
})

test('an owner who is away for 1,000 ticks has a store that grows', () => {
  const [belt, port] = [placeId(at, at.belt), placeId(at, at.port)]
  const source =
    `IF at("${port}") IF cargo_pct() > 0 DEPOSIT END MOVE "${belt}" END\n` +
    `IF cargo_full() MOVE "${port}" END\nMINE`
  drone = deployed(at, 'mining', source)
  park(world, at.owner, at.open)
  const base = world.read(Poi).base[at.port]
  const stored = (): number => {
    const locker = lockerOf(world, at.owner, base)
    return locker === 0 ? 0 : contentsOf(world, locker).reduce((sum, { units }) => sum + units, 0)
  }
  at.small.ticks(500)
  const half = stored()
  expect(half).toBeGreaterThan(100)
  at.small.ticks(500)
  expect(stored()).toBeGreaterThan(half + 100)
  expect(world.read(Drone).alive[drone]).toBe(1)
})

test('drone control is trained by 2,000 points a day at most, five an action', () => {
  drone = deployed(at, 'scout', 'SCAN')
  for (let i = 0; i < 14; i++) deployed(at, 'scout', 'SCAN')
  at.small.ticks(30)
  expect(world.read(Drone).running[drone]).toBe(1)
  expect(xp()).toBe(2_000)
})

test('catalogue: the five drones are items', () => {
  const ids = GOODS.filter((good) => (good as ItemRow).category === 'drone').map(({ id }) => id)
  expect(ids.length).toBe(5)
})
