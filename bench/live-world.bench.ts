/**
 * The large world of DESIGN 6 with 10,000 acting players: measures the time from the boundary of a
 * tick to its last frame, and how much of that is publishing on the main thread.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { moduleUrl } from '../core/module-url.ts'
import type { BenchDef } from './bench.ts'
import { runLive, soundPct } from './live.ts'

/**
 * Ticks are long enough that two cores can also run the clients, who read 10,000 answers per tick.
 * One snapshot is taken in the 26 ticks of the full size.
 */
const SIZES = {
  full: { ships: 100_000, acting: 10_000, maxEntities: 1_000_000, tickMs: 5_000, minutes: 2.2 },
  tiny: { ships: 400, acting: 40, maxEntities: 20_000, tickMs: 1_000, minutes: 0.1 },
}
/** Players send their next command within this part of a tick. */
const THINK_SHARE = 0.5
const QUERY_EVERY_TICKS = 2
/** A restart after a kill loads the newest snapshot and replays the ticks after it. */
const READY_MS_MAX = 10_000
const PREPARE = moduleUrl(import.meta.url, './large-world').pathname

export const bench: BenchDef = {
  name: 'live-world',
  about:
    '545 systems, 100,000 ships, 10,000 players on WebSocket v1 who each act once per tick of 5 s: ' +
    'mine, travel, buy, sell, dock',
  rounds: 1,
  variants: ['all'],
  lines: [
    { of: 'boundary to last frame p99', atMost: 400 },
    { of: 'publish p99', atMost: 200 },
    { of: 'kill to ready', atMost: READY_MS_MAX },
    { of: 'sound answers', atLeast: 100 },
  ],
  async run(size) {
    const { ships, acting, maxEntities, tickMs, minutes } = SIZES[size]
    const folder = mkdtempSync(join(tmpdir(), 'orrery-live-'))
    const cards = join(folder, 'cards.json')
    try {
      const live = await runLive({
        settings: { TICK_MS: String(tickMs), MAX_ENTITIES: String(maxEntities) },
        async prepare({ url, schema }) {
          const sizes = ['--ships', ships, '--acting', acting, '--max-entities', maxEntities]
          const args = [PREPARE, '--url', url ?? '', '--schema', schema, '--cards', cards, ...sizes]
          await promisify(execFile)(process.execPath, args.map(String))
        },
        load: [
          ...['--cards', cards, '--minutes', String(minutes), '--channels', 'ws1'],
          ...['--think', String(tickMs * THINK_SHARE)],
          ...['--query-every', String(tickMs * QUERY_EVERY_TICKS)],
        ],
        restarts: true,
      })
      return {
        medianMs: {},
        amounts: {
          'boundary to last frame p99': { value: live.tickToSocketsMsP99, unit: 'ms' },
          'publish p99': { value: live.publishMsP99, unit: 'ms' },
          'longest slice of publishing': { value: live.publishSliceMsMax, unit: 'ms' },
          'compute p99': { value: live.tickComputeMsP99, unit: 'ms' },
          'kill to ready': { value: live.restartMs, unit: 'ms' },
          'query p99': { value: live.queryMsP99, unit: 'ms' },
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
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
