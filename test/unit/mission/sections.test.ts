/** Mutations whose v2 answer has the section `missions`. Source: newer.md section 6, WIRE 2.3. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OBJECTIVES_MAX } from '../../../core/catalog/index.ts'
import type { Answer } from '../../../core/ports.ts'
import type { Eid } from '../../../core/types.ts'
import { Base } from '../../../systems/base/state.ts'
import { missionsOf } from '../../../systems/mission/model.ts'
import { Mission } from '../../../systems/mission/state.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { freighter } from '../package/stage.ts'
import { load, seek, templateNamed } from './stage.ts'

let small: SmallWorld
let pilot: Eid
beforeAll(async () => {
  small = await smallWorld()
})
beforeEach(() => {
  pilot = small.join(`Pilot ${small.players.length + 1}`)
  freighter(small.world, pilot)
})

interface Missions {
  active: { objectives: { current: number }[] }[]
  max_missions: number
}

function missionsSent(answer: Answer): Missions | undefined {
  expect(answer.outcome).toMatchObject({ ok: true })
  expect(answer.sections).toBeDefined()
  return answer.sections?.missions as Missions | undefined
}

function take(template_id: string): void {
  seek(small, pilot, template_id)
  const answer = small.answer(pilot, 'accept_mission', { template_id })
  expect(missionsSent(answer)?.active).toHaveLength(1)
}

/** Puts the pilot's ship in space outside the station of the first objective. */
function flyOver(): void {
  const { world } = small
  const ship = activeShip(world, pilot)
  const base = world.read(Mission).toBase[missionsOf(world, pilot)[0] * OBJECTIVES_MAX]
  expect(base).toBeGreaterThan(0)
  removeFromMap(world, ship)
  placeInSpace(world, ship, world.read(Base).poi[base])
}

describe('a mutation carries the missions', () => {
  test('when an objective progressed, and not otherwise', () => {
    take('new_pilot_1')
    flyOver()
    const missions = missionsSent(small.answer(pilot, 'dock'))
    expect(missions).toEqual(small.world.section('missions', pilot))
    expect(missions?.active[0].objectives[0].current).toBe(1)
    missionsSent(small.answer(pilot, 'undock'))
    const secondDock = small.answer(pilot, 'dock')
    expect(missionsSent(secondDock)).toBeUndefined()
    expect(Object.keys(secondDock.sections ?? {})).toContain('location')
  })

  test('at the station of a delivery, where goods aboard count', () => {
    take('bread_before_shift')
    flyOver()
    const [{ item = '' }] = templateNamed('bread_before_shift').objectives
    load(small.world, pilot, item, 1)
    expect(missionsSent(small.answer(pilot, 'dock'))?.active[0].objectives[0].current).toBe(1)
  })

  test('and every command that can progress an objective declares this', () => {
    for (const name of [
      'jump',
      'dock',
      'mine',
      'buy',
      'sell',
      'create_buy_order',
      'create_sell_order',
      'sell_wreck',
      'scrap_wreck',
      'survey_system',
      'complete_mission',
    ]) {
      expect(small.registry.commands.get(name), name).toMatchObject({
        changes: expect.arrayContaining(['missions']),
      })
    }
  })
})
