/** Pirates outside battles: stalking, attacks, calls for help. Source: combat.md sections 1, 13. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Eid, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { ShipCombat } from '../../../systems/combat/state.ts'
import { lurkPlacesOf, npcOf } from '../../../systems/npc/model.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { poiId } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { form } from '../fleet/scene.ts'
import { freshSystem, leaveOnly, piratesIn, pirateWorld, putAt, standing } from './scene.ts'

/** The longest flight across a system at the speed of pirates. */
const FLIGHT_TICKS_MAX = 6
const STALK_TICKS = 3
/** A tick in which a pirate notices a player, and the stalking until the attack. */
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
  test('stalks a small hull at its place, then attacks it alone', () => {
    const system = freshSystem(small, 15)
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
    ['has just escaped', () => giveGrace(world.read(Player).ship[player])],
    ['docks in time', () => dockShip(world, world.read(Player).ship[player], 1)],
  ] as const)('does not attack a pilot who %s', (_, arrange) => {
    const system = freshSystem(small, 0)
    const [scout] = piratesIn(world, system, 'T1')
    const ship = putAt(world, player, leaveOnly(world, system, [scout]))
    arrange()
    small.ticks(MEETING_TICKS)
    expect([isFighting(ship), preyOf(scout)]).toEqual([false, 0])
  })

  test('is reported to pilots who arrive at its place', () => {
    const system = freshSystem(small, 15)
    const [scout] = piratesIn(world, system)
    const haunt = leaveOnly(world, system, [scout])
    const start = lurkPlacesOf(world, system).find((poi) => poi !== haunt) ?? 0
    putAt(world, player, start)
    expect(small.act(player, 'travel', { target_poi: poiId(world, haunt) })).toMatchObject({
      result: {
        pirate_count: 1,
        message: expect.stringMatching(/^Arrived at .*\. 1 pirate here: /),
      },
    })
    const back = small.act(player, 'travel', { target_poi: poiId(world, start) })
    expect(back).not.toHaveProperty('result.pirate_count')
  })

  test('gives up a prey that moves on before the attack', () => {
    const system = freshSystem(small, 15)
    const [scout] = piratesIn(world, system)
    const haunt = leaveOnly(world, system, [scout])
    const ship = putAt(world, player, haunt)
    small.ticks(1)
    expect(preyOf(scout)).toBe(world.read(Ship).seq[ship])
    placeInSpace(world, ship, lurkPlacesOf(world, system)[1])
    small.ticks(STALK_TICKS)
    expect([preyOf(scout), isFighting(ship)]).toEqual([0, false])
  })

  test('calls raiders from another place against a larger hull', () => {
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
  test('ignore a small hull', () => {
    const system = freshSystem(small, 0)
    const heavy = [...piratesIn(world, system, 'T2'), ...piratesIn(world, system, 'T3')]
    const haunt = leaveOnly(world, system, heavy)
    const ship = putAt(world, player, haunt)
    small.ticks(MEETING_TICKS)
    expect(isFighting(ship)).toBe(false)
  })

  test('attack a large hull', () => {
    const system = freshSystem(small, 0)
    const [enforcer] = piratesIn(world, system, 'T3')
    const ship = putAt(world, player, leaveOnly(world, system, [enforcer]), 'sentence')
    small.ticks(MEETING_TICKS)
    expect(standing(world, enforcer).target).toBe(ship)
  })
})

describe('a pirate that is attacked', () => {
  /** Puts the player at the first haunt of a fresh deep system with all its pirates but one. */
  function ambushed(hull?: string) {
    const system = freshSystem(small, 0)
    const all = piratesIn(world, system)
    const [here, there] = lurkPlacesOf(world, system)
    for (const pirate of all) {
      world.write(Npc).thinkTick[npcOf(world, pirate)] = world.tick + 1_000
      placeInSpace(world, pirate, pirate === all[1] ? there : here)
    }
    const ship = putAt(world, player, here, hull)
    const ofTier = (tier: 'T1' | 'T2' | 'T3') => piratesIn(world, system, tier)
    return { ship, all, far: all[1], ofTier }
  }

  test('is joined by scouts at its place at once and by a distant one after its flight', () => {
    const { ship, all, far, ofTier } = ambushed()
    const scouts = ofTier('T1')
    const first = scouts.find((pirate) => pirate !== far) as Eid
    expect(aggress(world, ship, first).ok).toBe(true)
    const near = scouts.filter((pirate) => pirate !== far)
    const sides = near.map((pirate) => standing(world, pirate).side)
    expect(new Set(sides).size).toBe(1)
    expect(sides[0]).not.toBe(standing(world, ship).side)
    expect(isFighting(far)).toBe(false)
    // Raiders and enforcers ignore a starter hull.
    expect(all.filter((pirate) => !scouts.includes(pirate)).some(isFighting)).toBe(false)
    small.takeEmissions()
    small.ticks(1)
    const alerts = small.takeEmissions().filter(({ type }) => type === 'battle_alert')
    const [alert] = alerts.filter(({ to }) => to.includes(number()))
    expect(alert.payload).toMatchObject({ message: expect.stringMatching(/in \d+ ticks/) })
    small.ticks(2)
    expect(isFighting(far)).toBe(false)
    for (let i = 0; i < FLIGHT_TICKS_MAX + 2 && !isFighting(far); i++) {
      // Kept alive, because the battle must last until the distant scout arrives.
      world.write(Ship).hull[ship] = world.read(Ship).hullMax[ship]
      small.ticks(1)
    }
    expect(standing(world, far).side).toBe(sides[0])
  })

  test('is joined by raiders against a medium hull and by enforcers against a large one', () => {
    const medium = ambushed('hornet')
    expect(aggress(world, medium.ship, medium.all[0]).ok).toBe(true)
    expect(medium.ofTier('T2').some(isFighting)).toBe(true)
    expect(medium.ofTier('T3').some(isFighting)).toBe(false)
    player = small.join(`Larger ${small.players.length}`)
    const large = ambushed('sentence')
    expect(aggress(world, large.ship, large.all[0]).ok).toBe(true)
    expect(large.ofTier('T3').some(isFighting)).toBe(true)
  })

  test('is joined by enforcers against a fleet with a large hull', () => {
    const mate = small.join(`Mate ${small.players.length}`)
    dockShip(world, world.read(Player).ship[mate], dockedBase(world, player))
    form(small, player, mate)
    const { ship, all, ofTier } = ambushed()
    putAt(world, mate, world.read(Location).poi[ship], 'sentence')
    expect(aggress(world, ship, all[0]).ok).toBe(true)
    expect(isFighting(world.read(Player).ship[mate])).toBe(true)
    expect(ofTier('T3').some(isFighting)).toBe(true)
  })

  test('calls nobody if it is a lone scout against a small hull', () => {
    const { ship, far, all } = ambushed()
    placeInSpace(world, ship, world.read(Location).poi[far])
    expect(aggress(world, ship, far).ok).toBe(true)
    expect(all.filter(isFighting)).toEqual([far])
    expect(all.filter((pirate) => world.read(Npc).call[npcOf(world, pirate)] !== 0)).toEqual([])
  })
})

describe('a patrol', () => {
  test('moves between the places of its system and regains its hull', () => {
    const system = freshSystem(small, 0)
    const pirates = piratesIn(world, system)
    world.write(Ship).hull[pirates[0]] = 1
    const before = pirates.map((pirate) => world.read(Location).poi[pirate])
    small.ticks(130)
    const { system: systemOf, poi } = world.read(Location)
    expect(pirates.map((pirate) => systemOf[pirate])).toEqual(pirates.map(() => system))
    expect(pirates.map((pirate) => poi[pirate])).not.toEqual(before)
    expect(world.read(Ship).hull[pirates[0]]).toBe(world.read(Ship).hullMax[pirates[0]])
  })
})

const number = (): number => world.read(Player).seq[player]

function giveGrace(ship: Eid): void {
  world.write(ShipCombat).graceUntil[ship] = world.tick + 6
}
