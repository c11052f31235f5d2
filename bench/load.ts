/**
 * Real clients over real sockets against a running server: `npm run load -- --players 1000
 * --minutes 3`. Each player sends one mutation a tick, some time after the last one's result, and
 * asks one query every two seconds. Prints latencies, refusals and losses, and this process's own
 * event-loop delay, which the latencies include; ends with 1 if anything but the game's own
 * refusals went wrong.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { CHANNELS, type Channel, type Client, connect } from './clients.ts'
import {
  add,
  count,
  createFigures,
  type Figures,
  lateness,
  quantile,
  sorted,
  spread,
  sum,
} from './figures.ts'
import { GAME_REFUSALS, type Miner, startMiner, workOn } from './miner.ts'
import { quickestTick, type ServerFigures, watchServer } from './server-figures.ts'

const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']
const QUERIES = ['get_status', 'get_nearby', 'get_cargo', 'get_system', 'get_location']
const QUERY_EVERY_MS = 2_000
const JOINING_AT_ONCE = 25
/** After the end, for answers still under way. */
const GRACE_MS = 30_000

/* What a server that holds its promises keeps (`--judge`). */
const QUERY_P99_MS = 50
const RESULT_MS = 500

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '3' },
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    channels: { type: 'string', default: 'ws1,ws2' },
    prefix: {
      type: 'string',
      default: `L${Date.now().toString(36).slice(-5)}`,
    },
    think: { type: 'string', default: '400' },
    judge: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`npm run load -- [options]

--players 1000      players, spread evenly over the channels
--minutes 3         how long they play once all are in
--channels ws1,ws2  of ${CHANNELS.join(', ')}; with counts (ws1:1000,http2:100) --players is their sum
--url ...           http://127.0.0.1:8080
--think 400         a player decides within so many ms after a result; 0: all answer it at once
--judge             end with 1 as well when query p99 > ${QUERY_P99_MS} ms
                    or a result came > ${RESULT_MS} ms late

Loopback only. Start the server with LIMITS=off, and TICK_MS=1000 for the figures of the README.`)
  process.exit(0)
}

const host = new URL(values.url).hostname
if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) {
  console.error('Load runs go to loopback addresses only.')
  process.exit(2)
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The channel of each player. */
function channelsOf(text: string, players: number): Channel[] {
  const parts = text.split(',').map((part) => part.split(':') as [Channel, string?])
  const unknown = parts.find(([name]) => !CHANNELS.includes(name))
  if (unknown) throw new Error(`there is no channel ${unknown[0]}: ${CHANNELS.join(', ')}`)
  if (parts.some(([, n]) => n === undefined))
    return Array.from({ length: players }, (_, i) => parts[i % parts.length][0])
  return parts.flatMap(([name, n]) => Array.from({ length: Number(n) }, () => name))
}

async function tickLength(url: string): Promise<number> {
  const client = await connect(url, 'ws1')
  for (let i = 0; i < 100; i++) {
    const welcome = client.pushes().find((push) => push.type === 'welcome')
    if (welcome) {
      await client.close()
      return Number(welcome.payload.tick_rate) * 1000
    }
    await sleep(20)
  }
  throw new Error(`no welcome from ${url}`)
}

async function mutate(figures: Figures, miner: Miner, until: number): Promise<void> {
  const thinkMs = Number(values.think)
  while (performance.now() < until && !miner.client.closed) {
    const reply = await workOn(miner)
    if (reply.tick !== undefined) {
      add(figures.arrivals, reply.tick, performance.now())
      if (thinkMs > 0) await sleep(Math.random() * thinkMs)
    }
    if (reply.ok) continue
    const known = GAME_REFUSALS.has(String(reply.code))
    if (!known && reply.code === 'closed') return
    count(known ? figures.refusals : figures.errors, String(reply.code))
    if (!known) await sleep(1_000)
  }
}

async function ask(figures: Figures, client: Client, until: number): Promise<void> {
  await sleep(Math.random() * QUERY_EVERY_MS)
  // get_location is v2's alone.
  const queries = client.channel.endsWith('2') ? QUERIES : QUERIES.slice(0, 4)
  // Not all the same one at the same time.
  const first = Math.floor(Math.random() * queries.length)
  for (let i = first; performance.now() < until && !client.closed; i++) {
    const query = queries[i % queries.length]
    const sent = performance.now()
    const reply = await client.call(query)
    if (reply.code === 'closed') return
    add(figures.queryMs, query, performance.now() - sent)
    if (!reply.ok) count(figures.errors, `${query}: ${reply.code}`)
    await sleep(QUERY_EVERY_MS)
  }
}

async function join(figures: Figures, channels: readonly Channel[]): Promise<Miner[]> {
  const miners: Miner[] = []
  let next = 0
  const joinOne = async (): Promise<void> => {
    while (next < channels.length) {
      const i = next++
      try {
        const client = await connect(values.url, channels[i])
        const name = `${values.prefix} ${i}`
        miners.push(await startMiner(client, name, EMPIRES[i % EMPIRES.length]))
      } catch (error) {
        count(figures.errors, `joining: ${error instanceof Error ? error.message : String(error)}`)
      }
      if (miners.length % 250 === 0) console.log(`${miners.length} of ${channels.length} in`)
    }
  }
  await Promise.all(Array.from({ length: JOINING_AT_ONCE }, joinOne))
  return miners
}

interface Run {
  readonly figures: Figures
  readonly miners: readonly Miner[]
  readonly server: ServerFigures
  /** Event-loop delay of this process, ms: p99 and largest. */
  readonly ownP99Ms: number
  readonly ownMaxMs: number
}

async function main(): Promise<void> {
  const channels = channelsOf(values.channels, Number(values.players))
  const figures = createFigures(await tickLength(values.url))
  const since = performance.now()
  const miners = await join(figures, channels)
  const joinedS = (performance.now() - since) / 1000
  console.log(`${miners.length} players in after ${joinedS.toFixed(1)} s`)
  const own = monitorEventLoopDelay({ resolution: 5 })
  own.enable()
  const server = watchServer(values.url)
  const until = performance.now() + Number(values.minutes) * 60_000
  const progress = setInterval(() => {
    const left = Math.max(0, Math.round((until - performance.now()) / 1000))
    const asked = [...figures.queryMs.values()].reduce((a, b) => a + b.length, 0)
    console.log(`${left} s left, ${asked} queries, ${sum(figures.errors)} errors`)
  }, 15_000)
  const playing = miners.flatMap((miner) => [
    mutate(figures, miner, until),
    ask(figures, miner.client, until),
  ])
  await Promise.race([
    Promise.all(playing),
    sleep(Number(values.minutes) * 60_000 + GRACE_MS).then(() =>
      count(figures.errors, 'no answer'),
    ),
  ])
  clearInterval(progress)
  server.stop()
  own.disable()
  // The monitor counts its own interval of 5 ms in.
  const [ownP99Ms, ownMaxMs] = [own.percentile(99) / 1e6 - 5, own.max / 1e6 - 5]
  process.exit(report({ figures, miners, server, ownP99Ms, ownMaxMs }))
}

const asText = (map: ReadonlyMap<string, number>): string =>
  [...map].map(([name, n]) => `${name} ${n}`).join(', ') || 'none'

/** Prints the figures; returns the exit code. */
function report(run: Run): number {
  const { figures, miners, server, ownP99Ms, ownMaxMs } = run
  const queries = sorted([...figures.queryMs.values()].flat())
  const late = lateness(figures, quickestTick(server))
  const lost = miners.filter((miner) => miner.client.closed).length
  console.log(`queries ${queries.length}: ${spread(queries)}`)
  for (const [name, times] of figures.queryMs) console.log(`  ${name}: ${spread(sorted(times))}`)
  console.log(
    `results ${late.results.length} of ${late.ticks} ticks: after their tick ${spread(late.results)}; ` +
      `boundaries missed ${late.missed}`,
  )
  console.log(`server: tick computed ${spread(sorted(server.computeMs.values()))}`)
  console.log(`  journal and publishing ${spread(sorted(server.commitMs.values()))}`)
  console.log(
    `  its own loop, p99 ${spread(sorted(server.loopMs))}; RSS ${server.rssMiB.toFixed(0)} MiB`,
  )
  console.log(
    `this client: event-loop delay p99 ${ownP99Ms.toFixed(1)} ms, max ${ownMaxMs.toFixed(1)} ms`,
  )
  console.log(`refusals of the game: ${asText(figures.refusals)}`)
  console.log(`errors: ${asText(figures.errors)}; connections lost: ${lost}`)
  const isSound = sum(figures.errors) + lost === 0
  const isFast = quantile(queries, 0.99) <= QUERY_P99_MS && quantile(late.results, 1) <= RESULT_MS
  console.log(
    `${isSound ? 'no errors' : 'ERRORS'}; query p99 <= ${QUERY_P99_MS} ms and results <= ${RESULT_MS} ms: ${isFast ? 'yes' : 'NO'}`,
  )
  return isSound && (isFast || !values.judge) ? 0 : 1
}

await main()
