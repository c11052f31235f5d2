/** A war with boardings, mining and trade has the same hashes on kernel threads and restored. */
import { describe, expect, test } from 'vitest'
import { runTwins } from './war-twins.ts'

const TICKS = 40
const SEED = 11
/** Commands and events that must occur for the test to be meaningful. */
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
  test('has the same hashes on 0, 1, 2 and 4 kernel threads and after restores', async () => {
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
