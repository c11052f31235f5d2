/**
 * 2,000 live WebSocket players at ticks of 1 s: how long a query takes, and how long after its tick
 * a result arrives.
 */
import type { BenchDef } from './bench.ts'
import { runLive, soundPct } from './live.ts'
import { QUERY_P99_MS, RESULT_MS } from './load-report.ts'

const SIZES = {
  full: { players: 2_000, minutes: 1, tickMs: 1_000, maxEntities: 1_000_000 },
  tiny: { players: 20, minutes: 0.1, tickMs: 1_000, maxEntities: 20_000 },
}

export const bench: BenchDef = {
  name: 'live-players',
  about:
    '2,000 WebSocket players over real sockets at 1 s ticks, each sending a mutation every tick ' +
    'and a query every 2 s; the load shares its cores with server and database',
  rounds: 1,
  variants: ['all'],
  lines: [
    { of: 'query p99', atMost: QUERY_P99_MS },
    { of: 'latest result after its tick', atMost: RESULT_MS },
    { of: 'sound answers', atLeast: 100 },
  ],
  async run(size) {
    const { players, minutes, tickMs, maxEntities } = SIZES[size]
    const live = await runLive({
      settings: { TICK_MS: String(tickMs), MAX_ENTITIES: String(maxEntities) },
      load: ['--players', String(players), '--minutes', String(minutes)],
    })
    return {
      medianMs: {},
      amounts: {
        'query p99': { value: live.queryMsP99, unit: 'ms' },
        'latest result after its tick': { value: live.resultMsMax, unit: 'ms' },
        'boundary to last frame p99': { value: live.tickToSocketsMsP99, unit: 'ms' },
        'sound answers': { value: soundPct(live), unit: '%' },
      },
      facts: {
        players: live.players,
        ticks: live.ticks,
        queries: live.queries,
        results: live.results,
        'delay of the load itself p99 ms': live.ownDelayMsP99.toFixed(1),
      },
      hash: 'live',
    }
  },
}
