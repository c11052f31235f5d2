/** Hints of `get_status` on what to do next. Ours: clients reported that they got stuck. */
import { beforeEach, describe, expect, test } from 'vitest'
import { EMPIRE_IDS, GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { newPilotStep } from '../../../core/catalog/missions-newcomer.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { empireOfBase } from '../../../systems/base/model.ts'
import {
  addSide,
  joinBattle,
  makeHostile,
  openBattle,
} from '../../../systems/combat/battles-rules.ts'
import { hintsFor } from '../../../systems/info/hints-views.ts'
import { addBounty, collectBounty } from '../../../systems/law/rules.ts'
import { rememberSight } from '../../../systems/market/sight-model.ts'
import { missionById } from '../../../systems/mission/model.ts'
import { recordProgress } from '../../../systems/mission/rules.ts'
import { loadCargo } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase, shipOf, systemOf } from '../../../systems/travel/location-model.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let small: SmallWorld
let pilot: Eid
let firstStep: string

/** Lets a pilot at their capital accept the first step of the training, so that no hint is left. */
beforeEach(async () => {
  small = await smallWorld({ players: 1 })
  pilot = small.players[0]
  const empire = EMPIRE_IDS[empireOfBase(small.world, dockedBase(small.world, pilot))]
  firstStep = newPilotStep(empire, 1)
  small.act(pilot, 'accept_mission', { template_id: firstStep })
})

const hints = (): string => hintsFor(small.world, pilot).join('\n')
const load = (id: string, units: number): void => {
  const { world } = small
  loadCargo(world, shipOf(world, pilot), namedContainer('supply'), itemIndex(id), units)
}

describe('hints', () => {
  test('send a newcomer to the first step of the training until it is accepted', () => {
    const newcomer = small.join('Ada')
    expect(hintsFor(small.world, newcomer)).toEqual([
      expect.stringMatching(/is the next step of your training: .* new_pilot_[a-z]+_1 before/),
    ])
    expect(hints()).toBe('')
    expect(small.ask(pilot, 'get_status')).not.toHaveProperty('result.hints')
  })

  test('say for a while that the ship was lost, and what is flown now', () => {
    small.act(pilot, 'undock')
    small.act(pilot, 'self_destruct')
    expect(hints()).toMatch(/^You lost your ship 0 ticks ago and now fly a \w+; .* tells how/m)
    small.ticks(31)
    expect(hints()).not.toContain('You lost your ship')
  })

  test('say that the pilot is in a battle, and how to leave it', () => {
    const { world } = small
    const both = [pilot, small.join('Ada')]
    for (const player of both) small.act(player, 'undock')
    const battle = openBattle(world, shipOf(world, pilot))
    for (const player of both) {
      joinBattle(world, battle, shipOf(world, player), addSide(world, battle))
    }
    makeHostile(world, battle, 1, 2)
    expect(hints()).toMatch(/^You are in a battle: .* flee gets you out of it\.$/)
  })

  test('name the missions that can be handed in here', () => {
    const { world } = small
    const template_id = firstStep
    expect(hints()).not.toContain('is done')
    const [{ item = '' }] = objectivesOf(template_id)
    recordProgress(world, pilot, 'mine_item', { key: itemIndex(item), units: 10 })
    expect(missionById(world, pilot, template_id)).not.toBe(0)
    expect(hints()).toContain('is done')
    expect(small.ask(pilot, 'get_status')).toMatchObject({ result: { hints: [hints()] } })
    expect(small.ask(pilot, 'v2:game/get_status')).toMatchObject({ result: { hints: [hints()] } })
  })

  test('name the best bid for goods in the hold: here, and elsewhere as last seen', () => {
    load('iron_ore', 7)
    expect(hints()).toMatch(/7 Iron Ore here: the best bid is \d+ each/)
    rememberSight(small.world, pilot, dockedBase(small.world, pilot))
    small.act(pilot, 'undock')
    expect(hints()).toMatch(/7 Iron Ore in the hold: .* bid \d+ each \d+ ticks? ago/)
  })

  test('leave out supplies and modules in the hold', () => {
    load('repair_kit', 5)
    load('mining_laser_i', 1)
    expect(hints()).toBe('')
  })

  test('name the nearest seller of fuel once it is low', () => {
    const { world } = small
    const ship = shipOf(world, pilot)
    world.write(Ship).fuel[ship] = world.read(Ship).fuelMax[ship] / 4
    expect(hints()).toBe('')
    world.write(Ship).fuel[ship] -= 1
    expect(hints()).toContain('Fuel is low, 24 of 100')
    expect(hints()).toContain('here')
    small.act(pilot, 'undock')
    expect(hints()).toContain('in this system')
  })

  test('name the call for help in space without fuel', () => {
    const { world } = small
    small.act(pilot, 'undock')
    const ship = shipOf(world, pilot)
    world.write(Ship).fuel[ship] = 0
    expect(hints()).toContain('in this system')
    const places = poisOf(world, systemOf(world, pilot))
    placeInSpace(world, ship, places.find((poi) => world.read(Poi).base[poi] === 0) ?? 0)
    expect(hints()).toMatch(/^The tank is empty: .*distress_signal/)
  })

  test('tell a detained player first of all what they owe', () => {
    const { world } = small
    const newcomer = small.join('Ada')
    const empire = empireOfBase(world, dockedBase(world, newcomer))
    addBounty(world, newcomer, empire, 10_000)
    collectBounty(world, newcomer, empire)
    expect(hintsFor(world, newcomer)).toEqual([
      expect.stringMatching(/10000 credits.* for 8640 ticks more/),
    ])
  })

  test('name the next step of the training in space, too', () => {
    const newcomer = small.join('Ada')
    small.act(newcomer, 'undock')
    expect(hintsFor(small.world, newcomer)).toEqual([
      expect.stringMatching(
        /is the next step of your training: .* new_pilot_[a-z]+_1 at .* before/,
      ),
    ])
  })
})

/** Returns the objectives of an active mission. */
function objectivesOf(template_id: string): readonly { item?: string }[] {
  const active = small.ask(pilot, 'get_active_missions') as {
    result: { missions: { template_id: string; objectives: { item_id?: string }[] }[] }
  }
  const mission = active.result.missions.find((row) => row.template_id === template_id)
  return (mission?.objectives ?? []).map(({ item_id }) => ({ item: item_id }))
}

test('missions name the sources of required items, and locked skills their requirements', () => {
  const board = small.ask(pilot, 'get_missions') as {
    result: { missions: { objectives: { item_id?: string; sources?: string[] }[] }[] }
  }
  const sourced = board.result.missions
    .flatMap(({ objectives }) => objectives)
    .filter(({ sources }) => sources !== undefined)
  expect(sourced.length).toBeGreaterThan(0)
  for (const { item_id = '', sources = [] } of sourced) {
    expect(GOODS[itemIndex(item_id)]).toBeDefined()
    expect(sources.length, item_id).toBeGreaterThan(0)
  }
  const { result } = small.ask(pilot, 'get_skills') as {
    result: { skills: Record<string, { locked?: true; requires?: object; trained_by: string }> }
  }
  expect(result.skills.gunnery).toMatchObject({ locked: true, requires: { weapons: 3 } })
  expect(result.skills.weapons).not.toHaveProperty('requires')
  for (const { trained_by } of Object.values(result.skills)) expect(trained_by).not.toBe('')
})
