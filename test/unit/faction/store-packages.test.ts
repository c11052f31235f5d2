/** Packages in the stores of factions. Source: trade-storage.md sections 4 and 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { Container } from '../../../core/goods.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { lockerOf, packageAllowance, packagesIn } from '../../../systems/cargo/model.ts'
import { createPackage, packageId } from '../../../systems/cargo/rules.ts'
import { facilityId } from '../../../systems/facility/model.ts'
import { FactionStore } from '../../../systems/faction/state.ts'
import { openStore, storeContainer } from '../../../systems/faction/store-model.ts'
import { onSmallMap, type SmallWorld, uncheck } from '../../small-world.ts'
import { allowGiving } from '../trade/stage.ts'
import { addService, type DockedGuild, dockedGuild, loseBuckets } from './scene.ts'

onSmallMap()

const ORE = itemIndex('iron_ore')
let small: SmallWorld
let world: World
let faction: Row
let leader: Eid
let recruit: Eid
let stranger: Eid
let base: Eid
let stock: DockedGuild['stock']
beforeEach(async () => {
  ;({ small, world, faction, leader, recruit, stranger, base, stock } = await dockedGuild())
})

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

  test('can be deposited, moved between buckets and withdrawn', () => {
    addService(world, faction, base, 'faction_storage')
    const bucket = addService(world, faction, base, 'storage_extension')
    const item_id = pack(leader)
    const parcel = { item_id, quantity: 1 }
    expect(act(leader, 'faction_deposit_items', { ...parcel, source: 'storage' })).toMatchObject({
      result: { action: 'faction_deposit_items', item_id, storage_total: 1 },
    })
    const target = `faction:${facilityId(world, bucket)}`
    const across = { ...parcel, source: 'faction', target }
    expect(act(leader, 'faction_deposit_items', across).ok).toBe(true)
    expect(packagesIn(world, storeContainer(world, main()))).toEqual([])
    expect(code(leader, 'faction_withdraw_items', { ...parcel, target: 'storage' })).toBe(
      'insufficient_items',
    )
    loseBuckets(small, [bucket])
    expect(act(leader, 'faction_withdraw_items', { ...parcel, target: 'storage' }).ok).toBe(true)
    expect(packagesIn(world, lockerOf(world, leader, base)).length).toBe(1)
    expect(world.countOf(FactionStore)).toBe(0)
  })

  test('are refused: insufficient_items, package_storage_full', () => {
    addService(world, faction, base, 'faction_storage')
    const parcel = { item_id: pack(leader), quantity: 1 }
    expect(code(recruit, 'faction_deposit_items', { ...parcel, source: 'storage' })).toBe(
      'insufficient_items',
    )
    expect(code(leader, 'faction_deposit_items', parcel)).toBe('insufficient_items')
    uncheck(small)
    const container = openStore(world, main())
    world.write(Container).packages[container] = 1_000
    expect(code(leader, 'faction_deposit_items', { ...parcel, source: 'storage' })).toBe(
      'package_storage_full',
    )
  })

  test('from outsiders fill at most half of the allowance of a faction', () => {
    addService(world, faction, base, 'faction_storage')
    const give = (player: Eid) =>
      code(player, 'faction_deposit_items', {
        item_id: pack(player),
        quantity: 1,
        source: 'storage',
        target: 'faction:free',
      })
    expect(give(stranger)).toBe('trading_restricted')
    allowGiving(world, stranger, 100_000)
    expect(give(stranger)).toBe(undefined)
    uncheck(small)
    const container = openStore(world, main())
    const { packages } = world.write(Container)
    packages[container] = Math.floor(packageAllowance(world, base) / 2)
    expect(give(stranger)).toBe('package_storage_full')
    expect(give(recruit)).toBe(undefined)
  })
})
