/**
 * A real world for tests: the real generator, catalogue and domains, small capacities, no workers,
 * journal and archive in memory. Commands go through the same batches as in the server; nothing is
 * mocked.
 */
import { assert } from '../core/assert.ts'
import type { BatchRun, Engine } from '../core/engine.ts'
import type { Outcome } from '../core/errors.ts'
import { stateHash } from '../core/hash.ts'
import { captureWorld, createImageMemory } from '../core/image.ts'
import { createInbox, receive } from '../core/inbox.ts'
import type { Answer, JournalRow, PublishedEmission, WorldImage } from '../core/ports.ts'
import { createRegistry, type Registry } from '../core/registry.ts'
import { checkWorld, runImmediates, runTick } from '../core/tick.ts'
import type { Eid, JournalInput, World } from '../core/types.ts'
import { finishBatch, rowOfBatch } from '../core/wire/describe.ts'
import { wholeEmission } from '../core/wire/packed.ts'
import { loadWorld, openEngine } from '../engine/start.ts'
import { DOMAINS } from '../systems/registry.ts'
import { AFTER_TEST, atEnd } from './after-tests.ts'
import { bornWorld } from './born-world.ts'
import { createMemoryStore, type MemoryStore } from './memory-store.ts'
import { smallMapDomain } from './sim/small-map.ts'
import { endWorld, worldMemory } from './world-memory.ts'

interface SmallWorldOptions {
  seed?: number
  players?: number
  maxEntities?: number
  /** True for a world made in a test that later tests of the file use too. */
  outlivesTest?: boolean
}

export interface SmallWorld {
  readonly world: World
  readonly registry: Registry
  readonly engine: Engine
  readonly store: MemoryStore
  /** Its batches, as they would be in the journal. */
  readonly journal: readonly JournalRow[]
  /** Rows of the players, in order of registration: Tester 1, Tester 2 … */
  readonly players: readonly Eid[]
  /** Returns the emissions since the last call. */
  takeEmissions(): PublishedEmission[]
  /** Registers a player and binds them to a WebSocket. */
  join(username: string, empire?: string): Eid
  /**
   * Runs one tick with these mutations; returns the final answers by player.
   */
  tick(...commands: Command[]): Map<Eid, Outcome<unknown>>
  ticks(count: number): void
  /** Runs an immediate or a query now. */
  ask(player: Eid, command: string, params?: object): Outcome<unknown>
  /** Runs a mutation in a tick of its own and waits, tick after tick, for its outcome. */
  act(player: Eid, command: string, params?: object): Outcome<unknown>
  /** Does the same as `act`, and returns the complete answer. */
  answer(player: Eid, command: string, params?: object): Answer
  hash(): string
  image(): WorldImage
  /** Resolves with another world, loaded from this one's image. */
  reload(): Promise<SmallWorld>
}

export interface Command {
  readonly player: Eid
  readonly command: string
  readonly params?: object
}

const WALL_START_MS = 1_800_000_000_000
const TICK_MS = 10_000
const TICKS_WAITED_MAX = 2_000
const wholeRegistry = createRegistry(DOMAINS)
const smallRegistry = createRegistry([smallMapDomain, ...DOMAINS])
/** Worlds whose checks are turned off. */
const UNCHECKED = new WeakSet<World>()

/** Turns off the checks of a world that a test edits into an invalid state or that is too large. */
export const uncheck = ({ world }: SmallWorld): void => {
  UNCHECKED.add(world)
}

let isOnSmallMap = false

/**
 * Gives the worlds of a test file the small map, on which they load, tick and are checked in a
 * third of the time. For files that are not about the map or what its bases trade.
 */
export function onSmallMap(): void {
  isOnSmallMap = true
  const outlivesTest = true
  atEnd(() => {
    isOnSmallMap = false
  }, outlivesTest)
}

/** Returns the name of the map that worlds get now: part of a key under which some are kept. */
export const mapInUse = (): 'small' | 'whole' => (isOnSmallMap ? 'small' : 'whole')

/** Returns a function that makes something once for each map, for all files of this process. */
export function oncePerMap<T>(make: () => T): () => T {
  const made = new Map<string, T>()
  return () => {
    const known = made.get(mapInUse())
    if (known !== undefined) return known
    const first = make()
    made.set(mapInUse(), first)
    return first
  }
}

export async function smallWorld(options: SmallWorldOptions = {}): Promise<SmallWorld> {
  const registry = isOnSmallMap ? smallRegistry : wholeRegistry
  const world = bornWorld({
    registry,
    seed: options.seed ?? 1,
    maxEntities: options.maxEntities ?? 2_000,
    tickMs: TICK_MS,
    memory: worldMemory,
  })
  const small = await wrap(world, registry, options.outlivesTest)
  for (let i = 1; i <= (options.players ?? 0); i++) small.join(`Tester ${i}`)
  return small
}

async function wrap(world: World, registry: Registry, outlivesTest = false): Promise<SmallWorld> {
  // Invariants are checked in full once the test is over, instead of in each tick.
  const engine = await openEngine(world, { ...registry, checks: [] })
  const store = createMemoryStore()
  const players: Eid[] = []
  const journal: JournalRow[] = []
  let pending: PublishedEmission[] = []
  let ref = 0
  let part = 0
  /** The newest image that has been verified to load. */
  let saved: WorldImage | undefined
  let isEnded = false
  const isSaved = (): boolean => saved?.batch === world.batch && saved.hash === stateHash(world)

  const input = (player: Eid, command: string, params: object): JournalInput => ({
    ref: ++ref,
    player: player === 0 ? 0 : world.read(registry.players.table as never)['seq' as never][player],
    command,
    params: params as Record<string, unknown>,
    framing: 'ws2',
  })
  const wallMs = (): number => WALL_START_MS + world.tick * TICK_MS
  const finish = (run: BatchRun, isTick: boolean): readonly Answer[] => {
    part = isTick ? 0 : part + 1
    const ran = rowOfBatch(world, run, part)
    const written = run.outbox.writes.map((write) => [
      String(write.ref),
      store.archive.write(write, ran),
    ])
    const row: JournalRow = { ...ran, archived: Object.fromEntries(written) }
    // A copy, because results may share parts of the world.
    journal.push(JSON.parse(JSON.stringify(row)) as JournalRow)
    const batch = finishBatch(engine, run, row)
    pending.push(...batch.emissions.map(wholeEmission))
    return batch.answers
  }
  const checkAll = (): void => {
    if (!UNCHECKED.has(world)) checkWorld({ world, registry })
  }
  const runOne = (inputs: JournalInput[]): readonly Answer[] => {
    AFTER_TEST.add(checkAll)
    return finish(runTick(engine, inputs, wallMs()), true)
  }
  const rowOf = (number: number): Eid => world.rowOf(registry.players.table, number)

  const small: SmallWorld = {
    world,
    registry,
    engine,
    store,
    journal,
    players,
    takeEmissions() {
      const all = pending
      pending = []
      return all
    },
    join(username, empire = 'solarian') {
      const made = small.ask(0, 'internal:register', { username, empire })
      assert(made.ok, `cannot register ${username}: ${JSON.stringify(made)}`)
      const number = (made.result as { player: number }).player
      small.ask(0, 'internal:bind', { player: number, channel: 'ws' })
      players.push(rowOf(number))
      return rowOf(number)
    },
    tick(...commands) {
      const answers = runOne(
        commands.map(({ player, command, params }) => input(player, command, params ?? {})),
      )
      return new Map(answers.map((answer) => [rowOf(answer.player), answer.outcome]))
    },
    ticks(count) {
      for (let i = 0; i < count; i++) runOne([])
    },
    ask(player, command, params = {}) {
      const submission = input(player, command, params)
      const inbox = createInbox()
      const answered = receive(world, registry, inbox, submission)
      if (answered) return answered.outcome
      assert(inbox.immediates.length === 1, `${command} is a mutation: use act`)
      const answers = finish(runImmediates(engine, [submission], wallMs()), false)
      return answers[0].outcome
    },
    act: (player, command, params = {}) => small.answer(player, command, params).outcome,
    answer(player, command, params = {}) {
      const submission = input(player, command, params)
      const answered = receive(world, registry, createInbox(), submission)
      assert(answered, `${command} is no mutation: use ask`)
      if (answered.stage === 'final') return answered
      let answers = runOne([submission])
      for (let i = 0; i < TICKS_WAITED_MAX; i++) {
        const mine = answers.find((candidate) => candidate.ref === submission.ref)
        if (mine) return mine
        answers = runOne([])
      }
      throw new Error(`${command} was never answered`)
    },
    hash: () => stateHash(world),
    image: () => captureWorld(world, createImageMemory()),
    async reload() {
      const { tickMs, maxEntities } = world
      const isVerified = isEnded || isSaved()
      if (!isVerified) saved = small.image()
      assert(saved, 'the world has ended and was never reloaded before')
      const shape = { registry, tickMs, maxEntities, memory: worldMemory }
      return wrap(loadWorld(shape, saved, { isVerified }), registry)
    },
  }
  atEnd(() => {
    // A later reload may still need the image.
    if (saved && !isSaved()) saved = small.image()
    isEnded = true
    endWorld(world)
  }, outlivesTest)
  return small
}
