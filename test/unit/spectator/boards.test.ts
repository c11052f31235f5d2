/** Public boards: the players with the highest figures. */
import { expect, test } from 'vitest'
import { PUBLIC_BOARD_ROWS_MAX } from '../../../core/limits.ts'
import { statIndex } from '../../../systems/account/model.ts'
import { Player, PlayerStats, STATS_WIDTH } from '../../../systems/account/state.ts'
import { BOARDS, renderBoard } from '../../../systems/spectator/board-views.ts'
import { runToEnd } from '../../public-world.ts'
import { onSmallMap, smallWorld, uncheck } from '../../small-world.ts'

onSmallMap()

test('a board ranks the highest figures, whatever the order of rows', async () => {
  const small = await smallWorld()
  uncheck(small)
  const count = 2 * PUBLIC_BOARD_ROWS_MAX + 30
  const players = Array.from({ length: count }, (_, n) => small.join(`Miner ${n}`))
  const { world } = small
  const { values } = world.write(PlayerStats)
  const index = statIndex('ore_mined')
  // The hundredth player has the highest figure; the others are in no order.
  const figures = players.map((_, n) => (n === PUBLIC_BOARD_ROWS_MAX - 1 ? 900 : (n * 389) % 800))
  for (const [n, player] of players.entries()) values[player * STATS_WIDTH + index] = figures[n]
  const make = BOARDS.find(([key]) => key === 'players ore_mined')?.[1]
  if (!make) throw new Error('there is no such board')
  const { rows } = runToEnd(renderBoard(world, make))
  const seq = world.read(Player).seq
  const best = players
    .map((player, n) => ({ name: `Miner ${n}`, value: figures[n], seq: seq[player] }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || a.seq - b.seq)
    .slice(0, PUBLIC_BOARD_ROWS_MAX)
  expect(rows.map(({ name, value }) => [name, value])).toEqual(
    best.map(({ name, value }) => [name, value]),
  )
})
