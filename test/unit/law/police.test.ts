/** Police drones: when they come, how many, whom they hunt, and when they leave. */
import { describe, expect, test } from 'vitest'
import { policeFigures, policeStrength } from '../../../core/catalog/index.ts'
import { EMPIRES_WIDTH, Player } from '../../../systems/account/state.ts'
import { areHostile, battleIn } from '../../../systems/combat/model.ts'
import { FATES, PARTICIPANT_KINDS, Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { isWanted, responseTicks, warrantOf } from '../../../systems/law/model.ts'
import { raiseWarrant } from '../../../systems/law/rules.ts'
import { Warrant } from '../../../systems/law/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { baseIn } from '../combat/scene.ts'
import {
  attack,
  creditsOf,
  dronesIn,
  hullOf,
  LAW,
  notices,
  open,
  owed,
  policed,
  rowOf,
  type Scene,
  setCredits,
  standing,
} from './scene.ts'

onSmallMap()

/** Lets a criminal slip out of the battle, so that they are alone with the police. */
function slipOut(scene: Scene, player: number): void {
  scene.doom(player, 'fled')
  scene.small.ticks(1)
}

describe('police', () => {
  test('come with a delay and in a number that follow from the police level', () => {
    const levels = [100, 99, 80, 79, 60, 59, 40, 39, 20, 19, 1]
    expect(levels.map(responseTicks)).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    expect([1, 20, 21, 60, 81, 100].map(policeStrength)).toEqual([1, 1, 2, 3, 5, 5])
    expect(policeFigures(40)).toMatchObject({
      hull: 220,
      shield: 130,
      speed: 4,
      guns: [{ damage: 15, damageType: 'energy', reach: 4 }],
    })
  })

  test('come at once where the level is 100, on a side hostile to the criminal', async () => {
    const scene = await policed(2)
    const { world } = scene
    const [one, two] = scene.players
    attack(scene, one, two)
    const drones = dronesIn(scene)
    expect(drones).toHaveLength(5)
    const battle = battleIn(world, scene.system)
    const { participant } = world.read(ShipCombat)
    const { side, kind, target } = world.read(Participant)
    for (const drone of drones) {
      const row = participant[drone]
      expect(PARTICIPANT_KINDS[kind[row]]).toBe('police')
      expect(side[row]).toBe(side[rowOf(world, two)])
      expect(areHostile(world, battle, side[row], side[rowOf(world, one)])).toBe(true)
      expect(target[row]).toBe(rowOf(world, one))
      expect(world.read(Ship).hullMax[drone]).toBe(400)
    }
  })

  test('come after three ticks, as two drones, at level 40', async () => {
    const scene = await policed(2, 40)
    const [one, two] = scene.players
    attack(scene, one, two)
    scene.small.ticks(2)
    expect(dronesIn(scene)).toHaveLength(0)
    scene.small.ticks(1)
    expect(dronesIn(scene)).toHaveLength(2)
    scene.small.ticks(3)
    expect(dronesIn(scene)).toHaveLength(2)
  })

  test('take their own side when the victim is wanted too', async () => {
    const scene = await policed(2)
    const { world } = scene
    const [one, two] = scene.players
    scene.small.tick(
      { player: one, command: 'attack', params: { target_id: scene.id(two) } },
      { player: two, command: 'attack', params: { target_id: scene.id(one) } },
    )
    expect(dronesIn(scene)).toHaveLength(10)
    const { side } = world.read(Participant)
    const sides = dronesIn(scene).map((drone) => side[world.read(ShipCombat).participant[drone]])
    expect(new Set(sides).size).toBe(1)
    expect(sides).not.toContain(side[rowOf(world, one)])
    expect(sides).not.toContain(side[rowOf(world, two)])
  })

  test('leave when the criminal leaves the place, and come where they appear next', async () => {
    const scene = await policed(2, 90)
    const { world, system } = scene
    const [one, two] = scene.players
    attack(scene, one, two)
    scene.small.ticks(1)
    expect(dronesIn(scene)).toHaveLength(5)
    slipOut(scene, one)
    const [, other] = open(world, system)
    placeInSpace(world, hullOf(world, one), other)
    scene.small.ticks(1)
    expect(dronesIn(scene)).toHaveLength(0)
    expect(isWanted(world, one, system)).toBe(true)
    scene.small.ticks(1)
    expect(dronesIn(scene)).toHaveLength(5)
    expect(dronesIn(scene).every((ship) => world.read(Location).poi[ship] === other)).toBe(true)
  })

  test('leave when the criminal docks or cloaks', async () => {
    const scene = await policed(2)
    const { world, system } = scene
    const [one, two] = scene.players
    attack(scene, one, two)
    slipOut(scene, one)
    dockShip(world, hullOf(world, one), baseIn(world, system))
    scene.small.ticks(1)
    expect(dronesIn(scene)).toHaveLength(0)
    placeInSpace(world, hullOf(world, one), scene.poi)
    scene.small.ticks(1)
    expect(dronesIn(scene)).toHaveLength(5)
    slipOut(scene, one)
    world.write(Player).cloaked[one] = 1
    scene.small.ticks(1)
    expect(dronesIn(scene)).toHaveLength(0)
  })

  test('hold a warrant for 60 ticks for each crime, at most for a day', async () => {
    const scene = await policed(2)
    const { world, system } = scene
    const [one] = scene.players
    dockShip(world, hullOf(world, one), baseIn(world, system))
    raiseWarrant(world, one, system)
    const row = warrantOf(world, one, system)
    expect(world.read(Warrant).until[row]).toBe(world.tick + 60)
    raiseWarrant(world, one, system)
    expect(world.read(Warrant).until[row]).toBe(world.tick + 120)
    for (let i = 0; i < 200; i++) raiseWarrant(world, one, system)
    expect(world.read(Warrant).until[row]).toBe(world.tick + 8_640)
    world.write(Warrant).until[row] = world.tick + 2
    scene.small.ticks(2)
    expect(isWanted(world, one, system)).toBe(true)
    scene.small.ticks(1)
    expect(isWanted(world, one, system)).toBe(false)
    expect(world.countOf(Warrant)).toBe(0)
  })

  test('leave when the warrant ends', async () => {
    const scene = await policed(1, 20)
    const { world, system } = scene
    const [one] = scene.players
    raiseWarrant(world, one, system)
    scene.small.ticks(4)
    expect(dronesIn(scene)).toHaveLength(1)
    world.write(Warrant).until[warrantOf(world, one, system)] = world.tick
    scene.small.ticks(1)
    expect(dronesIn(scene)).toHaveLength(0)
    scene.small.ticks(1)
    expect(battleIn(world, system)).toBe(0)
  })

  test('collect the bounty of a player they destroyed as they respawn', async () => {
    const scene = await policed(2)
    const { world } = scene
    const [one, two] = scene.players
    setCredits(world, one, 5_000)
    attack(scene, one, two)
    const before = standing(scene, one)
    const part = world.write(Participant)
    part.fate[rowOf(world, one)] = FATES.indexOf('destroyed')
    part.killer[rowOf(world, one)] = world.read(ShipCombat).participant[dronesIn(scene)[0]]
    scene.small.ticks(1)
    expect(owed(scene, one)).toBe(0)
    expect(creditsOf(world, one)).toBe(4_500)
    expect(standing(scene, one)).toBe(before + 2)
    expect(notices(scene, one).map(({ kind }) => kind)).toContain('bounty_paid')
    scene.small.ticks(1)
    expect(dronesIn(scene)).toHaveLength(0)
  })

  test('detain a player they destroyed who cannot pay', async () => {
    const scene = await policed(2)
    const { world } = scene
    const [one, two] = scene.players
    setCredits(world, one, 0)
    attack(scene, one, two)
    const part = world.write(Participant)
    part.fate[rowOf(world, one)] = FATES.indexOf('destroyed')
    part.killer[rowOf(world, one)] = world.read(ShipCombat).participant[dronesIn(scene)[0]]
    scene.small.ticks(1)
    expect(owed(scene, one)).toBe(500)
    expect(notices(scene, one).map(({ kind }) => kind)).toContain('detained')
    expect(scene.small.act(one, 'undock')).toMatchObject({ ok: false, code: 'detained' })
  })

  test('are listed with the ships of the empires by get_nearby', async () => {
    const scene = await policed(2, 100)
    const [one, two] = scene.players
    attack(scene, one, two)
    const nearby = scene.small.ask(two, 'get_nearby') as unknown as {
      result: { empire_npcs: { role: string; empire: string; in_combat: boolean }[] }
    }
    const police = nearby.result.empire_npcs.filter(({ role }) => role === 'police')
    expect(police).toHaveLength(5)
    expect(police[0]).toMatchObject({ empire: 'solarian', in_combat: true })
  })

  test('are replaced when one is destroyed, which costs as much as a kill', async () => {
    const scene = await policed(2)
    const { world } = scene
    const [one, two] = scene.players
    attack(scene, one, two)
    const ship = hullOf(world, one)
    const { hull, hullMax } = world.write(Ship)
    hullMax[ship] = 10_000
    hull[ship] = 10_000
    const part = world.write(Participant)
    const row = world.read(ShipCombat).participant[dronesIn(scene)[0]]
    part.fate[row] = FATES.indexOf('destroyed')
    part.killer[row] = rowOf(world, one)
    scene.small.ticks(1)
    expect(owed(scene, one)).toBe(2_500)
    const kinds = scene.takeEmissions().map(({ type }) => type)
    expect(kinds).not.toContain('pirate_destroyed')
    scene.small.ticks(2)
    expect(dronesIn(scene)).toHaveLength(5)
  })

  test('warn an unwelcome player once, then hunt them on sight', async () => {
    const scene = await policed(1)
    const { world, system } = scene
    const [one] = scene.players
    world.write(Player).reputation[one * EMPIRES_WIDTH + LAW] = -20
    const base = baseIn(world, system)
    dockShip(world, hullOf(world, one), base)
    expect(scene.small.act(one, 'undock').ok).toBe(true)
    expect(notices(scene, one).map(({ kind }) => kind)).toEqual(['warning'])
    expect(isWanted(world, one, system)).toBe(false)
    dockShip(world, hullOf(world, one), base)
    expect(scene.small.act(one, 'undock').ok).toBe(true)
    expect(notices(scene, one).map(({ kind }) => kind)).toEqual(['wanted'])
    expect(isWanted(world, one, system)).toBe(true)
    scene.small.ticks(1)
    expect(dronesIn(scene)).toHaveLength(5)
  })
})
