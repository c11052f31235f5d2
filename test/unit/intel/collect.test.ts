/** Intel that facilities of the second tier collect where members arrive and dock. */
import { beforeEach, expect, test } from 'vitest'
import { Player } from '../../../systems/account/state.ts'
import { Base } from '../../../systems/base/state.ts'
import { changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { factionFacilities } from '../../../systems/facility/model.ts'
import { DAMAGED } from '../../../systems/facility/state.ts'
import { priceNoteOf, recordOf } from '../../../systems/intel/model.ts'
import { collectPrices, collectSystem } from '../../../systems/intel/rules.ts'
import { SYSTEM_NOTES } from '../../../systems/intel/state.ts'
import { depositsOf } from '../../../systems/mining/model.ts'
import { reveal } from '../../../systems/sensing/rules.ts'
import { poiId, poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { addService, dockAt } from '../faction/scene.ts'
import { act, ask, type Bureau, bureau } from './scene.ts'

let scene: Bureau
beforeEach(async () => {
  scene = await bureau({ faction_intel: 2, faction_trade_intel: 2 })
})

/** Returns a place of a system that is visible to all and has deposits. */
const beltOf = (system: number): number => {
  const { world } = scene.small
  const { hidden } = world.read(Poi)
  return poisOf(world, system).find(
    (poi) => hidden[poi] === 0 && depositsOf(world, poi).length > 0,
  ) as number
}

test('a member who arrives records the chart of the system and the deposits there', () => {
  const { small, recruit, system } = scene
  const { world } = small
  const belt = beltOf(system)
  act(small, recruit, 'travel', { target_poi: poiId(world, belt) })
  const note = recordOf(world, scene.faction, system)
  expect(note).toMatchObject({ tick: world.tick, by: world.read(Player).seq[recruit] })
  expect(note?.given).toBeUndefined()
  expect(note?.readings).toHaveLength(1)
  const { pois_known } = ask(small, scene.leader, 'faction_intel_status')
  expect(pois_known).toBeGreaterThan(0)
})

test('the first tier collects nothing, and strangers collect nothing', () => {
  const { small, recruit, stranger, system } = scene
  const { world } = small
  for (const row of factionFacilities(world, scene.faction)) {
    changeState(world, row, { status: DAMAGED })
  }
  for (const service of ['faction_intel', 'faction_trade_intel']) {
    addService(world, scene.faction, scene.base, service, 1)
  }
  small.tick()
  collectSystem(world, recruit, beltOf(system))
  collectSystem(world, stranger, beltOf(system))
  collectPrices(world, recruit, scene.base)
  collectPrices(world, stranger, scene.base)
  expect(world.records(SYSTEM_NOTES).size).toBe(0)
  expect(priceNoteOf(world, scene.faction, scene.base)).toBe(0)
})

/** Returns a system out of reach of the second tier, with a hidden place and one to mine. */
function farSystem(): number {
  const { world } = scene.small
  const { hidden } = world.read(Poi)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    if (system === scene.system || beltOf(system) === undefined) continue
    if (poisOf(world, system).some((poi) => hidden[poi] === 1)) return system
  }
  throw new Error('no other system has a hidden place')
}

const entryOf = (system: number) => {
  const { world } = scene.small
  const name = world.texts.get(world.read(StarSystem).id[system])
  const { entries } = ask(scene.small, scene.leader, 'faction_query_intel', { system_id: name })
  return (entries as { pois: { id: string; resources?: object[] }[] }[])[0]
}

test('entries list deposits that a member visited and hidden places that a member revealed', () => {
  const { small, recruit, leader } = scene
  const { world } = small
  const system = farSystem()
  const belt = beltOf(system)
  const { hidden } = world.read(Poi)
  const secret = poisOf(world, system).find((poi) => hidden[poi] === 1) as number
  collectSystem(world, leader, belt)
  expect(entryOf(system)).toMatchObject({ auto_synced: true, submitter_name: 'Leader' })
  const known = () => entryOf(system).pois.map(({ id }) => id)
  expect(known()).not.toContain(poiId(world, secret))
  const found = entryOf(system).pois.filter(({ resources }) => resources !== undefined)
  expect(found.map(({ id }) => id)).toEqual([poiId(world, belt)])
  reveal(world, recruit, [secret])
  collectSystem(world, recruit, secret)
  expect(known()).toContain(poiId(world, secret))
  collectSystem(world, leader, belt)
  expect(known()).toContain(poiId(world, secret))
  const filter = (params: object) => ask(small, leader, 'faction_query_intel', params)
  const resource_type = (found[0].resources as { resource_id: string }[])[0].resource_id
  expect(filter({ resource_type }).total).toBeGreaterThan(0)
  expect(filter({ resource_type: 'nothing_at_all' }).total).toBe(0)
  expect(filter({ poi_type: 'station' }).total).toBeGreaterThan(0)
})

test('inspect shows what the faction has charted to its members only', () => {
  const { small, leader, stranger } = scene
  const { world } = small
  const system = farSystem()
  const belt = poiId(world, beltOf(system))
  const inspect = (player: number, id: string) => small.ask(player, 'inspect', { id })
  expect(inspect(leader, belt)).toMatchObject({ code: 'not_found' })
  collectSystem(world, leader, beltOf(system))
  expect(inspect(leader, belt)).toMatchObject({
    result: { kind: 'poi', source: 'faction_intel', faction_poi_intel: { id: belt } },
  })
  expect(inspect(stranger, belt)).toMatchObject({ code: 'not_found' })
  const id = world.texts.get(world.read(StarSystem).id[system])
  expect(inspect(leader, id)).toMatchObject({
    result: { kind: 'system', faction_system_intel: { system_id: id } },
  })
  expect(inspect(stranger, id)).not.toHaveProperty('result.faction_system_intel')
})

test('made-up reports of hidden places do not reveal whether they exist', () => {
  const { small, leader } = scene
  const { world } = small
  const system = farSystem()
  const { hidden } = world.read(Poi)
  const secret = poisOf(world, system).find((poi) => hidden[poi] === 1) as number
  const id = world.texts.get(world.read(StarSystem).id[system])
  const pois = [{ id: poiId(world, secret) }, { id: 'surely_not' }]
  act(small, leader, 'faction_submit_intel', { systems: [{ system_id: id, pois }] })
  for (const { id: guess } of pois) {
    expect(small.ask(leader, 'inspect', { id: guess })).toMatchObject({ code: 'not_found' })
  }
})

test('docking records the exchange, once for members who dock in a row', () => {
  const { small, recruit, leader, faction } = scene
  const { world } = small
  const far = anotherBase()
  placeInSpace(world, world.read(Player).ship[recruit], world.read(Base).poi[far])
  act(small, recruit, 'dock')
  const row = priceNoteOf(world, faction, far)
  expect(row).toBeGreaterThan(0)
  const base_id = world.texts.get(world.read(Base).id[far])
  const { entries } = ask(small, leader, 'faction_query_trade_intel', { base_id })
  const [entry] = entries as { items: object[]; submitted_at_tick: number }[]
  expect(entry).toMatchObject({ auto_synced: true, submitter_name: 'Recruit', base_id })
  expect(entry.submitted_at_tick).toBe(world.tick)
  expect(entry.items.length).toBeGreaterThan(10)
  dockAt(world, leader, far)
  collectPrices(world, leader, far)
  expect(priceNoteOf(world, faction, far)).toBe(row)
})

/** Returns an open base with an exchange that is not the home base. */
function anotherBase(): number {
  const { world } = scene.small
  const { alive, pirateRepRequired, empire } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    const isOpen = alive[base] === 1 && pirateRepRequired[base] === 0 && empire[base] !== 0
    if (isOpen && base !== scene.base) return base
  }
  throw new Error('no other base is open')
}
