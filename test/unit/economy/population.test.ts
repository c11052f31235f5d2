/** The demand of stations follows the players who act. Source: balance.md section 1. */
import { expect, test } from 'vitest'
import { DAY_TICKS } from '../../../core/time.ts'
import { activePlayers, demandPerMille } from '../../../systems/account/population-model.ts'
import { Player, POPULATION } from '../../../systems/account/state.ts'
import { smallWorld } from '../../small-world.ts'

test('players who had a mutation accepted in the last day are counted at its end', async () => {
  const { world, players, act, ticks } = await smallWorld({ players: 3 })
  expect(act(players[0], 'undock').ok).toBe(true)
  expect(act(players[1], 'dock').ok).toBe(false)
  expect(world.read(Player).lastActedTick[players[0]]).toBe(1)
  expect(world.read(Player).lastActedTick[players[1]]).toBe(0)
  expect(activePlayers(world)).toBe(0)
  world.tick = DAY_TICKS - 1
  ticks(1)
  expect(activePlayers(world)).toBe(1)
  world.tick = 2 * DAY_TICKS - 1
  ticks(1)
  expect(activePlayers(world)).toBe(0)
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
