/**
 * Mining: the requests of a tick processed on one thread and on two, and a whole tick in which all
 * players mine.
 */
import { ROWS as LIMITS } from '../core/limits.ts'
import { type BenchDef, medianOf, type Sample, type Size } from './bench.ts'
import { EXTRACTION, minesOf, minesSection } from './mines.ts'
import { medianSection, type SectionMs, timeTicks } from './sections.ts'
import { benchWorld, flyToBelts } from './worlds.ts'

const REQUESTS = { tiny: 500, full: 100_000 }
const SECTIONS = { tiny: 3, full: 40 }
const PLAYERS = { tiny: 50, full: 5_000 }
const TICKS = { tiny: 2, full: 16 }

async function requestsOf(requests: number, workers: number, times: number) {
  const mines = minesOf(requests)
  const section = await minesSection(mines, workers)
  const { world, reset } = mines
  return { ms: await timeTicks(section, world, EXTRACTION, { times, reset }), mines }
}

async function alone(size: Size, workers: number, name: string): Promise<Sample> {
  const { ms, mines } = await requestsOf(REQUESTS[size], workers, SECTIONS[size])
  const medianMs = {
    [`kernel, ${name}`]: ms.kernel,
    ...(workers === 0 ? { 'ordering requests': ms.prepare } : {}),
  }
  return { medianMs, rows: mines.requests, hash: mines.hash() }
}

/** Measures a tick of the real world, with registered players at their belts. */
async function wholeTick(size: Size): Promise<Sample> {
  const runs: SectionMs[] = []
  const watch = (system: string, ms: SectionMs): void => {
    if (system === 'mining.extract') runs.push(ms)
  }
  const world = await benchWorld({ players: PLAYERS[size], watch })
  await flyToBelts(world)
  runs.length = 0
  const ticks: number[] = []
  for (let i = 0; i < TICKS[size]; i++) {
    const since = performance.now()
    world.tick(world.players, 'mine')
    ticks.push(performance.now() - since)
  }
  const { prepare, kernel, apply } = medianSection(runs)
  await world.close()
  const medianMs = {
    tick: medianOf(ticks.slice(Math.floor(TICKS[size] / 4))),
    'tick: ordering': prepare,
    'tick: kernel': kernel,
    'tick: loading, awarding, answering': apply,
  }
  // Computes the same requests as the other variants, to have the same hash.
  const { mines } = await requestsOf(REQUESTS[size], 0, 1)
  return {
    medianMs,
    rows: PLAYERS[size],
    facts: { players: PLAYERS[size], state: world.hash() },
    hash: mines.hash(),
  }
}

const VARIANTS: Readonly<Record<string, (size: Size) => Promise<Sample>>> = {
  'one thread': (size) => alone(size, 0, 'one thread'),
  'two threads': (size) => alone(size, 1, 'two threads'),
  'whole tick': wholeTick,
}

export const bench: BenchDef = {
  name: 'mining',
  about:
    '100,000 requests at the belts of 500 systems, a third of the deposits short: the kernel on one thread ' +
    'and on two; and a whole tick of the real world in which 5,000 players at five belts all mine.',
  rounds: 3,
  variants: Object.keys(VARIANTS),
  lines: [
    { of: 'kernel, one thread', against: 'kernel, two threads' },
    { of: 'tick: kernel', against: 'tick' },
  ],
  run: (size, variant) => VARIANTS[variant](size),
  curve: async (rows, workers) => {
    if (rows > LIMITS.mineRequests) return null
    const { ms } = await requestsOf(rows, workers, SECTIONS.full)
    return ms.kernel
  },
}
