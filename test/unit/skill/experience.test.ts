/**
 * Experience: levels, prerequisites, origins, caps, and what a level changes. Source: missions.md
 * section 5.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES, SKILLS, XP_PER_LEVEL } from '../../../core/catalog/index.ts'
import { hash32 } from '../../../core/rng.ts'
import type { Eid } from '../../../core/types.ts'
import { packAnswer } from '../../../core/wire/packed.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { levelOf, skillIndex, xpOf } from '../../../systems/skill/model.ts'
import { awardXp } from '../../../systems/skill/rules.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { packSkills, renderSkills } from '../../../systems/skill/views.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let player: Eid
beforeAll(async () => {
  small = await smallWorld()
})
beforeEach(() => {
  player = small.join(`Pilot ${small.players.length}`)
})

const award = (skill: string, xp: number) => awardXp(small.world, player, skill, xp)
const level = (skill: string) => levelOf(small.world, player, skill)
function setLevel(skill: string, value: number): void {
  small.world.write(PlayerSkills).level[player * SKILLS_WIDTH + skillIndex(skill)] = value
}
const levelUps = () => small.world.outbox.emissions.filter((e) => e.type === 'skill_level_up')

describe('an award', () => {
  test('adds to a level that it does not complete', () => {
    expect(award('mining', 59)).toBe(59)
    expect([level('mining'), xpOf(small.world, player, 'mining')]).toEqual([0, 59])
    expect(levelUps()).toHaveLength(0)
  })

  test('raises the level at 60, and restarts its count', () => {
    award('mining', 60)
    expect([level('mining'), xpOf(small.world, player, 'mining')]).toEqual([1, 0])
  })

  test('crosses several levels and reports only the last one', () => {
    const xp = XP_PER_LEVEL[0] + XP_PER_LEVEL[1] + XP_PER_LEVEL[2] + 5
    expect(award('mining', xp)).toBe(xp)
    expect([level('mining'), xpOf(small.world, player, 'mining')]).toEqual([3, 5])
    expect(levelUps().map((e) => e.payload)).toEqual([
      { skill_id: 'mining', new_level: 3, xp_gained: xp },
    ])
  })

  test('is rounded down, and is nothing below one', () => {
    expect(award('mining', 1.9)).toBe(1)
    expect(award('mining', 0.9)).toBe(0)
    expect(award('mining', -3)).toBe(0)
  })

  test('is 50,000 at most', () => {
    setLevel('mining', 90)
    expect(award('mining', 1_000_000)).toBe(50_000)
  })

  test('drops experience beyond level 100', () => {
    setLevel('mining', 99)
    const index = player * SKILLS_WIDTH + skillIndex('mining')
    small.world.write(PlayerSkills).xp[index] = XP_PER_LEVEL[99] - 10
    expect(award('mining', 50)).toBe(10)
    expect([level('mining'), xpOf(small.world, player, 'mining')]).toEqual([100, 0])
    expect(award('mining', 50)).toBe(0)
    expect(renderSkills(small.world, player).mining.next_level_xp).toBe(0)
  })
})

describe('a locked skill', () => {
  test('gains nothing until every prerequisite is met', () => {
    expect(award('deep_core_mining', 30)).toBe(0)
    expect(renderSkills(small.world, player).deep_core_mining).toMatchObject({
      level: 0,
      locked: true,
    })
    setLevel('mining', 10)
    expect(award('deep_core_mining', 30)).toBe(30)
    expect(renderSkills(small.world, player).deep_core_mining.locked).toBeUndefined()
  })

  test('of another origin gains nothing and is not shown', () => {
    expect(award('crimson_oath', 30)).toBe(0)
    expect(award('solarian_doctrine', 30)).toBe(30)
    const shown = Object.keys(renderSkills(small.world, player))
    expect(shown).not.toContain('crimson_oath')
    expect(shown).toHaveLength(
      SKILLS.filter((s) => (s.empire_restriction ?? 'solarian') === 'solarian').length,
    )
  })
})

describe('daily caps', () => {
  test('stop a source until the next day', () => {
    const trade = (xp: number) => awardXp(small.world, player, 'trading', xp, 'trade')
    expect(trade(4_900)).toBe(4_900)
    expect(trade(200)).toBe(100)
    expect(trade(200)).toBe(0)
    expect(award('trading', 200)).toBe(200)
    const { tick } = small.world
    small.world.tick = tick + 8_640
    expect(trade(200)).toBe(200)
    small.world.tick = tick
  })

  test('apply to drone control from every source', () => {
    setLevel('engineering', 2)
    expect(award('drone_control', 3_000)).toBe(2_000)
    expect(award('drone_control', 1)).toBe(0)
  })
})

test('a level of armor raises the hull of the active ship', () => {
  const ship = activeShip(small.world, player)
  const before = small.world.read(Ship).hullMax[ship]
  award('armor', 40_000)
  expect(level('armor')).toBeGreaterThan(10)
  expect(small.world.read(Ship).hullMax[ship]).toBe(
    Math.trunc((before * (100 + level('armor'))) / 100),
  )
})

describe('packed skills', () => {
  const textOf = (skills: object): string | undefined =>
    packAnswer({
      ref: 1,
      player: 1,
      command: 'mine',
      framing: 'ws2',
      stage: 'final',
      tick: 1,
      outcome: { ok: true, result: {} },
      sections: { skills, queue: { has_pending: false } },
    }).packed?.sections

  test('equal rendered skills to the byte, whatever is trained', () => {
    const { world } = small
    const players = EMPIRES.map(({ id }, i) => small.join(`Packed ${i}`, id))
    const { level: levels, xp } = world.write(PlayerSkills)
    for (let round = 0; round < 1_000; round++) {
      // The share of skills that are trained: none, few, half or all.
      const share = [0, 5, 50, 100][round % 4]
      for (const pilot of players) {
        for (let i = 0; i < SKILLS.length; i++) {
          const luck = hash32(round, pilot, i)
          const isTrained = luck % 100 < share
          levels[pilot * SKILLS_WIDTH + i] = isTrained ? (luck >>> 8) % 12 : 0
          xp[pilot * SKILLS_WIDTH + i] = isTrained ? (luck >>> 16) % 500 : 0
        }
        expect(textOf(packSkills(world, pilot))).toBe(textOf(renderSkills(world, pilot)))
      }
    }
  })
})
