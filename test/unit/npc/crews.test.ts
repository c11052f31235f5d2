/** The standing of players with pirate crews, and its effects. Source: combat.md section 13. */
import { beforeAll, describe, expect, test } from 'vitest'
import { CREWS } from '../../../core/catalog/index.ts'
import type { Eid, World } from '../../../core/types.ts'
import { Base } from '../../../systems/base/state.ts'
import { ShipCombat } from '../../../systems/combat/state.ts'
import {
  crewIn,
  keepsHulls,
  npcOf,
  standingWith,
  strongholdBase,
} from '../../../systems/npc/model.ts'
import { changeStanding } from '../../../systems/npc/rules.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { lanesFrom } from '../../../systems/travel/model.ts'
import { StarSystem } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { freshSystem, leaveOnly, piratesIn, pirateWorld, putAt } from './scene.ts'

let small: SmallWorld
let world: World
beforeAll(async () => {
  small = await pirateWorld()
  world = small.world
})

/** Leaves a scout alone in a fresh system and puts a new pilot next to it. */
function meetScout(hull = 'black_tithe') {
  const system = freshSystem(small, 0)
  const [scout] = piratesIn(world, system, 'T1')
  const haunt = leaveOnly(world, system, [scout])
  const player = small.join(`Acquaintance ${small.players.length}`)
  const ship = putAt(world, player, haunt, hull, ['blaster_ii'])
  return { system, scout, player, ship, crew: crewIn(world, system) }
}

describe('the crew of a system', () => {
  test('is also that of a neighbouring system, except at a stronghold', () => {
    const { stronghold } = world.read(StarSystem)
    for (let system = 1; system <= world.highOf(StarSystem); system++) {
      const crew = crewIn(world, system)
      const near = lanesFrom(world, system).some((to) => crewIn(world, to) === crew)
      expect(near || stronghold[system] === 1).toBe(true)
    }
  })

  test('has no pirate that captures hulls but the boss of a stronghold', () => {
    const system = freshSystem(small, 0)
    expect(piratesIn(world, system).some((ship) => keepsHulls(world, ship))).toBe(false)
    const { stronghold } = world.read(StarSystem)
    let seat: Eid = 1
    while (stronghold[seat] === 0) seat++
    expect(piratesIn(world, seat).filter((ship) => keepsHulls(world, ship)).length).toBe(1)
  })
})

describe('standing with a crew', () => {
  test('falls by 2 with each attack on one of its pirates', () => {
    const { player, scout, crew } = meetScout()
    world.write(Ship).hull[scout] = world.read(Ship).hullMax[scout]
    const before = standingWith(world, player, crew)
    const target = { target_id: shipId(world, scout) }
    expect(small.act(player, 'attack', target).ok).toBe(true)
    expect(standingWith(world, player, crew)).toBe(before - 2)
    if (npcOf(world, scout) !== 0 && world.read(ShipCombat).participant[scout] !== 0) {
      small.act(player, 'attack', target)
      expect(standingWith(world, player, crew)).toBeLessThanOrEqual(before - 4)
    }
  })

  test('falls by 5 more with a kill, for that crew alone and never below -100', () => {
    const { player, scout, crew } = meetScout()
    world.write(Ship).hull[scout] = 1
    world.write(Ship).shield[scout] = 0
    small.act(player, 'attack', { target_id: shipId(world, scout) })
    for (let i = 0; i < 20 && npcOf(world, scout) !== 0; i++) small.ticks(1)
    expect(standingWith(world, player, crew)).toBe(-7)
    expect(CREWS.map((_, other) => standingWith(world, player, other)).filter(Boolean)).toEqual([
      -7,
    ])
    changeStanding(world, player, crew, -200)
    expect(standingWith(world, player, crew)).toBe(-100)
  })

  test('of at least 10 keeps its pirates from stalking the player', () => {
    const friend = meetScout('cutpurse')
    const stranger = meetScout('cutpurse')
    changeStanding(world, friend.player, friend.crew, 10)
    changeStanding(world, stranger.player, stranger.crew, 9)
    small.ticks(1)
    const { prey } = world.read(Npc)
    expect(prey[npcOf(world, friend.scout)]).toBe(0)
    expect(prey[npcOf(world, stranger.scout)]).toBe(world.read(Ship).seq[stranger.ship])
  })

  test('of at least 10 is required to dock at its stronghold', () => {
    const { stronghold } = world.read(StarSystem)
    let system: Eid = 1
    while (stronghold[system] === 0) system++
    const base = strongholdBase(world, system)
    const player = small.join('Guest of Thieves')
    leaveOnly(world, system, [])
    putAt(world, player, world.read(Base).poi[base])
    expect(small.act(player, 'dock')).toMatchObject({
      ok: false,
      code: 'access_denied',
      details: { pirate_rep_required: 10 },
    })
    changeStanding(world, player, crewIn(world, system), 10)
    expect(small.act(player, 'dock').ok).toBe(true)
  })
})
