/**
 * Drones: how long a tick takes with 10,000 drones and scripts of 50 nodes, waiting and mining, on
 * one thread and on two; and how long the parser takes for the largest script.
 */
import { assert } from '../core/assert.ts'
import { stateHash } from '../core/hash.ts'
import type { SystemDef } from '../core/system.ts'
import type { World } from '../core/types.ts'
import { emptyOutbox } from '../core/world.ts'
import { compile } from '../systems/drone/compile-model.ts'
import { MINING_TYPE } from '../systems/drone/figures-model.ts'
import { type BenchDef, measure, medianOf, type Sample, type Size } from './bench.ts'
import { DRONES_PER_PLAYER, releaseSwarm, type Swarm, scriptOf } from './swarm.ts'
import { type BenchWorld, benchWorld } from './worlds.ts'

const DRONES = { tiny: 200, full: 10_000 }
const TICKS = { tiny: 8, full: 120 }
const MAX_ENTITIES = { tiny: 20_000, full: 200_000 }
const LARGEST = 2_000

/** Runs phase decide of the drones only, for one tick; returns the time in ms. */
async function tick(bench: BenchWorld, systems: readonly SystemDef[]): Promise<number> {
  const { world, section } = bench.engine
  world.outbox = emptyOutbox()
  world.tick++
  const since = performance.now()
  for (const system of systems) {
    system.run?.(world)
    if (system.split) section.run(world, system)
  }
  const ms = performance.now() - since
  section.endTick()
  await section.settled()
  world.recycle()
  return ms
}

async function ticksOf(bench: BenchWorld, swarm: Swarm, size: Size): Promise<number> {
  const { world, registry } = bench.engine
  const systems = registry.systems.filter(({ name }) => name.startsWith('drone.'))
  const decide = systems.filter(({ phase }) => phase === 'decide')
  const times: number[] = []
  for (let i = 0; i < TICKS[size]; i++) {
    times.push(await tick(bench, decide))
    swarm.reset(world)
  }
  return medianOf(times.slice(Math.floor(TICKS[size] / 4)))
}

/** Measures a swarm with this many kernel threads; the work and its order are always the same. */
async function swarmOf(size: Size, workers: number, name: string): Promise<Sample> {
  const players = DRONES[size] / DRONES_PER_PLAYER
  const maxEntities = MAX_ENTITIES[size]
  const bench = await benchWorld({ players, workers, maxEntities, breakEvenNs: 0 })
  const { world } = bench.engine
  const rows = bench.players.map((number) => world.rowOf(world.players, number))
  const swarm = releaseSwarm(world, rows)
  const medianMs: Record<string, number> = {}
  for (const action of ['WAIT', 'MINE']) {
    swarm.order(world, action)
    swarm.reset(world)
    medianMs[`${action === 'WAIT' ? 'waiting' : 'mining'}, ${name}`] = await ticksOf(
      bench,
      swarm,
      size,
    )
  }
  const hash = hashOf(world)
  await bench.close()
  if (workers === 0) Object.assign(medianMs, await parsing(size))
  return { medianMs, rows: swarm.drones.length, hash }
}

const hashOf = (world: World): string => stateHash(world)

/** Measures parsing the largest scripts: one of many short statements, and one of usual nodes. */
async function parsing(size: Size): Promise<Record<string, number>> {
  const dense = 'IF at("")ELSE END;'.repeat(LARGEST).slice(0, LARGEST - (LARGEST % 18))
  const usual = `${scriptOf('MINE', 0)}\n`.repeat(2).slice(0, LARGEST)
  const lines = usual.slice(0, usual.lastIndexOf('\n'))
  for (const source of [dense, lines])
    assert(compile(source, MINING_TYPE).ok, 'the script does not parse')
  return measure(size, {
    'parse, dense': () => {
      compile(dense, MINING_TYPE)
    },
    'parse, usual': () => {
      compile(lines, MINING_TYPE)
    },
  })
}

const VARIANTS: Readonly<Record<string, (size: Size) => Promise<Sample>>> = {
  'one thread': (size) => swarmOf(size, 0, 'one thread'),
  'two threads': (size) => swarmOf(size, 1, 'two threads'),
}

export const bench: BenchDef = {
  name: 'drones',
  about:
    '10,000 drones of 200 players at 20 belts, scripts of 50 nodes in 64 texts, all owners online: phase ' +
    'decide of a tick in which all wait, and one in which all mine; the parser on scripts of 2,000 characters.',
  rounds: 3,
  variants: Object.keys(VARIANTS),
  lines: [
    { of: 'waiting, one thread', unit: 'ms', atMost: 50 },
    { of: 'mining, one thread', unit: 'ms', atMost: 50 },
    { of: 'waiting, one thread', against: 'waiting, two threads' },
    { of: 'mining, one thread', against: 'mining, two threads' },
    { of: 'parse, dense', unit: 'ms', atMost: 2 },
    { of: 'parse, usual', unit: 'ms', atMost: 2 },
  ],
  run: (size, variant) => VARIANTS[variant](size),
}
