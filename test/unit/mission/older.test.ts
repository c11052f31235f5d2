/** Missions and collections of a world that an earlier catalogue made. */
import { beforeAll, expect, test } from 'vitest'
import { itemIndex, OBJECTIVES_MAX } from '../../../core/catalog/index.ts'
import { addToSet } from '../../../core/groups.ts'
import type { Eid, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import {
  goalOf,
  isCollecting,
  missionsOf,
  poolOf,
  shareKey,
} from '../../../systems/mission/model.ts'
import { GIVERS, Mission, POOLS, SHARES } from '../../../systems/mission/state.ts'
import { activeShip, cargoUnits } from '../../../systems/ship/model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { freighter } from '../package/stage.ts'
import { result } from '../posting/scene.ts'
import { creditsOf, load, seek, templateNamed } from './stage.ts'

let small: SmallWorld
let world: World
let aron: Eid
let bela: Eid
beforeAll(async () => {
  small = await smallWorld()
  world = small.world
  aron = small.join('Aron')
  bela = small.join('Bela')
})

test('an accepted mission ignores objectives that its template gains later', () => {
  freighter(world, aron)
  seek(small, aron, 'bread_before_shift')
  const { mission_id } = result(
    small.act(aron, 'accept_mission', { template_id: 'bread_before_shift' }),
  )
  const [row] = missionsOf(world, aron)
  // When it was accepted, the template had one objective, and so one target.
  world.write(Mission).toBase[row * OBJECTIVES_MAX + 1] = 0
  load(world, aron, 'bread', 25)
  load(world, aron, 'vat_cheese', 1)
  expect(result(small.ask(aron, 'get_active_missions')).missions).toMatchObject([
    {
      percent_complete: 100,
      objectives: [
        { completed: true },
        { completed: true, description: expect.stringContaining('not required') },
      ],
    },
  ])
  expect(small.act(aron, 'complete_mission', { mission_id }).ok).toBe(true)
  const aboard = (id: string) => cargoUnits(world, activeShip(world, aron), itemIndex(id))
  expect([aboard('bread'), aboard('vat_cheese')]).toEqual([0, 1])
})

test('a collection with more than its present goal pays by what was given', () => {
  const id = 'breathing_room'
  const collection = templateNamed(id)
  const { given: before } = poolOf(world, id)
  expect(before).toBe(0)
  const given = 5 * goalOf(collection).units
  world.records(POOLS).set(id, { ...poolOf(world, id), given })
  for (const [player, units] of [
    [aron, given / 5],
    [bela, (4 * given) / 5],
  ]) {
    const number = world.read(Player).seq[player]
    world.records(SHARES).set(shareKey(id, number), units)
    addToSet(world.index(GIVERS), id, number)
  }
  expect(isCollecting(world, id)).toBe(false)
  const credits = [aron, bela].map((player) => creditsOf(world, player))
  small.ticks(1)
  const paid = [aron, bela].map((player, i) => creditsOf(world, player) - credits[i])
  const [part] = paid
  expect(part).toBe(Math.floor(collection.credits / 5))
  expect(paid).toEqual([part, collection.credits - part])
  small.ticks(1)
  expect(world.records(POOLS).get(id)?.phase).toBe('resting')
})
