/** What a viewer may see of players and places. Source: travel.md section 8. */
import { beforeAll, describe, expect, test } from 'vitest'
import { Player } from '../../../systems/account/state.ts'
import { gatheringAt, seePlayer, seesPoi } from '../../../systems/sensing/model.ts'
import { poiOf } from '../../../systems/travel/location-model.ts'
import { Poi, REVEALED, StarSystem } from '../../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld

beforeAll(async () => {
  small = await smallWorld({ players: 3 })
})

describe('players', () => {
  test('are seen in full, anonymously or not at all, but by themselves in full', () => {
    const { world, players } = small
    const [viewer, other] = players
    const { cloaked, anonymous } = world.write(Player)
    expect(seePlayer(world, viewer, other)).toBe('full')
    anonymous[other] = 1
    expect(seePlayer(world, viewer, other)).toBe('anonymous')
    cloaked[other] = 1
    expect(seePlayer(world, viewer, other)).toBe('nothing')
    expect(seePlayer(world, 0, other)).toBe('nothing')
    expect(seePlayer(world, other, other)).toBe('full')
    anonymous[other] = 0
    cloaked[other] = 0
  })

  test('at a place are listed as online, offline or cloaked', () => {
    const { world, players } = small
    const [first, second, third] = players
    world.write(Player).cloaked[second] = 1
    const bound = world.read(Player).bound[third]
    world.write(Player).bound[third] = 0
    expect(gatheringAt(world, poiOf(world, first))).toEqual({
      online: [first],
      offline: [third],
      cloaked: [second],
    })
    world.write(Player).cloaked[second] = 0
    world.write(Player).bound[third] = bound
  })
})

test('a hidden place is seen only by players to whom it was revealed', () => {
  const { world, players } = small
  const { entryPoi } = world.read(StarSystem)
  const poi = entryPoi[1]
  expect(poiOf(world, players[0])).not.toBe(poi)
  expect(seesPoi(world, 0, poi)).toBe(true)
  world.write(Poi).hidden[poi] = 1
  const { seq } = world.read(Player)
  world.records(REVEALED).set(String(seq[players[0]]), [world.read(Poi).seq[poi]])
  expect([players[0], players[1], 0].map((viewer) => seesPoi(world, viewer, poi))).toEqual([
    true,
    false,
    false,
  ])
})
