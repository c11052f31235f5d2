/** Jettisoned goods. Source: trade-storage.md section 4, salvage.md section 7. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf } from '../../../systems/account/model.ts'
import { jettisonContainerAt, openLocker } from '../../../systems/cargo/model.ts'
import { JettisonContainer } from '../../../systems/cargo/state.ts'
import { activeShip, cargoUnits, loadCargo } from '../../../systems/ship/model.ts'
import { dockedBase, poiOf } from '../../../systems/travel/location-model.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let player: Eid
let ship: Eid
const ore = itemIndex('iron_ore')

beforeEach(async () => {
  small = await smallWorld()
  player = small.join('Litterer')
  ship = activeShip(small.world, player)
  carry(player, ore, 20)
})

function carry(carrier: Eid, item: number, units: number): void {
  const locker = openLocker(small.world, carrier, dockedBase(small.world, carrier))
  moveItems(small.world, namedContainer('supply'), locker, item, units)
  loadCargo(small.world, activeShip(small.world, carrier), locker, item, units)
}
const jettison = (params: object, carrier = player, command = 'jettison') =>
  small.answer(carrier, command, params)
const adrift = () => jettisonContainerAt(small.world, poiOf(small.world, player), player)
const inContainer = (item: number) =>
  unitsIn(small.world, small.world.read(JettisonContainer).container[adrift()], item)

describe('jettison', () => {
  test('undocks the ship and leaves the goods in a container', () => {
    const answer = jettison({ item_id: 'iron_ore', quantity: 5 })
    expect(answer.autoUndocked).toBe(true)
    expect(answer.outcome).toMatchObject({
      ok: true,
      result: { action: 'jettison', item_id: 'iron_ore', item_name: 'Iron Ore', quantity: 5 },
    })
    expect(cargoUnits(small.world, ship, ore)).toBe(15)
    expect(inContainer(ore)).toBe(5)
    expect(statOf(small.world, player, 'items_jettisoned')).toBe(5)
  })

  test('adds to the container of the same player and place, on v1 and v2', () => {
    jettison({ item_id: 'iron_ore', quantity: 5 })
    const first = adrift()
    jettison({ item_id: 'iron_ore', quantity: 5 }, player, 'v2:game_storage/jettison')
    expect(adrift()).toBe(first)
    expect(inContainer(ore)).toBe(10)
    const neighbour = small.join('Neighbour')
    carry(neighbour, ore, 1)
    jettison({ item_id: 'iron_ore', quantity: 1 }, neighbour)
    expect(small.world.countOf(JettisonContainer)).toBe(2)
  })

  test('leaves a container that is removed sixty ticks after the last addition', () => {
    const gone = namedContainer('jettison_expired')
    jettison({ item_id: 'iron_ore', quantity: 5 })
    small.ticks(30)
    jettison({ item_id: 'iron_ore', quantity: 3 })
    small.ticks(59)
    expect(inContainer(ore)).toBe(8)
    small.ticks(1)
    expect(adrift()).toBe(0)
    expect(unitsIn(small.world, gone, ore)).toBe(8)
    expect(small.world.countOf(JettisonContainer)).toBe(0)
  })

  test('leaves a container that is removed at the same tick in a restored world', async () => {
    jettison({ item_id: 'iron_ore', quantity: 5 })
    small.ticks(30)
    jettison({ item_id: 'iron_ore', quantity: 3 })
    const twin = await small.reload()
    for (const instance of [small, twin]) instance.ticks(70)
    expect(twin.hash()).toBe(small.hash())
    expect(twin.world.countOf(JettisonContainer)).toBe(0)
  })

  test('takes several rows, each of which succeeds or fails alone', () => {
    const items = [
      { item_id: 'iron_ore', quantity: 5 },
      { item_id: 'nothing', quantity: 1 },
    ]
    expect(jettison({ items }).outcome).toMatchObject({
      ok: true,
      result: { action: 'bulk_jettison', requested: 2, succeeded: 1, failed: 1 },
    })
  })

  test('is refused with the code of the reason', () => {
    const code = (params: object) => {
      const { outcome } = jettison(params)
      return outcome.ok ? 'ok' : outcome.code
    }
    expect(code({ item_id: 'iron_ore', quantity: 21 })).toBe('insufficient_items')
    expect(code({ items: [{ item_id: 'nothing', quantity: 1 }] })).toBe('unknown_item')
    expect(code({})).toBe('invalid_payload')
    expect(code({ item_id: 'iron_ore' })).toBe('invalid_payload')
    expect(small.world.countOf(JettisonContainer)).toBe(0)
  })

  test('destroys quest items', () => {
    const bound = GOODS.findIndex((good) => good.quest_item === true)
    carry(player, bound, 1)
    expect(jettison({ item_id: GOODS[bound].id, quantity: 1 }).outcome.ok).toBe(true)
    expect(unitsIn(small.world, namedContainer('jettison_expired'), bound)).toBe(1)
  })
})
