/** Accepting, delivering and returning contracts. Source: crafting.md section 10. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { baseId, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { isPackageIn, lockerOf } from '../../../systems/cargo/model.ts'
import { packageById } from '../../../systems/cargo/rules.ts'
import { addMember, disband, foundFaction } from '../../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { closeEmptyStore, storeContainer } from '../../../systems/faction/store-model.ts'
import { formFleet, addMember as joinFleetOf } from '../../../systems/fleet/rules.ts'
import { playerActor } from '../../../systems/freight/actor-model.ts'
import { hasContractAt } from '../../../systems/freight/model.ts'
import { profileOf } from '../../../systems/freight/plan-model.ts'
import { PROFILES, Shipment } from '../../../systems/freight/state.ts'
import { entryRefusal, withAccess } from '../../../systems/station/model.ts'
import { Station } from '../../../systems/station/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { addService } from '../faction/scene.ts'
import {
  aPackage,
  dockAt,
  done,
  freshScene,
  insurer,
  load,
  ORE,
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
  tradeOre(scene, 4)
})
// A tick checks every invariant.
afterEach(() => scene.small.ticks(1))

const profile = (player: number) =>
  profileOf(scene.small.world, playerActor(scene.small.world, player))
const setProfile = (player: number, changes: object) => {
  const { world } = scene.small
  const key = `p${playerActor(world, player).number}`
  world.records(PROFILES).set(key, { ...profile(player), ...changes })
}

const joinFleet = (fleet: number, player: number) => joinFleetOf(scene.small.world, fleet, player)

const treasury = (faction: number) =>
  balanceOf(scene.small.world, treasuryOf(scene.small.world, faction))

describe('shipping accept', () => {
  test('hands the package over and starts the clock', () => {
    const { small, shipper, carrier, origin } = scene
    const package_id = aPackage(scene)
    const shipment_id = posted(scene, { package_id, insured: true, speed_bonus: 60 })
    takePayloads(scene, shipper, '')
    const { contract, ...told } = done(scene, carrier, 'accept', { shipment_id })
    expect(told).toMatchObject({ message: expect.stringContaining(`${package_id} loads it.`) })
    const { route_hops, premium } = contract as { route_hops: number; premium: number }
    const { tick: accepted_tick } = small.world
    expect(contract).toMatchObject({
      status: 'in_transit',
      policy_status: 'active',
      accepted_tick,
      target_tick: accepted_tick + Math.max(60, 30 * route_hops),
      deadline_tick: accepted_tick + Math.max(120, 60 * route_hops),
      contractor: { kind: 'player' },
      reputation_eligible: true,
    })
    expect(insurer(scene)).toBe(premium)
    const locker = lockerOf(small.world, carrier, origin)
    expect(isPackageIn(small.world, locker, packageById(small.world, package_id))).toBe(true)
    expect(takePayloads(scene, shipper, 'shipment_update')).toMatchObject([{ event: 'accepted' }])
    expect(refused(scene, scene.third, 'accept', { shipment_id })).toBe('shipment_not_found')
    expect(refused(scene, carrier, 'accept', { shipment_id })).toBe('already_accepted')
  })

  test('lets a carrier dock at origin and destination', () => {
    const { small, carrier, origin, destination } = scene
    expect(hasContractAt(small.world, carrier, origin)).toBe(false)
    underWay(scene)
    expect(hasContractAt(small.world, carrier, origin)).toBe(true)
    expect(hasContractAt(small.world, carrier, destination)).toBe(true)
    expect(hasContractAt(small.world, scene.third, destination)).toBe(false)
  })

  test('is refused at another base, without storage and for cancelled contracts', () => {
    const { small, shipper, carrier, origin, destination } = scene
    const shipment_id = posted(scene)
    expect(refused(scene, carrier, 'accept', { shipment_id: 'toString' })).toBe(
      'shipment_not_found',
    )
    dockAt(small.world, carrier, destination)
    expect(refused(scene, carrier, 'accept', { shipment_id })).toBe('wrong_station')
    dockAt(small.world, carrier, origin)
    expect(refused(scene, carrier, 'accept', { shipment_id, carrier: 'faction' })).toBe(
      'not_in_faction',
    )
    small.world.write(Base).services[origin] &= ~serviceBit('storage')
    expect(refused(scene, carrier, 'accept', { shipment_id })).toBe('no_storage_service')
    done(scene, shipper, 'cancel', { shipment_id })
    expect(refused(scene, shipper, 'accept', { shipment_id })).toBe('shipment_not_found')
  })

  test('is open only to carriers who are invited, members or allies', () => {
    const { small, shipper, carrier, third } = scene
    const { world } = small
    const forOne = posted(scene, { invited_carrier_id: 'Third' })
    expect(refused(scene, carrier, 'accept', { shipment_id: forOne })).toBe('shipment_not_found')
    const faction = foundFaction(world, shipper, 'Free Haulers', 'FREE')
    const forMembers = posted(scene, { visibility: 'faction' })
    const forAllies = posted(scene, { visibility: 'allies' })
    expect(refused(scene, carrier, 'get', { shipment_id: forAllies })).toBe('shipment_not_found')
    addMember(world, third, faction)
    done(scene, third, 'get', { shipment_id: forAllies })
    done(scene, third, 'accept', { shipment_id: forOne })
    done(scene, third, 'accept', { shipment_id: forMembers })
    done(scene, third, 'accept', { shipment_id: forAllies })
  })

  test('is refused with not_eligible to a recipient who is not invited', () => {
    const { shipper, carrier } = scene
    const shipment_id = posted(scene, { invited_carrier_id: 'Third', recipient_id: 'Carrier' })
    expect(refused(scene, carrier, 'accept', { shipment_id })).toBe('not_eligible')
    // A shipper may always carry their own package.
    done(scene, shipper, 'accept', { shipment_id })
    expect(statusOf(scene, shipper, shipment_id).reputation_eligible).toBe(false)
  })

  test('requires a tier and keeps to the liability limit', () => {
    const { small, carrier } = scene
    const { world } = small
    const [a, b] = [posted(scene), posted(scene)]
    const { exposure } = world.write(Shipment)
    exposure[rowOf(scene, a)] = 5_001
    expect(refused(scene, carrier, 'accept', { shipment_id: a })).toBe('tier_too_low')
    exposure[rowOf(scene, a)] = 5_000
    done(scene, carrier, 'accept', { shipment_id: a })
    exposure[rowOf(scene, a)] = 9_921
    expect(refused(scene, carrier, 'accept', { shipment_id: b })).toBe('liability_limit')
    exposure[rowOf(scene, a)] = 9_920
    done(scene, carrier, 'accept', { shipment_id: b })
    setProfile(carrier, { tier: 3 })
    exposure[rowOf(scene, a)] = 1e9
    done(scene, carrier, 'accept', { shipment_id: posted(scene) })
  })

  test('is limited to fifty contracts a carrier', () => {
    const { third, carrier, small } = scene
    setProfile(carrier, { tier: 3 })
    foundFaction(small.world, third, 'Far Porters', 'FARP')
    for (let i = 0; i < 50; i++) {
      const shipment_id = posted(scene, { base_reward: 1 })
      done(scene, carrier, 'accept', { shipment_id })
    }
    const package_id = aPackage(scene, { kind: 'locker', player: third, base: scene.origin })
    const shipment_id = posted(scene, { package_id, base_reward: 1 }, third)
    expect(refused(scene, carrier, 'accept', { shipment_id })).toBe('limit_reached')
  })
})

describe('shipping deliver', () => {
  test('pays reward and bonus to the carrier and the rest to the shipper', () => {
    const { small, shipper, carrier, destination } = scene
    const { shipment_id, package_id, row } = underWay(scene, { speed_bonus: 600 })
    expect(refused(scene, carrier, 'deliver', { shipment_id })).toBe('wrong_station')
    dockAt(small.world, carrier, destination)
    const [paid, kept] = [wallet(scene, carrier), wallet(scene, shipper)]
    const columns = small.world.write(Shipment)
    const span = columns.deadlineTick[row] - columns.targetTick[row]
    columns.targetTick[row] = small.world.tick - 1
    columns.deadlineTick[row] = small.world.tick - 1 + span
    const bonus = Math.floor((600 * (span - 1)) / span)
    takePayloads(scene, carrier, '')
    const answer = done(scene, carrier, 'deliver', { package_id })
    expect(answer).toMatchObject({
      action: 'deliver',
      carrier_payout: 1_000 + bonus,
      shipper_refund: 600 - bonus,
      contract: { status: 'delivered', terminal_reason: 'delivered', policy_status: 'none' },
    })
    expect(wallet(scene, carrier)).toBe(paid + 1_000 + bonus)
    expect(wallet(scene, shipper)).toBe(kept + 600 - bonus)
    const locker = lockerOf(small.world, shipper, destination)
    expect(isPackageIn(small.world, locker, packageById(small.world, package_id))).toBe(true)
    expect(takePayloads(scene, carrier, 'shipment_update')).toMatchObject([{ event: 'delivered' }])
    expect(profile(carrier)).toMatchObject({ deliveries: 1, counted: 1, value: 80 })
    expect(refused(scene, carrier, 'deliver', { shipment_id })).toBe('shipment_not_found')
  })

  test('pays less the later it is after the deadline', () => {
    const { small, carrier, destination } = scene
    const { shipment_id, row } = underWay(scene, { speed_bonus: 600 })
    dockAt(small.world, carrier, destination)
    const columns = small.world.write(Shipment)
    columns.deadlineTick[row] = small.world.tick - 289
    columns.targetTick[row] = small.world.tick - 400
    const contract = { terminal_reason: 'delivered_late' }
    const late = { carrier_payout: 899, shipper_refund: 701, contract }
    expect(done(scene, carrier, 'deliver', { shipment_id })).toMatchObject(late)
  })

  test('pays the carrier even if another ship brings the package', () => {
    const { small, carrier, third, destination } = scene
    const { shipment_id, package_id } = underWay(scene)
    dockAt(small.world, third, destination)
    expect(refused(scene, third, 'deliver', { shipment_id })).toBe('shipment_not_found')
    dockAt(small.world, carrier, destination)
    load(scene, third, package_id)
    expect(refused(scene, carrier, 'deliver', { shipment_id })).toBe('package_not_aboard')
    const paid = wallet(scene, carrier)
    done(scene, third, 'deliver', { shipment_id })
    expect(wallet(scene, carrier)).toBe(paid + 1_000)
    expect(profile(third).deliveries).toBe(0)
  })

  test('fills the stock of a station that is the recipient', () => {
    const { small, carrier, destination } = scene
    const { world } = small
    const { shipment_id, package_id } = underWay(scene, { recipient_type: 'station' })
    dockAt(world, carrier, destination)
    const stock = () => unitsIn(world, world.read(Base).stock[destination], ORE)
    const before = stock()
    done(scene, carrier, 'deliver', { shipment_id })
    expect(stock()).toBe(before + 20)
    expect(packageById(world, package_id)).toBe(0)
    expect(statusOf(scene, carrier, shipment_id).status).toBe('delivered')
  })

  test('is refused for a full wallet and without a contract', () => {
    const { small, carrier, destination } = scene
    const { shipment_id } = underWay(scene)
    dockAt(small.world, carrier, destination)
    expect(refused(scene, carrier, 'deliver', {})).toBe('invalid_payload')
    const rest = Number.MAX_SAFE_INTEGER - wallet(scene, carrier)
    post(small.world, namedAccount('pirate_bounty'), walletOf(small.world, carrier), rest)
    expect(refused(scene, carrier, 'deliver', { shipment_id })).toBe('amount_too_large')
  })

  test('counts three times a day for one shipper and raises the tier', () => {
    const { small, shipper, carrier, third, origin, destination } = scene
    const deliverFor = (from: number) => {
      const place = { kind: 'locker', player: from, base: origin } as const
      const package_id = aPackage(scene, place)
      const shipment_id = posted(scene, { package_id, service_level: 'priority' }, from)
      dockAt(small.world, carrier, origin)
      done(scene, carrier, 'accept', { shipment_id })
      load(scene, carrier, package_id)
      dockAt(small.world, carrier, destination)
      done(scene, carrier, 'deliver', { shipment_id })
    }
    for (let i = 0; i < 4; i++) deliverFor(shipper)
    expect(profile(carrier)).toMatchObject({ deliveries: 4, counted: 3, tier: 0, priority: 4 })
    for (let i = 0; i < 2; i++) deliverFor(third)
    expect(profile(carrier)).toMatchObject({ deliveries: 6, counted: 5, tier: 1 })
    const shown = done(scene, shipper, 'profile')
    expect(shown.progression).toMatchObject({ current_tier: 'probationary' })
  })

  test('between related parties earns no standing and is not insured', () => {
    const { small, shipper, carrier, destination } = scene
    const fleet = formFleet(small.world, shipper)
    joinFleet(fleet, carrier)
    const before = wallet(scene, shipper)
    const { shipment_id } = underWay(scene, { insured: true })
    expect(wallet(scene, shipper)).toBe(before - 1_050)
    expect(insurer(scene)).toBe(0)
    expect(statusOf(scene, shipper, shipment_id)).toMatchObject({
      reputation_eligible: false,
      policy_status: 'released',
    })
    dockAt(small.world, carrier, destination)
    done(scene, carrier, 'deliver', { shipment_id })
    expect(profile(carrier)).toMatchObject({ deliveries: 1, counted: 0 })
  })
})

describe('shipping return', () => {
  test('ends the contract before the deadline without loss to the carrier', () => {
    const { small, shipper, carrier, origin } = scene
    const { shipment_id, package_id } = underWay(scene, { speed_bonus: 500, insured: true })
    const before = wallet(scene, shipper)
    dockAt(small.world, carrier, scene.destination)
    expect(refused(scene, carrier, 'return', { shipment_id })).toBe('wrong_station')
    dockAt(small.world, carrier, origin)
    takePayloads(scene, shipper, '')
    expect(done(scene, carrier, 'return', { package_id })).toMatchObject({
      action: 'return',
      carrier_payout: 0,
      shipper_refund: 1_500,
      contract: { status: 'returned', policy_status: 'released' },
    })
    expect(wallet(scene, shipper)).toBe(before + 1_500)
    const locker = lockerOf(small.world, shipper, origin)
    expect(isPackageIn(small.world, locker, packageById(small.world, package_id))).toBe(true)
    expect(profile(carrier)).toMatchObject({ returns: 1, tier: 0, deliveries: 0 })
    expect(takePayloads(scene, shipper, 'shipment_update')).toMatchObject([{ event: 'returned' }])
  })

  test('is refused after the deadline and for packages that are not aboard', () => {
    const { small, carrier } = scene
    const { shipment_id, row } = underWay(scene)
    const columns = small.world.write(Shipment)
    columns.deadlineTick[row] = small.world.tick - 1
    expect(refused(scene, carrier, 'return', { shipment_id })).toBe('not_cancellable')
    columns.deadlineTick[row] = small.world.tick + 1_000
    const other = posted(scene)
    expect(refused(scene, scene.shipper, 'return', { shipment_id: other })).toBe(
      'package_not_aboard',
    )
  })
})

describe('a faction as carrier', () => {
  test('takes packages into its store and is paid into its treasury', () => {
    const { small, carrier, third, origin, destination } = scene
    const { world } = small
    const faction = foundFaction(world, carrier, 'Free Haulers', 'FREE')
    addMember(world, third, faction)
    const package_id = aPackage(scene)
    const shipment_id = posted(scene, { package_id })
    const params = { shipment_id, carrier: 'faction' }
    expect(refused(scene, third, 'accept', params)).toBe('no_permission')
    expect(refused(scene, carrier, 'accept', params)).toBe('no_faction_storage')
    addService(world, faction, origin, 'faction_storage')
    takePayloads(scene, carrier, '')
    done(scene, carrier, 'accept', params)
    expect(takePayloads(scene, carrier, 'shipment_update')).toMatchObject([{ event: 'accepted' }])
    const store = storeContainer(world, { faction, base: origin, bucket: 0 })
    expect(isPackageIn(world, store, packageById(world, package_id))).toBe(true)
    expect(hasContractAt(world, third, destination)).toBe(true)
    load(scene, third, package_id)
    closeEmptyStore(world, { faction, base: origin, bucket: 0 })
    dockAt(world, third, destination)
    const before = treasury(faction)
    done(scene, third, 'deliver', { shipment_id })
    expect(treasury(faction)).toBe(before + 1_000)
    expect(done(scene, third, 'profile', { carrier: 'faction' }).profile).toMatchObject({
      successful_deliveries: 1,
      actor: { kind: 'faction' },
    })
  })

  test('leaves its contracts to its last member', async () => {
    const { small, carrier, shipper } = scene
    const { world } = small
    const faction = foundFaction(world, carrier, 'Free Haulers', 'FREE')
    addService(world, faction, scene.origin, 'faction_storage')
    const package_id = aPackage(scene)
    const shipment_id = posted(scene, { package_id })
    done(scene, carrier, 'accept', { shipment_id, carrier: 'faction' })
    load(scene, carrier, package_id)
    closeEmptyStore(world, { faction, base: scene.origin, bucket: 0 })
    disband(world, faction, carrier)
    expect(statusOf(scene, shipper, shipment_id).contractor).toMatchObject({ kind: 'player' })
    dockAt(world, carrier, scene.destination)
    const before = wallet(scene, carrier)
    done(scene, carrier, 'deliver', { shipment_id })
    expect(wallet(scene, carrier)).toBe(before + 1_000)
  })
})

describe('the station of a faction', () => {
  test('lets carriers of its contracts dock and serves whom its owner allows', () => {
    const { small, shipper, carrier, third, origin } = scene
    const { world } = small
    const faction = foundFaction(world, third, 'Far Porters', 'FARP')
    const station = world.write(Station)
    station.faction[origin] = faction
    const package_id = aPackage(scene)
    const destination_base_id = baseId(world, scene.destination)
    const params = { package_id, destination_base_id, base_reward: 10 }
    const shipment_id = posted(scene, params)
    expect(entryRefusal(world, carrier, origin)).toMatchObject({ code: 'access_denied' })
    done(scene, carrier, 'accept', { shipment_id })
    expect(entryRefusal(world, carrier, origin)).toBeUndefined()
    expect(entryRefusal(world, shipper, origin)).toMatchObject({ code: 'access_denied' })
    station.access[origin] = withAccess(0, 'missions', 'faction')
    const second = { ...params, package_id: aPackage(scene) }
    for (const action of ['quote', 'post']) {
      expect(refused(scene, shipper, action, second)).toBe('service_restricted')
    }
    expect(refused(scene, carrier, 'pay_debt')).toBe('service_restricted')
    // Undone for the invariants: a base of the galaxy has no faction as its owner.
    station.access[origin] = 0
    station.faction[origin] = 0
  })
})
