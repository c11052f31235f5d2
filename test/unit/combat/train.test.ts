/** What pilots learn from fighting, and who hears of it. */
import { expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { Participant } from '../../../systems/combat/state.ts'
import { levelOf, skillIndex, xpOf } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { meeting, putAt, rowOf, type Scene, toldTo } from './scene.ts'

async function duel(): Promise<Scene> {
  const scene = await meeting(2)
  const { world, small } = scene
  const [one, two] = scene.players
  putAt(world, one, scene.poi, { shipClass: 'reaver', modules: ['blaster_ii', 'blaster_ii'] })
  small.act(one, 'attack', { target_id: scene.id(two) })
  for (const player of scene.players) world.write(Participant).ring[rowOf(world, player)] = 0
  return scene
}

const xp = (scene: Scene, player: Eid, skill: string): number =>
  xpOf(scene.world, player, skill) + 1_000 * levelOf(scene.world, player, skill)

test('damage is counted up until it makes a point, for both ends', async () => {
  const scene = await duel()
  const { world, small } = scene
  const [one, two] = scene.players
  small.ticks(4)
  const part = world.read(Participant)
  const [a, b] = [rowOf(world, one), rowOf(world, two)]
  const dealt = part.dealt[a]
  expect(dealt).toBeGreaterThan(20)
  expect(xp(scene, one, 'weapons')).toBe(Math.floor(dealt / 20))
  expect(part.xpDealt[2 * a + 1]).toBe(dealt % 20)
  expect(xp(scene, two, 'armor')).toBe(Math.floor(part.hullTaken[b] / 10))
  expect(xp(scene, two, 'shields')).toBe(Math.floor((part.taken[b] - part.hullTaken[b]) / 20))
})

test('every tick of it trains piloting by the tier of the hull', async () => {
  const scene = await duel()
  const [one, two] = scene.players
  const before = [one, two].map((player) => xp(scene, player, 'piloting'))
  scene.small.ticks(3)
  const gained = [one, two].map((player, i) => xp(scene, player, 'piloting') - before[i])
  const tiers = [one, two].map((player) => gained[scene.players.indexOf(player)] / 3 - 1)
  expect(tiers.every((tier) => Number.isInteger(tier) && tier >= 0)).toBe(true)
  expect(gained[0]).toBeGreaterThanOrEqual(gained[1])
})

test('what comes of fighting players stops at the limit of the day', async () => {
  const scene = await duel()
  const { world, small } = scene
  const [one] = scene.players
  small.ticks(1)
  const row = rowOf(world, one)
  world.write(Participant).xpDealt[2 * row + 1] = 20 * 5_000
  small.ticks(1)
  const { cappedXp } = world.read(PlayerSkills)
  expect(cappedXp[SKILLS_WIDTH * one + skillIndex('weapons')]).toBe(2_000)
  world.write(Participant).xpDealt[2 * row] = 20 * 700
  const before = world.read(PlayerSkills).level[one * SKILLS_WIDTH + skillIndex('weapons')]
  small.ticks(1)
  expect(
    world.read(PlayerSkills).level[one * SKILLS_WIDTH + skillIndex('weapons')],
  ).toBeGreaterThan(before)
})

test('the attacker alone hears of it, with the first volley of the tick', async () => {
  const scene = await duel()
  const [one, two] = scene.players
  let told = scene.told()
  for (let i = 0; i < 20; i++) {
    scene.small.ticks(1)
    told = scene.told()
    const mine = toldTo(scene, told, one, 'battle_damage')
    const gains = mine.flatMap(({ xp_gained }) => (xp_gained === undefined ? [] : [xp_gained]))
    expect(toldTo(scene, told, two, 'battle_damage').every((hit) => !('xp_gained' in hit))).toBe(
      true,
    )
    if (gains.length === 0) continue
    expect(gains).toHaveLength(1)
    expect(Object.keys(gains[0] as object)).toEqual([scene.id(one)])
    return
  }
  throw new Error('nobody learns anything')
})
