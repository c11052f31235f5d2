/**
 * A storm of orders through the engine: all invariants hold after each tick, and the world is the
 * same on any number of kernel threads. The full count: market-storm-run.ts. Source: market.md
 * sections 10, 11.
 */
import { expect, test } from 'vitest'
import { runStorm } from './market-storm.ts'

const ROWS = 6_000

test('a storm of valid and invalid orders breaks no invariant', async () => {
  const { answers, rows } = await runStorm({ seed: 3, count: ROWS })
  expect(rows).toBeGreaterThanOrEqual(ROWS)
  const created = ['create_buy_order', 'create_sell_order']
  const commands = ['buy', 'sell', ...created, ...created.map((name) => `faction_${name}`)]
  for (const command of commands) {
    expect(answers.get(`${command} ok`), command).toBeGreaterThan(3)
  }
  for (const code of ['invalid_payload', 'order_not_found']) {
    expect(
      [...answers.keys()].some((key) => key.endsWith(code)),
      code,
    ).toBe(true)
  }
}, 60_000)

test('the same storm leaves the same world on 0, 1, 2 and 4 kernel threads', async () => {
  const alone = await runStorm({ seed: 5, count: 3_000 })
  for (const workers of [1, 2, 4]) {
    const shared = await runStorm({ seed: 5, count: 3_000, workers })
    expect({ workers, hash: shared.hash }).toEqual({ workers, hash: alone.hash })
    expect(shared.answers).toEqual(alone.answers)
  }
}, 120_000)
