/** Looting and get_wrecks. Source: salvage.md sections 3, 8. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, type ItemRow, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { statOf } from '../../../systems/account/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { containersAt } from '../../../systems/cargo/model.ts'
import { makeCarcass, makeDebris } from '../../../systems/salvage/make-rules.ts'
import { wreckId, wrecksAt } from '../../../systems/salvage/model.ts'
import { Tow, Wreck } from '../../../systems/salvage/state.ts'
import {
  cargoUnits,
  freeSpace,
  loadCargo,
  modulesOf,
  unitsThatFit,
} from '../../../systems/ship/model.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { poiId } from '../../../systems/travel/model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { counted } from '../achievement/scene.ts'
import { baseIn, hullOf, open } from '../combat/scene.ts'
import { beside, hullOfScale, loseAt, ORE, type Yard } from './stage.ts'

onSmallMap()

let yard: Yard

beforeEach(async () => {
  yard = await beside()
})

const GUNS = ['autocannon_i', 'autocannon_i', 'shield_booster_i', 'autocannon_i'] as const
const unitsHeld = (player: number, item: number) =>
  cargoUnits(yard.world, hullOf(yard.world, player), item)

/** Fills the hold of a player except for some free space. */
function fill(player: number, free: number): void {
  const { world } = yard
  const ship = hullOf(world, player)
  const sand = GOODS.findIndex(
    (good) => good.size === 1 && 'category' in good && good.id !== 'iron_ore',
  )
  loadCargo(world, ship, namedContainer('supply'), sand, freeSpace(world, ship) - free)
}

describe('get_wrecks', () => {
  test('lists wrecks and containers of the place, the newest first', () => {
    const { small, world, one, poi } = yard
    const first = yard.wreck({ ore: 4 })
    small.ticks(1)
    loadCargo(world, hullOf(world, one), namedContainer('mined'), ORE, 3)
    yard.act(one, 'jettison', { item_id: 'iron_ore', quantity: 3 })
    small.ticks(1)
    const last = yard.wreck({ ore: 4, modules: GUNS })
    loseAt(world, open(world, yard.system)[1])
    const seen = small.ask(one, 'get_wrecks')
    expect(seen).toMatchObject({ ok: true, result: { action: 'get_wrecks', count: 3, total: 3 } })
    const [newest, container, oldest] = yard.wrecks(one)
    expect([newest.id, oldest.id]).toEqual([last.id, first.id])
    expect(container).toMatchObject({
      type: 'container',
      victim_id: '',
      victim_name: '',
      poi_id: poiId(world, poi),
      cargo: [{ item_id: 'iron_ore', quantity: 3 }],
      expire_tick: world.tick - 2 + 60 + 1,
    })
    expect('killer_id' in container).toBe(false)
    expect(newest).toMatchObject({ type: 'ship', ship_class: 'reaver', victim_name: 'Victim' })
    expect(newest).toMatchObject({ killer_id: 'k', expire_tick: 0, expires_at: '' })
    expect((newest.modules as unknown[]).length).toBeGreaterThan(0)
  })

  test('lists at most 100 rows, and none to a player under way', () => {
    const { small, world, one } = yard
    for (let i = 0; i < 120; i++) loseAt(world, yard.poi)
    expect(small.ask(one, 'get_wrecks')).toMatchObject({ result: { count: 100, total: 120 } })
    const [, there] = open(world, yard.system)
    small.tick({ player: one, command: 'travel', params: { target_poi: poiId(world, there) } })
    expect(small.ask(one, 'get_wrecks')).toMatchObject({ ok: true, result: { count: 0, total: 0 } })
  })
})

describe('loot_wreck', () => {
  test('takes everything that fits, goods first, and leaves the empty hulk', () => {
    const { world, one } = yard
    const { row, id } = yard.wreck({ ore: 5, modules: GUNS })
    const dropped = yard.wrecks(one)[0].modules as { id: string; type_id: string }[]
    expect(dropped.length).toBeGreaterThan(0)
    const outcome = yard.act(one, 'loot_wreck', { wreck_id: id })
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        action: 'loot_wreck_all',
        looted: [{ item_id: 'iron_ore', quantity: 5 }],
        skipped: [],
        wreck_empty: true,
        xp_gained: { salvaging: expect.any(Number) },
      },
    })
    const looted = outcome.ok ? (outcome.result.looted_modules as { id: string }[]) : []
    expect(looted.map((module) => module.id)).toEqual(dropped.map((module) => module.id))
    expect(unitsHeld(one, ORE)).toBe(5)
    expect(world.read(Wreck).alive[row]).toBe(1)
    expect(statOf(world, one, 'wreck_items_looted')).toBe(5 + dropped.length)
  })

  test('lets a second player loot what the first one left', () => {
    const { small, one, two } = yard
    const { id } = yard.wreck({ ore: 12 })
    const params = { wreck_id: id, item_id: 'iron_ore', quantity: 8 }
    const answers = small.tick(
      { player: one, command: 'loot_wreck', params },
      { player: two, command: 'loot_wreck', params },
    )
    expect([...answers.values()].every((answer) => answer.ok)).toBe(true)
    expect([unitsHeld(one, ORE), unitsHeld(two, ORE)].sort((a, b) => a - b)).toEqual([4, 8])
    expect(yard.act(two, 'loot_wreck', { wreck_id: id })).toMatchObject({ code: 'wreck_empty' })
  })

  test('puts a module into the hold as a good of size 10', () => {
    const { world, one } = yard
    const ship = hullOf(world, one)
    const fit = modulesOf(world, ship)
    const { id } = yard.wreck({ modules: GUNS })
    const [module] = yard.wrecks(one)[0].modules as { id: string; type_id: string }[]
    const space = freeSpace(world, ship)
    const outcome = yard.act(one, 'loot_wreck', { wreck_id: id, module_id: module.id })
    expect(outcome).toMatchObject({
      result: { action: 'loot_wreck', module_id: module.id, module_type_id: module.type_id },
    })
    expect(unitsHeld(one, itemIndex(module.type_id))).toBe(1)
    expect(space - freeSpace(world, ship)).toBe(10)
    expect(modulesOf(world, ship)).toEqual(fit)
    const repeated = yard.act(one, 'loot_wreck', { wreck_id: id, module_id: module.id })
    expect(repeated).toMatchObject({ ok: false, code: 'module_not_found' })
  })

  test('skips what does not fit, and refuses when nothing does: no_cargo_space', () => {
    const { world, one } = yard
    const { id } = yard.wreck({ ore: 6, modules: GUNS })
    fill(one, 2)
    const outcome = yard.act(one, 'loot_wreck', { wreck_id: id })
    expect(outcome).toMatchObject({ ok: true, result: { wreck_empty: false } })
    const skipped = outcome.ok ? (outcome.result.skipped as { reason: string }[]) : []
    expect(skipped.map(({ reason }) => reason)).toEqual(skipped.map(() => 'no_space'))
    fill(one, 0)
    for (const params of [{}, { item_id: 'iron_ore' }]) {
      const full = yard.act(one, 'loot_wreck', { wreck_id: id, ...params })
      expect(full).toMatchObject({ ok: false, code: 'no_cargo_space' })
    }
    expect(unitsThatFit(world, hullOf(world, one), ORE)).toBe(0)
    const [module] = yard.wrecks(one)[0].modules as { id: string }[]
    const params = { wreck_id: id, module_id: module.id }
    expect(yard.act(one, 'loot_wreck', params)).toMatchObject({ code: 'no_cargo_space' })
  })

  test('hazard_not_supported: skips hazardous goods that the ship may not carry', () => {
    const { world, one } = yard
    const { row, id } = yard.wreck({ ore: 2 })
    const hazard = GOODS.findIndex((good) => (good as ItemRow).hazardous === true)
    moveItems(world, namedContainer('supply'), world.read(Wreck).cargo[row], hazard, 1)
    const params = { wreck_id: id, item_id: GOODS[hazard].id }
    expect(yard.act(one, 'loot_wreck', params)).toMatchObject({ code: 'hazard_not_supported' })
    const outcome = yard.act(one, 'loot_wreck', { wreck_id: id })
    expect(outcome).toMatchObject({ result: { skipped: [{ reason: 'hazard_not_supported' }] } })
    const rest = yard.act(one, 'loot_wreck', { wreck_id: id })
    expect(rest).toMatchObject({ ok: false, code: 'hazard_not_supported' })
  })

  test('trains salvaging, but not with wrecks of issue ships', () => {
    const { world, one, two } = yard
    const { id } = yard.wreck({ ore: 2 })
    yard.act(one, 'loot_wreck', { wreck_id: id })
    expect(xpOf(world, one, 'salvaging')).toBeGreaterThanOrEqual(10)
    expect(counted(world, one, 'wrecks_emptied')).toBe(1)
    const before = xpOf(world, two, 'salvaging')
    const issue = yard.wreck({ issue: true, ore: 2 })
    const outcome = yard.act(two, 'loot_wreck', { wreck_id: issue.id })
    expect(outcome.ok && 'xp_gained' in outcome.result).toBe(false)
    expect(xpOf(world, two, 'salvaging')).toBe(before)
  })

  test('removes an emptied wreck without value', () => {
    const { world, one } = yard
    const { row, id } = yard.wreck({ issue: true, ore: 2 })
    expect(yard.act(one, 'loot_wreck', { wreck_id: id })).toMatchObject({
      result: { wreck_empty: true },
    })
    expect(world.read(Wreck).alive[row]).toBe(0)
    expect(yard.act(one, 'loot_wreck', { wreck_id: id })).toMatchObject({ code: 'wreck_not_found' })
  })

  test('undocks the ship', () => {
    const { world, small, one } = yard
    const base = baseIn(world, yard.system)
    dockShip(world, hullOf(world, one), base)
    const row = loseAt(world, world.read(Base).poi[base], { ore: 1 })
    const answer = small.answer(one, 'loot_wreck', { wreck_id: wreckId(world, row) })
    expect([answer.outcome.ok, answer.autoUndocked]).toEqual([true, true])
  })

  test('is refused for unknown wrecks, items and modules, and without an id', () => {
    const { world, one } = yard
    const far = wreckId(world, loseAt(world, open(world, yard.system)[1], { ore: 2 }))
    const { id } = yard.wreck({ ore: 2 })
    const code = (params: object) => {
      const outcome = yard.act(one, 'loot_wreck', params)
      return outcome.ok ? 'ok' : outcome.code
    }
    expect(code({ wreck_id: far })).toBe('wreck_not_found')
    expect(code({})).toBe('wreck_id_required')
    expect(code({ wreck_id: 'no such wreck' })).toBe('wreck_not_found')
    expect(code({ wreck_id: id, item_id: 'iron_ore', module_id: 'x' })).toBe('invalid_payload')
    expect(code({ wreck_id: id, item_id: 'fuel_cell' })).toBe('item_not_found')
    expect(code({ wreck_id: id, item_id: 'no such thing' })).toBe('item_not_found')
    expect(code({ wreck_id: id, module_id: 'x' })).toBe('module_not_found')
    expect(unitsHeld(one, ORE)).toBe(0)
  })

  test('needs no id for the wreck in tow, which other players cannot loot', () => {
    const { world, one, two } = yard
    yard.tug(one)
    const { row, id } = yard.wreck({ ore: 3, shipClass: hullOfScale(1) })
    expect(yard.act(one, 'tow_wreck', { wreck_id: id }).ok).toBe(true)
    expect(yard.act(two, 'loot_wreck', { wreck_id: id })).toMatchObject({ code: 'already_towed' })
    expect(yard.wrecks(two)).toEqual([])
    expect(yard.wrecks(one)[0]).toMatchObject({ id, towed_by_player_id: yard.id(one) })
    expect(yard.act(one, 'loot_wreck')).toMatchObject({ ok: true, result: { wreck_empty: true } })
    expect(unitsHeld(one, ORE)).toBe(3)
    expect(world.read(Tow).wreck[hullOf(world, one)]).toBe(row)
    expect(yard.act(one, 'loot_wreck')).toMatchObject({ code: 'wreck_empty' })
  })

  test('has an address in the v2 storage tool', () => {
    const { one } = yard
    const { id } = yard.wreck({ ore: 2 })
    expect(yard.act(one, 'v2:game_storage/loot', { wreck_id: id }).ok).toBe(true)
  })
})

describe('a container of jettisoned goods', () => {
  const jettison = (player: number, units: number) => {
    const { world } = yard
    loadCargo(world, hullOf(world, player), namedContainer('mined'), ORE, units)
    yard.act(player, 'jettison', { item_id: 'iron_ore', quantity: units })
    return containersAt(world, yard.poi)[0]
  }

  test('is looted by anybody without training, and is removed when it is empty', () => {
    const { world, one, two } = yard
    jettison(one, 5)
    const [{ id }] = yard.wrecks(two) as { id: string }[]
    const xp = xpOf(world, two, 'salvaging')
    const some = yard.act(two, 'loot_wreck', { wreck_id: id, item_id: 'iron_ore', quantity: 2 })
    expect(some).toMatchObject({ ok: true, result: { quantity: 2, wreck_empty: false } })
    const rest = yard.act(two, 'loot_wreck', { wreck_id: id })
    expect(rest).toMatchObject({ ok: true, result: { wreck_empty: true } })
    expect(unitsHeld(two, ORE)).toBe(5)
    expect(xpOf(world, two, 'salvaging')).toBe(xp)
    expect(containersAt(world, yard.poi)).toEqual([])
    expect(yard.act(two, 'loot_wreck', { wreck_id: id })).toMatchObject({ code: 'wreck_not_found' })
  })

  test('has no modules and cannot be towed: module_not_found, not_towable', () => {
    const { one, two } = yard
    jettison(one, 5)
    yard.tug(two)
    const [{ id }] = yard.wrecks(two) as { id: string }[]
    const params = { wreck_id: id, module_id: 'x' }
    expect(yard.act(two, 'loot_wreck', params)).toMatchObject({ code: 'module_not_found' })
    expect(yard.act(two, 'tow_wreck', { wreck_id: id })).toMatchObject({ code: 'not_towable' })
  })

  test('in a reused row expires after its own sixty ticks', () => {
    const { small, world, one, two } = yard
    jettison(one, 2)
    const [{ id }] = yard.wrecks(two) as { id: string }[]
    yard.act(two, 'loot_wreck', { wreck_id: id })
    small.ticks(20)
    jettison(one, 4)
    const since = world.tick
    small.ticks(59)
    expect(world.tick).toBe(since + 59)
    expect(containersAt(world, yard.poi)).toHaveLength(1)
    small.ticks(1)
    expect(containersAt(world, yard.poi)).toEqual([])
    expect(unitsIn(world, namedContainer('jettison_expired'), ORE)).toBe(4)
  })
})

describe('wrecks of creatures and bases', () => {
  const known = { victimId: '', victimName: '', killerId: 'k', killerName: 'Killer' }

  test('a carcass is removed when it is empty, or after 8,640 ticks', () => {
    const { world, one, poi } = yard
    const goods = [{ item: itemIndex('glow_sac'), units: 2 }]
    const row = makeCarcass(world, { poi, name: 'Drifter', ...known }, 'pirate_loot', goods)
    expect(world.read(Wreck).expireTick[row]).toBe(world.tick + 8_640)
    const [seen] = yard.wrecks(one)
    expect(seen).toMatchObject({ type: 'carcass', ship_name: 'Drifter', salvage_value: 0 })
    yard.tug(one)
    const params = { wreck_id: seen.id }
    expect(yard.act(one, 'tow_wreck', params)).toMatchObject({ code: 'not_towable' })
    expect(yard.act(one, 'loot_wreck', params)).toMatchObject({ result: { wreck_empty: true } })
    expect(wrecksAt(world, poi)).toEqual([])
    expect(xpOf(world, one, 'salvaging')).toBe(10)
    const second = makeCarcass(world, { poi, name: 'Drifter', ...known }, 'pirate_loot', goods)
    world.tick = world.read(Wreck).expireTick[second] - 1
    yard.small.ticks(1)
    expect(wrecksAt(world, poi)).toEqual([])
  })

  test('debris of a base holds nothing to loot and decays after 17,280 ticks', () => {
    const { world, one, poi } = yard
    const row = makeDebris(world, { poi, name: 'Old Dock', ...known }, 900)
    const [seen] = yard.wrecks(one)
    expect(seen).toMatchObject({ type: 'debris', salvage_value: 900, cargo: [] })
    const params = { wreck_id: seen.id }
    expect(yard.act(one, 'loot_wreck', params)).toMatchObject({ code: 'wreck_empty' })
    expect(world.read(Wreck).expireTick[row] - world.read(Wreck).createdTick[row]).toBe(17_280)
    world.tick = world.read(Wreck).expireTick[row] - 1
    yard.small.ticks(1)
    expect(wrecksAt(world, poi)).toEqual([])
  })
})
