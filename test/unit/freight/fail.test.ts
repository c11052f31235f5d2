/** Packages opened, destroyed or late; insurance, claims and debts. Source: crafting.md 10. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES } from '../../../core/catalog/index.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { DAY_TICKS } from '../../../core/time.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { destroyPackage, openPackage, packageById } from '../../../systems/cargo/rules.ts'
import { addMember, disband, foundFaction } from '../../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { factionActor, playerActor } from '../../../systems/freight/actor-model.ts'
import { recordDebt } from '../../../systems/freight/beacons-rules.ts'
import { outstandingOf, profileOf } from '../../../systems/freight/plan-model.ts'
import { CLAIMS, PROFILES, Shipment } from '../../../systems/freight/state.ts'
import { activeShip, shipId } from '../../../systems/ship/model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { freighter } from '../package/stage.ts'
import {
  comeDue,
  dockAt,
  done,
  freshScene,
  insurer,
  load,
  posted,
  refused,
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

const actorOf = (player: Eid) => playerActor(scene.small.world, player)
const profile = (player: Eid) => profileOf(scene.small.world, actorOf(player))
const debtOf = (player: Eid) => outstandingOf(scene.small.world, actorOf(player))
const setProfile = (player: Eid, changes: object) => {
  const key = `p${actorOf(player).number}`
  scene.small.world.records(PROFILES).set(key, { ...profile(player), ...changes })
}

/** Opens the package of a contract where it is, into the locker of a player. */
function openSeal(package_id: string, player: Eid): void {
  const { world } = scene.small
  const into = { kind: 'locker', player, base: scene.origin } as const
  openPackage(world, packageById(world, package_id), into, true)
}
const destroy = (package_id: string): void => {
  const { world } = scene.small
  destroyPackage(world, packageById(world, package_id), 'destroyed')
}
/** Gives the insurer credits, like the premiums of other contracts. */
const fundInsurer = (credits: number): void =>
  post(
    scene.small.world,
    namedAccount('starting_grant'),
    namedAccount('freight_insurance'),
    credits,
  )

describe('a seal that is opened', () => {
  test('breaks the contract, refunds the reward and costs a debt and a tier', () => {
    const { small, shipper, carrier } = scene
    setProfile(carrier, { tier: 1, counted: 9, countedValue: 900 })
    const before = wallet(scene, shipper)
    const { shipment_id, package_id } = underWay(scene, { speed_bonus: 400 })
    takePayloads(scene, shipper, '')
    openSeal(package_id, carrier)
    small.ticks(1)
    expect(statusOf(scene, shipper, shipment_id)).toMatchObject({
      status: 'breached',
      terminal_reason: 'seal_opened',
      reward_escrow: 0,
      failure_debt: 500,
    })
    expect(wallet(scene, shipper)).toBe(before - 70)
    expect(takePayloads(scene, shipper, 'shipment_update')).toMatchObject([
      { event: 'breached', debt_created: 500, shipper_refund: 1_400, claim_paid: 0 },
    ])
    expect(debtOf(carrier)).toBe(500)
    expect(profile(carrier)).toMatchObject({ breaches: 1, tier: 0, counted: 0, countedValue: 0 })
    const { events } = done(scene, shipper, 'track', { shipment_id }) as { events: object[] }
    expect(events.at(-1)).toMatchObject({ class: 'ship' })
  })

  test('by the shipper counts as a return', () => {
    const { small, shipper, carrier } = scene
    const { shipment_id, package_id } = underWay(scene, { insured: true })
    load(scene, shipper, package_id)
    openSeal(package_id, shipper)
    small.ticks(1)
    expect(statusOf(scene, shipper, shipment_id)).toMatchObject({
      status: 'returned',
      terminal_reason: 'opened_by_owner',
      policy_status: 'released',
    })
    expect(debtOf(carrier)).toBe(0)
    expect(profile(carrier)).toMatchObject({ breaches: 0, returns: 1 })
  })

  test('of a package that its own shipper carries costs nothing', () => {
    const { small, shipper } = scene
    const shipment_id = posted(scene)
    done(scene, shipper, 'accept', { shipment_id })
    const { package_id } = statusOf(scene, shipper, shipment_id) as { package_id: string }
    openSeal(package_id, shipper)
    small.ticks(1)
    expect(statusOf(scene, shipper, shipment_id).status).toBe('breached')
    expect([debtOf(shipper), profile(shipper).breaches]).toEqual([0, 0])
  })
})

describe('a package that is lost', () => {
  test('defaults the contract, and the insurer pays the covered value', () => {
    const { small, shipper, carrier } = scene
    fundInsurer(1_000)
    const before = wallet(scene, shipper)
    const { shipment_id, package_id } = underWay(scene, { insured: true })
    const premium = statusOf(scene, shipper, shipment_id).premium as number
    destroy(package_id)
    small.ticks(1)
    expect(statusOf(scene, shipper, shipment_id)).toMatchObject({
      status: 'defaulted',
      terminal_reason: 'package_destroyed',
      claim_paid: 80,
      policy_status: 'claimed',
    })
    expect(wallet(scene, shipper)).toBe(before - 50 - premium + 80)
    expect(insurer(scene)).toBe(1_000 + premium - 80)
    expect(debtOf(carrier)).toBe(180)
    expect(profile(carrier).defaults).toBe(1)
    const { events } = done(scene, shipper, 'track', { shipment_id }) as { events: object[] }
    expect(events.at(-1)).toMatchObject({ class: 'destroyed' })
  })

  test('is paid for as far as the insurer can, and in full once debts are paid', () => {
    const { small, shipper, carrier, third } = scene
    const { shipment_id, package_id } = underWay(scene, { insured: true })
    const premium = statusOf(scene, shipper, shipment_id).premium as number
    destroy(package_id)
    small.ticks(1)
    expect(insurer(scene)).toBe(0)
    expect(statusOf(scene, shipper, shipment_id).claim_paid).toBe(premium)
    expect([...small.world.records(CLAIMS).entries()]).toMatchObject([
      [expect.any(String), { credits: 80 - premium }],
    ])
    const before = wallet(scene, shipper)
    done(scene, carrier, 'pay_debt', { amount: 30 })
    small.ticks(1)
    expect([insurer(scene), wallet(scene, shipper)]).toEqual([0, before + 30])
    expect(refused(scene, third, 'pay_debt', {})).toBe('no_debt')
    done(scene, carrier, 'pay_debt')
    small.ticks(1)
    expect(wallet(scene, shipper)).toBe(before + 80 - premium)
    expect(small.world.records(CLAIMS).size).toBe(0)
    expect(statusOf(scene, shipper, shipment_id).claim_paid).toBe(80)
    expect(insurer(scene)).toBe(180 - (80 - premium))
  })

  test('is not paid for to parties that have become related', () => {
    const { small, shipper, carrier } = scene
    fundInsurer(1_000)
    const { shipment_id, package_id } = underWay(scene, { insured: true })
    const held = insurer(scene)
    const faction = foundFaction(small.world, carrier, 'Free Haulers', 'FREE')
    addMember(small.world, shipper, faction)
    destroy(package_id)
    small.ticks(1)
    expect(insurer(scene)).toBe(held)
    expect(statusOf(scene, shipper, shipment_id).policy_status).toBe('released')
    expect(debtOf(carrier)).toBe(180)
  })
})

describe('a package that is late', () => {
  test('is called overdue twice and then defaults', () => {
    const { small, shipper, carrier } = scene
    const { shipment_id, row } = underWay(scene)
    const callFields: unknown[] = []
    for (const late of [0, 1_440]) {
      takePayloads(scene, carrier, '')
      comeDue(scene, row)
      small.ticks(1)
      const calls = takePayloads(scene, carrier, 'shipment_overdue')
      expect(calls).toHaveLength(1)
      callFields.push(calls[0].ticks_left, calls[0].late_fee)
      expect(statusOf(scene, shipper, shipment_id).status).toBe('in_transit')
      expect(late).toBe(2_880 - (calls[0].ticks_left as number))
    }
    expect(callFields).toEqual([2_880, 0, 1_440, 500])
    comeDue(scene, row)
    small.ticks(1)
    expect(statusOf(scene, shipper, shipment_id)).toMatchObject({
      status: 'defaulted',
      terminal_reason: 'recovery_deadline_passed',
    })
    expect(takePayloads(scene, shipper, 'shipment_update')).toMatchObject([{ event: 'defaulted' }])
    expect(debtOf(carrier)).toBe(500)
    const { package_id } = statusOf(scene, shipper, shipment_id) as { package_id: string }
    expect(packageById(small.world, package_id)).not.toBe(0)
  })

  test('stops its timers when it is delivered after all', () => {
    const { small, carrier, destination } = scene
    const { shipment_id, row } = underWay(scene)
    comeDue(scene, row)
    small.ticks(1)
    dockAt(small.world, carrier, destination)
    done(scene, carrier, 'deliver', { shipment_id })
    const { dueTick, endedTick } = small.world.read(Shipment)
    expect(dueTick[row] - endedTick[row]).toBe(DAY_TICKS)
  })
})

describe('debts', () => {
  test('bar a carrier from packages of strangers until they are paid', () => {
    const { small, shipper, carrier } = scene
    const { package_id } = underWay(scene)
    openSeal(package_id, carrier)
    small.ticks(1)
    const shipment_id = posted(scene)
    expect(refused(scene, carrier, 'accept', { shipment_id })).toBe('freight_debt')
    expect(done(scene, carrier, 'list')).toMatchObject({
      shipments: [],
      empty_reason_code: 'no_eligible_shipments',
    })
    const shown = done(scene, carrier, 'profile')
    expect(shown).toMatchObject({
      debt_blocks_acceptance: true,
      profile: { outstanding_debt: 500 },
      debts: [{ original: 500, outstanding: 500, creditor: { kind: 'station' } }],
    })
    expect(done(scene, carrier, 'pay_debt', { amount: 200 })).toMatchObject({
      action: 'pay_debt',
      amount_paid: 200,
      outstanding_debts: [{ outstanding: 300 }],
      updated_debts: [{ outstanding: 300 }],
      debt_blocks_acceptance: true,
    })
    expect(done(scene, carrier, 'pay_debt', { amount: 9_999 })).toMatchObject({
      amount_paid: 300,
      outstanding_debts: [],
      debt_blocks_acceptance: false,
      updated_debts: [{ outstanding: 0, paid_at: expect.any(String) }],
    })
    expect(insurer(scene)).toBe(500)
    done(scene, carrier, 'accept', { shipment_id })
    expect(wallet(scene, shipper)).toBeGreaterThan(0)
  })

  test('cannot be paid without credits or at a base without missions', () => {
    const { small, carrier, origin } = scene
    const { world } = small
    const { row } = underWay(scene)
    recordDebt(world, row, 0)
    post(world, walletOf(world, carrier), namedAccount('fee_sink'), wallet(scene, carrier))
    expect(refused(scene, carrier, 'pay_debt')).toBe('no_credits')
    expect(refused(scene, carrier, 'pay_debt', { carrier: 'faction' })).toBe('not_in_faction')
    world.write(Base).services[origin] &= ~serviceBit('missions')
    expect(refused(scene, carrier, 'pay_debt')).toBe('no_missions_service')
  })

  test('of a faction pass to its last member when it ends', () => {
    const { small, carrier } = scene
    const { world } = small
    const faction = foundFaction(world, carrier, 'Free Haulers', 'FREE')
    const actor = factionActor(world, faction)
    const { row } = underWay(scene)
    const columns = world.write(Shipment)
    const before = [columns.carrierKind[row], columns.carrier[row]]
    columns.carrierKind[row] = 2
    columns.carrier[row] = actor.number
    recordDebt(world, row, 0)
    columns.carrierKind[row] = before[0]
    columns.carrier[row] = before[1]
    expect(refused(scene, carrier, 'pay_debt', { carrier: 'faction' })).toBe('faction_no_credits')
    post(world, namedAccount('starting_grant'), treasuryOf(world, faction), 100)
    done(scene, carrier, 'pay_debt', { carrier: 'faction', amount: 100 })
    expect(balanceOf(world, treasuryOf(world, faction))).toBe(0)
    expect(outstandingOf(world, actor)).toBe(400)
    disband(world, faction, carrier)
    expect([debtOf(carrier), outstandingOf(world, actor)]).toEqual([400, 0])
  })
})

describe('the package of a contract', () => {
  test('cannot be given to an empire', () => {
    const { small, carrier } = scene
    const { world } = small
    const { package_id } = underWay(scene)
    const home = world.read(Player).homeBase[carrier]
    dockAt(world, carrier, home)
    const recipient = EMPIRES[world.read(Base).empire[home] - 1].id
    const gift = { recipient, item_id: package_id, quantity: 1, source: 'cargo' }
    expect(small.act(carrier, 'send_gift', gift)).toMatchObject({ code: 'freight_locked' })
    expect(packageById(world, package_id)).not.toBe(0)
    const ship = activeShip(world, carrier)
    freighter(world, carrier)
    dockShip(world, ship, home)
    const hull = { recipient, ship_id: shipId(world, ship) }
    expect(small.act(carrier, 'send_gift', hull)).toMatchObject({ code: 'freight_locked' })
    expect(packageById(world, package_id)).not.toBe(0)
  })
})
