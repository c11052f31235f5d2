/** faction_scan_poi: its range, its power and the ships that it detects. */
import { beforeEach, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { Base } from '../../../systems/base/state.ts'
import { setCloak } from '../../../systems/sensing/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { lanesFrom, poiId, poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { addService } from '../faction/scene.ts'
import { act, type Bureau, bureau, refusesMove } from './scene.ts'

onSmallMap()

let scene: Bureau
beforeEach(async () => {
  scene = await bureau({ faction_sensor: 1 })
})

const openPois = (system: Eid): Eid[] => {
  const { hidden } = scene.small.world.read(Poi)
  return poisOf(scene.small.world, system).filter((poi) => hidden[poi] === 0)
}
const homePoi = () => scene.small.world.read(Base).poi[scene.base]
const neighbourPoi = () => openPois(scene.system).find((poi) => poi !== homePoi()) as Eid
const idOf = (poi: Eid) => poiId(scene.small.world, poi)
const scan = (poi: Eid, player = scene.leader) =>
  act(scene.small, player, 'faction_scan_poi', { poi_id: idOf(poi) })
const shipOf = (player: Eid) => scene.small.world.read(Player).ship[player]

/** Returns a place in a system this many jumps from home. */
function poiAway(jumps: number): Eid {
  const { world } = scene.small
  let frontier = [scene.system]
  const seen = new Set(frontier)
  for (let i = 0; i < jumps; i++) {
    frontier = [...new Set(frontier.flatMap((system) => lanesFrom(world, system)))].filter(
      (system) => !seen.has(system),
    )
    for (const system of frontier) seen.add(system)
  }
  return openPois(frontier[0])[0]
}

test('scan power falls by sixty with each step away from the base', () => {
  expect(scan(homePoi())).toMatchObject({ scan_power: 200, hops: 0, facility_level: 1 })
  expect(scan(neighbourPoi())).toMatchObject({ scan_power: 140, hops: 0 })
  addService(scene.small.world, scene.faction, scene.base, 'faction_sensor', 2)
  expect(scan(poiAway(1))).toMatchObject({ scan_power: 180, hops: 1, facility_level: 2 })
  addService(scene.small.world, scene.faction, scene.base, 'faction_sensor', 3)
  expect(scan(poiAway(2))).toMatchObject({ scan_power: 220, hops: 2, facility_level: 3 })
  expect(scan(homePoi())).toMatchObject({ scan_power: 400, facility_level: 3 })
})

test('a scan needs a faction, a sensor and a known place within range', async () => {
  const { small, leader, stranger } = scene
  const request = (poi: Eid) => ['faction_scan_poi', { poi_id: idOf(poi) }] as const
  refusesMove(small, stranger, request(homePoi()), 'no_sensor')
  refusesMove(small, leader, request(poiAway(1)), 'out_of_range')
  refusesMove(small, leader, ['faction_scan_poi', { poi_id: '__proto__' }], 'invalid_poi')
  refusesMove(small, small.join('Nobody'), request(homePoi()), 'not_in_faction')
  const { hidden, system } = small.world.read(Poi)
  const secret = Array.from({ length: small.world.highOf(Poi) }, (_, i) => i + 1).find(
    (poi) => hidden[poi] === 1 && system[poi] > 0,
  ) as Eid
  refusesMove(small, leader, request(secret), 'invalid_poi')
})

test('a scan lists ships in space but not docked ones, and notifies nobody', () => {
  const { small, stranger, recruit } = scene
  const { world } = small
  placeInSpace(world, shipOf(stranger), neighbourPoi())
  small.takeEmissions()
  const { contacts, signature_detected } = scan(neighbourPoi())
  expect(contacts).toMatchObject([{ target_id: playerId(world, stranger), username: 'Stranger' }])
  expect((contacts as object[])[0]).not.toHaveProperty('cargo_types')
  expect(signature_detected).toBe(false)
  expect(small.takeEmissions().filter(({ type }) => type === 'scan_detected')).toEqual([])
  expect(scan(homePoi(), recruit).contacts).toEqual([])
})

test('a cloaked ship is listed, sensed or missed, by the strength of its cloak', () => {
  const { small, stranger } = scene
  const { world } = small
  placeInSpace(world, shipOf(stranger), neighbourPoi())
  const seenAt = (cloak: number) => {
    // Without a device a cloak drops at the end of each tick.
    setCloak(world, stranger, true)
    world.write(Ship).cloakPower[shipOf(stranger)] = cloak
    const { contacts, signature_detected } = scan(neighbourPoi())
    return [(contacts as object[]).length, signature_detected]
  }
  expect(seenAt(100)).toEqual([1, false])
  expect(seenAt(150)).toEqual([0, true])
  expect(seenAt(250)).toEqual([0, false])
})

test('an anonymous player is named only at twice the power of their cloak', () => {
  const { small, stranger } = scene
  const { world } = small
  placeInSpace(world, shipOf(stranger), neighbourPoi())
  world.write(Player).anonymous[stranger] = 1
  setCloak(world, stranger, true)
  world.write(Ship).cloakPower[shipOf(stranger)] = 80
  const [unnamed] = scan(neighbourPoi()).contacts as { target_id: string }[]
  expect(unnamed).not.toHaveProperty('username')
  expect(unnamed.target_id).not.toBe(playerId(world, stranger))
  setCloak(world, stranger, true)
  world.write(Ship).cloakPower[shipOf(stranger)] = 20
  expect(scan(neighbourPoi()).contacts).toMatchObject([{ username: 'Stranger' }])
})
