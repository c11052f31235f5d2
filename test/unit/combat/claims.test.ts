/**
 * Hunters of a pirate: at most five players, each with at least a fifth of the damage done to it.
 * Source: missions.md section 2.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { OBJECTIVES_MAX } from '../../../core/catalog/index.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import {
  addSide,
  joinBattle,
  makeHostile,
  openBattle,
  release,
} from '../../../systems/combat/battles-rules.ts'
import { bountyShares, claimsOn, huntersOf } from '../../../systems/combat/destruction-model.ts'
import {
  Attack,
  Battle,
  CLAIMS_MAX,
  DamageClaim,
  FATES,
  Participant,
} from '../../../systems/combat/state.ts'
import { claiming } from '../../../systems/combat/systems.ts'
import { openMission } from '../../../systems/mission/rules.ts'
import { Mission } from '../../../systems/mission/state.ts'
import { npcOf, PIRATE } from '../../../systems/npc/model.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { shipOf } from '../../../systems/travel/location-model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { templateNamed } from '../mission/stage.ts'
import { meeting, type Scene } from './scene.ts'

onSmallMap()

let scene: Scene
let world: World
let pirate: Eid
let pirateRow: Row
let players: readonly Eid[]
let battle: Row
let rows: Row[]

/** Opens a battle of all players against a pirate; nobody is armed. */
beforeEach(async () => {
  scene = await meeting(10)
  world = scene.world
  players = scene.players
  const { alive, kind, ship } = world.read(Npc)
  const { poi } = world.read(Location)
  for (let npc = 1; npc <= world.highOf(Npc); npc++) {
    if (alive[npc] === 1 && kind[npc] === PIRATE && poi[ship[npc]] !== 0) pirate = ship[npc]
  }
  for (const player of players) placeInSpace(world, shipOf(world, player), poi[pirate])
  battle = openBattle(world, pirate)
  const [pirateSide, playerSide] = [addSide(world, battle), addSide(world, battle)]
  makeHostile(world, battle, pirateSide, playerSide)
  pirateRow = joinBattle(world, battle, pirate, pirateSide)
  rows = players.map((player) => joinBattle(world, battle, shipOf(world, player), playerSide))
})

/** Makes one exchange in which these players hit the pirate for these points. */
function hit(points: readonly (readonly [player: number, points: number])[]): void {
  const battles = world.write(Battle)
  battles.firstAttack[battle] = 1
  battles.attackCount[battle] = points.length
  const { attacker, target, shieldHit, hullHit } = world.write(Attack)
  const { taken } = world.write(Participant)
  for (const [index, [player, sum]] of points.entries()) {
    attacker[1 + index] = rows[player]
    target[1 + index] = pirateRow
    shieldHit[1 + index] = 1
    hullHit[1 + index] = sum - 1
    taken[pirateRow] += sum
  }
  claiming.run?.(world)
}

/** Accepts a mission to destroy pirates of any kind. */
function acceptHunt(player: Eid): Row {
  const template = templateNamed('any_five')
  const offer = { id: '', template, base: 1, epoch: 0, toBase: [0], toSystem: [0], jumps: 0 }
  return openMission(world, player, { ...offer, credits: 1, expireTick: 9, posting: 0 })
}

describe('a pirate hunted by several players', () => {
  test('is credited to all who did a fifth of the damage, the most damage first', () => {
    hit([
      [0, 300],
      [1, 200],
      [2, 199],
    ])
    hit([[3, 301]])
    expect(huntersOf(world, pirateRow, 0)).toEqual([players[3], players[0], players[1]])
    expect(huntersOf(world, pirateRow, players[3])).toEqual([players[0], players[1]])
  })

  test('pays its hunters by their damage, or the killer alone if there are none', () => {
    hit([
      [0, 300],
      [1, 200],
      [2, 199],
    ])
    hit([[3, 301]])
    const shares = bountyShares(world, pirateRow, players[2])
    expect(shares.map(({ player, points }) => [player, points])).toEqual([
      [players[0], 300],
      [players[1], 200],
      [players[3], 301],
    ])
    world.write(Participant).taken[pirateRow] = 10_000
    expect(bountyShares(world, pirateRow, players[2])).toEqual([{ player: players[2], points: 1 }])
  })

  test('is credited to at most five hunters, equal ones in order of their numbers', () => {
    hit([0, 1, 2, 3, 4].map((player) => [player, 20] as const))
    expect(huntersOf(world, pirateRow, 0)).toEqual(players.slice(0, 5))
    const others = [players[0], players[1], players[3], players[4]]
    expect(huntersOf(world, pirateRow, players[2])).toEqual(others)
  })

  test('a ninth hunter replaces the one with the least damage', () => {
    hit([0, 1, 2, 3, 4, 5, 6, 7].map((player) => [player, 10 + player] as const))
    expect(world.countOf(DamageClaim)).toBe(CLAIMS_MAX)
    const claimants = () =>
      claimsOn(world, pirateRow).map((claim) => world.read(DamageClaim).player[claim])
    hit([[8, 9]])
    expect(claimants()).not.toContain(players[8])
    hit([[8, 1_000]])
    expect(world.countOf(DamageClaim)).toBe(CLAIMS_MAX)
    expect(new Set(claimants())).toEqual(new Set(players.slice(1, 9)))
    expect(huntersOf(world, pirateRow, 0)).toEqual([players[8]])
  })

  test('counts for the missions of all its hunters when it is destroyed', () => {
    const missions = [0, 1, 2].map((index) => acceptHunt(players[index]))
    hit([
      [0, 60],
      [1, 30],
      [2, 10],
    ])
    const part = world.write(Participant)
    part.fate[pirateRow] = FATES.indexOf('destroyed')
    part.killer[pirateRow] = rows[1]
    expect(npcOf(world, pirate)).not.toBe(0)
    scene.small.ticks(1)
    const { progress } = world.read(Mission)
    expect(missions.map((mission) => progress[mission * OBJECTIVES_MAX])).toEqual([1, 1, 0])
    expect(world.countOf(DamageClaim)).toBe(0)
  })

  test('loses all damage claims when it leaves the battle', () => {
    hit([[0, 60]])
    release(world, pirateRow, 'fled')
    expect(world.countOf(DamageClaim)).toBe(0)
  })

  test('keeps its damage claims over a restart', async () => {
    hit([
      [0, 60],
      [1, 30],
    ])
    const restored = await scene.small.reload()
    expect(restored.hash()).toBe(scene.small.hash())
    expect(huntersOf(restored.world, pirateRow, 0)).toHaveLength(2)
  })
})
