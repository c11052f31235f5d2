/**
 * Spectators of a battle, in a process of their own, so that the latencies of their queries do not
 * include the time in which the clients of the fleets read 200 MB per tick. Sends queries until
 * stdin ends, then prints the latencies:
 * `node dist/bench/fleet-spectators.js <url> <first> <count>`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import { connect } from './clients.ts'
import { preparedLogin } from './prepared-login.ts'

const EVERY_MS = 1_000
const OFTEN = ['get_status', 'get_nearby', 'get_cargo', 'get_system']
/** Lists all participants, so it is sent only once in ten queries. */
const SELDOM = 'get_battle_status'
const SELDOM_EVERY = 10

/** What is printed at the end. */
export interface SpectatorFigures {
  /** Latencies by query, ms. */
  readonly queryMs: Readonly<Record<string, readonly number[]>>
  readonly refusals: readonly string[]
}

const [url, first, count] = process.argv.slice(2)
const queryMs: Record<string, number[]> = {}
const refusals: string[] = []
let isOver = false

async function start(index: number): Promise<Client> {
  const client = await connect(url, index % 2 === 0 ? 'ws1' : 'ws2')
  const back = await client.call('login', preparedLogin(index))
  if (!back.ok) throw new Error(`cannot log in: ${back.code} ${back.message}`)
  return client
}

async function ask(client: Client, offset: number): Promise<void> {
  await sleep(Math.random() * EVERY_MS)
  for (let i = offset; !isOver; i++) {
    const query = i % SELDOM_EVERY === 0 ? SELDOM : OFTEN[i % OFTEN.length]
    const sent = performance.now()
    const { ok, code } = await client.call(query)
    if (ok) {
      queryMs[query] ??= []
      queryMs[query].push(performance.now() - sent)
    } else if (code !== 'not_in_battle') refusals.push(`${query}: ${code}`)
    await sleep(EVERY_MS)
  }
}

process.stdin.resume()
process.stdin.once('end', () => {
  isOver = true
})
const clients: Client[] = []
for (let i = 0; i < Number(count); i++) clients.push(await start(Number(first) + i))
console.log('ready')
await Promise.all(clients.map(ask))
const figures: SpectatorFigures = { queryMs, refusals }
console.log(JSON.stringify(figures))
process.exit(0)
