/** The table of skills, and what trains them. Source: missions.md section 5. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemIndex, RECIPES, SKILL_CATEGORIES, SKILLS } from '../../../core/catalog/index.ts'
import { DAY_TICKS, HOUR_TICKS } from '../../../core/time.ts'
import type { Eid } from '../../../core/types.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { awardTradingXp, endTickXp } from '../../../systems/market/book-rules.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { levelOf, skillIndex, xpOf } from '../../../systems/skill/model.ts'
import { awardDutyXp, awardFullPowerXp, awardXp } from '../../../systems/skill/rules.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { hullOf, meeting, rowOf } from '../combat/scene.ts'
import { bench, done, give } from '../craft/scene.ts'

onSmallMap()

let small: SmallWorld
let player: Eid
beforeAll(async () => {
  small = await smallWorld()
})
beforeEach(() => {
  player = small.join(`Pupil ${small.players.length}`)
})

/** Returns the experience in a skill, counted from level 0. */
function total(skill: string, owner = player, { world } = small): number {
  const level = levelOf(world, owner, skill)
  let sum = xpOf(world, owner, skill)
  for (let i = 0; i < level; i++) sum += 35 * i * i + 70 * i + 60
  return sum
}
/** Sets a level without awarding experience. */
function setLevel(skill: string, level: number): void {
  small.world.write(PlayerSkills).level[player * SKILLS_WIDTH + skillIndex(skill)] = level
}

describe('the table of skills', () => {
  test('has the twelve categories, with their skills and prerequisites', () => {
    const table = Object.fromEntries(
      SKILL_CATEGORIES.map((category) => [
        category,
        SKILLS.filter(
          (row) => row.category === category && row.empire_restriction === undefined,
        ).map(({ id, prerequisites }) => [id, prerequisites]),
      ]),
    )
    expect(table).toEqual({
      Combat: [
        ['weapons', {}],
        ['gunnery', { weapons: 3 }],
        ['shields', {}],
        ['armor', {}],
        ['tactics', { weapons: 5 }],
        ['bounty_hunting', { weapons: 3 }],
        ['piracy', { weapons: 5 }],
      ],
      Navigation: [['navigation', {}]],
      Mining: [
        ['mining', {}],
        ['deep_core_mining', { mining: 10 }],
      ],
      Trading: [
        ['trading', {}],
        ['smuggling', {}],
      ],
      Crafting: [
        ['crafting', {}],
        ['refining', {}],
      ],
      Salvaging: [['salvaging', {}]],
      Support: [
        ['scanning', {}],
        ['stealth', { scanning: 2 }],
        ['leadership', {}],
      ],
      Engineering: [['engineering', {}]],
      Drones: [['drone_control', { engineering: 2 }]],
      Exploration: [
        ['exploration', {}],
        ['wormhole_navigation', { navigation: 5, exploration: 3 }],
        ['xenobiology', { scanning: 2 }],
      ],
      Ships: [['piloting', {}]],
      Faction: [['corporation_management', {}]],
    })
  })

  test('has one skill of each origin, in the category of the sheet', () => {
    const origins = SKILLS.flatMap(({ category, empire_restriction: empire }) =>
      empire === undefined ? [] : [`${empire} ${category}`],
    )
    expect(origins.sort()).toEqual([
      'crimson Combat',
      'nebula Mining',
      'outerrim Salvaging',
      'solarian Combat',
      'voidborn Support',
    ])
  })
})

describe('engineering', () => {
  const power = (pct: number): void => {
    const ship = activeShip(small.world, player)
    const columns = small.world.write(Ship)
    columns.powerUsed[ship] = Math.ceil((columns.powerCap[ship] * pct) / 100)
  }

  test('is trained by working at 90 % of the power or more, a point a tick', () => {
    power(50)
    awardFullPowerXp(small.world, player, 5)
    expect(total('engineering')).toBe(0)
    power(90)
    awardFullPowerXp(small.world, player, 5)
    awardFullPowerXp(small.world, player, 1)
    expect(total('engineering')).toBe(6)
  })

  test('gains at most sixty points an hour that way', () => {
    power(100)
    awardFullPowerXp(small.world, player, 50)
    power(100)
    awardFullPowerXp(small.world, player, 50)
    expect(total('engineering')).toBe(60)
    const { tick } = small.world
    small.world.tick += HOUR_TICKS
    power(100)
    awardFullPowerXp(small.world, player, 7)
    small.world.tick = tick
    expect(total('engineering')).toBe(67)
  })

  test('is trained by the ticks of a flight', () => {
    const dock = small.ask(player, 'get_system') as unknown as {
      result: { pois?: { id: string }[]; system?: { pois: { id: string }[] } }
    }
    const pois = dock.result.pois ?? dock.result.system?.pois ?? []
    const here = small.ask(player, 'get_poi') as unknown as { result: { poi: { id: string } } }
    const target = pois.find(({ id }) => id !== here.result.poi.id)
    power(100)
    expect(small.act(player, 'undock').ok).toBe(true)
    const before = small.world.tick
    expect(small.act(player, 'travel', { target_poi: target?.id })).toMatchObject({ ok: true })
    const flown = total('engineering')
    expect(flown).toBeGreaterThan(0)
    expect(flown).toBeLessThanOrEqual(small.world.tick - before)
  })

  test('is trained by making components at a workshop, two points a run', async () => {
    const scene = await bench(1, 0)
    const [maker] = scene.players
    const recipe = RECIPES.find((row) => row.category === 'components' && !row.facility_only)
    if (!recipe) throw new Error('no component is made at a workshop')
    for (const { item_id, quantity } of recipe.inputs) {
      give(scene.world, maker, scene.base, itemIndex(item_id), 3 * quantity)
    }
    const quantity = 3 * recipe.outputs[0].quantity
    done(scene, maker, { recipe_id: recipe.id, quantity })
    for (let i = 0; i < 200 && total('engineering', maker, scene.small) < 6; i++) scene.small.tick()
    expect(total('engineering', maker, scene.small)).toBe(6)
    expect(total('crafting', maker, scene.small)).toBeGreaterThan(0)
  })
})

describe('leadership', () => {
  test('is trained by acts for a faction, fifty points a day', () => {
    const { world } = small
    for (let act = 0; act < 9; act++) expect(awardDutyXp(world, player)).toBe(5)
    expect([awardDutyXp(world, player), awardDutyXp(world, player)]).toEqual([5, 0])
    expect(awardXp(world, player, 'leadership', 20)).toBe(20)
    const { tick } = world
    world.tick += DAY_TICKS
    expect(awardDutyXp(world, player)).toBe(5)
    world.tick = tick
  })

  test('counts inviting, promoting and kicking, but no immediates', () => {
    const { world } = small
    const [friend, guest] = ['Friend', 'Guest'].map((name) =>
      small.join(`${name} ${small.players.length}`),
    )
    const faction = foundFaction(world, player, `Dutiful ${player}`, `D${100 + player}`)
    addMember(world, friend, faction)
    const status = (member: Eid) =>
      small.ask(member, 'get_status') as unknown as {
        result: { player: { username: string } }
      }
    const id = (member: Eid) => ({ player_id: status(member).result.player.username })
    const role = { name: 'Cook', priority: 10, permissions: {} }
    expect(small.ask(player, 'faction_create_role', role).ok).toBe(true)
    expect(total('leadership')).toBe(0)
    expect(small.act(player, 'faction_invite', id(guest)).ok).toBe(true)
    expect(small.act(player, 'faction_promote', { ...id(friend), role_id: 'member' }).ok).toBe(true)
    expect(small.act(player, 'faction_kick', id(friend)).ok).toBe(true)
    expect(total('leadership')).toBe(15)
    expect(small.act(player, 'faction_kick', id(friend)).ok).toBe(false)
    expect(total('leadership')).toBe(15)
  })
})

describe('daily caps', () => {
  test('are separate for each skill', () => {
    const pvp = (skill: string, xp: number) => awardXp(small.world, player, skill, xp, 'pvp')
    expect([pvp('weapons', 3_000), pvp('weapons', 1)]).toEqual([2_000, 0])
    expect([pvp('armor', 500), pvp('shields', 2_500)]).toEqual([500, 2_000])
    expect(awardXp(small.world, player, 'armor', 100, 'arena')).toBe(0)
    expect(awardXp(small.world, player, 'piloting', 900, 'arena')).toBe(500)
    expect(awardXp(small.world, player, 'weapons', 10)).toBe(10)
  })

  test('apply to smuggling with players, but not with stations', () => {
    const { world } = small
    const sell = (withPlayers: number) => {
      const sold = { credits: 50_000, withPlayers, smuggled: 50_000 }
      const { smuggling } = awardTradingXp(world, player, sold)
      endTickXp(world)
      return smuggling
    }
    for (let i = 0; i < 10; i++) expect(sell(50_000)).toBe(500)
    expect(sell(50_000)).toBe(0)
    expect(sell(25_000)).toBe(250)
    expect(sell(0)).toBe(500)
  })
})

test('killing strangers trains piracy, killing members of the own faction does not', async () => {
  for (const [areMembers, xp] of [
    [false, 50],
    [true, 0],
  ] as const) {
    const scene = await meeting(2)
    const { world } = scene
    const [killer, victim] = scene.players
    world.write(PlayerSkills).level[killer * SKILLS_WIDTH + skillIndex('weapons')] = 5
    expect(scene.small.act(killer, 'attack', { target_id: scene.id(victim) }).ok).toBe(true)
    if (areMembers) addMember(world, victim, foundFaction(world, killer, 'House Divided', 'HDIV'))
    expect(rowOf(world, victim)).not.toBe(0)
    expect(hullOf(world, victim)).not.toBe(0)
    scene.doom(victim, 'destroyed', killer)
    scene.small.tick()
    expect(total('piracy', killer, scene.small)).toBe(xp)
  }
})

test('a skill whose prerequisite is lost gains nothing, but keeps its level', () => {
  setLevel('scanning', 2)
  expect(awardXp(small.world, player, 'stealth', 60)).toBe(60)
  setLevel('scanning', 0)
  expect(awardXp(small.world, player, 'stealth', 60)).toBe(0)
  expect(levelOf(small.world, player, 'stealth')).toBe(1)
})
