/** Drones that fight, are attacked, or lose their ship. Source: drones.md 2, 3.6, 4. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../../core/goods.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { playerId, statOf } from '../../../systems/account/model.ts'
import { jettisonContainerAt } from '../../../systems/cargo/model.ts'
import { JettisonContainer } from '../../../systems/cargo/state.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { battleIn, combatantId, renderParticipant } from '../../../systems/combat/model.ts'
import {
  FATES,
  Participant,
  RING_OUTER,
  ShipCombat,
  STANCES,
} from '../../../systems/combat/state.ts'
import { stow } from '../../../systems/drone/actions-systems.ts'
import { dronesOf, droneTitle } from '../../../systems/drone/model.ts'
import { DRONES_ADRIFT_MAX, Drone } from '../../../systems/drone/state.ts'
import { makePirate } from '../../../systems/npc/spawn-systems.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { wrecksAt } from '../../../systems/salvage/model.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  bayed,
  boardNewShip,
  codeOf,
  deployed,
  idOf,
  park,
  payloadsOf,
  placeId,
  shipOf,
  show,
  teachDrones,
  write,
  type Yard,
  yard,
} from './scene.ts'

onSmallMap()

let scene: Yard
let world: World
let drone: Row
beforeEach(async () => {
  scene = await yard({ lawless: true })
  world = scene.world
  teachDrones(world, scene.owner, 0)
  park(world, scene.other, scene.open)
})

const bodyOf = (row: Row): Eid => world.read(Drone).body[row]
const rowOf = (row: Row): Row => world.read(ShipCombat).participant[bodyOf(row)]

/** Makes a pirate of the first tier at the belt, which would not attack by itself. */
function pirate(): Eid {
  const hull = world.read(Npc).ship[makePirate(world, scene.system, 0)]
  placeInSpace(world, hull, scene.belt)
  return hull
}

describe('ATTACK', () => {
  test('nearest: opens a battle in the next tick', () => {
    drone = deployed(scene, 'combat', 'ATTACK "nearest"')
    const hull = pirate()
    park(world, scene.owner, scene.open)
    scene.small.ticks(1)
    expect(battleIn(world, scene.system)).toBe(0)
    scene.small.ticks(1)
    expect(battleIn(world, scene.system)).not.toBe(0)
    expect(show(scene, drone).status).toBe('in_battle')
    const { target, ship, ring, stance } = world.read(Participant)
    expect(ship[target[rowOf(drone)]]).toBe(hull)
    expect(STANCES[stance[rowOf(drone)]]).toBe('fire')
    expect(ring[rowOf(drone)]).toBeLessThanOrEqual(RING_OUTER)
    expect(renderParticipant(world, rowOf(drone))).toMatchObject({
      player_id: idOf(scene, drone),
      username: 'Combat Drone',
      kind: 'drone',
      is_npc: true,
      ship_class: 'combat_drone',
    })
  })

  test('nearest: prefers players to pirates, and never attacks the owner', () => {
    drone = deployed(scene, 'combat', 'ATTACK "nearest"')
    pirate()
    park(world, scene.other, scene.belt)
    scene.small.ticks(2)
    const { target } = world.read(Participant)
    expect(combatantId(world, target[rowOf(drone)])).toBe(playerId(world, scene.other))
  })

  test('attacks a pirate by id, and spares a named player who has left', () => {
    const hull = pirate()
    teachDrones(world, scene.owner)
    drone = deployed(scene, 'combat', `ATTACK "${shipId(world, hull)}"`)
    const second = deployed(scene, 'combat', 'ATTACK "Tester 2"')
    scene.small.ticks(2)
    expect(show(scene, drone).status).toBe('in_battle')
    expect(show(scene, second).status).toBe('running')
    park(world, scene.other, scene.belt)
    scene.small.ticks(1)
    park(world, scene.other, scene.open)
    scene.small.ticks(2)
    expect(show(scene, second).status).toBe('running')
  })

  test('fails for the owner, for own drones and for nobody', () => {
    const own = deployed(scene, 'mining')
    const names = ['Tester 1', idOf(scene, own), 'nobody', 'nearest']
    const drones = names.map((name) => deployed(scene, 'combat', `ATTACK "${name}"`))
    scene.small.ticks(3)
    expect(battleIn(world, scene.system)).toBe(0)
    expect(drones.length).toBe(4)
  })

  test('takes effect in a world that was reloaded after the decision', async () => {
    deployed(scene, 'combat', 'ATTACK "nearest"')
    pirate()
    park(world, scene.owner, scene.open)
    scene.small.ticks(1)
    const reloaded = await scene.small.reload()
    for (const copy of [scene.small, reloaded]) copy.ticks(6)
    expect(reloaded.hash()).toBe(scene.small.hash())
  })
})

describe('in a battle', () => {
  const fight = (script: string): Eid => {
    const hull = pirate()
    park(world, scene.owner, scene.open)
    drone = deployed(scene, 'combat', script)
    expect(aggress(world, bodyOf(drone), hull).ok).toBe(true)
    return hull
  }
  const ring = (): number => world.read(Participant).ring[rowOf(drone)]
  const stanceOf = (): string => STANCES[world.read(Participant).stance[rowOf(drone)]]

  test('ADVANCE and RETREAT move a ring a tick', () => {
    fight('ADVANCE')
    scene.small.ticks(1)
    expect(ring()).toBe(2)
    scene.small.ticks(1)
    expect(ring()).toBe(1)
    write(world, drone, 'RETREAT')
    scene.small.ticks(1)
    expect(ring()).toBe(2)
  })

  test('RETREAT at the outer ring takes the drone out of the battle in three ticks', () => {
    fight('RETREAT')
    scene.small.ticks(1)
    expect(stanceOf()).toBe('flee')
    scene.small.ticks(3)
    expect(show(scene, drone).status).toBe('running')
    expect(show(scene, drone).poi_id).toBe(placeId(scene, scene.belt))
  })

  test('STANCE takes effect in the same tick, and evading needs no fuel', () => {
    fight('STANCE "evade"')
    scene.small.ticks(4)
    expect(stanceOf()).toBe('evade')
    write(world, drone, 'STANCE "brace"')
    scene.small.ticks(1)
    expect(stanceOf()).toBe('brace')
    write(world, drone, 'STANCE "fire"')
    scene.small.ticks(1)
    expect(stanceOf()).toBe('fire')
  })

  test('ADVANCE fails outside of a battle', () => {
    drone = deployed(scene, 'combat', 'ADVANCE')
    scene.small.ticks(2)
    expect(show(scene, drone).status).toBe('running')
  })

  test('a drone cannot MOVE, and drone_update reports hits on it and by it', () => {
    const hull = fight(`MOVE "${placeId(scene, scene.open)}"`)
    world.write(Ship).hull[bodyOf(drone)] = 50
    scene.small.takeEmissions()
    scene.small.ticks(8)
    const updates = payloadsOf(scene, 'drone_update')
    const dealt = updates.find(({ attacker_id }) => attacker_id === undefined)
    const taken = updates.find(({ attacker_id }) => attacker_id !== undefined)
    expect(dealt).toMatchObject({
      drone_id: idOf(scene, drone),
      owner_id: playerId(world, scene.owner),
      target_id: shipId(world, hull),
      damage_type: 'energy',
    })
    expect(taken).toMatchObject({ drone_id: idOf(scene, drone), attacker_id: shipId(world, hull) })
  })

  test('recall_drone takes a drone out of the battle', () => {
    fight('ADVANCE')
    scene.small.ticks(1)
    park(world, scene.owner, scene.belt)
    const outcome = scene.small.act(scene.owner, 'recall_drone', { drone_id: idOf(scene, drone) })
    expect(codeOf(outcome)).toBe('ok')
    expect(show(scene, drone).status).toBe('in_bay')
    expect(payloadsOf(scene, 'battle_left')).toEqual([])
  })

  test('a pilot may upload scripts and deploy drones, but not load them', () => {
    const hull = pirate()
    drone = bayed(world, scene.owner, 'combat')
    expect(aggress(world, shipOf(world, scene.owner), hull).ok).toBe(true)
    const drone_id = idOf(scene, drone)
    const script = 'ADVANCE'
    const uploaded = scene.small.act(scene.owner, 'upload_drone_script', { drone_id, script })
    expect(codeOf(uploaded)).toBe('ok')
    expect(codeOf(scene.small.act(scene.owner, 'deploy_drone', { drone_id }))).toBe('ok')
    const item_id = 'scout_drone'
    expect(codeOf(scene.small.act(scene.owner, 'load_drone', { item_id }))).toBe('in_combat')
  })

  test('a kill by a drone is credited to its owner', () => {
    const hull = fight('ADVANCE')
    world.write(Ship).hull[hull] = 1
    world.write(Ship).shield[hull] = 0
    for (let i = 0; i < 12 && world.read(Ship).alive[hull] === 1; i++) scene.small.ticks(1)
    expect(world.read(Ship).alive[hull]).toBe(0)
    expect(statOf(world, scene.owner, 'pirates_destroyed')).toBe(1)
    expect(payloadsOf(scene, 'pirate_destroyed').length).toBe(1)
  })

  test('a drone fights on the side of its owner', () => {
    const hull = pirate()
    expect(aggress(world, shipOf(world, scene.owner), hull).ok).toBe(true)
    drone = deployed(scene, 'combat', `ATTACK "${shipId(world, hull)}"`)
    scene.small.ticks(2)
    const { side } = world.read(Participant)
    const own = world.read(ShipCombat).participant[shipOf(world, scene.owner)]
    expect(side[rowOf(drone)]).toBe(side[own])
  })
})

describe('a drone that is attacked', () => {
  const attackOf = (player: Eid, row: Row) =>
    scene.small.act(player, 'attack', { target_id: idOf(scene, row) })

  test('must be at the place of the attacker, who is never its owner', () => {
    drone = deployed(scene, 'mining')
    expect(codeOf(attackOf(scene.other, drone))).toBe('invalid_target')
    expect(codeOf(attackOf(scene.owner, drone))).toBe('invalid_target')
    park(world, scene.other, scene.belt)
    expect(attackOf(scene.other, drone)).toMatchObject({
      ok: true,
      result: { kind: 'npc', target: idOf(scene, drone), target_type: 'drone' },
    })
    expect(show(scene, drone).status).toBe('in_battle')
  })

  test('is not found by the name of its kind, which is that of many', () => {
    drone = deployed(scene, 'mining')
    park(world, scene.other, scene.belt)
    const named = { target_id: droneTitle(world, drone) }
    for (const command of ['attack', 'scan']) {
      expect(codeOf(scene.small.act(scene.other, command, named))).toBe('invalid_target')
    }
  })

  test('is destroyed without a wreck, and its cargo is left in a container', () => {
    drone = deployed(scene, 'mining')
    stow(world, drone, namedContainer('supply'), { item: itemIndex('iron_ore'), units: 9 })
    park(world, scene.other, scene.belt)
    const drone_id = idOf(scene, drone)
    expect(codeOf(attackOf(scene.other, drone))).toBe('ok')
    const row = rowOf(drone)
    world.write(Participant).fate[row] = FATES.indexOf('destroyed')
    world.write(Participant).killer[row] =
      world.read(ShipCombat).participant[shipOf(world, scene.other)]
    world.write(Ship).hull[bodyOf(drone)] = 0
    scene.small.takeEmissions()
    scene.small.ticks(1)
    expect(payloadsOf(scene, 'drone_destroyed')).toMatchObject([
      { drone_id, owner_id: playerId(world, scene.owner), drone_type: 'mining_drone' },
    ])
    expect(dronesOf(world, scene.owner)).toEqual([])
    expect(wrecksAt(world, scene.belt)).toEqual([])
    const container = jettisonContainerAt(world, scene.belt, scene.owner)
    const held = contentsOf(world, world.read(JettisonContainer).container[container])
    expect(held).toEqual([{ item: itemIndex('iron_ore'), units: 9 }])
  })
})

/** Attacks the ship of a player so that it is destroyed in the next tick. */
function doomShipOf(player: Eid): void {
  const hull = pirate()
  expect(aggress(world, hull, shipOf(world, player)).ok).toBe(true)
  const row = world.read(ShipCombat).participant[shipOf(world, player)]
  world.write(Participant).fate[row] = FATES.indexOf('destroyed')
  world.write(Ship).hull[shipOf(world, player)] = 0
}

describe('the loss of the ship', () => {
  test('destroys the drones in its bays, some of which drop into the wreck as items', () => {
    for (let i = 0; i < 15; i++) bayed(world, scene.owner, 'scout')
    doomShipOf(scene.owner)
    scene.small.takeEmissions()
    scene.small.ticks(1)
    expect(dronesOf(world, scene.owner)).toEqual([])
    expect(payloadsOf(scene, 'drone_destroyed').length).toBe(15)
    const [wreck] = wrecksAt(world, scene.belt)
    const held = contentsOf(world, world.read(Wreck).cargo[wreck])
    const units = held.find(({ item }) => item === itemIndex('scout_drone'))?.units ?? 0
    expect(units).toBeGreaterThanOrEqual(5)
    expect(units).toBeLessThan(15)
  })

  test('sets deployed drones adrift, and their scripts keep running', () => {
    teachDrones(world, scene.owner)
    const drones = [1, 2].map(() => deployed(scene, 'mining', 'MINE'))
    doomShipOf(scene.owner)
    scene.small.takeEmissions()
    scene.small.ticks(1)
    expect(payloadsOf(scene, 'drone_adrift')).toMatchObject(
      drones.map((row) => ({ drone_id: idOf(scene, row), drone_type: 'mining_drone' })),
    )
    const before = show(scene, drones[0]).cargo_used
    scene.small.ticks(2)
    expect(show(scene, drones[0])).toMatchObject({ status: 'adrift' })
    expect(show(scene, drones[0]).cargo_used).toBeGreaterThan(before)
    expect(scene.small.act(scene.owner, 'recall_drone', { all: true })).toMatchObject({
      result: {
        recalled: 0,
        message: expect.stringMatching(/The others are elsewhere, .*get_drones/),
      },
    })
    boardNewShip(world, scene.owner, scene.belt)
    expect(codeOf(scene.small.act(scene.owner, 'recall_drone', { all: true }))).toBe('ok')
    expect(show(scene, drones[0]).status).toBe('in_bay')
  })

  test('leaves at most 20 drones adrift and destroys those deployed first', () => {
    for (let i = 0; i < 15; i++) deployed(scene, 'scout')
    doomShipOf(scene.owner)
    scene.small.ticks(1)
    boardNewShip(world, scene.owner, scene.belt)
    for (let i = 0; i < 15; i++) deployed(scene, 'scout')
    const first = dronesOf(world, scene.owner).slice(0, 10)
    doomShipOf(scene.owner)
    scene.small.takeEmissions()
    scene.small.ticks(1)
    expect(dronesOf(world, scene.owner).length).toBe(DRONES_ADRIFT_MAX)
    expect(first.every((row) => world.read(Drone).alive[row] === 0)).toBe(true)
    expect(payloadsOf(scene, 'drone_destroyed').length).toBe(10)
  })
})
