/** Gifts of goods to stations. Source: newer.md section 7. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GOODS } from '../../../core/catalog/index.ts'
import { unitsIn } from '../../../core/goods.ts'
import type { Eid, World } from '../../../core/types.ts'
import { baseId, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { storedUnits } from '../../../systems/cargo/model.ts'
import { packageId } from '../../../systems/cargo/rules.ts'
import { activeShip, shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { poiId } from '../../../systems/travel/model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { packAt } from '../package/stage.ts'
import { done, load, ORE, QUEST_ITEM, refusal, trader } from '../trade/stage.ts'

onSmallMap()

let small: SmallWorld
let world: World
let giver: Eid
let base: Eid

beforeAll(async () => {
  small = await smallWorld()
  world = small.world
})
beforeEach(() => {
  giver = trader(small)
  base = dockedBase(world, giver)
  load(world, giver, ORE, 50)
})

const send = (params: object) => done(small, giver, 'send_gift', params)
const refused = (params: object) => refusal(small, giver, 'send_gift', params)
const ores = (quantity: number) => ({ item_id: 'iron_ore', quantity })

describe('gifts to stations', () => {
  const stock = () => unitsIn(world, world.read(Base).stock[base], ORE)
  const here = () => `station:${baseId(world, base)}`

  test('add goods from the hold or the locker to the stock, by the id of base or place', () => {
    const before = stock()
    expect(send({ recipient: here(), ...ores(10) })).toMatchObject({
      action: 'station_gift_items',
      base_id: baseId(world, base),
      cargo_remaining: 40,
    })
    const place = `station:${poiId(world, world.read(Base).poi[base])}`
    done(small, giver, 'deposit_items', { ...ores(40), target: 'storage' })
    const rows = { items: [ores(5), ores(500)], source: 'storage', target: place }
    expect(done(small, giver, 'v2:game_storage/deposit', rows)).toMatchObject({ succeeded: 1 })
    expect(stock()).toBe(before + 15)
    expect(storedUnits(world, giver, base, ORE)).toBe(35)
  })

  test('can be given from the hold even if the base has no storage service', () => {
    const { services } = world.write(Base)
    const all = services[base]
    services[base] &= ~serviceBit('storage')
    send({ recipient: here(), ...ores(1) })
    expect(refused({ recipient: here(), ...ores(1), source: 'storage' })).toBe('no_storage_service')
    services[base] = all
  })

  test('are refused: invalid_target, wrong_station, station_not_found, quest_item', () => {
    const params = { recipient: here() }
    const shipClass = world.read(Ship).class[activeShip(world, giver)]
    const ship = createShip(world, { owner: giver, shipClass, modules: [] })
    dockShip(world, ship, base)
    expect(refused({ ...params, credits: 1 })).toBe('invalid_target')
    expect(refused({ ...params, ship_id: shipId(world, ship) })).toBe('invalid_target')
    const pkg = packAt(world, { kind: 'cargo', ship: activeShip(world, giver) })
    expect(refused({ ...params, item_id: packageId(world, pkg), quantity: 1 })).toBe(
      'invalid_target',
    )
    load(world, giver, QUEST_ITEM, 1)
    expect(refused({ ...params, item_id: GOODS[QUEST_ITEM].id, quantity: 1 })).toBe('quest_item')
    expect(refused({ recipient: 'station:none', ...ores(1) })).toBe('station_not_found')
    const { alive, id } = world.read(Base)
    let other = 1
    while (alive[other] === 0 || other === base) other++
    const away = `station:${world.texts.get(id[other])}`
    expect(refused({ recipient: away, ...ores(1) })).toBe('wrong_station')
    const { empire } = world.write(Base)
    const ownEmpire = empire[base]
    empire[base] = 0
    expect(refused({ ...params, ...ores(1) })).toBe('invalid_target')
    empire[base] = ownEmpire
  })
})
