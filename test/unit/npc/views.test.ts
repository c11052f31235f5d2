/** Pirates in get_nearby, in sections and battles. Source: travel.md section 9; PirateInfo. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Eid, World } from '../../../core/types.ts'
import { attack } from '../../../systems/combat/commands.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { combatantId, combatantName } from '../../../systems/combat/model.ts'
import { lurkPlacesOf, npcName, npcOf } from '../../../systems/npc/model.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { gatheringAt } from '../../../systems/sensing/model.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { startFlight } from '../../../systems/travel/rules.ts'
import type { SmallWorld } from '../../small-world.ts'
import { freshSystem, leaveOnly, piratesIn, pirateWorld, putAt, standing } from './scene.ts'

const COLOR = expect.stringMatching(/^#[0-9a-f]{6}$/i)

let small: SmallWorld
let world: World
let player: Eid
let system: Eid
let scout: Eid
let raider: Eid
let ship: Eid
beforeAll(async () => {
  small = await pirateWorld()
  world = small.world
})
beforeEach(() => {
  player = small.join(`Watcher ${small.players.length}`)
  system = freshSystem(small, 0)
  scout = piratesIn(world, system, 'T1')[0]
  raider = piratesIn(world, system, 'T2')[0]
  ship = putAt(world, player, leaveOnly(world, system, [scout, raider]))
})

interface Nearby {
  readonly count: number
  readonly nearby: readonly unknown[]
  readonly pirates: readonly Record<string, unknown>[]
  readonly pirate_count: number
}
function nearby(): Nearby {
  const outcome = small.ask(player, 'get_nearby')
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome.result as Nearby
}

describe('get_nearby', () => {
  test('shows the pirates of the place apart from the players', () => {
    world.write(Ship).hull[scout] = 50
    const { pirates, pirate_count, count, nearby: players } = nearby()
    expect([pirate_count, count, players]).toEqual([2, 0, []])
    expect(pirates[0]).toEqual({
      pirate_id: shipId(world, scout),
      name: npcName(world, scout),
      tier: 'T1',
      is_boss: false,
      status: 'patrolling',
      hull: 50,
      max_hull: 56,
      shield: 30,
      max_shield: 30,
      faction_key: expect.any(String),
      faction_name: expect.any(String),
      primary_color: COLOR,
      secondary_color: COLOR,
    })
    expect(pirates[1].tier).toBe('T2')
  })

  test('shows whether a pirate stalks or fights', () => {
    world.write(Npc).prey[npcOf(world, scout)] = world.read(Ship).seq[ship]
    expect(aggress(world, raider, ship).ok).toBe(true)
    expect(nearby().pirates.map(({ status }) => status)).toEqual(['stalking', 'in_combat'])
    world.write(Npc).prey[npcOf(world, scout)] = 0
  })

  test('does not show a pirate on its way to another place', () => {
    startFlight(world, scout, lurkPlacesOf(world, system)[1], 3)
    expect(nearby().pirates.map(({ tier }) => tier)).toEqual(['T2'])
  })

  test('shows no pirates at the starting place of a player', () => {
    const newcomer = small.join(`Newcomer ${small.players.length}`)
    const outcome = small.ask(newcomer, 'get_nearby')
    expect(outcome).toMatchObject({ ok: true, result: { pirates: [], pirate_count: 0 } })
  })
})

describe('pirates', () => {
  test('are in the section location, but in no list of players', () => {
    const section = world.section('location', player) as Record<string, unknown>
    expect(section.nearby_pirate_count).toBe(2)
    expect(section.nearby_pirates).toEqual(nearby().pirates)
    expect(section.nearby_player_count).toBe(0)
    const here = gatheringAt(world, lurkPlacesOf(world, system)[0])
    expect(here).toMatchObject({ online: [player], offline: [] })
    expect(small.ask(player, 'get_system_agents')).toMatchObject({ ok: true, result: { count: 0 } })
  })

  test('have their own name and id in a battle', () => {
    expect(aggress(world, ship, scout).ok).toBe(true)
    expect(standing(world, scout).side).not.toBe(standing(world, ship).side)
    expect(combatantName(world, standing(world, scout).row)).toBe(npcName(world, scout))
    expect(combatantId(world, standing(world, scout).row)).toBe(shipId(world, scout))
  })
})

describe('the acknowledgement of an attack', () => {
  const previewed = () => attack.preview?.(world, player, { target_id: shipId(world, scout) })

  test('names the pirates at the same place who may join the battle', () => {
    expect(previewed()).toMatchObject({ may_join: [npcName(world, raider)], may_join_count: 1 })
  })

  test('reveals nothing about a pirate in another system', () => {
    putAt(world, player, lurkPlacesOf(world, freshSystem(small, 0))[0])
    expect(previewed()).toEqual({})
  })
})
