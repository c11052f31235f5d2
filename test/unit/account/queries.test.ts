/** Queries of players about themselves, which answer in the documented shapes. */
import { Compile } from 'typebox/compile'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Outcome } from '../../../core/errors.ts'
import { type Eid, SECTIONS } from '../../../core/types.ts'
import { addStat } from '../../../systems/account/rules.ts'
import { loginSchema } from '../../../systems/account/schemas.ts'
import { activeShip, shipId } from '../../../systems/ship/model.ts'
import { awardXp } from '../../../systems/skill/rules.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let player: Eid
beforeAll(async () => {
  small = await smallWorld()
  player = small.join('Pilot', 'outerrim')
})

function resultOf(answer: Outcome<unknown>): Record<string, unknown> {
  expect(answer.ok).toBe(true)
  return (answer as { result: Record<string, unknown> }).result
}

describe('answers of v1 fit their schema', () => {
  test.each(['get_status', 'get_ship', 'get_skills'])('%s', (command) => {
    const result = resultOf(small.ask(player, command))
    const schema = Compile(small.registry.commands.get(command)!.result)
    expect([...schema.Errors(result)]).toEqual([])
  })

  test('the state sent at a login', () => {
    const result = resultOf(small.ask(0, 'internal:bind', { player: 1, channel: 'ws' }))
    const { mask: _, ...state } = result
    expect([...Compile(loginSchema).Errors({ message: '', ...state })]).toEqual([])
  })
})

describe('sections of v2', () => {
  test.each(['player', 'ship', 'modules', 'skills'] as const)('%s fits its schema', (name) => {
    const schema = Compile(small.registry.sectionSchemas.get(name)!)
    expect([...schema.Errors(small.world.section(name, player))]).toEqual([])
  })

  test.each([
    ['get_status', [...SECTIONS, 'prize_recoveries', 'hints']],
    ['get_state', [...SECTIONS, 'prize_recoveries', 'hints']],
    ['get_player', ['player']],
    ['get_cargo', ['cargo', 'ship']],
    ['get_location', ['location']],
    ['get_queue', ['queue']],
    ['get_skills', ['skills']],
  ] as [string, readonly string[]][])('%s answers with its sections', (action, names) => {
    const result = resultOf(small.ask(player, `v2:game/${action}`))
    expect(Object.keys(result).sort()).toEqual([...names].sort())
    for (const name of SECTIONS.filter((section) => names.includes(section)))
      expect(result[name]).toEqual(small.world.section(name, player))
  })

  test('get_ship adds the record under details', () => {
    const result = resultOf(small.ask(player, 'v2:game/get_ship'))
    expect(Object.keys(result).sort()).toEqual(['details', 'modules', 'ship'])
    expect(result.details).toEqual(resultOf(small.ask(player, 'get_ship')))
  })
})

test('get_status shows counters and experience', () => {
  addStat(small.world, player, 'ore_mined', 7)
  awardXp(small.world, player, 'mining', 61)
  expect(resultOf(small.ask(player, 'get_status')).player).toMatchObject({
    stats: { ore_mined: 7 },
    skills: { mining: 1 },
    skill_xp: { mining: 1 },
  })
})

test('get_ship finds no ship of another player', () => {
  const other = small.join('Other')
  const theirs = shipId(small.world, activeShip(small.world, other))
  for (const command of ['get_ship', 'v2:game/get_ship']) {
    expect(small.ask(player, command, { ship_id: theirs })).toMatchObject({
      code: 'ship_not_found',
    })
    expect(small.ask(other, command, { ship_id: theirs }).ok).toBe(true)
  }
})
