/**
 * Real clients over real sockets against a running server: `npm run load -- --players 1000
 * --minutes 3`. Each player sends one mutation a tick, some time after the last one's result, and
 * asks one query every two seconds. Prints latencies, refusals and losses, and this process's own
 * event-loop delay, which the latencies include; ends with 1 if anything but the game's own
 * refusals went wrong.
 */
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { CHANNELS, type Channel, type Client, connect } from './clients.ts'
import { type Actor, type Card, startActor } from './crowd.ts'
import { add, count, createFigures, type Figures, sum } from './figures.ts'
import {
  describeRun,
  isFast,
  isSound,
  liveFigures,
  QUERY_P99_MS,
  RESULT_MS,
} from './load-report.ts'
import { GAME_REFUSALS, startMiner, workOn } from './miner.ts'
import { watchServer } from './server-figures.ts'

const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']
const QUERIES = ['get_status', 'get_nearby', 'get_cargo', 'get_system', 'get_location']
const JOINING_AT_ONCE = 25
/** After the end, for answers still under way. */
const GRACE_MS = 30_000

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
    'query-every': { type: 'string', default: '2000' },
    cards: { type: 'string' },
    judge: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
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
--query-every 2000  a player asks a query each so many ms
--cards FILE        log in as the acting players of a prepared world (large-world.js) instead
--judge             end with 1 as well when query p99 > ${QUERY_P99_MS} ms
                    or a result came > ${RESULT_MS} ms late
--json              the last line of the output is the figures as JSON

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

async function mutate(figures: Figures, actor: Actor, until: number): Promise<void> {
  const thinkMs = Number(values.think)
  while (performance.now() < until && !actor.client.closed) {
    const reply = await actor.act()
    if (reply.tick !== undefined) {
      add(figures.arrivals, reply.tick, performance.now())
      if (thinkMs > 0) await sleep(Math.random() * thinkMs)
    }
    if (reply.ok) continue
    const known = GAME_REFUSALS.has(String(reply.code))
    if (!known && reply.code === 'closed') return
    count(known ? figures.refusals : figures.errors, String(reply.code))
    // A refusal before the tick is answered at once: no reason to try again at once.
    if (!known || reply.tick === undefined) await sleep(Math.min(1_000, figures.tickMs / 2))
  }
}

async function ask(figures: Figures, client: Client, until: number): Promise<void> {
  const everyMs = Number(values['query-every'])
  await sleep(Math.random() * everyMs)
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
    await sleep(everyMs)
  }
}

async function startPlayer(client: Client, i: number, card: Card | undefined): Promise<Actor> {
  if (card) return startActor(client, card)
  const miner = await startMiner(client, `${values.prefix} ${i}`, EMPIRES[i % EMPIRES.length])
  return { client, act: () => workOn(miner) }
}

async function join(
  figures: Figures,
  channels: readonly Channel[],
  cards: readonly Card[] | undefined,
): Promise<Actor[]> {
  const actors: Actor[] = []
  let next = 0
  const joinOne = async (): Promise<void> => {
    while (next < channels.length) {
      const i = next++
      try {
        const client = await connect(values.url, channels[i])
        actors.push(await startPlayer(client, i, cards?.[i]))
      } catch (error) {
        count(figures.errors, `joining: ${error instanceof Error ? error.message : String(error)}`)
      }
      if (actors.length % 250 === 0) console.log(`${actors.length} of ${channels.length} in`)
    }
  }
  await Promise.all(Array.from({ length: JOINING_AT_ONCE }, joinOne))
  return actors
}

async function main(): Promise<void> {
  const cards = values.cards
    ? (JSON.parse(readFileSync(values.cards, 'utf8')) as Card[])
    : undefined
  const channels = channelsOf(values.channels, cards?.length ?? Number(values.players))
  const figures = createFigures(await tickLength(values.url))
  const since = performance.now()
  const actors = await join(figures, channels, cards)
  const joinedS = (performance.now() - since) / 1000
  console.log(`${actors.length} players in after ${joinedS.toFixed(1)} s`)
  const own = monitorEventLoopDelay({ resolution: 5 })
  own.enable()
  const server = watchServer(values.url, figures.tickMs)
  const until = performance.now() + Number(values.minutes) * 60_000
  const progress = setInterval(() => {
    const left = Math.max(0, Math.round((until - performance.now()) / 1000))
    const asked = [...figures.queryMs.values()].reduce((a, b) => a + b.length, 0)
    console.log(`${left} s left, ${asked} queries, ${sum(figures.errors)} errors`)
  }, 15_000)
  const playing = actors.flatMap((actor) => [
    mutate(figures, actor, until),
    ask(figures, actor.client, until),
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
  const lost = actors.filter(({ client }) => client.closed).length
  const run = { figures, server, own, lost, players: actors.length }
  for (const line of describeRun(run)) console.log(line)
  if (values.json) console.log(JSON.stringify(liveFigures(run)))
  process.exit(isSound(run) && (isFast(run) || !values.judge) ? 0 : 1)
}

await main()
