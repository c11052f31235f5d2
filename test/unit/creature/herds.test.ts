/** Herds: grazing, hunger, migration and births. Source: mining.md section 4. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HABITATS } from '../../../core/catalog/creature-row.ts'
import { CREATURES, creatureIndex, itemIndex } from '../../../core/catalog/index.ts'
import { rowsOf } from '../../../core/columns.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import {
  foodAt,
  MOVE_AFTER_TURNS,
  playTurn,
  STARVE_AFTER_TURNS,
  TURN_TICKS,
} from '../../../systems/creature/herds-systems.ts'
import { creatures, membersOf } from '../../../systems/creature/model.ts'
import { Creature, Herd } from '../../../systems/creature/state.ts'
import { addMember, habitatOf, hasRoom, kindsAt } from '../../../systems/creature/systems.ts'
import { renderWildlife } from '../../../systems/creature/views.ts'
import { depositsOf, unitsRemaining } from '../../../systems/mining/model.ts'
import { Deposit } from '../../../systems/mining/state.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { Location, Poi, StarSystem, TRAVELLING } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { empty, idOf, putAt, stray, wildWorld } from './scene.ts'

const HARE = creatureIndex('ore_hare')

let small: SmallWorld
let world: World
let given: Set<Eid>
beforeAll(async () => {
  small = await wildWorld()
  world = small.world
  given = new Set()
})

/** Returns a system with two belts where hares find food, and a herd of three at the first. */
function pasture(): { system: Eid; belts: Eid[]; herd: Row } {
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    const belts = poisOf(world, system).filter(
      (poi) =>
        ['asteroid_belt', 'asteroid'].includes(habitatOf(world, poi) ?? '') &&
        foodAt(world, HARE, poi) > 0,
    )
    if (given.has(system) || belts.length < 2) continue
    given.add(system)
    empty(world, system)
    const herd = world.take(Herd)
    const row = world.write(Herd)
    row.system[herd] = system
    row.poi[herd] = belts[0]
    row.kind[herd] = HARE
    row.size[herd] = 5
    for (let i = 0; i < 3; i++) addMember(world, herd)
    return { system, belts, herd }
  }
  throw new Error('no pasture is left')
}

/** Empties all deposits of a place, and keeps them from growing back soon. */
function strip(poi: Eid): void {
  const { base, baseTick, frac, max, window } = world.write(Deposit)
  for (const deposit of depositsOf(world, poi)) {
    base[deposit] = 0
    frac[deposit] = 0
    max[deposit] = 1
    window[deposit] = 200_000
    baseTick[deposit] = world.tick
  }
}

const foodOf = (poi: Eid): number =>
  depositsOf(world, poi).reduce((sum, row) => sum + unitsRemaining(world, row), 0)

describe('a herd', () => {
  let herd: Row
  let belts: Eid[]
  let system: Eid
  beforeEach(() => {
    ;({ herd, belts, system } = pasture())
  })

  test('eats from the deposits of its place in its turn', () => {
    const before = foodOf(belts[0])
    playTurn(world, herd)
    expect(foodOf(belts[0])).toBe(before - 3 * CREATURES[HARE].appetite)
    expect(world.read(Herd).hunger[herd]).toBe(0)
  })

  test('has a turn every 360 ticks', () => {
    const row = world.write(Herd)
    let dueHerd = herd
    while (dueHerd % TURN_TICKS !== (world.tick + 2) % TURN_TICKS) {
      dueHerd = world.take(Herd)
      row.system[dueHerd] = system
      row.poi[dueHerd] = belts[0]
    }
    row.kind[dueHerd] = HARE
    row.size[dueHerd] = 2
    small.ticks(1)
    expect(row.count[dueHerd]).toBe(0)
    small.ticks(1)
    expect(row.count[dueHerd]).toBe(1)
    small.ticks(1)
    expect(row.count[dueHerd]).toBe(1)
  })

  test('grows by a member each turn while it is fed, up to its size', () => {
    for (const expected of [4, 5, 5]) {
      playTurn(world, herd)
      expect(world.read(Herd).count[herd]).toBe(expected)
    }
    expect(membersOf(world, herd).length).toBe(5)
  })

  test('without members gains one in its turn', () => {
    empty(world, system)
    expect(world.read(Herd).count[herd]).toBe(0)
    playTurn(world, herd)
    expect(world.read(Herd).count[herd]).toBe(1)
  })

  test('moves to a place with food after several hungry turns', () => {
    strip(belts[0])
    for (let turn = 1; turn < MOVE_AFTER_TURNS; turn++) playTurn(world, herd)
    expect(world.read(Herd).poi[herd]).toBe(belts[0])
    playTurn(world, herd)
    expect(belts.slice(1)).toContain(world.read(Herd).poi[herd])
    const { ship } = world.read(Creature)
    const { state } = world.read(Location)
    for (const member of membersOf(world, herd)) expect(state[ship[member]]).toBe(TRAVELLING)
    small.ticks(60)
    const { poi } = world.read(Location)
    for (const member of membersOf(world, herd)) {
      expect(poi[ship[member]]).toBe(world.read(Herd).poi[herd])
    }
    playTurn(world, herd)
    expect(world.read(Herd).hunger[herd]).toBe(0)
  })

  test('never moves to a deposit that cannot run out', () => {
    for (const poi of poisOf(world, system)) strip(poi)
    const { unlimited } = world.write(Deposit)
    const [deposit] = depositsOf(world, belts[1])
    unlimited[deposit] = 1
    for (let turn = 1; turn <= MOVE_AFTER_TURNS; turn++) playTurn(world, herd)
    expect(world.read(Herd).poi[herd]).toBe(belts[0])
    unlimited[deposit] = 0
  })

  test('without food in its system loses a member each turn in the end', () => {
    for (const poi of poisOf(world, system)) strip(poi)
    for (let turn = 1; turn < STARVE_AFTER_TURNS; turn++) playTurn(world, herd)
    expect(world.read(Herd).count[herd]).toBe(3)
    for (const expected of [2, 1, 0, 0]) {
      playTurn(world, herd)
      expect(world.read(Herd).count[herd]).toBe(expected)
    }
  })

  test('continues identically after a restart', async () => {
    const restored = await small.reload()
    expect(restored.hash()).toBe(small.hash())
    small.ticks(3)
    restored.ticks(3)
    expect(restored.hash()).toBe(small.hash())
  })

  test('is counted by species in the survey of a system', () => {
    const row = renderWildlife(world, system).find(({ species }) => species === 'ore_hare')
    expect(row).toMatchObject({ name: 'Ore Hare', role: 'grazer', abundance: 'scarce' })
    expect(row?.estimate).toBeGreaterThanOrEqual(3)
  })
})

describe('a new world', () => {
  test('has herds only of kinds that can live at their place, none above its size', () => {
    const { poi, kind, count, size, system } = world.read(Herd)
    for (let herd = 1; herd <= world.highOf(Herd); herd++) {
      if (!given.has(system[herd])) {
        expect(kindsAt(world, poi[herd])).toContain(kind[herd])
      }
      expect(count[herd]).toBeLessThanOrEqual(size[herd])
    }
    expect(world.highOf(Herd)).toBeGreaterThan(50)
    expect(creatures(world).length).toBeGreaterThan(100)
  })

  test('has no kinds that can live at bases and hidden places', () => {
    const { hidden, base } = world.read(Poi)
    for (let poi = 1; poi <= world.highOf(Poi); poi++) {
      if (hidden[poi] === 1 || base[poi] !== 0) expect(kindsAt(world, poi)).toEqual([])
    }
  })

  test('has no more creatures than a fifth of the ships', async () => {
    const { world: own } = await smallWorld({ maxEntities: 2_000 })
    expect(own.countOf(Creature)).toBeLessThanOrEqual(400)
    expect(own.countOf(Creature)).toBeLessThanOrEqual(rowsOf(Creature, own.maxEntities))
    expect(hasRoom(own)).toBe(false)
  })
})

describe('the catalogue of creatures', () => {
  test('has at least 25 kinds, with unique ids and names, and drops that exist', () => {
    expect(CREATURES.length).toBeGreaterThanOrEqual(25)
    expect(new Set(CREATURES.map(({ id }) => id)).size).toBe(CREATURES.length)
    expect(new Set(CREATURES.map(({ name }) => name)).size).toBe(CREATURES.length)
    for (const { drops, habitats, hull, speed, herd, lore } of CREATURES) {
      expect(habitats.length).toBeGreaterThan(0)
      for (const habitat of habitats) expect(HABITATS).toContain(habitat)
      for (const { items } of drops) for (const id of items) expect(itemIndex(id)).not.toBe(-1)
      expect(hull).toBeGreaterThan(0)
      expect(speed).toBeGreaterThanOrEqual(1)
      expect(herd[0]).toBeLessThanOrEqual(herd[1])
      expect(lore.length).toBeGreaterThan(20)
    }
    expect(
      CREATURES.filter(({ role }) => role === 'apex').every(({ guns }) => guns.length === 1),
    ).toBe(true)
  })
})

describe('get_nearby', () => {
  test('lists the creatures of a place, with their hulls', () => {
    const { belts } = pasture()
    const pilot = small.join(`Watcher ${small.players.length}`)
    putAt(world, pilot, belts[1])
    empty(world, world.read(Poi).system[belts[1]])
    const beast = stray(world, 'rust_hyena', belts[1])
    expect(small.ask(pilot, 'get_nearby')).toMatchObject({
      ok: true,
      result: {
        creature_count: 1,
        creatures: [
          {
            creature_id: idOf(world, beast),
            name: 'Rust Hyena',
            species: 'rust_hyena',
            role: 'scavenger',
            hull: 140,
            max_hull: 140,
            in_combat: false,
          },
        ],
      },
    })
  })
})
