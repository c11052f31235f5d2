/**
 * An economy of bots: goods are dug, made, carried and sold, and no invariant breaks. At full size
 * and length: run.ts. Source: market.md section 7, ours.
 */
import { expect, test } from 'vitest'
import { openEconomy, STAPLES, watchSeizing } from './bot-economy.ts'

const PLAYERS = 50
const TICKS = 400

test('settlers dig, make, carry and sell, and managers keep their prices off the clamps', async () => {
  const economy = await openEconomy({ seed: 3, players: PLAYERS })
  const watch = watchSeizing(economy)
  for (let tick = 1; tick <= TICKS; tick++) {
    await economy.tick()
    if (tick % 20 === 0) watch.look()
  }
  const done = (role: string, command: string) => economy.answers.get(`${role} ${command} ok`) ?? 0
  for (const [role, commands] of Object.entries({
    miner: ['mine', 'sell', 'travel'],
    crafter: ['buy', 'craft', 'sell'],
    trader: ['buy', 'jump', 'sell'],
  })) {
    for (const command of commands) expect(done(role, command), `${role} ${command}`).toBeTruthy()
  }
  const traded = STAPLES.filter((id) => economy.traded.has(id))
  expect(traded.length).toBeGreaterThan(STAPLES.length / 2)
  const seized = watch.complaints().filter((complaint) => !complaint.includes('traded'))
  expect(seized).toEqual([])
  await economy.driven.close()
})
