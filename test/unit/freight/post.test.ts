/** Quoting, posting and cancelling contracts. Source: crafting.md section 10. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { DAY_TICKS } from '../../../core/time.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { baseId, baseTreasury, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { isPackageIn, lockerOf } from '../../../systems/cargo/model.ts'
import { packageById } from '../../../systems/cargo/rules.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { factionIdOf, treasuryOf } from '../../../systems/faction/model.ts'
import { openStore, storeContainer } from '../../../systems/faction/store-model.ts'
import { SHIPMENTS_PER_SHIPPER_MAX, Shipment } from '../../../systems/freight/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { addService } from '../faction/scene.ts'
import {
  aPackage,
  comeDue,
  done,
  freshScene,
  load,
  posted,
  refused,
  rowOf,
  type Scene,
  statusOf,
  takePayloads,
  tradeOre,
  underWay,
  wallet,
} from './scene.ts'

onSmallMap()

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
})
// A tick checks every invariant.
afterEach(() => scene.small.ticks(1))

const route = () => ({ destination_base_id: baseId(scene.small.world, scene.destination) })
const quoteOf = (params: object) =>
  done(scene, scene.shipper, 'quote', { ...route(), ...params }).quote as Record<string, number>

describe('shipping quote', () => {
  test('states the costs, the times and the value of the package', () => {
    tradeOre(scene, 4)
    const package_id = aPackage(scene)
    const quote = quoteOf({ package_id, base_reward: 1_001, speed_bonus: 99, insured: true })
    expect(quote).toMatchObject({
      package_id,
      base_reward: 1_001,
      max_speed_bonus: 99,
      service_fee: 55,
      appraised_value: 80,
      covered_value: 80,
      insurable: true,
      insurance_selected: true,
      failure_debt: 180,
      reserved_exposure: 80,
      risk_band: 'probationary',
      required_carrier_tier: 'probationary',
      estimate_samples: 0,
      estimated_reward: 0,
      service_level: 'standard',
      visibility: 'public',
    })
    expect(quote.premium).toBeGreaterThanOrEqual(2)
    expect(quote.total_cost).toBe(1_001 + 99 + 55 + quote.premium)
    expect(quote.target_ticks).toBe(Math.max(60, 30 * quote.route_hops))
    expect(quote.deadline_ticks).toBe(Math.max(120, 60 * quote.route_hops))
    expect(quote.appraisal_lines).toMatchObject([
      { item_id: 'iron_ore', quantity: 20, unit_value: 4, fill_count: 3, lookback: '24h' },
    ])
    const fast = quoteOf({ package_id, service_level: 'priority' })
    expect(fast.target_ticks).toBe(Math.max(60, 20 * quote.route_hops))
  })

  test('does not insure goods that rarely trade', () => {
    tradeOre(scene, 4, 2)
    const { base_value } = GOODS[itemIndex('iron_ore')]
    expect(quoteOf({ package_id: aPackage(scene), base_reward: 1, insured: true })).toMatchObject({
      insurable: false,
      insurance_selected: false,
      appraised_value: 0,
      uninsurable_reason: 'too_few_trades',
      risk_band: 'probationary',
      required_carrier_tier: 'probationary',
      reserved_exposure: 20 * base_value,
      failure_debt: 500,
      service_fee: 25,
    })
  })

  test('accepts prices up to twice the base value', () => {
    tradeOre(scene, 5_000)
    const { appraised_value } = quoteOf({ package_id: aPackage(scene), insured: true })
    expect(appraised_value).toBeLessThan(20 * 100)
    expect(appraised_value).toBeGreaterThan(0)
  })

  test('changes nothing and needs no reward', () => {
    const package_id = aPackage(scene)
    const before = scene.small.hash()
    expect(quoteOf({ package_id })).toMatchObject({ base_reward: 0, total_cost: 25 })
    expect(scene.small.hash()).toBe(before)
  })
})

describe('shipping post', () => {
  test('charges reward, bonus, fee and premium, and takes the package into custody', () => {
    tradeOre(scene, 4)
    const { small, shipper, origin } = scene
    const package_id = aPackage(scene)
    const fee = balanceOf(small.world, baseTreasury(small.world, origin))
    const before = wallet(scene, shipper)
    const params = { ...route(), package_id, base_reward: 900, speed_bonus: 100, insured: true }
    const cost = quoteOf(params).total_cost
    const { contract } = done(scene, shipper, 'post', { ...params, max_total_cost: cost })
    expect(contract).toMatchObject({
      package_id,
      status: 'posted',
      reward_escrow: 900,
      speed_bonus_escrow: 100,
      service_fee: 50,
      policy_status: 'pending',
      shipping_house_id: baseId(small.world, origin),
      recipient: { kind: 'player' },
    })
    expect(wallet(scene, shipper)).toBe(before - cost)
    expect(balanceOf(small.world, baseTreasury(small.world, origin))).toBe(fee + 50)
    expect(lockerOf(small.world, shipper, origin)).toBe(0)
    expect(refused(scene, shipper, 'post', { ...route(), package_id, base_reward: 1 })).toBe(
      'package_not_found',
    )
  })

  test('also takes packages out of the hold', () => {
    const package_id = aPackage(scene)
    load(scene, scene.shipper, package_id)
    const params = { ...route(), package_id, base_reward: 1 }
    expect(refused(scene, scene.shipper, 'post', { ...params, source: 'storage' })).toBe(
      'package_not_found',
    )
    done(scene, scene.shipper, 'post', { ...params, source: 'cargo' })
  })

  test('is refused with the code of each reason', () => {
    const { small, shipper, carrier, origin } = scene
    const params = { ...route(), package_id: aPackage(scene), base_reward: 100 }
    const code = (overrides: object, player = shipper) =>
      refused(scene, player, 'post', { ...params, ...overrides })
    expect(code({ base_reward: 0 })).toBe('reward_required')
    expect(code({ base_reward: -5 })).toBe('reward_required')
    expect(code({ base_reward: 2e12 })).toBe('amount_too_large')
    expect(code({ package_id: 'constructor' })).toBe('package_not_found')
    expect(code({}, carrier)).toBe('package_not_found')
    expect(code({ source: 'faction' })).toBe('package_not_found')
    expect(code({ destination_base_id: '__proto__' })).toBe('station_not_found')
    expect(code({ destination_base_id: baseId(small.world, origin) })).toBe('same_base')
    expect(code({ max_total_cost: 124 })).toBe('cost_exceeded')
    expect(code({ base_reward: 10_000_000 })).toBe('no_credits')
    expect(code({ insured: true })).toBe('invalid_payload')
    expect(code({ shipper: 'faction' })).toBe('not_in_faction')
    expect(code({ visibility: 'faction' })).toBe('not_in_faction')
    small.world.write(Base).services[origin] &= ~serviceBit('missions')
    expect(code({})).toBe('no_missions_service')
    expect(refused(scene, shipper, 'quote', params)).toBe('no_missions_service')
  })

  test('requires recipients and invited carriers that exist', () => {
    const { small, shipper, carrier, origin, destination } = scene
    const params = { ...route(), package_id: aPackage(scene), base_reward: 100 }
    const code = (overrides: object) => refused(scene, shipper, 'post', { ...params, ...overrides })
    expect(code({ recipient_id: 'Nobody At All' })).toBe('invalid_recipient')
    expect(code({ recipient_type: 'faction' })).toBe('invalid_recipient')
    const elsewhere = baseId(small.world, origin)
    expect(code({ recipient_type: 'station', recipient_id: elsewhere })).toBe('invalid_recipient')
    expect(code({ visibility: 'invited' })).toBe('invalid_recipient')
    expect(code({ invited_carrier_id: 'Carrier', visibility: 'public' })).toBe('invalid_payload')
    const faction = foundFaction(small.world, carrier, 'Far Porters', 'FARP')
    const recipient_id = factionIdOf(small.world, faction)
    expect(code({ recipient_type: 'faction', recipient_id })).toBe('no_faction_storage')
    small.world.write(Base).services[destination] &= ~serviceBit('storage')
    expect(code({})).toBe('no_storage_service')
    const station = { recipient_type: 'station', invited_carrier_id: 'FARP' }
    const answer = done(scene, shipper, 'post', {
      ...params,
      ...station,
      invited_carrier_type: 'faction',
    })
    expect(answer.contract).toMatchObject({
      visibility: 'invited',
      invited_carrier: { kind: 'faction', id: recipient_id },
      recipient: { kind: 'station', id: baseId(small.world, destination) },
    })
  })

  test('is limited to fifty contracts a shipper', () => {
    const { shipper } = scene
    const first = posted(scene)
    for (let i = 1; i < SHIPMENTS_PER_SHIPPER_MAX; i++) posted(scene, { base_reward: 1 })
    const params = { ...route(), package_id: aPackage(scene), base_reward: 1 }
    expect(refused(scene, shipper, 'post', params)).toBe('limit_reached')
    done(scene, shipper, 'cancel', { shipment_id: first })
    done(scene, shipper, 'post', params)
  })

  test('is refused for a package that is already in transit', () => {
    const { package_id } = underWayUnpriced()
    const params = { ...route(), package_id, base_reward: 1 }
    expect(refused(scene, scene.carrier, 'post', params)).toBe('freight_locked')
    expect(refused(scene, scene.carrier, 'quote', params)).toBe('freight_locked')
  })
})

function underWayUnpriced() {
  tradeOre(scene, 4)
  return underWay(scene)
}

describe('a faction as shipper', () => {
  test('pays from its treasury and ships out of its stores', () => {
    const { small, shipper, third, origin } = scene
    const { world } = small
    const faction = foundFaction(world, shipper, 'Free Haulers', 'FREE')
    addMember(world, third, faction)
    const params = { ...route(), base_reward: 100, shipper: 'faction' }
    const mainStore = { faction, base: origin, bucket: 0 }
    const code = (player: number, package_id: string) =>
      refused(scene, player, 'post', { ...params, package_id })
    expect(code(third, 'package:0')).toBe('no_permission')
    expect(code(shipper, 'package:0')).toBe('no_faction_market')
    addService(world, faction, origin, 'faction_market')
    expect(code(shipper, aPackage(scene))).toBe('no_faction_storage')
    addService(world, faction, origin, 'faction_storage')
    expect(code(shipper, aPackage(scene))).toBe('package_not_found')
    const container = openStore(world, mainStore)
    const package_id = aPackage(scene, { kind: 'store', faction, base: origin, container })
    expect(code(shipper, package_id)).toBe('no_faction_storage')
    const recipient = { recipient_type: 'player', recipient_id: 'Carrier', package_id }
    const request = { ...params, ...recipient, source: 'faction' }
    expect(refused(scene, shipper, 'post', { ...request, source_bucket_id: 'x' })).toBe(
      'bucket_not_found',
    )
    expect(refused(scene, shipper, 'post', request)).toBe('faction_no_credits')
    post(world, namedAccount('starting_grant'), treasuryOf(world, faction), 125)
    const { contract } = done(scene, shipper, 'post', request)
    expect(contract).toMatchObject({ shipper: { kind: 'faction' }, status: 'posted' })
    expect(balanceOf(world, treasuryOf(world, faction))).toBe(0)
    expect(storeContainer(world, mainStore)).toBe(0)
    const { id: shipment_id } = contract as { id: string }
    expect(refused(scene, third, 'cancel', { shipment_id })).toBe('no_permission')
    expect(done(scene, shipper, 'cancel', { shipment_id })).toMatchObject({ shipper_refund: 100 })
    expect(balanceOf(world, treasuryOf(world, faction))).toBe(100)
    const returned = packageById(world, package_id)
    expect(isPackageIn(world, storeContainer(world, mainStore), returned)).toBe(true)
  })
})

describe('an open contract', () => {
  test('can be cancelled by its shipper for a refund of all but the fee', () => {
    tradeOre(scene, 4)
    const { small, shipper, carrier, origin } = scene
    const before = wallet(scene, shipper)
    const package_id = aPackage(scene)
    const shipment_id = posted(scene, { package_id, speed_bonus: 200, insured: true })
    expect(refused(scene, carrier, 'cancel', { shipment_id })).toBe('shipment_not_found')
    takePayloads(scene, shipper, '')
    const answer = done(scene, shipper, 'cancel', { shipment_id })
    expect(answer).toMatchObject({ action: 'cancel', contract: { status: 'canceled' } })
    expect(wallet(scene, shipper)).toBe(before - 60)
    const locker = lockerOf(small.world, shipper, origin)
    expect(isPackageIn(small.world, locker, packageById(small.world, package_id))).toBe(true)
    expect(takePayloads(scene, shipper, 'shipment_update')).toMatchObject([
      { event: 'canceled', shipment_id, shipper_refund: answer.shipper_refund },
    ])
    expect(refused(scene, shipper, 'cancel', { shipment_id })).toBe('not_cancellable')
  })

  test('expires after a day', () => {
    const { small, shipper } = scene
    const before = wallet(scene, shipper)
    const shipment_id = posted(scene)
    const row = rowOf(scene, shipment_id)
    const { dueTick, postedTick } = small.world.read(Shipment)
    expect(dueTick[row] - postedTick[row]).toBe(DAY_TICKS)
    takePayloads(scene, shipper, '')
    comeDue(scene, row)
    small.ticks(1)
    expect(wallet(scene, shipper)).toBe(before - 50)
    expect(takePayloads(scene, shipper, 'shipment_update')).toMatchObject([{ event: 'expired' }])
    expect(statusOf(scene, shipper, shipment_id)).toMatchObject({
      status: 'canceled',
      terminal_reason: 'listing_expired',
      reward_escrow: 0,
    })
    comeDue(scene, row)
    small.ticks(1)
    expect(refused(scene, shipper, 'get', { shipment_id })).toBe('shipment_not_found')
  })

  test('is removed when its shipper has ended twenty more', () => {
    const first = posted(scene)
    done(scene, scene.shipper, 'cancel', { shipment_id: first })
    for (let i = 0; i < 20; i++) {
      done(scene, scene.shipper, 'cancel', { shipment_id: posted(scene) })
    }
    expect(rowOf(scene, first)).toBe(0)
    expect(scene.small.world.countOf(Shipment)).toBe(20)
  })

  test('expires even if the wallet of its shipper is full', () => {
    const { small, shipper } = scene
    const shipment_id = posted(scene)
    const rest = Number.MAX_SAFE_INTEGER - wallet(scene, shipper)
    post(small.world, namedAccount('pirate_bounty'), walletOf(small.world, shipper), rest)
    expect(refused(scene, shipper, 'cancel', { shipment_id })).toBe('amount_too_large')
    comeDue(scene, rowOf(scene, shipment_id))
    small.ticks(1)
    expect(wallet(scene, shipper)).toBe(Number.MAX_SAFE_INTEGER)
    expect(statusOf(scene, shipper, shipment_id).status).toBe('canceled')
  })
})
