/** Distress signals: who is asked, who comes, what it pays. Source: missions.md section 4. */
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
  // Before anybody flies: later signals may be a cooldown after the first tick.
  world.tick = DISTRESS_COOLDOWN_TICKS + 1
})
beforeEach(() => {
  // Nobody of the test before is within reach, and the channel is free.
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
const empty = (): void => {
  world.write(Ship).fuel[shipOf(world, sender)] = 1
}
const call = (distress_type?: string): Record<string, unknown> =>
  result(small.act(sender, 'distress_signal', distress_type ? { distress_type } : {}))
/** Sends a call as `call` does, which the helper accepts. */
function take(distress_type?: string): void {
  const { mission_id } = call(distress_type)
  expect(small.act(helper, 'accept_mission', { mission_id })).toMatchObject({ ok: true })
}
/** Flies the helper to the sender's place. */
function come(player = helper): void {
  const ship = shipOf(world, player)
  const from = poisOf(world, world.read(Poi).system[spot]).find((poi) => poi !== spot) ?? 0
  placeInSpace(world, ship, from)
  startFlight(world, ship, spot, 1)
  small.ticks(1)
}
const treasuryHere = () =>
  empireTreasury(world, world.read(StarSystem).empire[world.read(Poi).system[spot]] - 1)
const fill = (): void => post(world, namedAccount('starting_grant'), treasuryHere(), 10_000)

describe('distress_signal', () => {
  test('is sent on the emergency channel, with the mission of the first to accept', () => {
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
    // Nobody is given it unasked.
    expect(missionsOf(world, helper)).toEqual([])
  })

  test('skips players who muted the channel; with no recipients there is no mission', () => {
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

  test('undocks by itself', () => {
    dockShip(world, shipOf(world, sender), home)
    const called = small.answer(sender, 'distress_signal')
    expect(called).toMatchObject({ outcome: { ok: true }, autoUndocked: true })
    expect(here(world, sender)).toBe(0)
  })

  test('refusals: in_transit, distress_active, rate_limited, invalid_payload', () => {
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
    const [one, two] = [1, 2].map((i) => small.join(`Loud ${count} ${i}`))
    for (const player of [one, two]) placeInSpace(world, shipOf(world, player), spot)
    expect(result(small.act(one, 'distress_signal'))).toMatchObject({ missions_sent: 1 })
    expect(result(small.act(two, 'distress_signal'))).toMatchObject({
      missions_sent: 0,
      mission_id: '',
    })
    for (const player of [one, two]) dockShip(world, shipOf(world, player), home)
    small.ticks(1)
  })
})

describe('a rescue', () => {
  test('is done by coming; in need the empire pays', () => {
    empty()
    fill()
    take('repair')
    const before = creditsOf(world, helper)
    const held = balanceOf(world, treasuryHere())
    const xp = xpOf(world, helper, 'engineering')
    come()
    expect(creditsOf(world, helper) - before).toBe(500)
    expect(balanceOf(world, treasuryHere())).toBe(held - 500)
    expect(incomeOf(world, helper, 'rescue')).toBe(500)
    expect(xpOf(world, helper, 'engineering') - xp).toBe(50)
    expect(signalOf(world, sender)).toBe(0)
    expect(missionsOf(world, helper)).toEqual([])
    expect(world.countOf(Signal)).toBe(0)
  })

  test('a player who is already there does not count as arriving', () => {
    placeInSpace(world, shipOf(world, helper), spot)
    take()
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
        empty()
        world.write(Caller).sentTick[sender] = 1
      },
    ],
    [
      'to mates',
      () => {
        empty()
        const tag = `M${String(count).padStart(3, '0')}`
        addMember(world, helper, foundFaction(world, sender, `Mates ${count}`, tag))
      },
    ],
    [
      'beyond five of a day',
      () => {
        empty()
        world.write(Caller).paid[helper] = 5
        world.write(Caller).paidTick[helper] = 1
      },
    ],
    [
      'from an empty treasury',
      () => {
        empty()
        const held = balanceOf(world, treasuryHere())
        post(world, treasuryHere(), namedAccount('fee_sink'), held)
      },
    ],
  ] as const)('pays nothing %s', (_, set) => {
    fill()
    set()
    call()
    const before = creditsOf(world, helper)
    const done = completeCallOf(world, helper, sender)
    expect(done).toEqual({ rescue_completed: true, rescue_reward: 0 })
    expect(creditsOf(world, helper)).toBe(before)
    expect(completeCallOf(world, helper, sender)).toEqual({})
  })

  test('lawless space pays nothing; mates learn no tactics', () => {
    const { empire, alive } = world.read(StarSystem)
    let lawless = 1
    while (alive[lawless] === 0 || empire[lawless] !== 0) lawless++
    placeInSpace(world, shipOf(world, sender), openPlace(lawless))
    empty()
    const tag = `L${String(count).padStart(3, '0')}`
    addMember(world, helper, foundFaction(world, sender, `Lawless ${count}`, tag))
    call('combat')
    const xp = xpOf(world, helper, 'tactics')
    expect(completeCallOf(world, helper, sender)).toMatchObject({ rescue_reward: 0 })
    expect(xpOf(world, helper, 'tactics')).toBe(xp)
  })

  test('ends without penalty when the sender docks, or after half an hour', () => {
    take()
    const signal = signalOf(world, sender)
    dockShip(world, shipOf(world, sender), home)
    small.ticks(1)
    expect(world.read(Signal).alive[signal]).toBe(0)
    expect(missionsOf(world, helper)).toHaveLength(0)
    placeInSpace(world, shipOf(world, sender), spot)
    world.write(Caller).sentTick[sender] = 0
    small.ticks(6)
    take()
    expect(world.read(Signal).expireTick[signalOf(world, sender)]).toBe(world.tick + 179)
    small.ticks(179)
    expect(signalOf(world, sender)).toBe(0)
    expect(missionsOf(world, helper)).toHaveLength(0)
    expect(small.act(helper, 'complete_mission', { mission_id: 'distress_fuel' })).toMatchObject({
      code: 'mission_not_found',
    })
  })

  test('a fuel transfer completes it at once', () => {
    empty()
    fill()
    placeInSpace(world, shipOf(world, helper), spot)
    fit('refueling_pump')
    world.write(Ship).issueFuel[shipOf(world, helper)] = 0
    call()
    const target = playerId(world, sender)
    const done = result(small.act(helper, 'refuel', { target, quantity: 2 }))
    expect(done).toMatchObject({ fuel: 2, rescue_completed: true, rescue_reward: 500 })
    expect(signalOf(world, sender)).toBe(0)
  })

  test('so does a mended hull', () => {
    placeInSpace(world, shipOf(world, helper), spot)
    fit('repair_arm')
    load(world, helper, 'repair_kit', 1)
    world.write(Ship).hull[shipOf(world, sender)] -= 10
    call('repair')
    const target = playerId(world, sender)
    expect(small.act(helper, 'repair', { target })).toMatchObject({ ok: true })
    expect(signalOf(world, sender)).toBe(0)
  })

  test('a restore keeps signals and who is on the way', async () => {
    take()
    const numbers = [sender, helper].map((player) => world.read(Player).seq[player])
    const again = await small.reload()
    for (const each of [small, again]) {
      const [from, to] = numbers.map((number) => each.world.rowOf(Player, number))
      expect(missionsOf(each.world, to)).toHaveLength(1)
      completeCallOf(each.world, to, from)
      each.ticks(1)
    }
    expect(again.hash()).toBe(small.hash())
  })
})

/** Fits a module that does this to the helper's ship. */
function fit(special: string): void {
  const good = GOODS.findIndex((row) => (row as { special?: string }).special === special)
  fitModule(world, shipOf(world, helper), good)
  recompute(world, shipOf(world, helper))
}
