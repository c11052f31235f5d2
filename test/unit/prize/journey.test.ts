/** The journey of a claimed prize: what delays it and how it ends. Source: combat.md section 11. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { BASE_KINDS, Base } from '../../../systems/base/state.ts'
import { leaveBattle } from '../../../systems/combat/battles-rules.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { FATES, PARTICIPANT_KINDS, Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { bountyOf } from '../../../systems/law/model.ts'
import { peopleOf } from '../../../systems/personnel/model.ts'
import { captorBase, prizeOf } from '../../../systems/prize/model.ts'
import { openPrize } from '../../../systems/prize/rules.ts'
import { PlayerPrizes, PRIZE_STATUS, Prize } from '../../../systems/prize/state.ts'
import { journey } from '../../../systems/prize/systems.ts'
import { wreckId, wrecksAt } from '../../../systems/salvage/model.ts'
import { cargoUnits, shipId, shipsOf } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { flightOf, fuelPerJump, jumpTicks } from '../../../systems/travel/flight-model.ts'
import { isUnderWay, locationState } from '../../../systems/travel/location-model.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Location, Poi, StarSystem } from '../../../systems/travel/state.ts'
import { type PrizeScene, prizeScenes } from './scene.ts'

const freshScene = await prizeScenes()
let scene: PrizeScene

beforeEach(async () => {
  scene = await freshScene()
})

const status = () => PRIZE_STATUS[scene.world.read(Prize).status[scene.prize]]
const toFar = () => scene.claim(scene.captor, { destination_base_id: scene.baseId(scene.far) })
const setFuel = (units: number) => {
  scene.world.write(Ship).fuel[scene.hull] = units
}

describe('a claimed prize', () => {
  test('departs in the next tick and is delivered as a ship of its claimant', () => {
    const { world, hull, captor, near } = scene
    scene.stow(hull, 'iron_ore', 9)
    const owned = shipsOf(world, captor).length
    scene.claim()
    const crew = peopleOf(world, hull).fitCrew
    const fuel = world.read(Ship).fuel[hull]
    scene.small.ticks(1)
    expect(locationState(world, hull)).toBe('travelling')
    expect(world.read(Ship).fuel[hull]).toBeLessThan(fuel)
    const update = scene.until('delivered')
    expect(update).toMatchObject({
      ship_id: shipId(world, hull),
      destination_base_id: scene.baseId(near),
      poi_id: expect.any(String),
    })
    expect(world.read(Ship).owner[hull]).toBe(captor)
    expect(world.read(Location).base[hull]).toBe(near)
    expect(cargoUnits(world, hull, itemIndex('iron_ore'))).toBe(9)
    expect(peopleOf(world, hull).fitCrew).toBe(crew)
    expect([prizeOf(world, hull), world.countOf(Prize)]).toEqual([0, 0])
    expect(world.read(PlayerPrizes).claimed[captor]).toBe(0)
    expect(shipsOf(world, captor).length).toBe(owned + 1)
  })

  test('jumps with its own fuel and rests for a tick after each jump', () => {
    const { world, hull } = scene
    setFuel(world.read(Ship).fuelMax[hull])
    toFar()
    const before = world.read(Ship).fuel[hull]
    const flight = flightOf(world, hull)
    scene.small.ticks(1)
    expect(locationState(world, hull)).toBe('jumping')
    expect(before - world.read(Ship).fuel[hull]).toBe(fuelPerJump(flight))
    scene.small.ticks(jumpTicks(flight))
    expect(isUnderWay(world, hull)).toBe(false)
    const entry = world.read(Location).poi[hull]
    expect(world.read(Poi).system[entry]).not.toBe(world.read(Poi).system[scene.poi])
    scene.small.ticks(1)
    expect(isUnderWay(world, hull) || prizeOf(world, hull) === 0).toBe(true)
    expect(scene.until('delivered')).toBeDefined()
  })

  test('continues identically after a restart', async () => {
    toFar()
    scene.small.ticks(2)
    const restored = await scene.small.reload()
    for (let i = 0; i < 8; i++) {
      scene.small.ticks(1)
      restored.ticks(1)
      expect(restored.hash()).toBe(scene.small.hash())
    }
  })
})

describe('a prize waits', () => {
  test('with no_fuel, reported once, until it is refuelled', () => {
    scene.claim()
    setFuel(0)
    scene.takeUpdates()
    scene.small.ticks(20)
    expect(status()).toBe('waiting')
    expect(scene.takeUpdates()).toMatchObject([{ status: 'waiting', wait_reason: 'no_fuel' }])
    const { world, captor } = scene
    world.write(Ship).fuel[scene.shipOf(captor)] = world.read(Ship).fuelMax[scene.shipOf(captor)]
    world.write(Ship).issueFuel[scene.shipOf(captor)] = 0
    expect(scene.service('refuel')).toMatchObject({ ok: true })
    expect(scene.until('delivered')).toBeDefined()
  })

  test('with hull_critical until it is repaired', () => {
    const { world, hull } = scene
    world.write(Ship).hull[hull] = 1
    scene.claim()
    expect(scene.until('waiting')).toMatchObject({ wait_reason: 'hull_critical' })
    scene.stow(scene.shipOf(scene.captor), 'repair_kit', 3)
    expect(scene.service('repair', { quantity: 3 })).toMatchObject({ ok: true })
    expect(scene.until('recovering')).toBeDefined()
  })

  test('with no_crew until crew is transferred', () => {
    const { world, hull } = scene
    scene.claim()
    world.write(Ship).crewFit[hull] = 0
    expect(scene.until('waiting')).toMatchObject({ wait_reason: 'no_crew' })
    const params = { target: scene.id, fit_crew: 2 }
    expect(scene.small.act(scene.other, 'transfer_personnel', params)).toMatchObject({
      code: 'invalid_target',
    })
    expect(scene.small.act(scene.captor, 'transfer_personnel', params)).toMatchObject({
      ok: true,
      result: { prize_id: scene.id },
    })
    expect(scene.until('delivered')).toBeDefined()
  })

  test('with no_route until it is redirected', () => {
    const { world, near, far } = scene
    toFar()
    world.write(Base).alive[far] = 0
    world.tick++
    journey.run?.(world)
    expect(status()).toBe('waiting')
    const payload = world.outbox.emissions.at(-1)?.payload
    expect(payload).toMatchObject({ status: 'waiting', wait_reason: 'no_route' })
    world.write(Base).alive[far] = 1
    const destination_base_id = scene.baseId(near)
    expect(scene.service('redirect', { destination_base_id })).toMatchObject({ ok: true })
    expect(scene.until('delivered')).toBeDefined()
  })

  test('with in_combat until the battle is over', () => {
    const { world, hull, other, captor } = scene
    scene.claim()
    expect(aggress(world, scene.shipOf(other), hull)).toMatchObject({ ok: true })
    scene.small.ticks(3)
    const row = world.read(ShipCombat).participant[hull]
    expect(PARTICIPANT_KINDS[world.read(Participant).kind[row]]).toBe('prize')
    const waits = scene.takeUpdates().filter((update) => update.status === 'waiting')
    expect(waits).toMatchObject([{ wait_reason: 'in_combat' }])
    leaveBattle(world, world.read(ShipCombat).participant[scene.shipOf(other)], 'fled')
    expect(scene.until('recovering')).toBeDefined()
    expect(world.read(Prize).claimant[scene.prize]).toBe(captor)
  })

  test('with dock_refused while its destination does not admit the claimant', () => {
    const { world, near } = scene
    scene.claim()
    scene.small.ticks(1)
    world.write(Base).pirateRepRequired[near] = 10
    expect(scene.until('waiting')).toMatchObject({ wait_reason: 'dock_refused' })
    world.write(Base).pirateRepRequired[near] = 0
    expect(scene.until('delivered')).toBeDefined()
  })
})

describe('a prize ends', () => {
  test('as lost, with the id of its wreck, when it is destroyed', () => {
    const { world, hull, other, captor } = scene
    scene.claim()
    scene.stow(hull, 'iron_ore', 9)
    const { result } = aggress(world, scene.shipOf(other), hull) as { result: number }
    expect(result).toBeGreaterThan(0)
    scene.small.ticks(1)
    const row = world.read(ShipCombat).participant[hull]
    world.write(Participant).fate[row] = FATES.indexOf('destroyed')
    world.write(Ship).hull[hull] = 0
    scene.takeUpdates()
    scene.small.ticks(1)
    const [wreck] = wrecksAt(world, scene.poi)
    expect(scene.takeUpdates()).toMatchObject([{ status: 'lost', wreck_id: wreckId(world, wreck) }])
    expect(world.countOf(Prize)).toBe(0)
    expect(world.read(PlayerPrizes).claimed[captor]).toBe(0)
  })

  test('as recaptured for its claimant when another player captures it', () => {
    const { world, hull, poi, other, captor } = scene
    scene.claim()
    scene.takeUpdates()
    const former = { id: 'x', name: 'X' }
    const prize = openPrize(world, { ship: hull, poi, captor: other, home: 0, former })
    expect(world.outbox.emissions.at(-1)?.payload).toMatchObject({ status: 'recaptured' })
    expect(world.read(PlayerPrizes).claimed[captor]).toBe(0)
    expect(prizeOf(world, hull)).toBe(prize)
    expect(PRIZE_STATUS[world.read(Prize).status[prize]]).toBe('unclaimed')
    scene.small.ticks(1)
  })
})

describe('an attack on a claimed prize', () => {
  test('is refused invalid_target to its own claimant', () => {
    scene.claim()
    scene.service('stop')
    const attack = (player: number) => scene.small.act(player, 'attack', { target_id: scene.id })
    expect(attack(scene.captor)).toMatchObject({ code: 'invalid_target' })
    expect(attack(scene.other)).toMatchObject({ ok: true })
  })

  test('is a crime in a system with police', () => {
    const { world, other, poi } = scene
    const system = world.read(Poi).system[poi]
    world.write(StarSystem).police[system] = 40
    world.write(StarSystem).empire[system] = 1
    scene.claim()
    scene.service('stop')
    const attack = scene.small.act(other, 'attack', { target_id: scene.id })
    expect(attack).toMatchObject({ ok: true })
    expect(bountyOf(world, other, 0)).toBeGreaterThan(0)
  })
})

describe('a prize captured by pirates', () => {
  function stolen() {
    const { world, poi } = scene
    const { hull } = scene.take()
    const home = captorBase(world, true, poi)
    const former = { id: 'x', name: 'X' }
    const prize = openPrize(world, { ship: hull, poi, captor: 0, home, former })
    return { hull, prize, home }
  }

  test('departs for their nearest base in the next tick without burning fuel', () => {
    const { world } = scene
    const { hull, prize, home } = stolen()
    expect(BASE_KINDS[world.read(Base).kind[home]]).toBe('pirate')
    const before = world.read(Ship).fuel[hull]
    expect(isUnderWay(world, hull)).toBe(false)
    scene.small.ticks(1)
    expect(isUnderWay(world, hull)).toBe(true)
    expect(world.read(Ship).fuel[hull]).toBe(before)
    expect(world.read(Prize).claimant[prize]).toBe(0)
  })

  test('cannot be claimed: not_owner', () => {
    const { prize } = stolen()
    const { alive, seq } = scene.world.read(Prize)
    expect(alive[prize] === 1 && seq[prize] > 0).toBe(true)
    const nearby = scene.small.ask(scene.captor, 'get_nearby') as {
      result: { prizes: { prize_id: string; status: string }[] }
    }
    const [own, theirs] = nearby.result.prizes
    expect([own.status, theirs.status]).toEqual(['unclaimed', 'recovering'])
    // The prize departs in the tick of the claim, after the claim is judged.
    expect(scene.claim(scene.captor, { prize_id: theirs.prize_id })).toMatchObject({
      code: 'not_owner',
    })
  })

  test('is removed from the world on arrival', () => {
    const { world } = scene
    const { hull, home } = stolen()
    const number = world.read(Ship).seq[hull]
    scene.stow(hull, 'iron_ore', 3)
    placeInSpace(world, hull, world.read(Base).poi[home])
    scene.small.ticks(2)
    expect(prizeOf(world, hull)).toBe(0)
    // Another ship may have its row by now, so the number is looked up.
    expect(world.rowOf(Ship, number)).toBe(0)
  })
})

test('unclaimed prizes are listed by get_nearby at their place alone', () => {
  const { world, small, other, poi } = scene
  const prizes = () =>
    (small.ask(other, 'get_nearby') as { result: { prizes: object[] } }).result.prizes
  expect(prizes()).toMatchObject([{ prize_id: scene.id, status: 'unclaimed' }])
  const elsewhere = poisOf(world, world.read(Poi).system[poi]).find((place) => place !== poi)
  placeInSpace(world, scene.shipOf(other), elsewhere as number)
  expect(prizes()).toEqual([])
})
