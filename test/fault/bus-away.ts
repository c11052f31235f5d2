/**
 * Kills NATS under a loaded world of several processes and starts it again. Queries must be
 * answered as before, results may be late, nothing may fail, and all replicas must catch up soon.
 * `node dist/test/fault/bus-away.js --count 3 [--seconds 1,10,60] [--seed 1]`. Source: SCALE 6.
 */
import { connect } from '../../bench/clients.ts'
import { quantile, sorted } from '../../bench/figures.ts'
import { seriesOf } from '../../bench/server-figures.ts'
import { startBusServer } from '../bus-server.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { newPlayer } from '../e2e/wire.ts'
import { findNatsServer, startNatsServer } from '../nats-server.ts'
import type { ChildServer } from '../servers.ts'
import { startCrew } from './crew.ts'
import { endNodes, errorsOf, type Nodes, openNodes, settleNodes } from './nodes.ts'
import { runAsProgram, sleep, type Verdict } from './program.ts'

interface AwayOptions {
  readonly database: TestDatabase
  /** Lengths of the absences, in order. */
  readonly seconds: readonly number[]
  readonly seed: number
  readonly say?: (text: string) => void
}

interface BusAway extends Verdict {
  /** Milliseconds from each return of the bus until all nodes had caught up. */
  readonly caughtUpMs: readonly number[]
}

const PLAYERS = 6
const GATEWAYS = 2
/** SCALE 6, row 6; judged only on a machine with no other load. */
const CAUGHT_UP_MS_MAX = 2_000
/** Less than the shortest absence, which a query that waited for the bus would take. */
const QUERY_MS_MAX = 900
const WORK_MS = 2_000
const QUERY_EVERY_MS = 50
const POLL_MS = 50
const CATCH_UP_MS_MAX = 60_000
/** A replica at most this stale has received the last heartbeat of the leader. */
const FRESH_S = 0.5
const FIGURES = [
  'orrery_bus_connected',
  'orrery_replica_staleness_seconds',
  'orrery_replica_lag_batches',
]
const PAGE = `/metrics?${FIGURES.map((name) => `name[]=${name}`).join('&')}`

/** Sends queries to a gateway until it is ended. */
async function startAsking(gateway: ChildServer, name: string, broken: string[]) {
  const client = await connect(gateway.url, 'ws2')
  const made = await client.call('register', newPlayer(name))
  if (!made.ok) throw new Error(`${name}: ${made.code} ${made.message}`)
  const tookMs: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const sinceMs = performance.now()
      const reply = await client.call('get_status')
      tookMs.push(performance.now() - sinceMs)
      if (!reply.ok) broken.push(`${name}: get_status: ${reply.code}`)
      if (client.closed) return
      await sleep(QUERY_EVERY_MS)
    }
  })()
  return {
    /** Returns the milliseconds that answers have taken since the last call. */
    take: (): number[] => tookMs.splice(0),
    async end() {
      isOver = true
      await asking
      if (client.closed) broken.push(`${name}: the socket was closed with ${client.closed.code}`)
      await client.close()
    },
  }
}

/** Resolves with the milliseconds until the node is on the bus, and until it has caught up. */
async function untilCaughtUp({ url }: ChildServer, sinceMs: number) {
  let connectedMs: number | undefined
  for (;;) {
    const series = seriesOf(await (await fetch(url + PAGE)).text())
    const tookMs = performance.now() - sinceMs
    const [connected, stale, lag] = FIGURES.map((name) => series.get(name) ?? 0)
    if (connected === 1) connectedMs ??= tookMs
    if (connectedMs !== undefined && stale < FRESH_S && lag === 0)
      return { connectedMs, headMs: tookMs }
    if (tookMs > CATCH_UP_MS_MAX) throw new Error(`${url} never caught up`)
    await sleep(POLL_MS)
  }
}

type Asking = Awaited<ReturnType<typeof startAsking>>

async function takeAway(
  { bus, gateways, leader, broken }: Nodes,
  asking: readonly Asking[],
  awayS: number,
) {
  await sleep(WORK_MS)
  const before = sorted(asking.flatMap(({ take }) => take()))
  await bus.down()
  await sleep(awayS * 1_000)
  const meanwhile = sorted(asking.flatMap(({ take }) => take()))
  await bus.up()
  const sinceMs = performance.now()
  const nodes = await Promise.all([leader, ...gateways].map((node) => untilCaughtUp(node, sinceMs)))
  const queryMs = quantile(meanwhile, 0.99)
  const allowedMs = Math.max(QUERY_MS_MAX, 3 * quantile(before, 1))
  if (meanwhile.length === 0 || quantile(meanwhile, 1) > allowedMs) {
    broken.push(`without the bus for ${awayS} s: queries took ${quantile(meanwhile, 1)} ms`)
  }
  const round = (values: number[]): string => values.map(Math.round).join('/')
  return {
    caughtUpMs: Math.max(...nodes.map(({ headMs }) => headMs)),
    text:
      `${awayS} s: on the bus after ${round(nodes.map(({ connectedMs }) => connectedMs))} ms, at the ` +
      `head after ${round(nodes.map(({ headMs }) => headMs))} ms; ${meanwhile.length} queries, ` +
      `p99 ${round([queryMs])} ms (before ${round([quantile(before, 0.99)])})`,
  }
}

export async function takeBusAway(options: AwayOptions): Promise<BusAway> {
  const { database, seconds, seed, say = () => {} } = options
  const isReal = findNatsServer() !== undefined
  const nodes = await openNodes({
    database,
    gateways: GATEWAYS,
    startBus: isReal ? startNatsServer : startBusServer,
    // Low enough that hashes are compared while nodes catch up.
    settings: { HASH_EVERY: '10' },
  })
  const crew = startCrew({ url: nodes.gateways[0].url, players: PLAYERS, seed })
  try {
    await crew.untilLoggedIn()
    const asking = await Promise.all(
      nodes.gateways.map((gateway, i) => startAsking(gateway, `Asks ${seed} ${i}`, nodes.broken)),
    )
    const caughtUpMs: number[] = []
    const texts: string[] = []
    for (const awayS of seconds) {
      const result = await takeAway(nodes, asking, awayS)
      caughtUpMs.push(result.caughtUpMs)
      texts.push(result.text)
      say(result.text)
    }
    await sleep(WORK_MS)
    for (const { end } of asking) await end()
    const { results, hash } = await settleNodes(nodes, crew)
    nodes.broken.push(...errorsOf(crew), ...crew.dropped.map((text) => `a socket ended: ${text}`))
    const what = isReal ? 'NATS killed' : 'the bus away (no nats-server is found)'
    const summary = `${what} for ${texts.join('; ')}; ${results} acknowledged results, hash ${hash}`
    return { summary, broken: nodes.broken, caughtUpMs }
  } finally {
    await endNodes(nodes)
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Kills NATS for a while under a loaded world of several processes.',
    defaults: { count: 3, seed: 1, seconds: '1,10,60' },
  },
  async ({ count, seed, seconds }) => {
    const lengths = seconds.split(',').map(Number)
    const away = Array.from({ length: count }, (_, i) => lengths[i % lengths.length])
    const done = await withDatabase((database) =>
      takeBusAway({ database, seconds: away, seed, say: console.log }),
    )
    const late = done.caughtUpMs.filter((ms) => ms > CAUGHT_UP_MS_MAX)
    return {
      summary: done.summary,
      broken: [...done.broken, ...late.map((ms) => `caught up only after ${Math.round(ms)} ms`)],
    }
  },
)
