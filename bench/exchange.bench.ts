/**
 * What a command and its answer cost each thread, by stage: 2,000 miners as in a load run, half on
 * v1, half on v2, without sockets. The lower bound is JSON.stringify of the frames they receive.
 */
import { hash32 } from '../core/rng.ts'
import type { Amount, BenchDef, Size } from './bench.ts'
import { type Clock, type Exchange, openExchange, STAGES, type Stage } from './exchange.ts'
import { type Miner, workOn } from './miner.ts'
import { benchWorld, flyToBelts } from './worlds.ts'

const SIZES = {
  tiny: { players: 20, warmUp: 2, ticks: 4 },
  full: { players: 2_000, warmUp: 25, ticks: 25 },
}
/** Spreads the beginnings over this many ticks, so that not all miners fly home together. */
const BEGIN_WITHIN = { tiny: 2, full: 20 }
/** A player sends one query in this many ticks. */
const ASK_EVERY = 2
const QUERIES = ['get_status', 'get_nearby', 'get_cargo', 'get_system'] as const
const LUCK = 0x0e8c

/** Lets a miner work, beginning at the belt, for as long as commands are answered. */
async function live(miner: Miner): Promise<never> {
  for (;;) await workOn(miner)
}

/** Returns belt and station of the home system of each player; all begin docked there. */
async function homesOf(exchange: Exchange): Promise<(readonly [beltId: string, homeId: string])[]> {
  const asked = exchange.clients.map((client) => client.call('get_system'))
  await exchange.answerQueries()
  return (await Promise.all(asked)).map(({ result }) => {
    const { pois } = (result.system ?? result) as { pois: Record<string, unknown>[] }
    const idOf = (wanted: (poi: Record<string, unknown>) => unknown): string =>
      String(pois.find(wanted)?.id)
    return [idOf(({ type }) => type === 'asteroid_belt'), idOf(({ has_base }) => has_base)] as const
  })
}

const sumOf = (clock: Clock, thread: string): number =>
  Object.entries(clock).reduce(
    (sum, [stage, us]) => sum + (STAGES[stage as Stage].startsWith(thread) ? us : 0),
    0,
  )

/** One frame in this many is encoded again for the lower bound. */
const SAMPLED = 8

/** Returns the processor time to encode the frames again, in µs. */
function encodingUs(frames: readonly Buffer[]): number {
  const sampled = frames.filter((_, index) => index % SAMPLED === 0)
  const objects = sampled.map((frame) => JSON.parse(frame.toString()) as object)
  const { user, system } = process.cpuUsage()
  let bytes = 0
  for (const object of objects) bytes += Buffer.from(JSON.stringify(object)).byteLength
  const took = process.cpuUsage({ user, system })
  if (bytes === 0) throw new Error('nothing was sent')
  return ((took.user + took.system) * frames.length) / sampled.length
}

async function play(size: Size) {
  const { players, warmUp, ticks } = SIZES[size]
  const bench = await benchWorld({ players })
  await flyToBelts(bench)
  const exchange = await openExchange(bench)
  const homes = await homesOf(exchange)
  const counts = { mutations: 0, queries: 0, frames: 0, bytes: 0, floorUs: 0 }
  const mutations: Partial<Clock> = {}
  const queries: Partial<Clock> = {}
  const add = (to: Partial<Clock>, from: Clock): void => {
    for (const stage of Object.keys(from) as Stage[]) to[stage] = (to[stage] ?? 0) + from[stage]
  }
  for (let tick = 0; tick < warmUp + ticks; tick++) {
    exchange.clients.forEach((client, place) => {
      const [beltId, homeId] = homes[place]
      const name = `${place}`
      if (place % BEGIN_WITHIN[size] === tick)
        void live({ name, password: '', client, step: 'mine', beltId, homeId, counts: {} })
      const draw = hash32(LUCK, place)
      if ((draw + tick) % ASK_EVERY === 0)
        void client.ask?.(QUERIES[((draw >>> 8) + (tick >>> 1)) % QUERIES.length])
    })
    const asked = await exchange.answerQueries()
    const sent = await exchange.tick()
    const read = exchange.readings()
    if (tick < warmUp) continue
    counts.mutations += sent
    counts.queries += asked
    counts.frames += read.frames.length
    counts.bytes += read.frames.reduce((sum, { byteLength }) => sum + byteLength, 0)
    counts.floorUs += encodingUs(read.frames)
    add(mutations, read.mutations)
    add(queries, read.queries)
  }
  const hash = exchange.hash()
  await exchange.close()
  return { counts, mutations: mutations as Clock, queries: queries as Clock, hash }
}

export const bench: BenchDef = {
  name: 'exchange',
  about:
    'Full size: 2,000 players who mine, fly, sell and refuel with WebSocket frames, half v1, half v2, ' +
    'and send a query every other tick; no sockets: processor time of each thread and stage.',
  rounds: 1,
  variants: ['all'],
  lines: [
    { of: 'a mutation, world', against: 'JSON.stringify of the frames' },
    { of: 'a mutation, main', against: 'JSON.stringify of the frames' },
    { of: 'a query, world' },
    { of: 'a query, main' },
    { of: 'JSON.stringify of the frames' },
  ],
  async run(size) {
    const { counts, mutations, queries, hash } = await play(size)
    const us = (value: number): Amount => ({ value: Math.max(value, 1e-3), unit: 'µs' })
    const stages = Object.entries(STAGES).map(([stage, words]) => [
      words,
      us(mutations[stage as Stage] / counts.mutations),
    ])
    return {
      medianMs: {},
      amounts: {
        'a mutation, world': us(sumOf(mutations, 'world') / counts.mutations),
        'a mutation, main': us(sumOf(mutations, 'main') / counts.mutations),
        'a query, world': us(sumOf(queries, 'world') / counts.queries),
        'a query, main': us(sumOf(queries, 'main') / counts.queries),
        // Covers all frames, including those of queries.
        'JSON.stringify of the frames': us(counts.floorUs / (counts.mutations + counts.queries)),
        ...Object.fromEntries(stages),
      },
      facts: {
        mutations: counts.mutations,
        queries: counts.queries,
        frames: counts.frames,
        'bytes a frame': Math.round(counts.bytes / counts.frames),
      },
      hash,
    }
  },
}
