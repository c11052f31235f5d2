/**
 * The benchmarks of `npm run bench`, in the order in which they run. Each is loaded only in the
 * process that runs it, so that the libraries others are compared with are not.
 */
import type { BenchDef } from './bench.ts'

const FILES: Readonly<Record<string, () => Promise<{ readonly bench: BenchDef }>>> = {
  triad: () => import('./triad.bench.ts'),
  movement: () => import('./movement.bench.ts'),
  arrivals: () => import('./arrivals.bench.ts'),
  mining: () => import('./mining.bench.ts'),
  combat: () => import('./combat.bench.ts'),
  npc: () => import('./npc.bench.ts'),
  drones: () => import('./drones.bench.ts'),
  'npc-crowd': () => import('./npc-crowd.bench.ts'),
  'state-hash': () => import('./state-hash.bench.ts'),
  parallel: () => import('./parallel.bench.ts'),
  crowd: () => import('./crowd.bench.ts'),
  memory: () => import('./memory.bench.ts'),
  idle: () => import('./idle.bench.ts'),
  snapshot: () => import('./snapshot.bench.ts'),
  tail: () => import('./tail.bench.ts'),
  replay: () => import('./replay.bench.ts'),
  economy: () => import('./economy.bench.ts'),
  books: () => import('./books.bench.ts'),
  validate: () => import('./validate.bench.ts'),
  frames: () => import('./frames.bench.ts'),
  sockets: () => import('./sockets.bench.ts'),
  exchange: () => import('./exchange.bench.ts'),
  'market-feed': () => import('./market-feed.bench.ts'),
  spectators: () => import('./spectators.bench.ts'),
  projection: () => import('./projection.bench.ts'),
  archive: () => import('./archive.bench.ts'),
  'live-players': () => import('./live-players.bench.ts'),
  'live-world': () => import('./live-world.bench.ts'),
}

export const BENCH_NAMES: readonly string[] = Object.keys(FILES)

/** Loads the benchmark of this name. */
export async function loadBench(name: string): Promise<BenchDef> {
  const load = FILES[name]
  if (!load) throw new Error(`there is no benchmark ${name}`)
  const { bench } = await load()
  if (bench.name !== name) throw new Error(`${name} calls itself ${bench.name}`)
  return bench
}
