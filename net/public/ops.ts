/**
 * Live figures for operators: the last ticks with their steps, queue depths, sockets, memory. Main
 * has all of them, so they are available while the world thread is down. They are neither delayed
 * nor public. Source: WEB 4.
 */
import { OPS_SLOW_TICKS_MAX, OPS_TICKS_MAX } from '../../core/limits.ts'
import type { CommitFigures, ToMain } from '../../core/ports.ts'
import type { OpsBody } from '../../core/public/ops.ts'
import { PHASES } from '../../core/system.ts'
import { TICK_STEPS, type TickFigures } from '../../core/wire/tick-figures.ts'
import { respondFlat } from '../http/answers.ts'
import { respondJson } from '../http/exchange.ts'
import { metricsRefusal } from '../http/operator-routes.ts'
import type { Route } from '../router.ts'
import type { Net } from '../session/types.ts'
import type { Feed } from './feed.ts'

type OpsTick = OpsBody['ticks'][number]

/** Current figures of the clients. */
interface Clients {
  readonly ws1: number
  readonly ws2: number
  /** Bytes that clients have not read yet. */
  readonly unreadBytes: number
}

export interface Ops {
  /** Records the figures of a tick. */
  tickOver(figures: TickFigures): void
  committed(commit: CommitFigures): void
  snapshot(message: Extract<ToMain, { kind: 'snapshot' }>): void
  body(): OpsBody
  route(): Route
}

interface State {
  readonly net: Net
  readonly feed: Feed
  readonly clients: () => Clients
  readonly ticks: OpsTick[]
  readonly slow: OpsBody['slow']
  latest: TickFigures | undefined
  commitMs: number
  snapshot: { readonly tick: number; readonly ms: number } | undefined
}

/** Rounds milliseconds to a thousandth, which is finer than the clocks behind them. */
const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000

const phasesOf = ({ phasesMs }: TickFigures): number[] =>
  PHASES.map((phase) => rounded(phasesMs[phase] ?? 0))

function opsTickOf(figures: TickFigures): OpsTick {
  const { tick, inputs, emissions, stepsMs } = figures
  return {
    tick,
    late_ms: rounded(stepsMs.wait),
    phases: phasesOf(figures),
    journal_ms: rounded(stepsMs.journal),
    finish_ms: rounded(stepsMs.finish),
    publish_ms: rounded(stepsMs.publish),
    to_sockets_ms: rounded(TICK_STEPS.reduce((sum, step) => sum + stepsMs[step], 0)),
    inputs,
    emissions,
  }
}

function tickOver(state: State, figures: TickFigures): void {
  const { ticks, slow, feed } = state
  state.latest = figures
  ticks.push(opsTickOf(figures))
  if (ticks.length > OPS_TICKS_MAX) ticks.shift()
  if (figures.isSlow) {
    const { tick, stepsMs } = figures
    slow.unshift({ tick, compute_ms: rounded(stepsMs.compute), phases: phasesOf(figures) })
    if (slow.length > OPS_SLOW_TICKS_MAX) slow.pop()
  }
  if (!feed.hasOperators()) return
  // Readers of the topic already have the earlier ticks.
  feed.publishOps({ ...bodyOf(state), ticks: ticks.slice(-1), slow: slow.slice(0, 1) })
}

/** Records the outcome of a snapshot. Its tick follows from its age. */
function takeSnapshot(state: State, message: Extract<ToMain, { kind: 'snapshot' }>): void {
  const { result, wallMs, tookMs } = message
  if (result === 'failed') return
  const { link, clock } = state.net
  const { tick, tickMs } = link.state()
  const ageMs = result === 'stored' ? tookMs : Math.max(0, clock.wallMs() - wallMs)
  state.snapshot = { tick: Math.max(0, tick - Math.round(ageMs / tickMs)), ms: rounded(tookMs) }
}

function bodyOf(state: State): OpsBody {
  const { net, feed, clients, ticks, slow, latest, commitMs, snapshot } = state
  const { link, pools } = net
  const { tick, tickMs } = link.state()
  const { ws1, ws2, unreadBytes } = clients()
  const { rss, heapUsed, external } = process.memoryUsage()
  const { http1, http2, mcp } = pools.pools
  const trouble = link.trouble()
  const isAway = trouble === 'database_away' || trouble === 'journal_stalled'
  const { mutations, immediates } = latest?.inbox ?? { mutations: 0, immediates: 0 }
  return {
    tick,
    tick_ms: tickMs,
    world: trouble === undefined ? 'up' : trouble === 'recovering' ? 'starting' : 'down',
    phase_names: [...PHASES],
    ticks: [...ticks],
    inbox: mutations + immediates,
    unanswered: link.pending(),
    // The world runs one batch at a time.
    journal_queue: isAway ? 1 : 0,
    outbound_bytes: unreadBytes,
    sockets: { ws1, ws2, http: http1.size + http2.size, mcp: mcp.size, watchers: feed.watchers() },
    memory: { rss, heap: heapUsed, external, columns: latest?.columnBytes ?? 0 },
    slow: [...slow],
    ...(snapshot
      ? { snapshot: { ...snapshot, age_ticks: Math.max(0, tick - snapshot.tick) } }
      : {}),
    database: { state: isAway ? trouble : 'up', ms: commitMs },
  }
}

/** Creates the live figures, which are fed by messages of the world link. */
export function createOps(net: Net, feed: Feed, clients: () => Clients): Ops {
  const state: State = {
    net,
    feed,
    clients,
    ticks: [],
    slow: [],
    latest: undefined,
    commitMs: 0,
    snapshot: undefined,
  }
  return {
    tickOver: (figures) => tickOver(state, figures),
    committed: ({ ms }) => {
      state.commitMs = rounded(ms)
    },
    snapshot: (message) => takeSnapshot(state, message),
    body: () => bodyOf(state),
    route: () => ({
      method: 'GET',
      path: '/api/ops',
      handle: (exchange) => {
        const refusal = metricsRefusal(net, exchange)
        if (refusal) respondFlat(net, exchange, refusal)
        else respondJson(exchange, 200, bodyOf(state))
      },
    }),
  }
}
