/** Distress signals: recipients, rescues and rewards. Source: missions.md section 4. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GOODS } from '../../../core/catalog/index.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { empireTreasury } from '../../../systems/base/model.ts'
import { countListeners, ringsAround, signalOf } from '../../../systems/distress/model.ts'
import { completeCallOf, completeCallsAt } from '../../../systems/distress/rules.ts'
import {
  Airwave,
  Caller,
  DISTRESS_COOLDOWN_TICKS,
  Signal,
} from '../../../systems/distress/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { missionsOf } from '../../../systems/mission/model.ts'
import { fitModule, recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { incomeOf } from '../../../systems/tax/model.ts'
import { poiOf, shipOf } from '../../../systems/travel/location-model.ts'
import { lanesFrom, poisOf, systemId, systemName } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace, startFlight } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { creditsOf, here, load } from '../mission/stage.ts'
import { refusesRun, result } from '../posting/scene.ts'

let small: SmallWorld
let world: World
let sender: Eid
let helper: Eid
let home: Eid
let spot: Eid
let count = 0
beforeAll(async () => {
  small = await smallWorld()
  world = small.world
  // Late enough that a signal of tick 1 is past its cooldown.
  world.tick = DISTRESS_COOLDOWN_TICKS + 1
})
beforeEach(() => {
  // Players of earlier tests must be out of reach, and their signals off the channel.
  for (const player of small.players) {
    if (signalOf(world, player) !== 0) dockShip(world, shipOf(world, player), home)
    world.write(Player).bound[player] = 0
  }
  world.write(Airwave).emergencyTick.fill(0)
  small.ticks(1)
  count++
  sender = small.join(`Caller ${count}`)
  helper = small.join(`Helper ${count}`)
  home = here(world, sender)
  const system = world.read(Poi).system[poiOf(world, sender)]
  spot = openPlace(system)
  placeInSpace(world, shipOf(world, sender), spot)
  small.takeEmissions()
})

/** Returns a known place of a system without a base. */
function openPlace(system: Eid): Eid {
  const { base, hidden } = world.read(Poi)
  const found = poisOf(world, system).find((poi) => base[poi] === 0 && hidden[poi] === 0)
  if (found === undefined) throw new Error('no open place')
  return found
}
const emptyTank = (): void => {
  world.write(Ship).fuel[shipOf(world, sender)] = 1
}
const call = (distress_type?: string): Record<string, unknown> =>
  result(small.act(sender, 'distress_signal', distress_type ? { distress_type } : {}))
/** Sends a call that the helper accepts. */
function callHelper(distress_type?: string): void {
  const { mission_id } = call(distress_type)
  expect(small.act(helper, 'accept_mission', { mission_id })).toMatchObject({ ok: true })
}
/** Flies the helper to the sender's place. */
function arrive(player = helper): void {
  const ship = shipOf(world, player)
  const from = poisOf(world, world.read(Poi).system[spot]).find((poi) => poi !== spot) ?? 0
  placeInSpace(world, ship, from)
  startFlight(world, ship, spot, 1)
  small.ticks(1)
}
const treasuryHere = () =>
  empireTreasury(world, world.read(StarSystem).empire[world.read(Poi).system[spot]] - 1)
const fundTreasury = (): void => post(world, namedAccount('starting_grant'), treasuryHere(), 10_000)

describe('distress_signal', () => {
  test('is sent on the emergency channel, with the id of its mission', () => {
    const sent = call()
    expect(sent).toMatchObject({
      action: 'distress_signal',
      distress_type: 'fuel',
      responders_reached: 1,
      missions_sent: 1,
      mission_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expires_seconds: 1_800,
      message: expect.stringContaining('1 pilot hears it'),
    })
    const events = small.takeEmissions()
    const number = world.read(Player).seq[helper]
    const system = world.read(Poi).system[spot]
    const chats = events.filter(({ type }) => type === 'chat_message')
    expect(chats.filter(({ to }) => to.includes(number))).toMatchObject([
      {
        payload: {
          channel: 'emergency',
          sender: `Caller ${count}`,
          distress_type: 'fuel',
          mission_id: sent.mission_id,
          system: systemName(world, system),
          system_id: systemId(world, system),
        },
      },
    ])
    expect(chats.some(({ to }) => to.includes(world.read(Player).seq[sender]))).toBe(false)
    expect(small.store.archive.rows.get('postChat')?.length).toBeGreaterThan(0)
    // A mission is not given to anybody who has not accepted it.
    expect(missionsOf(world, helper)).toEqual([])
  })

  test('skips players who muted the channel, and has no mission without recipients', () => {
    small.ask(helper, 'mute_notifications', { channels: ['chat.emergency'] })
    expect(call()).toMatchObject({
      mission_id: '',
      responders_reached: 0,
      missions_sent: 0,
      expires_seconds: 1_800,
      message: expect.stringContaining('Nobody within five jumps hears it'),
    })
    expect(signalOf(world, sender)).not.toBe(0)
  })

  test('is refused in a station, which is not left for it', () => {
    dockShip(world, shipOf(world, sender), home)
    expect(small.act(sender, 'distress_signal')).toMatchObject({ code: 'docked' })
    expect(here(world, sender)).toBe(home)
  })

  test('is refused: in_transit, distress_active, rate_limited, invalid_payload', () => {
    refusesRun(small, sender, ['distress_signal', { distress_type: 'love' }], 'invalid_payload')
    startFlight(world, shipOf(world, sender), world.read(StarSystem).entryPoi[1], 5)
    expect(small.act(sender, 'distress_signal')).toMatchObject({ code: 'in_transit' })
    placeInSpace(world, shipOf(world, sender), spot)
    call()
    refusesRun(small, sender, ['distress_signal', {}], 'distress_active')
    dockShip(world, shipOf(world, sender), home)
    small.ticks(1)
    expect(signalOf(world, sender)).toBe(0)
    refusesRun(small, sender, ['distress_signal', {}], {
      code: 'rate_limited',
      details: { wait_seconds: expect.any(Number) },
    })
    world.write(Caller).sentTick[sender] = 1 + world.tick - DISTRESS_COOLDOWN_TICKS
    placeInSpace(world, shipOf(world, sender), spot)
    call()
  })

  test('reaches online players up to five jumps away, except the caller', () => {
    const system = world.read(Poi).system[spot]
    const rings = ringsAround(world, system)
    expect(rings).toHaveLength(6)
    expect(rings[1]).toEqual(lanesFrom(world, system))
    expect(new Set(rings.flat()).size).toBe(rings.flat().length)
    const crowd = Array.from({ length: 4 }, (_, i) => small.join(`Crowd ${count} ${i}`))
    placeInSpace(world, shipOf(world, crowd[0]), openPlace(rings[1][0]))
    expect(countListeners(world, sender, rings.flat())).toBe(5)
    expect(countListeners(world, sender, rings[1])).toBe(1)
    world.write(Player).bound[crowd[0]] = 0
    expect(countListeners(world, sender, rings.flat())).toBe(4)
  })

  test('skips players who got another call within six ticks', () => {
    const [first, second] = [1, 2].map((i) => small.join(`Loud ${count} ${i}`))
    for (const player of [first, second]) placeInSpace(world, shipOf(world, player), spot)
    expect(result(small.act(first, 'distress_signal'))).toMatchObject({ missions_sent: 1 })
    expect(result(small.act(second, 'distress_signal'))).toMatchObject({
      missions_sent: 0,
      mission_id: '',
    })
    for (const player of [first, second]) dockShip(world, shipOf(world, player), home)
    small.ticks(1)
  })
})

describe('a rescue', () => {
  test('is completed by arriving, and paid by the empire if the caller was in need', () => {
    emptyTank()
    fundTreasury()
    callHelper('repair')
    const before = creditsOf(world, helper)
    const held = balanceOf(world, treasuryHere())
    const xp = xpOf(world, helper, 'engineering')
    arrive()
    expect(creditsOf(world, helper) - before).toBe(500)
    expect(balanceOf(world, treasuryHere())).toBe(held - 500)
    expect(incomeOf(world, helper, 'rescue')).toBe(500)
    expect(xpOf(world, helper, 'engineering') - xp).toBe(50)
    expect(signalOf(world, sender)).toBe(0)
    expect(missionsOf(world, helper)).toEqual([])
    expect(world.countOf(Signal)).toBe(0)
  })

  test('is not completed by a player who is there already', () => {
    placeInSpace(world, shipOf(world, helper), spot)
    callHelper()
    small.ticks(2)
    expect(signalOf(world, sender)).not.toBe(0)
    expect(small.act(helper, 'complete_mission', { mission_id: 'distress_fuel' })).toMatchObject({
      code: 'mission_incomplete',
    })
    expect(small.act(helper, 'abandon_mission', { mission_id: 'distress_fuel' })).toMatchObject({
      ok: true,
    })
    expect(missionsOf(world, helper)).toHaveLength(0)
    completeCallsAt(world, helper, spot)
    expect(signalOf(world, sender)).not.toBe(0)
  })

  test.each([
    ['without need', () => {}],
    [
      'to a second signal of the day',
      () => {
        emptyTank()
        world.write(Caller).sentTick[sender] = 1
      },
    ],
    [
      'to a member of the same faction',
      () => {
        emptyTank()
        const tag = `M${String(count).padStart(3, '0')}`
        addMember(world, helper, foundFaction(world, sender, `Mates ${count}`, tag))
      },
    ],
    [
      'beyond five rewards a day',
      () => {
        emptyTank()
        world.write(Caller).paid[helper] = 5
        world.write(Caller).paidTick[helper] = 1
      },
    ],
    [
      'from an empty treasury',
      () => {
        emptyTank()
        const held = balanceOf(world, treasuryHere())
        post(world, treasuryHere(), namedAccount('fee_sink'), held)
      },
    ],
  ] as const)('pays nothing %s, and the log says so', (_, prepare) => {
    fundTreasury()
    prepare()
    call()
    const before = creditsOf(world, helper)
    const outcome = completeCallOf(world, helper, sender)
    expect(outcome).toEqual({ rescue_completed: true, rescue_reward: 0 })
    expect(JSON.stringify(world.outbox.writes)).toContain('It pays nothing: ')
    expect(creditsOf(world, helper)).toBe(before)
    expect(completeCallOf(world, helper, sender)).toEqual({})
  })

  test('pays nothing in lawless space, and trains no tactics within a faction', () => {
    const { empire, alive } = world.read(StarSystem)
    const systems = Array.from({ length: world.highOf(StarSystem) }, (_, i) => i + 1)
    const lawless = systems.find((row) => alive[row] === 1 && empire[row] === 0) as Eid
    placeInSpace(world, shipOf(world, sender), openPlace(lawless))
    emptyTank()
    const tag = `L${String(count).padStart(3, '0')}`
    addMember(world, helper, foundFaction(world, sender, `Lawless ${count}`, tag))
    call('combat')
    const xp = xpOf(world, helper, 'tactics')
    expect(completeCallOf(world, helper, sender)).toMatchObject({ rescue_reward: 0 })
    expect(xpOf(world, helper, 'tactics')).toBe(xp)
  })

  test('ends without penalty when the sender docks, or after half an hour', () => {
    callHelper()
    const signal = signalOf(world, sender)
    dockShip(world, shipOf(world, sender), home)
    small.ticks(1)
    expect(world.read(Signal).alive[signal]).toBe(0)
    expect(missionsOf(world, helper)).toHaveLength(0)
    placeInSpace(world, shipOf(world, sender), spot)
    world.write(Caller).sentTick[sender] = 0
    small.ticks(6)
    callHelper()
    expect(world.read(Signal).expireTick[signalOf(world, sender)]).toBe(world.tick + 179)
    small.ticks(179)
    expect(signalOf(world, sender)).toBe(0)
    expect(missionsOf(world, helper)).toHaveLength(0)
    expect(small.act(helper, 'complete_mission', { mission_id: 'distress_fuel' })).toMatchObject({
      code: 'mission_not_found',
    })
  })

  test('is completed at once by a transfer of fuel', () => {
    emptyTank()
    fundTreasury()
    placeInSpace(world, shipOf(world, helper), spot)
    fit('refueling_pump')
    world.write(Ship).issueFuel[shipOf(world, helper)] = 0
    call()
    const target = playerId(world, sender)
    const outcome = result(small.act(helper, 'refuel', { target, quantity: 2 }))
    expect(outcome).toMatchObject({
      fuel: 2,
      rescue_completed: true,
      rescue_reward: 500,
      message: expect.stringContaining('which pays 500 credits.'),
    })
    expect(signalOf(world, sender)).toBe(0)
  })

  test('is completed at once by a repair of the hull', () => {
    placeInSpace(world, shipOf(world, helper), spot)
    fit('repair_arm')
    load(world, helper, 'repair_kit', 1)
    world.write(Ship).hull[shipOf(world, sender)] -= 10
    call('repair')
    const target = playerId(world, sender)
    expect(small.act(helper, 'repair', { target })).toMatchObject({ ok: true })
    expect(signalOf(world, sender)).toBe(0)
  })

  test('is completed alike in a restored world', async () => {
    callHelper()
    const numbers = [sender, helper].map((player) => world.read(Player).seq[player])
    const restored = await small.reload()
    for (const instance of [small, restored]) {
      const [from, to] = numbers.map((number) => instance.world.rowOf(Player, number))
      expect(missionsOf(instance.world, to)).toHaveLength(1)
      completeCallOf(instance.world, to, from)
      instance.ticks(1)
    }
    expect(restored.hash()).toBe(small.hash())
  })
})

/** Fits a module that does this to the helper's ship. */
function fit(special: string): void {
  const good = GOODS.findIndex((row) => (row as { special?: string }).special === special)
  fitModule(world, shipOf(world, helper), good)
  recompute(world, shipOf(world, helper))
}
