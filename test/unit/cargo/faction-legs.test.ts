/** Stores of factions in the storage commands. Source: trade-storage.md section 4, legs. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { balanceOf } from '../../../core/ledger.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { packageOwner, storedUnits } from '../../../systems/cargo/model.ts'
import { packageId } from '../../../systems/cargo/rules.ts'
import { facilityId } from '../../../systems/facility/model.ts'
import { factionOf, treasuryOf } from '../../../systems/faction/model.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { addService } from '../faction/scene.ts'
import { packAt } from '../package/stage.ts'
import { done, fund, load, ORE, refusal, trader } from '../trade/stage.ts'

onSmallMap()

const DEPOSIT = 'v2:game_storage/deposit'
const WITHDRAW = 'v2:game_storage/withdraw'
const ORES = { item_id: 'iron_ore', quantity: 10 }

let small: SmallWorld
let world: World
let leader: Eid
let stranger: Eid
let base: Eid
let faction: Row

beforeAll(async () => {
  small = await smallWorld()
  world = small.world
})
beforeEach(() => {
  leader = trader(small)
  stranger = trader(small)
  base = dockedBase(world, leader)
  const n = small.players.length
  const founding = small.act(leader, 'create_faction', { name: `Haulers ${n}`, tag: `H${100 + n}` })
  expect(founding.ok).toBe(true)
  faction = factionOf(world, leader)
  for (const player of [leader, stranger]) {
    load(world, player, ORE, 50)
    fund(world, player, 500)
  }
})

describe('game_storage with target=faction', () => {
  test('deposits and withdraws goods, singly or in rows', () => {
    addService(world, faction, base, 'faction_storage')
    expect(done(small, leader, DEPOSIT, { ...ORES, target: 'faction' })).toMatchObject({
      action: 'faction_deposit_items',
      storage_total: 10,
    })
    const rows = { items: [ORES, { ...ORES, quantity: 999 }], target: 'faction' }
    expect(done(small, leader, DEPOSIT, rows)).toMatchObject({ succeeded: 1, failed: 1 })
    const seen = done(small, leader, 'v2:game_storage/view', { target: 'faction' }, 'ask')
    expect(seen).toMatchObject({ items: [{ item_id: 'iron_ore', quantity: 20 }] })
    const out = { ...ORES, source: 'faction', target: 'self' }
    done(small, leader, DEPOSIT, out)
    expect(storedUnits(world, leader, base, ORE)).toBe(10)
    done(small, leader, WITHDRAW, { ...ORES, target: 'faction' })
    expect(refusal(small, leader, WITHDRAW, { ...ORES, source: 'faction' })).toBe(
      'insufficient_items',
    )
  })

  test('withdraws credits from the treasury only: invalid_target', () => {
    done(small, leader, DEPOSIT, { item_id: 'credits', quantity: 90, target: 'faction' })
    const before = balanceOf(world, walletOf(world, leader))
    const out = done(small, leader, WITHDRAW, { source: 'faction', credits: 20 })
    expect(out).toMatchObject({ action: 'faction_withdraw_credits', amount: 20 })
    done(small, leader, WITHDRAW, { credits: 5 })
    done(small, leader, DEPOSIT, { source: 'faction', target: 'self', credits: 10 })
    expect(balanceOf(world, walletOf(world, leader))).toBe(before + 35)
    const none = small.act(leader, WITHDRAW, { source: 'storage', credits: 1 })
    expect(none).toMatchObject({
      code: 'invalid_target',
      message: expect.stringMatching(/faction/),
    })
    expect(refusal(small, leader, WITHDRAW, { source: 'faction', credits: 1_000_000 })).toBe(
      'faction_no_credits',
    )
    expect(refusal(small, stranger, WITHDRAW, { source: 'faction', credits: 1 })).toBe(
      'not_in_faction',
    )
  })

  test('pays credits into the own treasury as faction_deposit_credits does, from anywhere', () => {
    addService(world, faction, base, 'faction_storage')
    const { services } = world.write(Base)
    const before = services[base]
    services[base] &= ~serviceBit('storage')
    const paid = { action: 'faction_deposit_credits', amount: 30, faction_credits: 30 }
    expect(done(small, leader, DEPOSIT, { target: 'faction', credits: 30 })).toMatchObject(paid)
    services[base] = before
    expect(statOf(world, leader, 'credits_gifted')).toBe(0)
    expect(done(small, leader, 'view_faction_storage', {}, 'ask')).toMatchObject({
      recent_activity: [{ action: 'deposit_credits', credits: 30 }],
    })
    done(small, leader, 'undock', {})
    done(small, leader, DEPOSIT, { target: 'faction', credits: 40 })
    done(small, leader, DEPOSIT, { target: 'faction', item_id: 'credits', quantity: 5 })
    done(small, leader, WITHDRAW, { credits: 75 })
    expect(dockedBase(world, leader)).toBe(0)
  })

  test('shows one bucket by its name or id', () => {
    addService(world, faction, base, 'faction_storage')
    const bucket = addService(world, faction, base, 'storage_extension')
    const bucket_id = facilityId(world, bucket)
    const custom_name = 'Ore Loft'
    done(small, leader, 'facility', { action: 'set_name', facility_id: bucket_id, custom_name })
    done(small, leader, DEPOSIT, { ...ORES, target: 'faction', dest_bucket: 'ore loft' })
    const view = (params: object) => done(small, leader, 'v2:game_storage/view', params, 'ask')
    const items = [{ item_id: 'iron_ore', quantity: 10 }]
    expect(view({ target: 'faction' })).toMatchObject({ items: [], buckets: [{ items }] })
    for (const params of [
      { bucket: 'ORE LOFT' },
      { target: 'faction', bucket: bucket_id },
      { target: 'faction:Ore Loft' },
    ]) {
      expect(view(params)).toMatchObject({ items, buckets: [{ id: bucket_id }] })
    }
    expect(refusal(small, leader, 'v2:game_storage/view', { bucket: 'none' }, 'ask')).toBe(
      'bucket_not_found',
    )
  })

  test('takes packages, credits, and gifts from outsiders', () => {
    addService(world, faction, base, 'faction_storage')
    const pkg = packAt(world, { kind: 'cargo', ship: activeShip(world, leader) })
    const sealed = { item_id: packageId(world, pkg), quantity: 1, target: 'faction' }
    done(small, leader, DEPOSIT, sealed)
    expect(packageOwner(world, pkg)).toEqual({ player: 0, faction })
    const before = balanceOf(world, treasuryOf(world, faction))
    done(small, leader, DEPOSIT, { item_id: 'credits', quantity: 30, target: 'faction' })
    expect(balanceOf(world, treasuryOf(world, faction))).toBe(before + 30)
    const tag = `faction:H${100 + small.players.length}`
    done(small, stranger, 'send_gift', { recipient: tag, ...ORES })
    const seen = done(small, leader, 'v2:game_storage/view', { target: 'faction' }, 'ask')
    expect(seen.items).toContainEqual(expect.objectContaining({ ...ORES }))
  })

  test('is refused without a store or a faction, and for unknown buckets and factions', () => {
    const into = { ...ORES, target: 'faction' }
    expect(refusal(small, leader, DEPOSIT, into)).toBe('no_faction_storage')
    expect(refusal(small, leader, 'v2:game_storage/view', { target: 'faction' }, 'ask')).toBe(
      'no_faction_storage',
    )
    expect(refusal(small, stranger, DEPOSIT, into)).toBe('not_in_faction')
    addService(world, faction, base, 'faction_storage')
    expect(refusal(small, leader, DEPOSIT, { ...into, dest_bucket: 'none' })).toBe(
      'bucket_not_found',
    )
    expect(refusal(small, leader, DEPOSIT, { ...into, target: 'faction:NONE' })).toBe(
      'faction_not_found',
    )
  })
})
