/** Trade offers of a crowd, each player at the limit. Source: trade-storage.md section 2. */
import { expect, test } from 'vitest'
import { playerId } from '../../../systems/account/model.ts'
import {
  LAPSED_TRADES,
  TRADE_TICKS,
  TRADES,
  TRADES_IN_MAX,
  TRADES_OUT_MAX,
} from '../../../systems/trade/state.ts'
import { onSmallMap, smallWorld } from '../../small-world.ts'

onSmallMap()

const CROWD = 230

test('2,300 offers can be pending at once, and all of them lapse in time', async () => {
  const small = await smallWorld({ players: CROWD })
  const { world, players } = small
  let offered = 0
  for (let round = 1; round <= TRADES_OUT_MAX; round++) {
    const outcomes = small.tick(
      ...players.map((player, i) => ({
        player,
        command: 'trade_offer',
        params: {
          target_id: playerId(world, players[(i + round) % CROWD]),
          request_credits: round,
        },
      })),
    )
    offered += [...outcomes.values()].filter((outcome) => outcome.ok).length
  }
  expect(offered).toBe(CROWD * TRADES_OUT_MAX)
  expect(world.records(TRADES).size).toBe(offered)
  expect(TRADES_OUT_MAX).toBeLessThanOrEqual(TRADES_IN_MAX)
  const excess = { target_id: playerId(world, players[100]), request_credits: 1 }
  expect(small.act(players[0], 'trade_offer', excess)).toMatchObject({ code: 'limit_reached' })
  small.ticks(TRADE_TICKS)
  expect(world.records(TRADES).size).toBe(0)
  expect(world.records(LAPSED_TRADES).size).toBe(offered)
})
