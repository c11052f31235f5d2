/** Holds, lockers and moving goods between them. Source: trade-storage.md sections 1, 3, 4, 7. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { baseId, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import {
  cargoFamilyPct,
  closeEmptyLocker,
  lockerOf,
  openLocker,
  storedUnits,
} from '../../../systems/cargo/model.ts'
import { Locker } from '../../../systems/cargo/state.ts'
import {
  activeShip,
  canCarry,
  cargoUnits,
  freeSpace,
  loadCargo,
  spaceOf,
  spaceUsed,
  unitsThatFit,
  unloadCargo,
} from '../../../systems/ship/model.ts'
import { createShip, fitModule, recompute } from '../../../systems/ship/rules.ts'
import { FAMILIES, Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { allowGiving } from '../trade/stage.ts'

onSmallMap()

let small: SmallWorld
let player: Eid
let other: Eid
let ship: Eid
let base: Eid
const ore = itemIndex('iron_ore')
const plate = itemIndex('steel_plate')

beforeEach(async () => {
  small = await smallWorld()
  player = small.join('Owner')
  other = small.join('Friend')
  ship = activeShip(small.world, player)
  allowGiving(small.world, player, 100_000)
  base = dockedBase(small.world, player)
})

const give = (owner: Eid, item: number, units: number) => {
  const locker = openLocker(small.world, owner, base)
  moveItems(small.world, namedContainer('supply'), locker, item, units)
}
const outcome = (command: string, params: object) => small.act(player, command, params)
const code = (command: string, params: object) => {
  const done = outcome(command, params)
  return done.ok ? 'ok' : done.code
}
const result = (command: string, params: object) => {
  const done = outcome(command, params)
  if (!done.ok) throw new Error(`${done.code} ${done.message}`)
  return done.result as Record<string, unknown>
}

describe('a hold', () => {
  test('counts the space of what is in it, rounded up for each stack', () => {
    give(player, ore, 500)
    const before = small.world.read(Ship).cargoUsed[ship]
    loadCargo(small.world, ship, lockerOf(small.world, player, base), ore, 7)
    expect(small.world.read(Ship).cargoUsed[ship]).toBe(before + 7 * GOODS[ore].size)
    unloadCargo(small.world, ship, lockerOf(small.world, player, base), ore, 7)
    expect(small.world.read(Ship).cargoUsed[ship]).toBe(before)
  })

  test('holds more units of goods that its hull compresses', () => {
    const plain = unitsThatFit(small.world, ship, ore)
    expect(cargoFamilyPct(small.world, ship, ore)).toBe(100)
    small.world.write(Ship).compressionPct[ship * FAMILIES.length] = 50
    expect(cargoFamilyPct(small.world, ship, ore)).toBe(50)
    expect(unitsThatFit(small.world, ship, ore)).toBe(2 * plain)
    expect(spaceOf(small.world, ship, ore, 3)).toBe(Math.ceil((3 * GOODS[ore].size) / 2))
    expect(cargoFamilyPct(small.world, ship, plate)).toBe(100)
  })

  test('takes exactly what fits and not one more', () => {
    small.world.write(Ship).compressionPct[ship * FAMILIES.length] = 33
    give(player, ore, 1_000)
    const locker = lockerOf(small.world, player, base)
    loadCargo(small.world, ship, locker, ore, 1)
    const rest = unitsThatFit(small.world, ship, ore)
    loadCargo(small.world, ship, locker, ore, rest)
    expect(unitsThatFit(small.world, ship, ore)).toBe(0)
    expect(freeSpace(small.world, ship)).toBeGreaterThanOrEqual(0)
    expect(spaceUsed(small.world, ship)).toBe(small.world.read(Ship).cargoUsed[ship])
    expect(() => loadCargo(small.world, ship, locker, ore, 1)).toThrow('do not fit')
  })

  test('takes hazardous goods only with a module that handles them', () => {
    const hazard = GOODS.findIndex((good) => 'hazardous' in good && good.hazardous === true)
    const handler = GOODS.findIndex(
      (good) => 'special' in good && good.special === 'hazard_handling',
    )
    expect(canCarry(small.world, ship, plate)).toBe(true)
    expect(canCarry(small.world, ship, hazard)).toBe(false)
    give(player, hazard, 1)
    const params = { item_id: GOODS[hazard].id, quantity: 1 }
    expect(code('withdraw_items', params)).toBe('hazard_not_supported')
    if (handler < 0) return
    fitModule(small.world, ship, handler)
    recompute(small.world, ship)
    expect(canCarry(small.world, ship, hazard)).toBe(true)
  })
})

describe('a locker', () => {
  test('belongs to one player and base, and is closed when it is empty', () => {
    expect(lockerOf(small.world, player, base)).toBe(0)
    const locker = openLocker(small.world, player, base)
    expect(openLocker(small.world, player, base)).toBe(locker)
    expect(openLocker(small.world, other, base)).not.toBe(locker)
    closeEmptyLocker(small.world, player, base)
    expect(lockerOf(small.world, player, base)).toBe(0)
    expect(small.world.countOf(Locker)).toBe(1)
    small.ticks(1)
  })

  test('keeps its goods in a restored world', async () => {
    give(player, plate, 5)
    const twin = await small.reload()
    expect(storedUnits(twin.world, player, base, plate)).toBe(5)
    expect(twin.hash()).toBe(small.hash())
  })
})

describe('deposit and withdraw', () => {
  test('move goods between hold and storage', () => {
    give(player, plate, 10)
    const taken = result('withdraw_items', { item_id: 'steel_plate', quantity: 4 })
    expect(taken).toMatchObject({
      action: 'withdraw_items',
      quantity: 4,
      cargo_total: 4,
      storage_remaining: 6,
      cargo_space: freeSpace(small.world, ship),
    })
    const stored = result('deposit_items', { item_id: 'Steel Plate', quantity: 3 })
    expect(stored).toMatchObject({
      action: 'deposit_items',
      item_id: 'steel_plate',
      cargo_remaining: 1,
      storage_total: 9,
    })
  })

  test('dock the ship first at a place with a base', () => {
    give(player, plate, 10)
    small.act(player, 'undock')
    const answer = small.answer(player, 'withdraw_items', { item_id: 'steel_plate', quantity: 1 })
    expect(answer.outcome.ok).toBe(true)
    expect(answer.autoDocked).toBe(true)
  })

  test('are refused with the code of the reason and then change nothing', () => {
    give(player, plate, 10_000)
    const cases: [string, string, object][] = [
      ['insufficient_items', 'deposit_items', { item_id: 'steel_plate', quantity: 10_001 }],
      ['no_cargo_space', 'withdraw_items', { item_id: 'steel_plate', quantity: 10_000 }],
      ['unknown_item', 'withdraw_items', { item_id: 'nothing', quantity: 1 }],
      [
        'not_in_faction',
        'deposit_items',
        { item_id: 'steel_plate', quantity: 1, target: 'faction' },
      ],
      ['invalid_target', 'deposit_items', { item_id: 'steel_plate', quantity: 1, target: 'cargo' }],
      ['invalid_target', 'deposit_items', { item_id: 'steel_plate', quantity: 1, target: 'Owner' }],
      [
        'invalid_target',
        'deposit_items',
        { item_id: 'steel_plate', quantity: 1, target: 'Nobody' },
      ],
      // Names that every object inherits are not places.
      ...['constructor', 'toString', '__proto__'].flatMap((word): [string, string, object][] => [
        ['invalid_target', 'withdraw_items', { item_id: 'steel_plate', quantity: 1, target: word }],
        ['invalid_target', 'withdraw_items', { item_id: 'steel_plate', quantity: 1, source: word }],
        [
          'invalid_target',
          'deposit_items',
          { item_id: 'steel_plate', quantity: 1, source: 'storage', target: word },
        ],
      ]),
    ]
    for (const [expected, command, params] of cases) {
      expect(code(command, params), `${command} ${JSON.stringify(params)}`).toBe(expected)
    }
    small.world.write(Base).services[base] &= ~serviceBit('storage')
    const params = { item_id: 'steel_plate', quantity: 1 }
    expect(code('withdraw_items', params)).toBe('no_storage_service')
    expect(storedUnits(small.world, player, base, plate)).toBe(10_000)
  })

  test('give goods into the storage of another player at the base', () => {
    give(player, plate, 10)
    const gift = { item_id: 'steel_plate', quantity: 4, source: 'storage', target: 'friend' }
    expect(result('deposit_items', gift)).toMatchObject({
      action: 'send_gift',
      recipient: 'Friend',
      quantity: 4,
      storage_remaining: 6,
    })
    expect(storedUnits(small.world, other, base, plate)).toBe(4)
    expect(statOf(small.world, other, 'gifts_received')).toBe(1)
    const bound = GOODS.find((good) => good.quest_item)
    if (!bound) return
    give(player, itemIndex(bound.id), 1)
    expect(code('deposit_items', { ...gift, item_id: bound.id, quantity: 1 })).toBe('quest_item')
  })
})

describe('storage on v2', () => {
  const deposit = 'v2:game_storage/deposit'
  const withdraw = 'v2:game_storage/withdraw'

  test('moves several rows, each of which succeeds or fails alone', () => {
    give(player, plate, 5)
    const items = [
      { item_id: 'steel_plate', quantity: 2 },
      { item_id: 'steel_plate', quantity: 99 },
      { item_id: 'nothing', quantity: 1 },
    ]
    const done = result(withdraw, { items })
    expect(done).toMatchObject({ action: 'bulk_withdraw', requested: 3, succeeded: 1, failed: 2 })
    expect((done.results as { error?: string }[]).map(({ error }) => error)).toEqual([
      undefined,
      'insufficient_items',
      'unknown_item',
    ])
    expect(cargoUnits(small.world, ship, plate)).toBe(2)
  })

  test('gives credits to a player wherever they are', () => {
    const before = balanceOf(small.world, walletOf(small.world, other))
    expect(result(deposit, { credits: 100, target: 'Friend' })).toMatchObject({
      action: 'send_gift',
      credits_sent: 100,
    })
    expect(balanceOf(small.world, walletOf(small.world, other))).toBe(before + 100)
    expect(code(deposit, { credits: 1e12, target: 'Friend' })).toBe('no_credits')
    expect(code(deposit, { credits: 1 })).toBe('invalid_target')
  })

  test('requires exactly one thing to move, and the base where the ship is docked', () => {
    expect(code(deposit, {})).toBe('invalid_payload')
    expect(code(deposit, { item_id: 'steel_plate' })).toBe('invalid_payload')
    expect(code(deposit, { item_id: 'steel_plate', quantity: 1, credits: 1 })).toBe(
      'invalid_payload',
    )
    expect(code(deposit, { item_id: 'steel_plate', quantity: 1, bucket: 'b' })).toBe(
      'not_in_faction',
    )
    const elsewhere = {
      item_id: 'steel_plate',
      quantity: 1,
      station_id: baseId(small.world, base + 1),
    }
    expect(code(withdraw, elsewhere)).toBe('wrong_station')
  })
})

describe('views', () => {
  const ask = (command: string, params: object = {}) => {
    const done = small.ask(player, command, params)
    return done.ok ? (done.result as Record<string, unknown>) : { code: done.code }
  }

  test('of the hold show its space and its goods', () => {
    give(player, plate, 2)
    result('withdraw_items', { item_id: 'steel_plate', quantity: 2 })
    const { cargoCap, cargoUsed } = small.world.read(Ship)
    const view = ask('get_cargo')
    expect(view).toMatchObject({
      capacity: cargoCap[ship],
      used: cargoUsed[ship],
      available: cargoCap[ship] - cargoUsed[ship],
    })
    expect(view.cargo).toContainEqual({
      item_id: 'steel_plate',
      name: 'Steel Plate',
      quantity: 2,
      size: GOODS[plate].size,
    })
    expect(small.world.section('cargo', player)).toContainEqual({
      item_id: 'steel_plate',
      item_name: 'Steel Plate',
      quantity: 2,
      size: GOODS[plate].size,
    })
  })

  test('of storage show goods and parked ships, also at another base', () => {
    give(player, plate, 2)
    const parked = createShip(small.world, {
      owner: player,
      shipClass: small.world.read(Ship).class[ship],
      modules: [],
    })
    dockShip(small.world, parked, base)
    expect(ask('view_storage')).toMatchObject({
      action: 'view_storage',
      base_id: baseId(small.world, base),
      items: [{ item_id: 'steel_plate', quantity: 2 }],
      ships: [{ modules: 0, cargo_used: 0 }],
    })
    const elsewhere = baseId(small.world, base + 1)
    expect(ask('view_storage', { station_id: elsewhere })).toMatchObject({ items: [], ships: [] })
    expect(ask('v2:game_storage/view', { target: 'faction' })).toEqual({ code: 'not_in_faction' })
    expect(ask('view_storage', { station_id: 'nowhere' })).toEqual({ code: 'station_not_found' })
    small.act(player, 'undock')
    expect(ask('view_storage')).toEqual({ code: 'not_docked' })
  })
})
