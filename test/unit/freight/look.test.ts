/** Lists and looks, the command of v1, restarts. Source: crafting.md section 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { baseId } from '../../../systems/base/model.ts'
import { packageById } from '../../../systems/cargo/rules.ts'
import { foundFaction } from '../../../systems/faction/member-rules.ts'
import { lateFee, medianOf, premiumOf, timesOf } from '../../../systems/freight/actor-model.ts'
import { Shipment } from '../../../systems/freight/state.ts'
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

describe('list', () => {
  test('shows what the carrier may take here: sorted, filtered, a page at a time', () => {
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
    const mine = posted(scene, { invited_carrier_id: 'Third' })
    expect(list(carrier)).toEqual([b, c, a])
    expect(list(third)).toEqual([mine, b, c, a])
    expect(list(carrier, { sort: 'age' })).toEqual([a, b, c])
    const hops = world.read(Shipment).hops
    const byWay = [a, b, c].sort((x, y) => hops[rowOf(scene, x)] - hops[rowOf(scene, y)])
    expect(list(carrier, { sort: 'distance' })).toEqual(byWay)
    expect(list(carrier, { filter_destination: baseId(world, other) })).toEqual([c])
    expect(list(carrier, { filter_service_level: 'priority' })).toEqual([b])
    expect(list(carrier, { filter_shipper: 'Third' })).toEqual([c])
    expect(list(carrier, { per_page: 2, page: 2 })).toEqual([a])
    expect(done(scene, carrier, 'list', { per_page: 1 })).toMatchObject({ total: 3, page: 1 })
  })

  test('explains an empty list', () => {
    const { small, carrier, destination } = scene
    const why = (params: object = {}) => done(scene, carrier, 'list', params).empty_reason_code
    expect(why()).toBe('no_shipments')
    posted(scene, { invited_carrier_id: 'Third' })
    expect(why()).toBe('no_eligible_shipments')
    expect(why({ filter_shipper: 'constructor' })).toBe('no_matching_shipments')
    expect(refused(scene, carrier, 'list', { eligible_as: 'faction' })).toBe('not_in_faction')
    dockAt(small.world, carrier, destination)
    expect(why()).toBe('no_shipments')
  })

  test('for a faction is judged by its own standing', () => {
    const { small, carrier } = scene
    foundFaction(small.world, carrier, 'Free Haulers', 'FREE')
    const invited = { invited_carrier_id: 'FREE', invited_carrier_type: 'faction' }
    const id = posted(scene, invited)
    expect(list(carrier)).toEqual([])
    expect(list(carrier, { eligible_as: 'faction' })).toEqual([id])
  })
})

describe('looks at one contract', () => {
  test('take its id or that of its package, and are for those concerned', () => {
    const { shipper, carrier, third } = scene
    const package_id = aPackage(scene)
    const shipment_id = posted(scene, { package_id, invited_carrier_id: 'Carrier' })
    for (const who of [shipper, carrier]) {
      expect(done(scene, who, 'get', { package_id })).toMatchObject({
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

  test('active shows those that run, of every party', () => {
    const { small, shipper, carrier, third, destination } = scene
    const { shipment_id } = underWay(scene, { recipient_id: 'Third' })
    const open = posted(scene)
    const of = (player: Eid) =>
      (done(scene, player, 'active').shipments as { id: string }[]).map(({ id }) => id)
    expect([of(shipper), of(carrier), of(third)]).toEqual([
      [shipment_id, open],
      [shipment_id],
      [shipment_id],
    ])
    dockAt(small.world, carrier, destination)
    done(scene, carrier, 'deliver', { shipment_id })
    expect([of(shipper), of(carrier), of(third)]).toEqual([[open], [], []])
  })

  test('a newcomer’s profile', () => {
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
  test('runs every action in its batch, and reads at once', () => {
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
    const quoted = done(scene, carrier, 'profile').profile
    expect(quoted).toMatchObject({ successful_deliveries: 1, delivered_value: 80 })
  })
})

test('a restart finds every contract where it was', async () => {
  const { small, shipper } = scene
  posted(scene)
  const ended = posted(scene)
  done(scene, shipper, 'cancel', { shipment_id: ended })
  const { shipment_id } = underWay(scene, { insured: true })
  small.ticks(1)
  const again = await small.reload()
  expect(again.hash()).toBe(small.hash())
  const then: Scene = { ...scene, small: again }
  expect(done(then, shipper, 'get', { shipment_id })).toEqual(
    done(scene, shipper, 'get', { shipment_id }),
  )
  for (const one of [small, again]) one.ticks(2)
  expect(again.hash()).toBe(small.hash())
})

describe('the arithmetic', () => {
  test('of times, premiums, late fees and estimates', () => {
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

  test('the estimate is what strangers were paid for as long a way', () => {
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
