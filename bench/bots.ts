/**
 * A population for demonstration: `npm run bots -- --count 50`. Miners that work until Ctrl-C, come
 * back by themselves after a restart of the server, and say every 30 s how they do.
 */
import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import { type Channel, connect } from './clients.ts'
import { count, sum } from './figures.ts'
import { GAME_REFUSALS, type Miner, resumeMiner, startMiner, workOn } from './miner.ts'

const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']
const SAY_EVERY_MS = 30_000
const RETRY_MS_MAX = 30_000
/** Bots join one after the other, so a server with its limits on lets them in. */
const JOIN_EVERY_MS = 100

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    channels: { type: 'string', default: 'ws1,ws2' },
    prefix: { type: 'string', default: `Bot ${Date.now().toString(36).slice(-5)}` },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`npm run bots -- [--count 50] [--url http://127.0.0.1:8080] [--channels ws1,ws2]
Miners until Ctrl-C. With the server's limits on, 30 a minute can join from one address.`)
  process.exit(0)
}

interface Totals {
  readonly done: Map<string, number>
  readonly refusals: Map<string, number>
  readonly troubles: Map<string, number>
  joined: number
  working: number
}

const totals: Totals = {
  done: new Map(),
  refusals: new Map(),
  troubles: new Map(),
  joined: 0,
  working: 0,
}
const over = new AbortController()
setMaxListeners(0, over.signal)

/** Resolves after that time, or at once when the bots are told to stop. */
function pause(ms: number): Promise<void> {
  if (over.signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      over.signal.removeEventListener('abort', done)
      resolve()
    }
    over.signal.addEventListener('abort', done)
  })
}

async function join(name: string, channel: Channel, before: Miner | undefined): Promise<Miner> {
  const client = await connect(values.url, channel)
  try {
    if (before) return await resumeMiner(client, before)
    return await startMiner(client, name, EMPIRES[name.length % EMPIRES.length])
  } catch (error) {
    await client.close()
    throw error
  }
}

async function work(miner: Miner): Promise<void> {
  while (!over.signal.aborted && !miner.client.closed) {
    const { step } = miner
    const reply = await workOn(miner)
    if (reply.ok) count(totals.done, step)
    else if (GAME_REFUSALS.has(String(reply.code))) count(totals.refusals, String(reply.code))
    else if (!over.signal.aborted) {
      count(totals.troubles, String(reply.code))
      // The session is gone with the server that made it.
      if (/^(not_authenticated|session_|rpc_)/.test(String(reply.code))) return
      await pause(1_000)
    }
  }
}

/** One bot's life: joins, works, and joins again when the connection ends. */
async function live(name: string, channel: Channel): Promise<void> {
  let miner: Miner | undefined
  let retryMs = 500
  while (!over.signal.aborted) {
    try {
      miner = await join(name, channel, miner)
      retryMs = 500
      totals.joined += 1
      totals.working += 1
      const stop = () => void miner?.client.close()
      over.signal.addEventListener('abort', stop)
      await work(miner)
      over.signal.removeEventListener('abort', stop)
      totals.working -= 1
      await miner.client.close()
    } catch (error) {
      count(totals.troubles, error instanceof Error ? error.message.slice(0, 60) : 'unknown')
    }
    await pause(retryMs)
    retryMs = Math.min(RETRY_MS_MAX, retryMs * 2)
  }
}

const listed = (map: ReadonlyMap<string, number>): string =>
  [...map].map(([name, n]) => `${name} ${n}`).join(', ') || 'none'

function say(): void {
  const time = new Date().toISOString().slice(11, 19)
  console.log(
    `${time} ${totals.working} bots at work; done: ${listed(totals.done)}; ` +
      `refusals: ${sum(totals.refusals)}; troubles: ${listed(totals.troubles)}`,
  )
  totals.troubles.clear()
}

async function main(): Promise<void> {
  const channels = values.channels.split(',') as Channel[]
  const timer = setInterval(say, SAY_EVERY_MS)
  const stop = (): void => {
    if (over.signal.aborted) process.exit(1)
    console.log('stopping; again to stop at once')
    over.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  const lives: Promise<void>[] = []
  for (let i = 0; i < Number(values.count) && !over.signal.aborted; i++) {
    lives.push(live(`${values.prefix} ${i}`, channels[i % channels.length]))
    await pause(JOIN_EVERY_MS)
  }
  await Promise.all(lives)
  clearInterval(timer)
  say()
}

await main()
