/** The demand of stations follows the players who act. Source: balance.md section 1. */
import { expect, test } from 'vitest'
import { HOUR_TICKS } from '../../../core/time.ts'
import { activePlayers, demandPerMille } from '../../../systems/account/population-model.ts'
import { Player, POPULATION } from '../../../systems/account/state.ts'
import { smallWorld } from '../../small-world.ts'

test('those who act are counted each hour; the count rises in hours and falls in a day', async () => {
  const { world, players, act, ticks } = await smallWorld({ players: 12 })
  for (const player of players) act(player, 'undock')
  expect(act(players[0], 'dock').ok).toBe(true)
  expect(activePlayers(world)).toBe(0)
  const hours = (count: number, isActing: boolean): void => {
    for (let hour = 0; hour < count; hour++) {
      world.tick += HOUR_TICKS - 1 - (world.tick % HOUR_TICKS)
      if (isActing) world.write(Player).lastActedTick.fill(world.tick)
      ticks(1)
    }
  }
  hours(1, true)
  expect(activePlayers(world)).toBe(10)
  hours(8, true)
  expect(activePlayers(world)).toBe(30)
  hours(1, false)
  expect(activePlayers(world)).toBe(28)
  hours(100, false)
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
