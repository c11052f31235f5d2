/** Calls for help as missions: accepting and answering them. Source: newer.md section 6. */
import { beforeEach, describe, expect, test } from 'vitest'
import { RESCUES } from '../../../core/catalog/index.ts'
import type { Eid, World } from '../../../core/types.ts'
import { signalOf } from '../../../systems/distress/model.ts'
import { completeCallsAt } from '../../../systems/distress/rules.ts'
import { missionsOf } from '../../../systems/mission/model.ts'
import { closeMission, openRescue } from '../../../systems/mission/rules.ts'
import { poiOf, shipOf } from '../../../systems/travel/location-model.ts'
import { lanesFrom, poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { open } from '../combat/scene.ts'
import { here } from '../mission/stage.ts'
import { result } from '../posting/scene.ts'

onSmallMap()

let small: SmallWorld
let world: World
let sender: Eid
let helper: Eid
let other: Eid
let home: Eid
let spot: Eid
beforeEach(async () => {
  small = await smallWorld({ players: 3 })
  world = small.world
  ;[sender, helper, other] = small.players
  home = here(world, sender)
  spot = open(world, world.read(Poi).system[poiOf(world, sender)])[0]
  placeInSpace(world, shipOf(world, sender), spot)
})

const call = () => result(small.act(sender, 'distress_signal'))

describe('a call for help', () => {
  const accept = (player: Eid, mission_id: unknown) =>
    small.act(player, 'accept_mission', { mission_id })

  test('is a mission that one pilot at a time accepts by its id, without leaving the dock', () => {
    const { mission_id } = call()
    expect(small.act(helper, 'accept_mission', { mission_id })).toMatchObject({
      ok: true,
      result: {
        mission_id,
        template_id: 'distress_fuel',
        title: 'A Dry Tank',
        type: 'rescue',
        message: expect.stringContaining('ticks left'),
      },
    })
    expect(here(world, helper)).toBe(home)
    const open = result(small.ask(helper, 'get_active_missions'))
    expect(open).toMatchObject({
      max_missions: 5,
      total_count: 1,
      missions: [
        {
          mission_id,
          type: 'rescue',
          title: 'A Dry Tank',
          issuing_base: 'Emergency channel',
          objectives: [{ type: 'rescue', current: 0, required: 1, completed: false }],
        },
      ],
    })
    placeInSpace(world, shipOf(world, other), spot)
    expect(accept(other, mission_id)).toMatchObject({
      code: 'mission_not_found',
      message: expect.stringContaining('Another pilot was first'),
    })
    expect(accept(helper, mission_id)).toMatchObject({ code: 'already_active' })
    expect(accept(sender, mission_id)).toMatchObject({ code: 'mission_not_found' })
    expect(small.act(helper, 'abandon_mission', { mission_id })).toMatchObject({ ok: true })
    expect(accept(other, mission_id).ok).toBe(true)
    expect(here(world, other)).toBe(0)
  })

  test('goes to the first of two who accept it in one tick', () => {
    const { mission_id } = call()
    const answers = small.tick(
      { player: helper, command: 'accept_mission', params: { mission_id } },
      { player: other, command: 'accept_mission', params: { mission_id } },
    )
    expect([...answers.values()].map(({ ok }) => ok).sort()).toEqual([false, true])
  })

  test('is refused mission_limit with five active missions', () => {
    const { mission_id } = call()
    const board = result(small.ask(helper, 'get_missions')) as {
      missions: { mission_id: string }[]
    }
    for (const offer of board.missions) small.act(helper, 'accept_mission', offer)
    for (let i = missionsOf(world, helper).length; i < 5; i++) {
      openRescue(world, helper, {
        signal: 0,
        system: 0,
        isNear: false,
        template: RESCUES[0],
        expireTick: world.tick + 50,
        credits: 0,
      })
    }
    expect(accept(helper, mission_id)).toMatchObject({
      code: 'mission_limit',
      details: { max: 5 },
    })
    for (const mission of [...missionsOf(world, helper)]) closeMission(world, mission)
  })

  test('is answered at its place or, if accepted within its system, anywhere in it', () => {
    const { mission_id } = call()
    const system = world.read(Poi).system[spot]
    const [far] = lanesFrom(world, system)
    placeInSpace(world, shipOf(world, helper), world.read(StarSystem).entryPoi[far])
    expect(accept(helper, mission_id).ok).toBe(true)
    const neighbour = poisOf(world, system).find((poi) => poi !== spot) ?? 0
    completeCallsAt(world, helper, neighbour)
    expect(signalOf(world, sender)).not.toBe(0)
    small.act(helper, 'abandon_mission', { mission_id })
    placeInSpace(world, shipOf(world, helper), spot)
    expect(accept(helper, mission_id).ok).toBe(true)
    completeCallsAt(world, helper, world.read(StarSystem).entryPoi[far])
    expect(signalOf(world, sender)).not.toBe(0)
    completeCallsAt(world, helper, neighbour)
    expect(signalOf(world, sender)).toBe(0)
  })
})
