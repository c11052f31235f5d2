/**
 * Runs a small economy of bots: goods are mined, crafted, carried and sold, and no invariant
 * breaks. `npm run settlers` runs it at full size and length. Source: market.md section 7, ours.
 */
import { expect, test } from 'vitest'
import { openEconomy, STAPLES, UNTRADED, watchSeizing } from './bot-economy.ts'

const PLAYERS = 50
const TICKS = 400

test('a bot economy trades most staples, and no market seizes up', async () => {
  const economy = await openEconomy({ seed: 3, players: PLAYERS })
  const watch = watchSeizing(economy)
  for (let tick = 1; tick <= TICKS; tick++) {
    await economy.tick()
    if (tick % 20 === 0) watch.sample()
  }
  const timesOk = (role: string, command: string) =>
    economy.answers.get(`${role} ${command} ok`) ?? 0
  for (const [role, commands] of Object.entries({
    miner: ['mine', 'sell', 'travel'],
    crafter: ['buy', 'craft', 'sell'],
    trader: ['buy', 'jump', 'sell'],
  })) {
    for (const command of commands) {
      expect(timesOk(role, command), `${role} ${command}`).toBeTruthy()
    }
  }
  const traded = STAPLES.filter((id) => economy.traded.has(id))
  expect(traded.length).toBeGreaterThan(STAPLES.length / 2)
  const seized = watch.complaints().filter((complaint) => !complaint.endsWith(UNTRADED))
  expect(seized).toEqual([])
  await economy.driven.close()
})
