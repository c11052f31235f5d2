/** Packages in the stores of factions. Source: trade-storage.md sections 4, 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { Container, moveItems, namedContainer } from '../../../core/goods.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { lockerOf, openLocker, packageAllowance, packagesIn } from '../../../systems/cargo/model.ts'
import { createPackage, packageId } from '../../../systems/cargo/rules.ts'
import { facilityId } from '../../../systems/facility/model.ts'
import { FactionStore } from '../../../systems/faction/state.ts'
import { openStore, storeContainer } from '../../../systems/faction/store-model.ts'
import { type SmallWorld, uncheck } from '../../small-world.ts'
import { mayGive } from '../trade/stage.ts'
import { addService, dockAt, guild, loseBuckets } from './scene.ts'

const ORE = itemIndex('iron_ore')
let small: SmallWorld
let world: World
let faction: Row
let leader: Eid
let recruit: Eid
let stranger: Eid
let base: Eid
beforeEach(async () => {
  const scene = await guild()
  ;({ small, faction, leader, recruit, stranger } = scene)
  world = small.world
  base = dockAt(world, leader)
  for (const player of [recruit, stranger]) dockAt(world, player, base)
  for (const player of [leader, recruit, stranger]) stock(player, 'iron_ore', 100)
})

/** Puts mined goods into a player's locker here. */
function stock(player: Eid, item: string, units: number): void {
  moveItems(world, namedContainer('mined'), openLocker(world, player, base), itemIndex(item), units)
}
const main = () => ({ faction, base, bucket: 0 })
const act = (player: Eid, command: string, params: object = {}) =>
  small.act(player, command, params)
const code = (player: Eid, command: string, params: object = {}) =>
  (act(player, command, params) as { code?: string }).code

describe('packages', () => {
  const pack = (player: Eid): string => {
    stock(player, 'cargo_container', 1)
    const pkg = createPackage(world, {
      from: lockerOf(world, player, base),
      contents: [{ item: ORE, units: 10 }],
      to: { kind: 'locker', player, base },
      label: 'Spares',
      creator: player,
    })
    return packageId(world, pkg)
  }

  test('go into the store, between its buckets and out again', () => {
    addService(world, faction, base, 'faction_storage')
    const bucket = addService(world, faction, base, 'storage_extension')
    const item_id = pack(leader)
    const one = { item_id, quantity: 1 }
    expect(act(leader, 'faction_deposit_items', { ...one, source: 'storage' })).toMatchObject({
      result: { action: 'faction_deposit_items', item_id, storage_total: 1 },
    })
    const there = `faction:${facilityId(world, bucket)}`
    const across = { ...one, source: 'faction', target: there }
    expect(act(leader, 'faction_deposit_items', across).ok).toBe(true)
    expect(packagesIn(world, storeContainer(world, main()))).toEqual([])
    expect(code(leader, 'faction_withdraw_items', { ...one, target: 'storage' })).toBe(
      'insufficient_items',
    )
    loseBuckets(small, [bucket])
    expect(act(leader, 'faction_withdraw_items', { ...one, target: 'storage' }).ok).toBe(true)
    expect(packagesIn(world, lockerOf(world, leader, base)).length).toBe(1)
    expect(world.countOf(FactionStore)).toBe(0)
  })

  test('are refused: insufficient_items, package_storage_full', () => {
    addService(world, faction, base, 'faction_storage')
    const one = { item_id: pack(leader), quantity: 1 }
    expect(code(recruit, 'faction_deposit_items', { ...one, source: 'storage' })).toBe(
      'insufficient_items',
    )
    expect(code(leader, 'faction_deposit_items', one)).toBe('insufficient_items')
    uncheck(small)
    const container = openStore(world, main())
    const { packages } = world.write(world.stores.get('container')?.def as never) as unknown as {
      packages: Uint16Array
    }
    packages[container] = 1_000
    expect(code(leader, 'faction_deposit_items', { ...one, source: 'storage' })).toBe(
      'package_storage_full',
    )
  })

  test('of outsiders fill half of what a faction may keep here', () => {
    addService(world, faction, base, 'faction_storage')
    const put = (player: Eid) =>
      code(player, 'faction_deposit_items', {
        item_id: pack(player),
        quantity: 1,
        source: 'storage',
        target: 'faction:free',
      })
    expect(put(stranger)).toBe('trading_restricted')
    mayGive(world, stranger, 100_000)
    expect(put(stranger)).toBe(undefined)
    uncheck(small)
    const container = openStore(world, main())
    const { packages } = world.write(Container)
    packages[container] = Math.floor(packageAllowance(world, base) / 2)
    expect(put(stranger)).toBe('package_storage_full')
    expect(put(recruit)).toBe(undefined)
  })
})
