/** The demand of stations follows the players who act. Source: balance.md section 1. */
import { expect, test } from 'vitest'
import { HOUR_TICKS } from '../../../core/time.ts'
import {
  activePlayers,
  countPopulation,
  demandPerMille,
} from '../../../systems/account/population-model.ts'
import { Player, POPULATION } from '../../../systems/account/state.ts'
import { onSmallMap, smallWorld } from '../../small-world.ts'

onSmallMap()

test('an accepted mutation makes a player active, a refused one does not', async () => {
  const { world, players, act } = await smallWorld({ players: 2 })
  expect(act(players[0], 'undock').ok).toBe(true)
  expect(act(players[1], 'dock').ok).toBe(false)
  expect(world.read(Player).lastActedTick[players[0]]).toBe(1)
  expect(world.read(Player).lastActedTick[players[1]]).toBe(0)
})

test('active players are counted each hour; the count rises quickly and falls slowly', async () => {
  const { world } = await smallWorld({ players: 12 })
  const counts = (hours: number, isActing: boolean): number => {
    for (let hour = 0; hour < hours; hour++) {
      world.tick += HOUR_TICKS
      if (isActing) world.write(Player).lastActedTick.fill(world.tick)
      countPopulation(world)
    }
    return activePlayers(world)
  }
  expect(counts(1, true)).toBe(10)
  expect(counts(20, true)).toBe(30)
  expect(counts(1, false)).toBe(28)
  expect(counts(100, false)).toBe(0)
})

test('active players are counted at the end of the hour', async () => {
  const { world, players, act, ticks } = await smallWorld({ players: 1 })
  expect(act(players[0], 'undock').ok).toBe(true)
  ticks(HOUR_TICKS - 2)
  expect(activePlayers(world)).toBe(0)
  ticks(1)
  expect(activePlayers(world)).toBe(1)
})

test.each([
  [0, 250],
  [25, 250],
  [100, 1_000],
  [5_000, 10_000],
])('%i active players make a demand of %i thousandths', async (active, demand) => {
  const { world } = await smallWorld({ players: 1 })
  world.records(POPULATION).set('active', active)
  expect(demandPerMille(world)).toBe(demand)
})
