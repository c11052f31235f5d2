/** subscribe_observation, unsubscribe_observation, observation_update. travel.md sections 8, 9. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { npcsOf } from '../../../systems/npc/model.ts'
import { makePirate } from '../../../systems/npc/spawn-systems.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { aliasOf, watchedPlace } from '../../../systems/sensing/model.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { poiId } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { baseIn, hullOf, open } from '../combat/scene.ts'
import { codeOf, fuelOf, resultOf, type Sensing, sensing, setFuel } from './scene.ts'

onSmallMap()

interface Row {
  readonly player_id: string
  readonly username: string
}
interface Update {
  readonly poi_id: string
  readonly tick: number
  readonly nearby_changed: Row[]
  readonly nearby_departed: string[]
  readonly system_changed: Row[]
  readonly system_departed: string[]
  readonly cloaked_resolved: { target_id: string }[]
  readonly cloaked_lost: string[]
  readonly unknown_signature: boolean
  readonly active_scan: boolean
}

const COLOR = expect.stringMatching(/^#[0-9a-f]{6}$/i)

let scene: Sensing
let one: Eid
let two: Eid
let three: Eid
let elsewhere: Eid
beforeEach(async () => {
  scene = await sensing(3)
  ;[one, two, three] = scene.players
  elsewhere = open(scene.world, scene.system).find((poi) => poi !== scene.poi)!
})

const subscribe = (params: object = {}, by = one) =>
  scene.small.ask(by, 'subscribe_observation', params)
const watch = (params: object = {}, by = one) =>
  resultOf<{ nearby: Row[]; system_agents: Row[]; cloaked_contacts: object[] }>(
    subscribe(params, by),
  )
const updates = (by = one): Update[] =>
  scene.takePayloads(by, 'observation_update') as unknown as Update[]
const nextUpdates = (by = one): Update[] => {
  scene.takeEmissions()
  scene.small.ticks(1)
  return updates(by)
}
const number = (player: Eid): number => scene.world.read(Player).seq[player]

describe('subscribe_observation', () => {
  test('lists everybody else at the place and in the system', () => {
    placeInSpace(scene.world, hullOf(scene.world, three), elsewhere)
    expect(watch()).toMatchObject({
      action: 'subscribe_observation',
      poi_id: poiId(scene.world, scene.poi),
      nearby: [{ username: 'Tester 2' }],
      unknown_signature: false,
      cloaked_contacts: [],
      active_scan: false,
    })
    const names = watch().system_agents.map(({ username }) => username)
    expect(names.sort()).toEqual(['Tester 2', 'Tester 3'])
  })

  test('is refused in_transit during travel', () => {
    const { small, world } = scene
    scene.small.tick({
      player: one,
      command: 'travel',
      params: { target_poi: poiId(world, elsewhere) },
    })
    expect(codeOf(small.ask(one, 'subscribe_observation'))).toBe('in_transit')
  })

  test('with active_scan is refused docked, no_scanner and no_fuel', () => {
    const { world, system } = scene
    expect(codeOf(subscribe({ active_scan: true }))).toBe('no_scanner')
    scene.fit(one, 'scanner_i')
    setFuel(scene, one, 0)
    expect(codeOf(subscribe({ active_scan: true }))).toBe('no_fuel')
    dockShip(world, hullOf(world, one), baseIn(world, system))
    expect(codeOf(subscribe({ active_scan: true }))).toBe('docked')
    expect(watchedPlace(world, one)).toBe(0)
  })

  test('lists pirates apart from players, under their own ids', () => {
    const { world, system, poi } = scene
    makePirate(world, system, 0)
    const ship = world.read(Npc).ship[npcsOf(world, system)[0]]
    placeInSpace(world, ship, poi)
    const observed = watch()
    const row = expect.objectContaining({
      pirate_id: shipId(world, ship),
      is_boss: false,
      primary_color: COLOR,
    })
    expect(observed).toMatchObject({
      pirates: [row],
      empire_npcs: [],
      creatures: [],
      prizes: [],
      arena_npcs: [],
    })
    expect(JSON.stringify(observed.nearby)).not.toContain(shipId(world, ship))
    placeInSpace(world, ship, elsewhere)
    expect(nextUpdates()).toMatchObject([
      { nearby_departed: [], pirates_departed: [shipId(world, ship)], active_scan: false },
    ])
    placeInSpace(world, ship, poi)
    const [returned] = nextUpdates()
    expect(returned).toMatchObject({ nearby_changed: [], pirates_changed: [row] })
    expect(returned).not.toHaveProperty('creatures_changed')
  })
})

describe('observation_update', () => {
  test('is not sent while nothing changes', () => {
    watch()
    expect(nextUpdates()).toEqual([])
  })

  test('reports arrivals and departures at the place and in the system', () => {
    const { world } = scene
    placeInSpace(world, hullOf(world, two), elsewhere)
    watch()
    placeInSpace(world, hullOf(world, two), scene.poi)
    expect(nextUpdates()).toMatchObject([
      { nearby_changed: [{ username: 'Tester 2' }], nearby_departed: [] },
    ])
    placeInSpace(world, hullOf(world, two), elsewhere)
    const [update] = nextUpdates()
    expect(update.nearby_departed).toEqual([scene.id(two)])
    expect(update.system_departed).toEqual([])
    dockShip(world, hullOf(world, three), baseIn(world, scene.system))
    expect(nextUpdates()).toMatchObject([
      { nearby_departed: [scene.id(three)], system_changed: [{ docked: true }] },
    ])
  })

  test('reports changed appearances, and players who went offline', () => {
    const { small } = scene
    watch()
    small.ask(two, 'set_status', { status_message: 'Passing by.' })
    expect(nextUpdates()).toMatchObject([{ nearby_changed: [{ status_message: 'Passing by.' }] }])
    small.ask(two, 'set_colors', { primary_color: '#010203' })
    expect(nextUpdates()).toMatchObject([{ nearby_changed: [{ primary_color: '#010203' }] }])
    small.ask(0, 'internal:unbind', { player: number(two), channel: 'ws' })
    expect(nextUpdates()).toMatchObject([
      { nearby_changed: [{ offline: true }], system_departed: [scene.id(two)] },
    ])
  })

  test('reports players who were drawn into a battle', () => {
    watch()
    scene.small.act(two, 'attack', { target_id: 'Tester 3' })
    const changed = updates().flatMap(({ nearby_changed }) => nearby_changed)
    expect(changed).toContainEqual(
      expect.objectContaining({ username: 'Tester 2', in_combat: true }),
    )
    expect(changed).toContainEqual(
      expect.objectContaining({ username: 'Tester 3', in_combat: true }),
    )
  })

  test('is one frame for all who see the same, and omits changes of the viewer', () => {
    watch()
    watch({}, two)
    scene.takeEmissions()
    placeInSpace(scene.world, hullOf(scene.world, three), elsewhere)
    scene.small.ticks(1)
    const emissions = scene.takeEmissions().filter(({ type }) => type === 'observation_update')
    expect(emissions.map(({ to }) => to.length)).toEqual([2])
    scene.small.ask(one, 'set_status', { status_message: 'Here.' })
    scene.small.ticks(1)
    const later = scene.takeEmissions().filter(({ type }) => type === 'observation_update')
    expect(later.map(({ to }) => to)).toEqual([[number(two)]])
  })

  test('reports a player who cloaks as departed, and shows them again without a cloak', () => {
    scene.fit(two, 'cloak_iii')
    watch()
    scene.takeEmissions()
    scene.hide(two)
    const [update] = updates()
    expect(update).toMatchObject({
      nearby_departed: [scene.id(two)],
      system_departed: [scene.id(two)],
      unknown_signature: false,
    })
    scene.small.act(two, 'cloak', { enable: false })
    expect(updates()).toMatchObject([{ nearby_changed: [{ username: 'Tester 2' }] }])
  })

  test('reports a cloak that can be sensed as unknown_signature', () => {
    scene.fit(one, 'scanner_i')
    scene.fit(two, 'cloak_i')
    watch()
    scene.takeEmissions()
    scene.hide(two)
    expect(updates()).toMatchObject([{ unknown_signature: true }])
    expect(nextUpdates()).toEqual([])
    scene.small.act(two, 'cloak', { enable: false })
    expect(updates()).toMatchObject([{ unknown_signature: false }])
  })

  test('names an anonymous player by their alias', () => {
    const { world } = scene
    world.write(Player).anonymous[two] = 1
    placeInSpace(world, hullOf(world, two), elsewhere)
    watch()
    placeInSpace(world, hullOf(world, two), scene.poi)
    expect(nextUpdates()).toMatchObject([
      { nearby_changed: [{ player_id: aliasOf(world, two), username: '' }] },
    ])
    placeInSpace(world, hullOf(world, two), elsewhere)
    expect(nextUpdates()).toMatchObject([{ nearby_departed: [aliasOf(world, two)] }])
  })
})

describe('active_scan', () => {
  beforeEach(() => {
    scene.fit(one, 'scanner_ii')
    scene.fit(two, 'cloak_i')
    scene.hide(two)
  })

  test('burns a unit of fuel a tick and reports contacts gained and lost', () => {
    const fuel = fuelOf(scene, one)
    watch({ active_scan: true })
    scene.takeEmissions()
    scene.small.ticks(1)
    const emissions = scene.takeEmissions()
    const update = emissions.find(({ type }) => type === 'observation_update')?.payload
    expect(update).toMatchObject({
      active_scan: true,
      cloaked_resolved: [{ target_id: scene.id(two), cloaked: true }],
      nearby_changed: [],
    })
    expect(emissions.filter(({ type }) => type === 'scan_detected')).toHaveLength(1)
    expect(fuelOf(scene, one)).toBe(fuel - 1)
    expect(nextUpdates()).toEqual([])
    expect(watch({ active_scan: true }).cloaked_contacts).toHaveLength(1)
    scene.small.ticks(1)
    placeInSpace(scene.world, hullOf(scene.world, two), elsewhere)
    expect(nextUpdates()).toMatchObject([{ cloaked_lost: [scene.id(two)] }])
  })

  test('ends without fuel, with active_scan false', () => {
    watch({ active_scan: true })
    setFuel(scene, one, 1)
    expect(nextUpdates()).toMatchObject([{ active_scan: true }])
    expect(nextUpdates()).toMatchObject([{ active_scan: false, cloaked_lost: [scene.id(two)] }])
    expect(watchedPlace(scene.world, one)).toBe(scene.poi)
    expect(nextUpdates()).toEqual([])
  })

  test('ends at the dock', () => {
    const { world } = scene
    const base = baseIn(world, scene.system)
    dockShip(world, hullOf(world, one), base)
    scene.small.act(one, 'undock')
    watch({ active_scan: true })
    dockShip(world, hullOf(world, one), base)
    expect(nextUpdates()).toMatchObject([{ active_scan: false }])
  })
})

describe('a watch ends', () => {
  const isOver = (): boolean => watchedPlace(scene.world, one) === 0

  test('with unsubscribe_observation, which may be sent twice', () => {
    watch()
    for (let request = 0; request < 2; request++) {
      expect(scene.small.ask(one, 'unsubscribe_observation')).toMatchObject({
        ok: true,
        result: { action: 'unsubscribe_observation' },
      })
    }
    expect(isOver()).toBe(true)
    placeInSpace(scene.world, hullOf(scene.world, two), elsewhere)
    expect(nextUpdates()).toEqual([])
  })

  test('when the player leaves the place, but not when they dock there', () => {
    const { world } = scene
    dockShip(world, hullOf(world, one), baseIn(world, scene.system))
    watch()
    scene.small.act(one, 'undock')
    scene.small.act(one, 'dock')
    expect(isOver()).toBe(false)
    placeInSpace(world, hullOf(world, one), scene.poi)
    scene.small.ticks(1)
    expect(isOver()).toBe(true)
  })

  test('when the connection that requested it ends', () => {
    watch()
    scene.small.ask(0, 'internal:unbind', { player: number(one), channel: 'ws' })
    expect(isOver()).toBe(true)
  })

  test('not with a restart, after which changes are still sent', async () => {
    watch()
    const restored = await scene.small.reload()
    expect(restored.hash()).toBe(scene.small.hash())
    expect(watchedPlace(restored.world, one)).toBe(scene.poi)
    restored.ticks(1)
    restored.takeEmissions()
    placeInSpace(restored.world, hullOf(restored.world, two), elsewhere)
    restored.ticks(1)
    const emissions = restored.takeEmissions().filter(({ type }) => type === 'observation_update')
    expect(emissions).toHaveLength(1)
  })
})
