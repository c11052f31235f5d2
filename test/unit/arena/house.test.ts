/** Challenges of the house. Source: spec, arena NPC challenges; combat.md section 14. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LOADOUT_RULES } from '../../../core/catalog/arena-challenges.ts'
import {
  CHALLENGES,
  FIGHTERS,
  fighterIndex,
  type ModuleRow,
  SHIP_CLASSES,
} from '../../../core/catalog/index.ts'
import { ERRORS } from '../../../core/errors.ts'
import type { Eid, World } from '../../../core/types.ts'
import { type Loadout, ruleRefusal } from '../../../systems/arena/duels-commands.ts'
import { matchIn, winsOf } from '../../../systems/arena/model.ts'
import { enemiesIn } from '../../../systems/arena/rules.ts'
import { MATCHES, ShipMatch, WINS } from '../../../systems/arena/state.ts'
import { Battle, FATES, Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { counted } from '../achievement/scene.ts'
import {
  ARMED,
  arena,
  arenaWorld,
  homeOf,
  hullOf,
  matchOf,
  pilotAt,
  rowOf,
  takePayloads,
  winAllBut,
} from './scene.ts'

let small: SmallWorld
let world: World
let pilot: Eid
beforeAll(async () => {
  small = await arenaWorld()
  world = small.world
})
beforeEach(() => {
  small.takeEmissions()
})

/** Makes a player who has unlocked a challenge, and begins it; returns the battle. */
function begin(id: string, fit = ARMED): Eid {
  pilot = pilotAt(small, homeOf(world, id), fit)
  winAllBut(world, pilot, id)
  const done = arena(small, pilot, 'fight', { challenge_id: id })
  expect(done).toMatchObject({ ok: true })
  return matchOf(world, pilot)
}

const code = (outcome: { ok: boolean; code?: string }) => (outcome.ok ? 'ok' : outcome.code)

/** Takes the guns off all ships of the house in a player's match. */
function disarmHouse(player: Eid): void {
  const battle = matchOf(world, player)
  const { guns } = world.write(Participant)
  for (const ship of enemiesIn(world, battle)) {
    guns[world.read(ShipCombat).participant[ship]] = 0
  }
}

/** Knocks out all ships of the house in the ring. */
function strikeDown(battle: Eid): void {
  const { fate } = world.write(Participant)
  for (const ship of enemiesIn(world, battle)) {
    fate[world.read(ShipCombat).participant[ship]] = FATES.indexOf('destroyed')
  }
}

/** Ends a match by knocking the pilot out. */
function giveUp(player: Eid): void {
  if (matchOf(world, player) === 0) return
  world.write(Participant).fate[rowOf(world, player)] = FATES.indexOf('destroyed')
  world.write(Ship).hull[hullOf(world, player)] = 1
  small.ticks(1)
  expect(matchOf(world, player)).toBe(0)
}

describe('the challenges of the house', () => {
  test('name only fighters and rules that exist, and can all be unlocked', () => {
    expect(CHALLENGES.length).toBeGreaterThanOrEqual(20)
    expect(new Set(CHALLENGES.map(({ id }) => id)).size).toBe(CHALLENGES.length)
    const open = new Set<string>()
    for (let round = 0; round < CHALLENGES.length; round++) {
      for (const { id, requires } of CHALLENGES) {
        if (requires.every((needed) => open.has(needed))) open.add(id)
      }
    }
    expect(open.size).toBe(CHALLENGES.length)
    for (const { enemies, waves, rules, lore } of CHALLENGES) {
      const all = [...enemies, ...waves.flatMap(({ npcs }) => npcs)]
      for (const { npc } of all) expect(fighterIndex(npc)).toBeGreaterThanOrEqual(0)
      for (const { rule } of rules) expect(LOADOUT_RULES).toContain(rule)
      expect(enemies.length).toBeGreaterThan(0)
      expect(lore.length).toBeGreaterThan(20)
    }
    for (const { shipClass } of FIGHTERS) {
      expect(SHIP_CLASSES.some(({ id }) => id === shipClass)).toBe(true)
    }
    for (const rule of LOADOUT_RULES) {
      expect(CHALLENGES.some(({ rules }) => rules.some((row) => row.rule === rule))).toBe(true)
    }
  })

  test('are listed with lore, place, objective, enemies, waves and requirements', () => {
    const player = small.join(`Reader ${small.players.length}`)
    const outcome = small.act(player, 'arena', { action: 'challenges' }) as {
      result: { count: number; challenges: Record<string, unknown>[] }
    }
    expect(outcome.result.count).toBe(CHALLENGES.length)
    const tide = outcome.result.challenges.find(({ id }) => id === 'rising_tide')
    expect(tide).toMatchObject({
      lore: expect.any(String),
      poi_id: expect.any(String),
      objective: { type: 'survive_ticks', ticks: 60 },
      enemies: [{ npc: 'ring_hand', name: 'Ring Hand', flees: false }],
      waves: expect.arrayContaining([expect.objectContaining({ after_ticks: 10 })]),
      requires: [
        { id: 'relay', locked: true },
        { id: 'standing_still', locked: true },
      ],
      wins: 0,
      locked: true,
    })
    expect(small.ask(player, 'v2:game_arena/challenges')).toMatchObject({ ok: true })
    expect(small.act(player, 'arena', { action: 'help' })).toMatchObject({
      ok: true,
      result: { command: 'arena' },
    })
  })

  test('are locked until the challenges they require have been won', () => {
    const player = pilotAt(small, homeOf(world, 'two_hands'))
    const params = { challenge_id: 'two_hands' }
    expect(arena(small, player, 'fight', params)).toMatchObject({
      code: 'challenge_locked',
      details: { requires: ['first_bout'] },
    })
    winAllBut(world, player, 'two_hands')
    expect(arena(small, player, 'fight', params).ok).toBe(true)
    giveUp(player)
  })

  test('are refused away from their own arena, and if unknown', () => {
    const player = pilotAt(small, homeOf(world, 'first_bout'))
    expect(code(arena(small, player, 'fight', { challenge_id: 'exchequer' }))).toBe('not_at_arena')
    expect(code(arena(small, player, 'fight', { challenge_id: 'nothing' }))).toBe(
      'challenge_not_found',
    )
  })
})

describe('a loadout rule', () => {
  const plain: Loadout = {
    tier: 1,
    scale: 1,
    speed: 3,
    fit: [],
    boosters: 0,
    cargoUsed: 0,
    sideSize: 1,
  }
  const module = (row: Partial<ModuleRow>): ModuleRow => row as ModuleRow
  const gun = (row: Partial<ModuleRow>) => module({ slot: 'weapon', damage: 5, ...row })
  const cases = {
    hull_tier: [{ tier: 3 }, { max: 1 }],
    hull_scale: [{ scale: 4 }, { max: 3 }],
    max_speed: [{ speed: 5 }, { max: 3 }],
    max_weapons: [{ fit: [gun({}), gun({})] }, { max: 1 }],
    damage_type: [{ fit: [gun({ damage_type: 'energy' })] }, { type: 'kinetic' }],
    no_ammo_weapons: [{ fit: [gun({ magazine_size: 6 })] }, {}],
    no_drones: [{ fit: [module({ drone_capacity: 2 })] }, {}],
    no_boosters: [{ boosters: 1 }, {}],
    no_shield_modules: [{ fit: [module({ shield_bonus: 10 })] }, {}],
    no_repair: [{ fit: [module({ armor_repair_rate: 4 })] }, {}],
    no_tackle: [{ fit: [module({ scramble_power: 2 })] }, {}],
    empty_hold: [{ cargoUsed: 1 }, {}],
    side_size: [{ sideSize: 2 }, { max: 1 }],
  } as const

  for (const rule of LOADOUT_RULES) {
    test(`rule_${rule} refuses a ship that breaks it, and no other`, () => {
      const [broken, limits] = cases[rule]
      const subject = { pilot: 'Ada', hull: 'hornet' }
      const rules = [{ rule, ...limits }]
      expect(ERRORS).toHaveProperty(`rule_${rule}`)
      expect(ruleRefusal({ ...plain, ...broken } as Loadout, rules, subject)).toMatchObject({
        code: `rule_${rule}`,
        details: { ...subject, rule },
      })
      expect(ruleRefusal(plain, rules, subject)).toBeUndefined()
    })
  }

  test('refuses the fight and names pilot, hull and rule', () => {
    const player = pilotAt(small, homeOf(world, 'one_gun'))
    winAllBut(world, player)
    const refused = arena(small, player, 'fight', { challenge_id: 'one_gun' })
    expect(refused).toMatchObject({
      code: 'rule_max_weapons',
      details: { pilot: expect.any(String), hull: 'hornet', rule: 'max_weapons', max: 1 },
    })
    expect(matchOf(world, player)).toBe(0)
  })
})

describe('a match with the house', () => {
  test('spawns the opening enemies and removes them at the end', () => {
    const ships = world.countOf(Ship)
    const battle = begin('two_hands')
    expect(enemiesIn(world, battle).length).toBe(2)
    const status = small.ask(pilot, 'v2:game_arena/status')
    expect(status).toMatchObject({
      result: {
        in_match: true,
        match: {
          kind: 'challenge',
          challenge_id: 'two_hands',
          enemies_remaining: 2,
          waves_remaining: 0,
          ticks_remaining: expect.any(Number),
          elapsed_ticks: expect.any(Number),
        },
      },
    })
    giveUp(pilot)
    expect(world.countOf(Ship)).toBeLessThanOrEqual(ships + 3)
    const { alive } = world.read(Ship)
    const { fighter } = world.read(ShipMatch)
    for (let ship = 1; ship <= world.highOf(Ship); ship++) {
      if (alive[ship] === 1) expect(fighter[ship]).toBe(0)
    }
    expect(world.records(MATCHES).size).toBe(0)
  })

  test('is reported and counted when won: objective_won', () => {
    const battle = begin('first_bout')
    strikeDown(battle)
    small.ticks(1)
    expect(matchOf(world, pilot)).toBe(0)
    expect(takePayloads(small, pilot, 'arena_objective').at(-1)).toMatchObject({
      event: 'objective_won',
      challenge_id: 'first_bout',
      message: expect.stringMatching(/won\. It counts for Two Hands.*challenges/),
    })
    expect(winsOf(world, pilot, 'first_bout')).toBe(1)
    expect(counted(world, pilot, 'arena_challenges_won')).toBe(1)
  })

  test('is reported but not counted when lost: objective_lost', () => {
    begin('first_bout')
    giveUp(pilot)
    expect(takePayloads(small, pilot, 'arena_objective').at(-1)).toMatchObject({
      event: 'objective_lost',
      enemies: [{ name: 'Straw Pilot', flees: false }],
    })
    expect(winsOf(world, pilot, 'first_bout')).toBe(0)
  })

  test('stays open for the next wave when all enemies are knocked out: wave_arrived', () => {
    const battle = begin('relay')
    strikeDown(battle)
    small.ticks(1)
    expect(matchOf(world, pilot)).not.toBe(0)
    small.ticks(1)
    expect(takePayloads(small, pilot, 'arena_objective')).toMatchObject([
      { event: 'wave_arrived', wave_name: 'Second runner', enemies: [{ name: 'Lantern Twin' }] },
    ])
    strikeDown(battle)
    small.ticks(2)
    strikeDown(battle)
    small.ticks(1)
    expect(winsOf(world, pilot, 'relay')).toBe(1)
  })

  test('brings waves at set times and is won at the last tick: survive_ticks', () => {
    const battle = begin('rising_tide')
    world.write(Ship).hull[hullOf(world, pilot)] = 1
    disarmHouse(pilot)
    for (let tick = 0; tick < 12; tick++) {
      disarmHouse(pilot)
      small.ticks(1)
    }
    expect(matchIn(world, battle)?.waves).toBe(1)
    for (let tick = 0; tick < 60 && matchOf(world, pilot) !== 0; tick++) {
      strikeDown(battle)
      small.ticks(1)
    }
    expect(matchOf(world, pilot)).toBe(0)
    expect(takePayloads(small, pilot, 'arena_objective').at(-1)).toMatchObject({
      event: 'objective_won',
      objective: 'survive_ticks',
    })
  })

  test('is lost when an enemy is left at the deadline: time_limit', () => {
    const battle = begin('bell_and_candle')
    for (let tick = 0; tick < 45 && matchOf(world, pilot) !== 0; tick++) {
      disarmHouse(pilot)
      const { guns } = world.write(Participant)
      if (rowOf(world, pilot) !== 0) guns[rowOf(world, pilot)] = 0
      small.ticks(1)
    }
    expect(battle).not.toBe(0)
    expect(matchOf(world, pilot)).toBe(0)
    expect(takePayloads(small, pilot, 'arena_objective').at(-1)).toMatchObject({
      event: 'objective_lost',
      objective: 'time_limit',
    })
  })

  test('is lost when a fleeing enemy leaves the ring: enemy_escaped', () => {
    begin('hare_course')
    for (let tick = 0; tick < 40 && matchOf(world, pilot) !== 0; tick++) {
      const { guns } = world.write(Participant)
      guns[rowOf(world, pilot)] = 0
      small.ticks(1)
    }
    expect(takePayloads(small, pilot, 'arena_objective').at(-1)).toMatchObject({
      event: 'objective_lost',
      objective: 'enemy_escaped',
    })
  })

  test('ignores the stalemate while it has an objective, and ends after 360 ticks', () => {
    // Forty ticks without an event are more than a stalemate needs.
    const battle = begin('exchequer')
    const key = String(world.read(Battle).seq[battle])
    const match = world.records(MATCHES).get(key)
    if (match) world.records(MATCHES).set(key, { ...match, startTick: world.tick - 40 })
    world.write(Battle).eventTick[battle] = world.tick - 40
    disarmHouse(pilot)
    small.ticks(1)
    expect(matchOf(world, pilot)).not.toBe(0)
    giveUp(pilot)
    const slow = begin('relay')
    const slowKey = String(world.read(Battle).seq[slow])
    const slowMatch = world.records(MATCHES).get(slowKey)
    if (slowMatch)
      world.records(MATCHES).set(slowKey, { ...slowMatch, startTick: world.tick - 358 })
    disarmHouse(pilot)
    small.ticks(1)
    expect(matchOf(world, pilot)).toBe(0)
    expect(takePayloads(small, pilot, 'arena_objective').at(-1)).toMatchObject({
      event: 'objective_lost',
    })
  })

  test('ends without any order of the pilot', () => {
    const battle = begin('standing_still')
    for (let tick = 0; tick < 20 && matchOf(world, pilot) !== 0; tick++) small.ticks(1)
    expect(battle).not.toBe(0)
    expect(matchOf(world, pilot)).toBe(0)
    expect(world.records(WINS).size).toBeGreaterThan(0)
  })

  test('continues identically after a restart', async () => {
    begin('relay')
    small.ticks(2)
    const restored = await small.reload()
    for (let i = 0; i < 8; i++) {
      small.ticks(1)
      restored.ticks(1)
      expect(restored.hash()).toBe(small.hash())
    }
    giveUp(pilot)
  })
})
