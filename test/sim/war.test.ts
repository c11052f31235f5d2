/** A war with boardings, mining and trade: on any number of threads and restored on the way. */
import { describe, expect, test } from 'vitest'
import { runTwins } from './war-twins.ts'

const TICKS = 40
const SEED = 11
/** All of it at once, or the test says little. */
const NEEDED = [
  'mine',
  'buy',
  'sell',
  'create_buy_order',
  'create_sell_order',
  'attack',
  'battle_damage',
  'player_died',
  'boarding_started',
  'latched',
  'ship_captured',
  'loot_wreck',
  'tow_wreck',
  'use_item',
  'pilotless_ship',
  'reconnected',
  'battle_left',
]

describe('a world at war', () => {
  test('goes the same way on 0, 1, 2 and 4 kernel threads and after restores', async () => {
    const { failures, tally } = await runTwins({
      seed: SEED,
      ticks: TICKS,
      workers: [1, 2, 4],
      restores: 3,
      tail: 10,
    })
    expect(failures).toEqual([])
    for (const name of NEEDED) {
      expect({ name, count: tally.get(name) ?? 0 }).not.toEqual({ name, count: 0 })
    }
  }, 300_000)
})
