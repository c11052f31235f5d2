/** Escort missions of convoys, played as the guide to trading describes them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GUIDES } from '../../../core/catalog/guides.ts'
import { idOf } from '../../../core/entity.ts'
import { namedContainer } from '../../../core/goods.ts'
import { MARK } from '../../../core/say.ts'
import type { Eid } from '../../../core/types.ts'
import { saveRecord } from '../../../systems/mission/community-rules.ts'
import { offerName } from '../../../systems/mission/errand-model.ts'
import { epochOf, missionsOf, recordOf } from '../../../systems/mission/model.ts'
import { Mission } from '../../../systems/mission/state.ts'
import { unitsAboard } from '../../../systems/npc/convoy-model.ts'
import { Convoy, LOADING_TICKS } from '../../../systems/npc/convoy-state.ts'
import { activeShip, shipId, unloadCargo } from '../../../systems/ship/model.ts'
import { systemId } from '../../../systems/travel/model.ts'
import { JUMPING, Location, StarSystem } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { play } from '../info/guide-scene.ts'
import {
  bringTo,
  type ConvoyScene,
  convoyScene,
  dockAt,
  follow,
  pacify,
  runUntilOver,
  systemOf,
} from '../npc/convoy-scene.ts'
import { putAt, remove } from '../npc/scene.ts'
import { creditsOf } from './stage.ts'

onSmallMap()

let scene: ConvoyScene
let pilot: Eid
let id: string
beforeEach(async () => {
  scene = await convoyScene()
  const { small, world, convoy, from } = scene
  pacify(world)
  pilot = small.join('Sheepdog')
  id = idOf(world, Convoy, convoy)
  dockAt(world, pilot, from)
})

const missionIds = (): unknown => {
  const { missions } = (
    scene.small.ask(pilot, 'get_missions') as { result: { missions: { mission_id: string }[] } }
  ).result
  return missions.map(({ mission_id }) => mission_id)
}

const accept = () => scene.small.act(pilot, 'accept_mission', { mission_id: id })

describe('an escort', () => {
  test('is offered to three pilots while the convoy loads', () => {
    const { small, world, from } = scene
    expect(missionIds()).toContain(id)
    for (const name of ['Able', 'Baker', 'Charlie']) {
      const other = small.join(name)
      dockAt(world, other, from)
      expect(small.act(other, 'accept_mission', { mission_id: id })).toMatchObject({ ok: true })
    }
    expect(missionIds()).not.toContain(id)
    expect(accept()).toMatchObject({ ok: false, code: 'mission_not_found' })
    small.ticks(LOADING_TICKS)
    expect(missionIds()).not.toContain(id)
  })

  test('of another convoy is offered to a pilot who completed one from here in this epoch', () => {
    const { world, from } = scene
    const offers = [offerName(world, 'convoy_escort', from)]
    saveRecord(world, pilot, { ...recordOf(world, pilot), epoch: epochOf(world.tick), offers })
    expect(missionIds()).toContain(id)
    expect(accept()).toMatchObject({ ok: true })
  })

  test('is paid when the convoy has arrived', () => {
    const { small, world, convoy, ship } = scene
    const { jumps, lawless } = world.read(Convoy)
    const pay = 500 + 300 * jumps[convoy] + 500 * lawless[convoy]
    const session = play(small)
    expect(session.does(pilot, 'get_news').convoys).toContainEqual(
      expect.objectContaining({ convoy_id: id, status: 'loading' }),
    )
    session.does(pilot, 'view_market')
    const offers: { mission_id: string; rewards: { credits: number } }[] = session.does(
      pilot,
      'get_missions',
    ).missions
    const offer = offers.find(({ mission_id }) => mission_id === id)
    expect(offer).toMatchObject({
      type: 'escort',
      rewards: { credits: pay },
      warnings: expect.arrayContaining([expect.stringContaining('The convoy leaves in')]),
    })
    const { mission_id } = session.does(pilot, 'accept_mission', { mission_id: id })
    const required = jumps[convoy]
    const objective = () => session.does(pilot, 'get_active_missions').missions[0].objectives[0]
    expect(objective()).toMatchObject({ type: 'escort_convoy', current: 0, required })
    runUntilOver(scene, () => {
      if (world.tick > LOADING_TICKS) follow(world, pilot, ship)
      expect(objective().current).toBeLessThan(required)
    })
    expect(objective()).toMatchObject({ current: required, completed: true })
    const before = creditsOf(world, pilot)
    expect(session.does(pilot, 'complete_mission', { mission_id })).toMatchObject({
      credits_earned: pay,
    })
    expect(creditsOf(world, pilot) - before).toBe(pay)

    // The test itself moves the pilot, and nobody attacks: these three commands are not needed.
    const content = GUIDES.find((guide) => guide.id === 'trader')?.content ?? ''
    const [, part] = /## Convoys\n([\s\S]*?)\n\n/.exec(content) ?? []
    const marked = new RegExp(`${MARK.open}([a-z_]+)`, 'g')
    const named = [...(part ?? '').matchAll(marked)].map(([, command]) => command)
    const unplayed = named.filter((command) => !session.played.has(command))
    expect(unplayed).toEqual(['scan', 'jump', 'attack'])
  })

  test('says where the convoy is and goes, so that a pilot can keep up by their own jumps', () => {
    const { small, world } = scene
    const { mission_id } = (accept() as { result: { mission_id: string } }).result
    let told = ''
    runUntilOver(scene, () => {
      const shown = small.ask(pilot, 'get_active_missions') as {
        result: { missions: { objectives: { description: string; system_id: string }[] }[] }
      }
      const [{ description, system_id }] = shown.result.missions[0].objectives
      told += description.replace(/.*(?=It is)/, '')
      const { system, state } = world.read(Location)
      const own = activeShip(world, pilot)
      if (state[own] >= JUMPING || systemId(world, system[own]) === system_id) return
      small.act(pilot, 'jump', { target_system: system_id })
    })
    for (const part of [/leaves for \w.* in 12 ticks\./, /on its way to \w/, / last way to \w/]) {
      expect(told).toMatch(part)
    }
    expect(small.act(pilot, 'complete_mission', { mission_id }).ok).toBe(true)
  })

  test('fails for a pilot who only waits at the destination', () => {
    const { small, world, to } = scene
    expect(accept()).toMatchObject({ ok: true })
    putAt(world, pilot, world.read(StarSystem).entryPoi[systemOf(world, to)])
    runUntilOver(scene, () => {})
    expect(missionsOf(world, pilot)).toEqual([])
    expect(recordOf(world, pilot).lapsed).toHaveLength(1)
    const [mission_id] = recordOf(world, pilot).lapsed
    expect(small.act(pilot, 'complete_mission', { mission_id })).toMatchObject({
      ok: false,
      code: 'mission_expired',
      message: expect.stringMatching(/it failed, .*get_action_log/),
    })
  })

  test('fails if the freighter arrives with an empty hold', () => {
    const { small, world, convoy, ship, item } = scene
    expect(accept()).toMatchObject({ ok: true })
    runUntilOver(scene, () => {
      if (world.tick <= LOADING_TICKS) return
      follow(world, pilot, ship)
      const units = unitsAboard(world, convoy)
      if (units > 0) unloadCargo(world, ship, namedContainer('pirate_loot'), item, units)
    })
    expect(missionsOf(world, pilot)).toEqual([])
    expect(recordOf(world, pilot).lapsed).toHaveLength(1)
    expect(small.takeEmissions().some(({ type }) => type === 'convoy_update')).toBe(true)
  })

  test('fails with the convoy, and its escorts are notified', () => {
    const { small, world, convoy, ship, to } = scene
    expect(accept()).toMatchObject({ ok: true })
    bringTo(world, convoy, world.read(StarSystem).entryPoi[systemOf(world, to)])
    small.takeEmissions()
    remove(world, ship)
    small.ticks(2)
    expect(missionsOf(world, pilot)).toEqual([])
    const lost = small.takeEmissions().find(({ type }) => type === 'convoy_update')
    expect(lost?.payload).toMatchObject({ event: 'lost', convoy_id: id, quantity: 0 })
  })

  test('is the same after a restart', async () => {
    const { small, world, ship } = scene
    expect(accept()).toMatchObject({ ok: true })
    const sail = (copy: typeof small, ticks: number) => {
      for (let i = 0; i < ticks; i++) {
        follow(copy.world, pilot, ship)
        copy.ticks(1)
      }
    }
    small.ticks(LOADING_TICKS - 1)
    sail(small, 10)
    const [mission] = missionsOf(world, pilot)
    expect(world.read(Mission).stops[mission]).toBeGreaterThan(0)
    const twin = await small.reload()
    sail(small, 20)
    sail(twin, 20)
    expect(twin.hash()).toBe(small.hash())
    expect(shipId(twin.world, ship)).toBe(shipId(world, ship))
  })
})
