/** The hints in answers of missions: the next step, and what is missing. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex, OBJECTIVES_MAX } from '../../../core/catalog/index.ts'
import type { Outcome } from '../../../core/errors.ts'
import type { Eid, World } from '../../../core/types.ts'
import { Base } from '../../../systems/base/state.ts'
import { missionsOf } from '../../../systems/mission/model.ts'
import { offersTo } from '../../../systems/mission/offers-model.ts'
import { openMission, recordProgress } from '../../../systems/mission/rules.ts'
import { Mission, type Offer } from '../../../systems/mission/state.ts'
import { renderOffer } from '../../../systems/mission/views.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { here, load, room } from './stage.ts'

onSmallMap()

type Row = Record<string, unknown>

let small: SmallWorld
let world: World
let ada: Eid

beforeEach(async () => {
  small = await smallWorld()
  world = small.world
  ada = small.join('Ada')
})

const act = (command: string, params: object) => small.act(ada, command, params) as Outcome<Row>
const done = (command: string, params: object): Row => {
  const answer = act(command, params)
  if (!answer.ok) throw new Error(answer.message)
  return answer.result
}
const findOffer = (matches: (offer: Offer) => boolean): Offer => {
  const offer = offersTo(world, ada, here(world, ada)).find(matches)
  if (!offer) throw new Error('no such offer')
  return offer
}
/** Records a docking at the target of the only mission. */
const recordDocking = () => {
  const [mission] = missionsOf(world, ada)
  recordProgress(world, ada, 'dock_base', {
    key: world.read(Mission).toBase[mission * OBJECTIVES_MAX],
  })
}

test('a board names the sites of an ore that is to be mined', () => {
  const board = small.ask(ada, 'get_missions') as Outcome<{ missions: Row[] }>
  const [step] = (board.ok ? board.result.missions : []).filter(({ type }) => type === 'training')
  expect(step.objectives).toMatchObject([
    { type: 'mine_item', sources: [expect.stringMatching(/^Mined in /)] },
  ])
})

test.each([
  ['kill_pirate', /^Pirates lurk in .+, (in the system of the board|\d+ jumps? from the board)\.$/],
  [
    'hunt_creature',
    /^A herd of .+ grazes in .+, (in the system of the board|\d+ jumps? from the board)\.$/,
  ],
])('a board tells where the prey of %s is at home', (type, text) => {
  const bases = Array.from({ length: world.highOf(Base) }, (_, i) => i + 1)
  const offers = bases.flatMap((base) => offersTo(world, ada, base))
  const found = offers
    .flatMap((offer) => renderOffer(world, ada, offer).objectives)
    .filter((objective) => objective.type === type)
  // On the small map, not every tier of pirates is at home.
  const told = found.flatMap(({ sources = [] }) => sources)
  expect(told.length).toBeGreaterThan(found.length / 2)
  for (const source of told) expect(source).toMatch(text)
})

describe('accept_mission', () => {
  test('lists the objectives, and the board marks the mission as accepted', () => {
    const taken = done('accept_mission', { mission_id: 'new_pilot_1' })
    expect(taken.objectives).toEqual([expect.stringMatching(/^Dock at .*\.$/)])
    const board = small.ask(ada, 'get_missions') as Outcome<{ missions: Row[] }>
    const marked = (board.ok ? board.result.missions : []).filter(({ warnings }) =>
      (warnings as string[]).includes('You are already on this mission.'),
    )
    expect(marked).toMatchObject([{ template_id: 'new_pilot_1' }])
  })

  test('names the step that a story requires first', () => {
    expect(act('accept_mission', { template_id: 'new_pilot_3' })).toMatchObject({
      code: 'mission_not_found',
      message: expect.stringMatching(/^"New Pilot: .*" comes after "New Pilot: .*": .* first\.$/),
    })
    expect(act('accept_mission', { template_id: 'none' })).toMatchObject({
      code: 'mission_not_found',
      message: expect.stringMatching(/^There is no such mission for you here/),
    })
  })
})

describe('complete_mission', () => {
  test('reports the progress of an objective, then the next step', () => {
    const mission_id = done('accept_mission', { mission_id: 'new_pilot_1' }).mission_id
    expect(act('complete_mission', { mission_id })).toMatchObject({
      code: 'mission_incomplete',
      message: expect.stringMatching(/: Dock at [^.]* \(0\/1\)\. /),
    })
    recordDocking()
    expect(done('complete_mission', { mission_id })).toMatchObject({
      chain_next: 'new_pilot_2',
      hint: expect.stringMatching(/^Next is "New Pilot: .*": dock at .* and use .* new_pilot_2\.$/),
    })
    expect(act('complete_mission', { mission_id })).toMatchObject({
      code: 'mission_not_found',
      message: expect.stringMatching(/get_active_missions.* lists your active missions/),
    })
  })

  test('reports where goods went that did not fit into the hold', () => {
    const step = findOffer(({ template }) => template.type === 'training')
    openMission(world, ada, step)
    const [{ item = '' }] = step.template.objectives
    recordProgress(world, ada, 'mine_item', { key: itemIndex(item), units: 10 })
    load(world, ada, 'iron_ore', room(world, ada, 'iron_ore') - 1)
    expect(done('complete_mission', { mission_id: step.template.template_id })).toMatchObject({
      items_received: { fuel_cell: 5 },
      hint: expect.stringMatching(
        /^4 Fuel Cell did not fit in your hold: use .*withdraw_items.* at /,
      ),
    })
  })
})
