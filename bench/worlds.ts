/**
 * Worlds for benchmarks: the real generator and domains, many players, an engine without storage.
 * Use one world per isolate: kernels that have run on two worlds are three times slower.
 */
import { assert } from '../core/assert.ts'
import type { BatchRun, Engine } from '../core/engine.ts'
import { stateHash } from '../core/hash.ts'
import { moduleUrl } from '../core/module-url.ts'
import { createRegistry } from '../core/registry.ts'
import type { Phase, SystemDef } from '../core/system.ts'
import { runImmediates, runTick } from '../core/tick.ts'
import type { JournalInput, World } from '../core/types.ts'
import { finishUnstored } from '../core/wire/describe.ts'
import { PENDING } from '../core/world.ts'
import { newWorld, openEngine } from '../engine/start.ts'
import { DOMAINS } from '../systems/registry.ts'
import { EMPIRES } from './client.ts'
import { type SectionMs, timeSection } from './sections.ts'

const SEED = 1
const TICK_MS = 10_000
const WALL_START_MS = 1_800_000_000_000
const FLIGHT_TICKS_MAX = 2_000

export interface BenchWorld {
  readonly engine: Engine
  /** Durable numbers of the players, in order of registration. */
  readonly players: readonly number[]
  /** Runs a tick with one command from each of these players. */
  tick(players: readonly number[], command: string, params?: (player: number) => object): void
  /** Runs an immediate; its outcome must be a success. */
  immediate(player: number, command: string, params: object): void
  /** Runs a tick with these commands without publishing it; returns the milliseconds it took. */
  run(commands: readonly BenchCommand[]): number
  hash(): string
  close(): Promise<void>
}

/** A command of the player with this durable number. */
export interface BenchCommand {
  readonly player: number
  readonly command: string
  readonly params?: object
}

interface BenchWorldOptions {
  readonly players: number
  readonly workers?: number
  /** Scales the tables; absent: from the number of players. */
  readonly maxEntities?: number
  /** Sections with less estimated work stay on one thread; 0 shares all. */
  readonly breakEvenNs?: number
  /** Ticks between hashes and checks, as in a server; absent: there are none. */
  readonly checkEvery?: number
  /** Called when a phase of a tick is over. */
  phaseOver?(phase: Phase): void
  /** Called with the run of each tick, once it is over. */
  ran?(run: BatchRun): void
  /** Called with the times of each run of a split system. */
  watch?(system: string, ms: SectionMs): void
}

/** Returns an engine without storage for a new world, by default without hashes and checks. */
export async function benchEngine(
  options: Omit<BenchWorldOptions, 'players' | 'maxEntities'> & { readonly maxEntities: number },
): Promise<Engine> {
  const { maxEntities } = options
  const registry = createRegistry(DOMAINS)
  const world = newWorld({ registry, seed: SEED, tickMs: TICK_MS, maxEntities })
  const opened = await openEngine(world, registry, {
    checksWrites: false,
    workers: options.workers ?? 0,
    threadFile: moduleUrl(import.meta.url, '../kernel-thread').href,
    ...(options.breakEvenNs === undefined ? {} : { breakEvenNs: options.breakEvenNs }),
  })
  const { phaseOver, watch, checkEvery } = options
  const checks = checkEvery === undefined ? {} : { checkEvery, hashEvery: checkEvery }
  const engine: Engine = { ...opened, ...checks, ...(phaseOver ? { phaseOver } : {}) }
  const { section } = engine
  if (!watch) return engine
  const run = (of: World, system: SystemDef): void =>
    watch(system.name, timeSection(section, of, system))
  return { ...engine, section: { ...section, run } }
}

/** Returns a world with this many players, docked at their home bases. */
export async function benchWorld(options: BenchWorldOptions): Promise<BenchWorld> {
  const maxEntities = options.maxEntities ?? Math.max(50_000, options.players * 10)
  const engine = await benchEngine({ ...options, maxEntities })
  const { world } = engine
  let ref = 0
  const input = (player: number, command: string, params: object): JournalInput => {
    ref += 1
    return { ref, player, command, params: params as JournalInput['params'], framing: 'ws1' }
  }
  const wallMs = (): number => WALL_START_MS + world.tick * TICK_MS
  const immediate = (player: number, command: string, params: object): unknown => {
    const run = runImmediates(engine, [input(player, command, params)], wallMs())
    const [{ outcome }] = finishUnstored(engine, run, 1).answers
    assert(outcome.ok, `${command} is refused: ${JSON.stringify(outcome)}`)
    return outcome.result
  }
  const players: number[] = []
  for (let i = 0; i < options.players; i++) {
    const params = { username: `Bench ${i}`, empire: EMPIRES[i % EMPIRES.length] }
    players.push((immediate(0, 'internal:register', params) as { player: number }).player)
  }
  const runAll = (commands: readonly BenchCommand[]): number => {
    const inputs = commands.map(({ player, command, params = {} }) =>
      input(player, command, params),
    )
    const since = performance.now()
    const run = runTick(engine, inputs, wallMs())
    const tookMs = performance.now() - since
    finishUnstored(engine, run, 0)
    options.ran?.(run)
    return tookMs
  }
  return {
    engine,
    players,
    immediate,
    run: runAll,
    tick(acting, command, params = () => ({})) {
      runAll(acting.map((player) => ({ player, command, params: params(player) })))
    },
    hash: () => stateHash(world),
    async close() {
      await engine.section.settled()
      await engine.section.close()
    },
  }
}

/** Sends all players to the belt of their system and runs ticks until the last has arrived. */
export async function flyToBelts(bench: BenchWorld): Promise<void> {
  const { engine, players } = bench
  const { world, registry } = engine
  const getSystem = registry.commands.get('get_system')
  assert(getSystem?.kind === 'query', 'get_system is a query')
  const beltOf = (player: number): { target_poi: string } => {
    const outcome = getSystem.run(world, world.rowOf(world.players, player), {})
    assert(outcome.ok, 'players can see their own system')
    const { system, ...own } = outcome.result as Record<string, unknown>
    const { pois } = (system ?? own) as { pois: { id: string; type: string }[] }
    const belt = pois.find(({ type }) => type === 'asteroid_belt')
    assert(belt, 'every start system has a belt')
    return { target_poi: belt.id }
  }
  bench.tick(players, 'travel', beltOf)
  for (let i = 0; world.records(PENDING).size > 0; i++) {
    assert(i < FLIGHT_TICKS_MAX, 'not all players arrive')
    await engine.section.settled()
    bench.tick([], 'mine')
  }
}
