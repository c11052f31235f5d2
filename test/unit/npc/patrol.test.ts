/** What pirates do outside of battles. Source: combat.md sections 1, 13. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Eid, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { ShipCombat } from '../../../systems/combat/state.ts'
import { npcOf } from '../../../systems/npc/model.ts'
import { lurkPlacesOf } from '../../../systems/npc/spawn-systems.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { freshSystem, leaveOnly, piratesIn, pirateWorld, putAt, standing } from './scene.ts'

/** Across a system at the speed of pirates. */
const FLIGHT_TICKS_MAX = 6
const STALK_TICKS = 3
/** A look at once, the stalking, the strike. */
const MEETING_TICKS = 1 + STALK_TICKS

let small: SmallWorld
let world: World
let player: Eid
beforeAll(async () => {
  small = await pirateWorld()
  world = small.world
})
beforeEach(() => {
  player = small.join(`Prey ${small.players.length}`)
})

const isFighting = (ship: Eid): boolean => world.read(ShipCombat).participant[ship] !== 0
const preyOf = (ship: Eid): number => world.read(Npc).prey[npcOf(world, ship)]

describe('a scout', () => {
  test('stalks a small hull at its place, then takes it on alone', () => {
    const system = freshSystem(small, 20)
    const [scout] = piratesIn(world, system)
    const ship = putAt(world, player, leaveOnly(world, system, [scout]))
    let stalkedTicks = 0
    for (let tick = 0; tick < MEETING_TICKS; tick++) {
      small.ticks(1)
      if (preyOf(scout) === world.read(Ship).seq[ship]) stalkedTicks++
    }
    expect(stalkedTicks).toBe(STALK_TICKS)
    expect(standing(world, scout).target).toBe(ship)
    expect(standing(world, scout).side).not.toBe(standing(world, ship).side)
  })

  test.each([
    ['is offline', () => small.ask(0, 'internal:unbind', { player: number(), channel: 'ws' })],
    ['is cloaked', () => world.write(Player).cloaked.fill(1, player, player + 1)],
    ['has just got away', () => graceful(world.read(Player).ship[player])],
    ['docks in time', () => dockShip(world, world.read(Player).ship[player], 1)],
  ] as const)('leaves a pilot alone who %s', (_, arrange) => {
    const system = freshSystem(small, 0)
    const [scout] = piratesIn(world, system, 'T1')
    const ship = putAt(world, player, leaveOnly(world, system, [scout]))
    arrange()
    small.ticks(MEETING_TICKS)
    expect([isFighting(ship), preyOf(scout)]).toEqual([false, 0])
  })

  test('loses a prey that moves on before it strikes', () => {
    const system = freshSystem(small, 20)
    const [scout] = piratesIn(world, system)
    const haunt = leaveOnly(world, system, [scout])
    const ship = putAt(world, player, haunt)
    small.ticks(1)
    expect(preyOf(scout)).toBe(world.read(Ship).seq[ship])
    placeInSpace(world, ship, lurkPlacesOf(world, system)[1])
    small.ticks(STALK_TICKS)
    expect([preyOf(scout), isFighting(ship)]).toEqual([0, false])
  })

  test('calls raiders for a larger hull, who come from elsewhere', () => {
    const system = freshSystem(small, 0)
    const [scout] = piratesIn(world, system, 'T1')
    const raiders = piratesIn(world, system, 'T2')
    const haunt = leaveOnly(world, system, [scout, ...raiders])
    for (const raider of raiders) placeInSpace(world, raider, lurkPlacesOf(world, system)[1])
    for (const raider of raiders) {
      world.write(Npc).thinkTick[npcOf(world, raider)] = 1_000
    }
    const ship = putAt(world, player, haunt, 'sentence')
    small.ticks(FLIGHT_TICKS_MAX)
    expect(raiders.map((raider) => standing(world, raider).target)).toEqual([ship, ship])
    expect(isFighting(scout)).toBe(false)
  })
})

describe('raiders and enforcers', () => {
  test('pass by hulls beneath them', () => {
    const system = freshSystem(small, 0)
    const heavy = [...piratesIn(world, system, 'T2'), ...piratesIn(world, system, 'T3')]
    const haunt = leaveOnly(world, system, heavy)
    const ship = putAt(world, player, haunt)
    small.ticks(MEETING_TICKS)
    expect(isFighting(ship)).toBe(false)
  })

  test('fall on what is worth it', () => {
    const system = freshSystem(small, 0)
    const [enforcer] = piratesIn(world, system, 'T3')
    const ship = putAt(world, player, leaveOnly(world, system, [enforcer]), 'sentence')
    small.ticks(MEETING_TICKS)
    expect(standing(world, enforcer).target).toBe(ship)
  })
})

describe('a pirate that is attacked', () => {
  test('is joined by every pirate of the system that is free', () => {
    const system = freshSystem(small, 0)
    const all = piratesIn(world, system)
    const ship = putAt(world, player, lurkPlacesOf(world, system)[0])
    expect(all).toHaveLength(9)
    expect(aggress(world, ship, all[0]).ok).toBe(true)
    const sides = all.map((pirate) => standing(world, pirate).side)
    expect(new Set(sides).size).toBe(1)
    expect(sides[0]).not.toBe(standing(world, ship).side)
  })
})

describe('a patrol', () => {
  test('goes from place to place of its own system, and mends a hundredth a tick', () => {
    const system = freshSystem(small, 0)
    const pirates = piratesIn(world, system)
    world.write(Ship).hull[pirates[0]] = 1
    const before = pirates.map((pirate) => world.read(Location).poi[pirate])
    small.ticks(130)
    const { system: at, poi } = world.read(Location)
    expect(pirates.map((pirate) => at[pirate])).toEqual(pirates.map(() => system))
    expect(pirates.map((pirate) => poi[pirate])).not.toEqual(before)
    expect(world.read(Ship).hull[pirates[0]]).toBe(world.read(Ship).hullMax[pirates[0]])
  })
})

const number = (): number => world.read(Player).seq[player]
function graceful(ship: Eid): void {
  world.write(ShipCombat).graceUntil[ship] = world.tick + 6
}
