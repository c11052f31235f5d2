/** Experience that pilots gain from fighting, and who is notified of it. */
import { expect, test } from 'vitest'
import { SHIP_CLASSES, XP_PER_LEVEL } from '../../../core/catalog/index.ts'
import type { Eid } from '../../../core/types.ts'
import { areAllied } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { Battle, Participant } from '../../../systems/combat/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { levelOf, skillIndex, xpOf } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { meeting, payloadsTo, putAt, rowOf, type Scene } from './scene.ts'

onSmallMap()

async function duel(): Promise<Scene> {
  const scene = await meeting(2)
  const { world, small } = scene
  const [one, two] = scene.players
  putAt(world, one, scene.poi, { shipClass: 'reaver', modules: ['blaster_ii', 'blaster_ii'] })
  small.act(one, 'attack', { target_id: scene.id(two) })
  for (const player of scene.players) world.write(Participant).ring[rowOf(world, player)] = 0
  return scene
}

const totalXp = (scene: Scene, player: Eid, skill: string): number =>
  XP_PER_LEVEL.slice(0, levelOf(scene.world, player, skill)).reduce(
    (sum, step) => sum + step,
    xpOf(scene.world, player, skill),
  )

test('damage dealt and taken is counted until it makes a point of experience', async () => {
  const scene = await duel()
  const { world, small } = scene
  const [one, two] = scene.players
  small.ticks(4)
  const part = world.read(Participant)
  const [attacker, target] = [rowOf(world, one), rowOf(world, two)]
  const dealt = part.dealt[attacker]
  expect(dealt).toBeGreaterThan(20)
  expect(totalXp(scene, one, 'weapons')).toBe(Math.floor(dealt / 10))
  expect(part.xpDealt[2 * attacker + 1]).toBe(dealt % 10)
  const [taken, hullTaken] = [part.taken[target], part.hullTaken[target]]
  expect(totalXp(scene, two, 'armor')).toBe(Math.floor(hullTaken / 2))
  expect(totalXp(scene, two, 'shields')).toBe(Math.floor((taken - hullTaken) / 4))
})

const tiersOf = (scene: Scene): number[] =>
  scene.players.map((player) => {
    const { ship } = scene.world.read(Player)
    return SHIP_CLASSES[scene.world.read(Ship).class[ship[player]]].tier
  })

/** Runs ticks until a shot is fired; returns the piloting XP of each pilot in that tick. */
function xpOfFirstShot(scene: Scene): number[] {
  for (let i = 0; i < 20; i++) {
    const before = scene.players.map((player) => totalXp(scene, player, 'piloting'))
    scene.small.ticks(1)
    const gained = scene.players.map((player, i) => totalXp(scene, player, 'piloting') - before[i])
    const battle = scene.world.read(Participant).battle[rowOf(scene.world, scene.players[0])]
    const fired = scene.world.read(Battle).attackCount[battle] > 0
    if (fired) return gained
    expect(gained).toEqual([0, 0])
  }
  throw new Error('nobody fires')
}

test('a tick with a shot fired or received trains piloting by the tier of the hull', async () => {
  const scene = await duel()
  const [one, two] = tiersOf(scene)
  expect(xpOfFirstShot(scene)).toEqual([5 * (one + 1), 5 * (two + 1)])
})

test('shots between faction members train piloting at the idle rate', async () => {
  const scene = await duel()
  const [one, two] = tiersOf(scene)
  const { world, players } = scene
  addMember(world, players[1], foundFaction(world, players[0], 'House Divided', 'HDIV'))
  expect(areAllied(scene.world, scene.players[0], scene.players[1])).toBe(true)
  expect(xpOfFirstShot(scene)).toEqual([one + 1, two + 1])
})

test('experience from fighting players stops at the daily limit', async () => {
  const scene = await duel()
  const { world, small } = scene
  const [one] = scene.players
  small.ticks(1)
  const row = rowOf(world, one)
  world.write(Participant).xpDealt[2 * row + 1] = 10 * 5_000
  small.ticks(1)
  const { cappedXp } = world.read(PlayerSkills)
  expect(cappedXp[SKILLS_WIDTH * one + skillIndex('weapons')]).toBe(2_000)
  world.write(Participant).xpDealt[2 * row] = 10 * 700
  const before = world.read(PlayerSkills).level[one * SKILLS_WIDTH + skillIndex('weapons')]
  small.ticks(1)
  expect(
    world.read(PlayerSkills).level[one * SKILLS_WIDTH + skillIndex('weapons')],
  ).toBeGreaterThan(before)
})

test('only the attacker sees the experience gained, in one volley of the tick', async () => {
  const scene = await duel()
  const [one, two] = scene.players
  let emissions = scene.takeEmissions()
  for (let i = 0; i < 20; i++) {
    scene.small.ticks(1)
    emissions = scene.takeEmissions()
    const mine = payloadsTo(scene, emissions, one, 'battle_damage')
    const gains = mine.flatMap(({ xp_gained }) => (xp_gained === undefined ? [] : [xp_gained]))
    expect(
      payloadsTo(scene, emissions, two, 'battle_damage').every((hit) => !('xp_gained' in hit)),
    ).toBe(true)
    if (gains.length === 0) continue
    expect(gains).toHaveLength(1)
    expect(Object.keys(gains[0] as object)).toEqual([scene.id(one)])
    return
  }
  throw new Error('nobody learns anything')
})
