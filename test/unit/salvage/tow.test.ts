/** Towing of wrecks and own ships: effects, refusals and ends. Source: salvage.md 4, 8. */
import { beforeEach, describe, expect, test } from 'vitest'
import { SHIP_CLASSES, shipClassIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { makeDebris } from '../../../systems/salvage/make-rules.ts'
import { towPenaltyPct, wrecksAt } from '../../../systems/salvage/model.ts'
import { Tow, Wreck } from '../../../systems/salvage/state.ts'
import { dropTow } from '../../../systems/salvage/tow-rules.ts'
import { loadCargo, shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { flightOf, jumpTicks, travelTicks } from '../../../systems/travel/flight-model.ts'
import { neighboursOf, poiId, systemId } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { Location, Poi, StarSystem } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { hullOf, open } from '../combat/scene.ts'
import { beside, hullOfScale, ORE, type Yard } from './stage.ts'

onSmallMap()

const SMALL = hullOfScale(1)
const TUG = 'tugboat'
let yard: Yard

beforeEach(async () => {
  yard = await beside()
})

/** Makes a player with a wreck in tow. */
function towing(player: Eid = yard.one, shipClass?: string) {
  yard.tug(player, shipClass)
  const wreck = yard.wreck({ ore: 4, shipClass: SMALL })
  const outcome = yard.act(player, 'tow_wreck', { wreck_id: wreck.id })
  expect(outcome).toMatchObject({ ok: true })
  return { ...wreck, outcome, ship: hullOf(yard.world, player) }
}

const code = (player: Eid, command: string, params: object = {}) => {
  const outcome = yard.act(player, command, params)
  return outcome.ok ? 'ok' : outcome.code
}

const towOf = (ship: Eid) => {
  const { wreck, ship: towed, pct } = yard.world.read(Tow)
  return { wreck: wreck[ship], ship: towed[ship], pct: pct[ship] }
}
const NO_TOW = { wreck: 0, ship: 0, pct: 0 }

describe('tow_wreck', () => {
  test('removes the wreck from its place and ties it to the ship', () => {
    const { world, small, one, two, poi } = yard
    const { row, id, outcome, ship } = towing()
    expect(outcome).toMatchObject({
      result: {
        action: 'tow_wreck',
        wreck_id: id,
        ship_class: SMALL,
        cargo_count: 4,
        module_count: 0,
        insured: false,
        speed_penalty: '50%',
      },
    })
    expect(towOf(ship)).toEqual({ wreck: row, ship: 0, pct: 50 })
    expect(wrecksAt(world, poi)).toEqual([])
    expect(yard.wrecks(two)).toEqual([])
    expect(yard.wrecks(one).map((wreck) => wreck.id)).toEqual([id])
    const { result } = small.ask(one, 'get_status') as { result: { player: object } }
    expect(result.player).toMatchObject({ towing_wreck_id: id })
  })

  test('costs less speed with an advanced rig or a tug', () => {
    const { world, one } = yard
    expect(towPenaltyPct(world, yard.tug(one))).toBe(50)
    expect(towPenaltyPct(world, yard.tug(one, undefined, ['tow_rig_advanced']))).toBe(30)
    const both = yard.tug(one, undefined, ['tow_rig_basic', 'tow_rig_advanced'])
    expect(towPenaltyPct(world, both)).toBe(30)
    const bonus = SHIP_CLASSES[shipClassIndex(TUG)].tow_speed_bonus
    expect(bonus).toBeGreaterThan(0)
    expect(towPenaltyPct(world, yard.tug(one, TUG))).toBe(50 - bonus)
    expect(towPenaltyPct(world, yard.tug(one, undefined, []))).toBe(-1)
  })

  test('a salvager hull of a higher tier lowers the tow penalty more', () => {
    const hulls = SHIP_CLASSES.filter(({ category }) => category === 'salvage')
    const bonuses = hulls.map(({ tier, tow_speed_bonus }) => [tier, tow_speed_bonus])
    expect(new Map(bonuses as [number, number][])).toEqual(
      new Map(hulls.map(({ tier }) => [tier, 15 + 5 * tier])),
    )
    expect(hulls.length).toBeGreaterThan(5)
  })

  test('slows travel and jumps', () => {
    const { world, small, one, poi } = yard
    const { ship } = towing()
    const free = { ...flightOf(world, ship), towPct: 0 }
    const { x, y } = world.read(Poi)
    const there = open(world, yard.system)[1]
    const way = Math.hypot(x[poi] - x[there], y[poi] - y[there])
    expect(travelTicks(flightOf(world, ship), 100_000)).toBe(2 * travelTicks(free, 100_000))
    expect(jumpTicks(flightOf(world, ship))).toBeGreaterThanOrEqual(jumpTicks(free))
    small.tick({ player: one, command: 'travel', params: { target_poi: poiId(world, there) } })
    const { departTick, arriveTick } = world.read(Location)
    expect(arriveTick[ship] - departTick[ship]).toBe(
      travelTicks(flightOf(world, ship), Math.floor(way)),
    )
  })

  test('a ship of speed 4 with a basic rig flies 2 AU a tick and jumps in 5', () => {
    const flight = { speed: 4, scale: 1, fuelEfficiencyPct: 0, navigation: 0, towPct: 50 }
    expect(travelTicks(flight, 8_000)).toBe(4)
    expect(jumpTicks(flight)).toBe(5)
    expect(jumpTicks({ ...flight, speed: 1 })).toBe(6)
    expect(travelTicks({ ...flight, speed: 1, towPct: 90 }, 1_000)).toBe(4)
  })

  test('is refused for wrecks that cannot be towed and ships that cannot tow', () => {
    const { world, one, two, poi } = yard
    const big = yard.wreck({ shipClass: hullOfScale(3) })
    const { id } = yard.wreck({ shipClass: SMALL })
    expect(code(one, 'tow_wreck', { wreck_id: 'none' })).toBe('wreck_not_found')
    expect(code(one, 'tow_wreck', { wreck_id: id })).toBe('no_tow_rig')
    yard.tug(one)
    expect(code(one, 'tow_wreck', { wreck_id: big.id })).toBe('too_large')
    const known = { victimId: '', victimName: '', killerId: '', killerName: '' }
    makeDebris(world, { poi, name: 'Old Dock', ...known }, 900)
    const debris = yard.wrecks(one).find((wreck) => wreck.type === 'debris')
    expect(code(one, 'tow_wreck', { wreck_id: debris?.id })).toBe('not_towable')
    world.write(Player).cloaked[one] = 1
    expect(code(one, 'tow_wreck', { wreck_id: id })).toBe('cloaked')
    world.write(Player).cloaked[one] = 0
    expect(code(one, 'tow_wreck', { wreck_id: id })).toBe('ok')
    expect(code(one, 'tow_wreck', { wreck_id: id })).toBe('already_towing')
    const next = yard.wreck({ shipClass: SMALL })
    expect(code(one, 'tow_wreck', { wreck_id: next.id })).toBe('already_towing')
    yard.tug(two)
    expect(code(two, 'tow_wreck', { wreck_id: id })).toBe('already_towed')
    placeInSpace(world, hullOf(world, one), open(world, yard.system)[1])
    expect(code(two, 'tow_wreck', { wreck_id: id })).toBe('wreck_not_found')
  })

  test('ties the wreck to the first of two ships in one tick', () => {
    const { small, one, two } = yard
    for (const player of [one, two]) yard.tug(player)
    const { id } = yard.wreck({ shipClass: SMALL })
    const params = { wreck_id: id }
    const answers = small.tick(
      { player: one, command: 'tow_wreck', params },
      { player: two, command: 'tow_wreck', params },
    )
    const codes = [...answers.values()].map((outcome) => (outcome.ok ? 'ok' : outcome.code))
    expect(codes.sort()).toEqual(['already_towed', 'ok'])
  })

  test('lets a loot in the same tick succeed only if the loot comes first', () => {
    const seen = new Set<string>()
    for (let round = 0; round < 12 && seen.size < 2; round++) {
      const { small, one, two } = yard
      yard.tug(one)
      const { id } = yard.wreck({ ore: 2, shipClass: SMALL })
      const answers = small.tick(
        { player: one, command: 'tow_wreck', params: { wreck_id: id } },
        { player: two, command: 'loot_wreck', params: { wreck_id: id, item_id: 'iron_ore' } },
      )
      expect(answers.get(one)).toMatchObject({ ok: true })
      const loot = answers.get(two)
      seen.add(loot?.ok ? 'ok' : (loot?.code ?? ''))
    }
    expect([...seen].sort()).toEqual(['already_towed', 'ok'])
  })
})

describe('release_tow', () => {
  test('leaves the wreck at the place of the ship', () => {
    const { world, one, two } = yard
    const { row, id, ship } = towing()
    const there = open(world, yard.system)[1]
    for (const player of [one, two]) placeInSpace(world, hullOf(world, player), there)
    const outcome = yard.act(one, 'release_tow')
    expect(outcome).toMatchObject({ ok: true, result: { action: 'release_tow', wreck_id: id } })
    expect(towOf(ship)).toEqual(NO_TOW)
    expect(wrecksAt(world, there)).toEqual([row])
    expect(yard.wrecks(two).map((wreck) => wreck.id)).toEqual([id])
    expect(code(one, 'release_tow')).toBe('not_towing')
  })

  test('returns the wreck to its position in the list of the place', () => {
    const { world, one, poi } = yard
    const { row } = towing()
    const later = yard.wreck()
    yard.act(one, 'release_tow')
    expect(wrecksAt(world, poi)).toEqual([row, later.row])
  })
})

describe('a tow', () => {
  test('ends at the same place when the tug is destroyed', () => {
    const { world, small, one, two, poi } = yard
    const { row } = towing(two)
    small.act(one, 'attack', { target_id: yard.id(two) })
    yard.doom(two, 'destroyed', one)
    small.ticks(1)
    expect(wrecksAt(world, poi)).toContain(row)
    expect(world.read(Wreck).tug[row]).toBe(0)
    expect(towOf(hullOf(world, two))).toEqual(NO_TOW)
  })

  test('ends where the ship was before an emergency_warp', () => {
    const { world, small, one, two, poi } = yard
    const { row, ship } = towing(two)
    small.act(one, 'attack', { target_id: yard.id(two) })
    yard.doom(two, 'emergency_warp')
    small.ticks(1)
    expect(world.read(Location).system[ship]).not.toBe(yard.system)
    expect(wrecksAt(world, poi)).toContain(row)
    expect(towOf(ship)).toEqual(NO_TOW)
  })

  // The tow would betray a cloaked ship.
  test('ends with an emergency_cloak', () => {
    const { world, small, one, two, poi } = yard
    const { row, ship } = towing(two)
    small.act(one, 'attack', { target_id: yard.id(two) })
    yard.doom(two, 'emergency_cloak')
    small.ticks(1)
    expect(towOf(ship)).toEqual(NO_TOW)
    expect(wrecksAt(world, poi)).toContain(row)
  })

  test('ends after 360 ticks without its pilot, also in a reloaded world', async () => {
    const { world, small, one, poi } = yard
    const { row, ship } = towing()
    const number = world.read(Player).seq[one]
    small.ask(0, 'internal:unbind', { player: number, channel: 'ws' })
    const gone = world.read(Player).goneTick[one]
    world.tick = gone + 358
    small.ticks(1)
    expect(towOf(ship).wreck).toBe(row)
    const twin = await small.reload()
    for (const copy of [small, twin]) copy.ticks(1)
    expect(towOf(ship)).toEqual(NO_TOW)
    expect(wrecksAt(world, poi)).toEqual([row])
    expect(twin.hash()).toBe(small.hash())
  })

  test('lasts until the arrival of a ship whose pilot left under way', () => {
    const { world, small, one } = yard
    const { row, ship } = towing()
    const [lane] = neighboursOf(world, yard.system)
    yard.train(one, 'piloting', 50)
    const params = { target_system: systemId(world, lane.to) }
    small.tick({ player: one, command: 'jump', params })
    expect(world.read(Location).poi[ship]).toBe(0)
    const number = world.read(Player).seq[one]
    small.ask(0, 'internal:unbind', { player: number, channel: 'ws' })
    world.write(Player).goneTick[one] = 1
    expect(towOf(ship).wreck).toBe(row)
    const wait = world.read(Location).arriveTick[ship] - world.tick
    small.ticks(wait)
    expect(world.read(Location).poi[ship]).toBe(world.read(StarSystem).entryPoi[lane.to])
    expect(towOf(ship).wreck).toBe(row)
  })
})

describe('a tow and a dock', () => {
  test('a docked ship keeps its tow, which nobody else can loot', () => {
    const { world, one, two } = yard
    const { row, id, ship } = towing()
    const base = yard.dockAt(one, 'storage')
    dockShip(world, hullOf(world, two), base)
    expect(towOf(ship).wreck).toBe(row)
    expect(yard.wrecks(two)).toEqual([])
    expect(yard.wrecks(one)).toHaveLength(1)
    expect(code(two, 'loot_wreck', { wreck_id: id })).toBe('already_towed')
    const answer = yard.small.answer(one, 'loot_wreck', { wreck_id: id })
    expect([answer.outcome.ok, answer.autoUndocked ?? false]).toEqual([true, false])
  })

  test('release_tow undocks the ship', () => {
    const { small, one } = yard
    towing()
    yard.dockAt(one, 'storage')
    const answer = small.answer(one, 'release_tow')
    expect([answer.outcome.ok, answer.autoUndocked]).toEqual([true, true])
  })
})

describe('a tow of an own ship', () => {
  /** Makes a second ship of the player, stored where they are docked with a tug. */
  function stored(player: Eid, shipClass = SMALL) {
    const { world } = yard
    const tug = yard.tug(player)
    const base = yard.dockAt(player, 'storage')
    const ship = createShip(world, {
      owner: player,
      shipClass: shipClassIndex(shipClass),
      modules: [],
    })
    dockShip(world, ship, base)
    return { tug, base, ship, id: shipId(world, ship) }
  }

  test('begins with withdraw_items and ends with deposit_items', () => {
    const { world, small, one } = yard
    const { tug, base, ship, id } = stored(one)
    const outcome = yard.act(one, 'withdraw_items', { item_id: id, quantity: 1 })
    expect(outcome).toMatchObject({ ok: true, result: { action: 'withdraw_items', ship_id: id } })
    expect(towOf(tug)).toEqual({ wreck: 0, ship, pct: 50 })
    expect(world.read(Location).poi[ship]).toBe(0)
    const { result } = small.ask(one, 'get_status') as { result: { player: object } }
    expect(result.player).toMatchObject({ towing_ship_id: id })
    expect(code(one, 'release_tow')).toBe('not_towing')
    placeInSpace(world, tug, yard.poi)
    const other = yard.dockAt(one, 'storage')
    expect(yard.act(one, 'deposit_items', { item_id: id, quantity: 1 })).toMatchObject({ ok: true })
    expect(towOf(tug)).toEqual(NO_TOW)
    expect(world.read(Location).base[ship]).toBe(other)
    expect(base).toBe(other)
  })

  test('is refused for ships that are elsewhere, too large, active or not owned', () => {
    const { world, one, two } = yard
    const { tug, ship, id } = stored(one)
    const big = createShip(world, {
      owner: one,
      shipClass: shipClassIndex(hullOfScale(3)),
      modules: [],
    })
    const withdraw = (item_id: string, overrides: object = {}) =>
      code(one, 'withdraw_items', { item_id, quantity: 1, ...overrides })
    expect(withdraw(shipId(world, big))).toBe('not_stored_here')
    dockShip(world, big, world.read(Location).base[tug])
    expect(withdraw(shipId(world, big))).toBe('too_large')
    expect(withdraw(shipId(world, tug))).toBe('active_ship')
    expect(withdraw(id, { quantity: 2 })).toBe('invalid_payload')
    expect(withdraw(id, { target: 'Tester 2' })).toBe('invalid_target')
    expect(withdraw(shipId(world, hullOf(world, two)))).toBe('unknown_item')
    expect(code(one, 'deposit_items', { item_id: id, quantity: 1 })).toBe('not_towing')
    expect(withdraw(id)).toBe('ok')
    expect(withdraw(id)).toBe('already_towed')
    dockShip(world, big, world.read(Location).base[tug])
    world.write(Ship).scale[big] = 1
    expect(withdraw(shipId(world, big))).toBe('already_towing')
    expect(towOf(tug).ship).toBe(ship)
  })

  test('needs a tow rig: no_tow_rig', () => {
    const { world, one } = yard
    const { base, id } = stored(one)
    yard.tug(one, undefined, [])
    dockShip(world, hullOf(world, one), base)
    expect(code(one, 'withdraw_items', { item_id: id, quantity: 1 })).toBe('no_tow_rig')
  })

  test('excludes a tow of a wreck', () => {
    const { world, one, poi } = yard
    const { tug, ship, id } = stored(one)
    expect(code(one, 'withdraw_items', { item_id: id, quantity: 1 })).toBe('ok')
    placeInSpace(world, tug, poi)
    const wreck = yard.wreck({ shipClass: SMALL })
    expect(code(one, 'tow_wreck', { wreck_id: wreck.id })).toBe('already_towing')
    expect(towOf(tug)).toMatchObject({ wreck: 0, ship })
  })

  test('destroys the ship with its tug, and both leave a wreck', () => {
    const { world, small, one, two, poi } = yard
    const { tug, ship, id } = stored(two)
    expect(code(two, 'withdraw_items', { item_id: id, quantity: 1 })).toBe('ok')
    placeInSpace(world, tug, poi)
    loadCargo(world, ship, namedContainer('mined'), ORE, 10)
    small.act(one, 'attack', { target_id: yard.id(two) })
    yard.doom(two, 'destroyed', one)
    small.ticks(1)
    expect(world.read(Ship).alive[ship]).toBe(0)
    const wrecks = wrecksAt(world, poi)
    expect(wrecks).toHaveLength(2)
    const classes = wrecks.map((row) => SHIP_CLASSES[world.read(Wreck).class[row]].id)
    expect(classes).toContain(SMALL)
  })

  test('dropped at a base stores the ship, and dropped in space loses it', () => {
    const { world, one, poi } = yard
    const first = stored(one)
    expect(code(one, 'withdraw_items', { item_id: first.id, quantity: 1 })).toBe('ok')
    dropTow(world, first.tug)
    expect(world.read(Location).base[first.ship]).toBe(first.base)
    expect(code(one, 'withdraw_items', { item_id: first.id, quantity: 1 })).toBe('ok')
    placeInSpace(world, first.tug, poi)
    dropTow(world, first.tug)
    yard.small.ticks(1)
    expect(world.read(Ship).alive[first.ship]).toBe(0)
    expect(wrecksAt(world, poi)).toHaveLength(1)
  })
})
