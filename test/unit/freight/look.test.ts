/** Queries of contracts, the v1 command, restarts. Source: crafting.md section 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { baseId } from '../../../systems/base/model.ts'
import { packageById } from '../../../systems/cargo/rules.ts'
import { foundFaction } from '../../../systems/faction/member-rules.ts'
import { lateFee, medianOf, premiumOf, timesOf } from '../../../systems/freight/actor-model.ts'
import { Shipment } from '../../../systems/freight/state.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  aPackage,
  dockAt,
  done,
  farBase,
  freshScene,
  load,
  posted,
  refused,
  rowOf,
  type Scene,
  tradeOre,
  underWay,
} from './scene.ts'

onSmallMap()

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
  tradeOre(scene, 4)
})

interface Listed {
  readonly total: number
  readonly shipments: readonly { readonly contract: { readonly id: string } }[]
}
const list = (player: Eid, params: object = {}): string[] =>
  (done(scene, player, 'list', params) as unknown as Listed).shipments.map(
    ({ contract }) => contract.id,
  )

describe('shipping list', () => {
  test('shows contracts the carrier may accept here, sorted, filtered and paged', () => {
    const { small, carrier, third, origin, destination } = scene
    const { world } = small
    const other = farBase(world, origin, (base) => base !== destination)
    const a = posted(scene, { base_reward: 100 })
    const b = posted(scene, { base_reward: 300, service_level: 'priority' })
    const place = { kind: 'locker', player: third, base: origin } as const
    const c = posted(
      scene,
      {
        base_reward: 200,
        package_id: aPackage(scene, place),
        destination_base_id: baseId(world, other),
      },
      third,
    )
    const forThird = posted(scene, { invited_carrier_id: 'Third' })
    expect(list(carrier)).toEqual([b, c, a])
    expect(list(third)).toEqual([forThird, b, c, a])
    expect(list(carrier, { sort: 'age' })).toEqual([a, b, c])
    const hops = world.read(Shipment).hops
    const byDistance = [a, b, c].sort((x, y) => hops[rowOf(scene, x)] - hops[rowOf(scene, y)])
    expect(list(carrier, { sort: 'distance' })).toEqual(byDistance)
    expect(list(carrier, { filter_destination: baseId(world, other) })).toEqual([c])
    expect(list(carrier, { filter_service_level: 'priority' })).toEqual([b])
    expect(list(carrier, { filter_shipper: 'Third' })).toEqual([c])
    expect(list(carrier, { per_page: 2, page: 2 })).toEqual([a])
    expect(done(scene, carrier, 'list', { per_page: 1 })).toMatchObject({ total: 3, page: 1 })
  })

  test('explains an empty list', () => {
    const { small, carrier, destination } = scene
    const emptyReason = (params: object = {}) =>
      done(scene, carrier, 'list', params).empty_reason_code
    expect(emptyReason()).toBe('no_shipments')
    posted(scene, { invited_carrier_id: 'Third' })
    expect(emptyReason()).toBe('no_eligible_shipments')
    expect(emptyReason({ filter_shipper: 'constructor' })).toBe('no_matching_shipments')
    expect(refused(scene, carrier, 'list', { eligible_as: 'faction' })).toBe('not_in_faction')
    dockAt(small.world, carrier, destination)
    expect(emptyReason()).toBe('no_shipments')
  })

  test('for a faction shows what the faction may accept', () => {
    const { small, carrier } = scene
    foundFaction(small.world, carrier, 'Free Haulers', 'FREE')
    const invited = { invited_carrier_id: 'FREE', invited_carrier_type: 'faction' }
    const id = posted(scene, invited)
    expect(list(carrier)).toEqual([])
    expect(list(carrier, { eligible_as: 'faction' })).toEqual([id])
  })
})

describe('queries of a contract', () => {
  test('take the id of the contract or its package, and answer its parties only', () => {
    const { shipper, carrier, third } = scene
    const package_id = aPackage(scene)
    const shipment_id = posted(scene, { package_id, invited_carrier_id: 'Carrier' })
    for (const party of [shipper, carrier]) {
      expect(done(scene, party, 'get', { package_id })).toMatchObject({
        action: 'get',
        contract: { id: shipment_id },
      })
    }
    expect(refused(scene, third, 'get', { shipment_id })).toBe('shipment_not_found')
    expect(refused(scene, third, 'get', { package_id })).toBe('shipment_not_found')
    expect(refused(scene, shipper, 'get', { package_id: 'package:nothing' })).toBe(
      'shipment_not_found',
    )
    expect(refused(scene, shipper, 'get')).toBe('invalid_payload')
    expect(refused(scene, shipper, 'track')).toBe('invalid_payload')
  })

  test('active shows open contracts to all of their parties', () => {
    const { small, shipper, carrier, third, destination } = scene
    const { shipment_id } = underWay(scene, { recipient_id: 'Third' })
    const open = posted(scene)
    const activeIds = (player: Eid) =>
      (done(scene, player, 'active').shipments as { id: string }[]).map(({ id }) => id)
    expect([activeIds(shipper), activeIds(carrier), activeIds(third)]).toEqual([
      [shipment_id, open],
      [shipment_id],
      [shipment_id],
    ])
    dockAt(small.world, carrier, destination)
    done(scene, carrier, 'deliver', { shipment_id })
    expect([activeIds(shipper), activeIds(carrier), activeIds(third)]).toEqual([[open], [], []])
  })

  test('profile shows a newcomer the limits and the next tier', () => {
    expect(done(scene, scene.third, 'profile')).toMatchObject({
      action: 'profile',
      debts: [],
      debt_blocks_acceptance: false,
      profile: { tier: 'probationary', successful_deliveries: 0, outstanding_debt: 0 },
      capacity: {
        active_contract_limit: 50,
        aggregate_liability_limit: 10_000,
        single_package_liability_limit: 5_000,
        liability_unlimited: false,
      },
      progression: {
        next_tier: 'licensed',
        required_successful_deliveries: 5,
        remaining_delivered_value: 250,
      },
    })
    expect(refused(scene, scene.third, 'profile', { carrier: 'faction' })).toBe('not_in_faction')
  })
})

describe('the command of v1', () => {
  test('runs a mutation in a tick and a query at once', () => {
    const { small, shipper, carrier, destination } = scene
    const { world } = small
    const act = (player: Eid, action: string, params: object = {}) =>
      small.act(player, 'shipping', { action, ...params })
    const package_id = aPackage(scene)
    const destination_base_id = baseId(world, destination)
    const post = { package_id, destination_base_id, insured: true }
    const { tick } = world
    expect(act(shipper, 'help')).toMatchObject({ ok: true, result: { command: 'shipping' } })
    expect(act(shipper, 'quote', post)).toMatchObject({ ok: true })
    expect(act(shipper, 'post')).toMatchObject({ code: 'reward_required' })
    expect(act(shipper, 'get')).toMatchObject({ code: 'invalid_payload' })
    const answer = act(shipper, 'post', { ...post, base_reward: 400 })
    const { id: shipment_id } = (answer as { result: { contract: { id: string } } }).result.contract
    expect(act(carrier, 'accept')).toMatchObject({ code: 'invalid_payload' })
    expect(act(carrier, 'accept', { shipment_id })).toMatchObject({ ok: true })
    load(scene, carrier, package_id)
    dockAt(world, carrier, destination)
    small.takeEmissions()
    expect(act(carrier, 'deliver', { package_id })).toMatchObject({
      ok: true,
      result: { carrier_payout: 400 },
    })
    expect(small.takeEmissions().map(({ type }) => type)).toContain('shipment_update')
    expect(world.tick).toBe(tick + 5)
    expect(packageById(world, package_id)).not.toBe(0)
    const shown = done(scene, carrier, 'profile').profile
    expect(shown).toMatchObject({ successful_deliveries: 1, delivered_value: 80 })
  })
})

test('contracts are the same after a restart', async () => {
  const { small, shipper } = scene
  posted(scene)
  const ended = posted(scene)
  done(scene, shipper, 'cancel', { shipment_id: ended })
  const { shipment_id } = underWay(scene, { insured: true })
  small.ticks(1)
  const reloaded = await small.reload()
  expect(reloaded.hash()).toBe(small.hash())
  const restored: Scene = { ...scene, small: reloaded }
  expect(done(restored, shipper, 'get', { shipment_id })).toEqual(
    done(scene, shipper, 'get', { shipment_id }),
  )
  for (const copy of [small, reloaded]) copy.ticks(2)
  expect(reloaded.hash()).toBe(small.hash())
})

describe('the arithmetic of freight', () => {
  test('covers times, premiums, late fees and medians', () => {
    expect(timesOf('standard', 0)).toEqual({ target: 60, deadline: 120 })
    expect(timesOf('standard', 7)).toEqual({ target: 210, deadline: 420 })
    expect(timesOf('priority', 7)).toEqual({ target: 140, deadline: 280 })
    expect([premiumOf(1_000, 0), premiumOf(1_001, 3), premiumOf(0, 9)]).toEqual([20, 36, 0])
    expect([lateFee(100, 50, 50), lateFee(100, 50, 51), lateFee(100, 50, 2_930)]).toEqual([
      0, 1, 100,
    ])
    expect([medianOf([]), medianOf([3]), medianOf([9, 1]), medianOf([5, 1, 9])]).toEqual([
      0, 3, 1, 5,
    ])
  })

  test('estimates the usual reward by the median for an equal distance', () => {
    const { small, shipper, carrier, destination, origin } = scene
    for (const base_reward of [100, 900, 300]) {
      const { shipment_id } = underWay(scene, { base_reward })
      dockAt(small.world, carrier, destination)
      done(scene, carrier, 'deliver', { shipment_id })
      dockAt(small.world, carrier, origin)
    }
    const destination_base_id = baseId(small.world, destination)
    const { quote } = done(scene, shipper, 'quote', {
      package_id: aPackage(scene),
      destination_base_id,
    })
    expect(quote).toMatchObject({ estimated_reward: 300, estimate_samples: 3, base_reward: 300 })
  })
})
