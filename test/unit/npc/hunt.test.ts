/** Battles with pirates, from the first attack to the end. Source: combat.md section 13. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PIRATES, STARTER } from '../../../core/catalog/index.ts'
import { contentsOf } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/types.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { inBattle } from '../../../systems/combat/model.ts'
import { npcName, npcsOf } from '../../../systems/npc/model.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { wreckId, wrecksAt } from '../../../systems/salvage/model.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { activeShip, shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { poiId, systemName } from '../../../systems/travel/model.ts'
import { Location, StarSystem } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { freshSystem, leaveOnly, piratesIn, pirateWorld, putAt, remove, standing } from './scene.ts'

let small: SmallWorld
let world: World
let hunter: Eid
let system: Eid
let scout: Eid
let haunt: Eid
beforeAll(async () => {
  small = await pirateWorld()
  world = small.world
})
beforeEach(() => {
  hunter = small.join(`Hunter ${small.players.length}`)
  system = freshSystem(small, 0)
  scout = piratesIn(world, system, 'T1')[0]
  haunt = leaveOnly(world, system, [scout])
  putAt(world, hunter, haunt)
  small.takeEmissions()
})

const pirateHere = (): string => {
  const outcome = small.ask(hunter, 'get_nearby')
  const { pirates } = (outcome as { result: { pirates: { pirate_id: string }[] } }).result
  return pirates[0].pirate_id
}

describe('a pirate', () => {
  test('can be attacked by the id that get_nearby shows', () => {
    const name = npcName(world, scout)
    const outcome = small.act(hunter, 'attack', { target_id: pirateHere() })
    expect(outcome).toMatchObject({
      ok: true,
      result: { kind: 'npc', target: shipId(world, scout), target_name: name, your_side: 1 },
    })
    expect(small.ask(hunter, 'get_battle_status')).toMatchObject({
      ok: true,
      result: {
        participants: expect.arrayContaining([expect.objectContaining({ username: name })]),
      },
    })
  })

  test('can be scanned by its name, in any case, and not attacked from elsewhere', () => {
    const name = npcName(world, scout).toUpperCase()
    const named = (command: string) => small.act(hunter, command, { target_id: name })
    expect(named('scan')).toMatchObject({ ok: true })
    putAt(world, hunter, world.read(StarSystem).entryPoi[freshSystem(small, 0)])
    expect(named('attack')).toMatchObject({ ok: false, code: 'invalid_target' })
  })

  test('is meant by its name even where a player has that name', () => {
    const name = npcName(world, scout)
    const namesake = small.join(name)
    const named = (command: string) => small.act(hunter, command, { target_id: name })
    expect(named('scan')).toMatchObject({ ok: true, result: { target_id: shipId(world, scout) } })
    putAt(world, namesake, haunt)
    expect(named('scan')).toMatchObject({ ok: true, result: { target_id: shipId(world, scout) } })
    expect(named('attack')).toMatchObject({ ok: true, result: { target: shipId(world, scout) } })
  })

  test('of the first tier loses to a starter hull with a Blaster II on autopilot', () => {
    const ship = putAt(world, hunter, haunt, STARTER[0].ship_class, ['blaster_ii'])
    const [id, name] = [shipId(world, scout), npcName(world, scout)]
    const before = balanceOf(world, walletOf(world, hunter))
    expect(small.act(hunter, 'attack', { target_id: name.toLowerCase() }).ok).toBe(true)
    fightToEnd()
    expect(activeShip(world, hunter)).toBe(ship)
    expect(balanceOf(world, walletOf(world, hunter)) - before).toBe(700)
    expect(statOf(world, hunter, 'pirates_destroyed')).toBe(1)
    const [wreck] = wrecksAt(world, haunt)
    const loot = contentsOf(world, world.read(Wreck).cargo[wreck])
    expect(loot.length).toBe(PIRATES[0].loot.length)
    const emissions = small.takeEmissions()
    // A hunter of an earlier test may win in the same tick.
    const seq = world.read(Player).seq[hunter]
    const reports = emissions.filter(({ type, to }) => type === 'pirate_destroyed' && to[0] === seq)
    expect(reports).toHaveLength(1)
    const [report] = reports
    expect(report.to).toEqual([seq])
    expect(report.payload).toMatchObject({
      pirate_id: id,
      pirate_name: name,
      pirate_role: 'scout',
      credits_earned: 700,
      combat_xp: 20,
      wreck_id: wreckId(world, wreck),
      wreck_has_cargo: true,
      wreck_has_modules: false,
      wreck_poi_id: poiId(world, haunt),
      wreck_system_name: systemName(world, system),
    })
    expect(emissions.some(({ type }) => type === 'battle_ended')).toBe(true)
  })

  test('of the third tier destroys a starter hull', () => {
    const enforcer = piratesIn(world, freshSystem(small, 0), 'T3')[0]
    const lair = world.read(Location).system[enforcer]
    const place = leaveOnly(world, lair, [enforcer])
    const ship = putAt(world, hunter, place, STARTER[0].ship_class, ['blaster_i'])
    expect(small.act(hunter, 'attack', { target_id: shipId(world, enforcer) }).ok).toBe(true)
    fightToEnd()
    expect(activeShip(world, hunter)).not.toBe(ship)
    expect(statOf(world, hunter, 'deaths_by_pirate')).toBe(1)
    expect(world.read(Ship).alive[enforcer]).toBe(1)
    const [died] = small.takeEmissions().filter(({ type }) => type === 'player_died')
    expect(died.payload).toMatchObject({ cause: 'pirate', killer_name: npcName(world, enforcer) })
  })

  test('of the third tier plunders a laden hull and disposes of the goods later', () => {
    const enforcer = piratesIn(world, freshSystem(small, 0), 'T3')[0]
    const lair = world.read(Location).system[enforcer]
    const ship = putAt(world, hunter, leaveOnly(world, lair, [enforcer]))
    const { cargoUsed } = world.read(Ship)
    const carried = cargoUsed[ship]
    expect(small.act(hunter, 'attack', { target_id: shipId(world, enforcer) }).ok).toBe(true)
    fightToEnd()
    expect(activeShip(world, hunter)).toBe(ship)
    expect([cargoUsed[ship], cargoUsed[enforcer]]).toEqual([0, carried])
    small.ticks(AGGRESSION_TICKS + DECISION_TICKS)
    expect(cargoUsed[enforcer]).toBe(0)
  })

  test('fires at the player it has attacked', () => {
    const ship = activeShip(world, hunter)
    const { shield, shieldMax } = world.read(Ship)
    small.ticks(10)
    expect(standing(world, scout).target).toBe(ship)
    expect(shield[ship]).toBeLessThan(shieldMax[ship])
  })

  test('acts identically after a restart while it stalks, fights and has fought', async () => {
    for (let restarts = 0; restarts < 3; restarts++) {
      small.ticks(4)
      const restored = await small.reload()
      for (let tick = 0; tick < 6; tick++) {
        small.ticks(1)
        restored.ticks(1)
        expect(restored.hash()).toBe(small.hash())
      }
    }
  })

  test('is replaced within 60 ticks', () => {
    remove(world, scout)
    putAt(world, hunter, world.read(StarSystem).entryPoi[system])
    expect(npcsOf(world, system)).toEqual([])
    small.ticks(60)
    expect(npcsOf(world, system).map((npc) => world.read(Npc).type[npc])).toEqual([0])
  })
})

const AGGRESSION_TICKS = 30
const DECISION_TICKS = 10
const BATTLE_TICKS_MAX = 100

/** Runs ticks until the hunter is in no battle. */
function fightToEnd(): void {
  for (let tick = 0; tick < BATTLE_TICKS_MAX && inBattle(world, hunter); tick++) small.ticks(1)
  expect(inBattle(world, hunter)).toBe(false)
}
