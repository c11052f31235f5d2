/**
 * The market feed at its largest: all books of a base change in a tick, and a thousand players
 * follow them. For how long are the threads of the server blocked while it is sent?
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { moduleUrl } from '../core/module-url.ts'
import type { BenchDef } from './bench.ts'
import { withServer } from './live.ts'
import type { MarketFigures, MarketPlan } from './market-crowd.ts'
import { prepareMarket } from './market-world.ts'

const SIZES = {
  full: { followers: 1_000, depth: 5, rounds: 10, tickMs: 5_000, maxEntities: 200_000 },
  tiny: { followers: 10, depth: 1, rounds: 3, tickMs: 1_000, maxEntities: 20_000 },
}
/** The longest time for which a thread may be blocked. */
const BLOCK_MS_MAX = 20
const CROWD = moduleUrl(import.meta.url, './market-crowd').pathname

async function play(size: keyof typeof SIZES): Promise<MarketFigures> {
  const { followers, depth, rounds, tickMs, maxEntities } = SIZES[size]
  const folder = mkdtempSync(join(tmpdir(), 'orrery-market-'))
  const file = join(folder, 'plan.json')
  try {
    return await withServer(
      {
        settings: { TICK_MS: String(tickMs), MAX_ENTITIES: String(maxEntities) },
        async prepare(connection) {
          const items = await prepareMarket(connection, followers, depth, maxEntities)
          const plan: MarketPlan = { followers, items, depth, rounds, tickMs }
          writeFileSync(file, JSON.stringify(plan))
        },
      },
      async (url) => {
        const { stdout } = await promisify(execFile)(process.execPath, [CROWD, url, file])
        return JSON.parse(stdout) as MarketFigures
      },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const bench: BenchDef = {
  name: 'market-feed',
  about:
    '1,000 followers of one exchange on WebSocket, half v1, half v2; all its books change in a ' +
    'tick, each with five price levels of player orders',
  rounds: 1,
  variants: ['all'],
  lines: [
    { of: 'longest slice of publishing, main', atMost: BLOCK_MS_MAX },
    { of: 'longest slice of publishing, world', atMost: BLOCK_MS_MAX },
    { of: 'sound updates', atLeast: 100 },
  ],
  async run(size) {
    const market = await play(size)
    const { updates, faults } = market
    return {
      medianMs: {},
      amounts: {
        'longest slice of publishing, main': { value: market.publishSliceMsMax, unit: 'ms' },
        'longest slice of publishing, world': { value: market.finishSliceMsMax, unit: 'ms' },
        'longest block of main, whatever it did': { value: market.blockMsMax, unit: 'ms' },
        'publish p99': { value: market.publishMsP99, unit: 'ms' },
        'compute p99': { value: market.tickComputeMsP99, unit: 'ms' },
        'an update': { value: market.bytes, unit: 'B' },
        'sound updates': { value: (100 * (updates - faults)) / updates, unit: '%' },
      },
      facts: { followers: SIZES[size].followers, 'items an update': market.items, updates },
      hash: 'live',
    }
  },
}
