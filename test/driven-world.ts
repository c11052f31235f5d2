/**
 * A world that a test drives tick by tick with many players at once. It runs in the real engine on
 * any number of kernel threads, starts new or from an image, and has no journal or archive.
 */
import type { Wish } from '../cli/bots/moves.ts'
import { assert } from '../core/assert.ts'
import type { BatchRun, Engine } from '../core/engine.ts'
import type { Outcome } from '../core/errors.ts'
import { stateHash } from '../core/hash.ts'
import { captureWorld, createImageMemory } from '../core/image.ts'
import { createInbox, receive } from '../core/inbox.ts'
import { pendingOf, playerNumber } from '../core/pending.ts'
import type { PublishedEmission, WorldImage } from '../core/ports.ts'
import { createRegistry, type Registry } from '../core/registry.ts'
import { runImmediates, runTick } from '../core/tick.ts'
import type { Eid, JournalInput, World } from '../core/types.ts'
import { finishUnstored } from '../core/wire/describe.ts'
import { loadWorld, openEngine } from '../engine/start.ts'
import { Player } from '../systems/account/state.ts'
import { DOMAINS } from '../systems/registry.ts'
import { bornWorld } from './born-world.ts'
import { smallMapDomain } from './sim/small-map.ts'
import { copyImage } from './sim/storage.ts'
import { endWorld, worldMemory } from './world-memory.ts'

const TICK_MS = 10_000
const WALL_START_MS = 1_800_000_000_000
const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']

export type { Wish }

export interface Reply {
  readonly player: Eid
  readonly command: string
  readonly outcome: Outcome<unknown>
}

interface DrivenOptions {
  readonly maxEntities: number
  readonly seed?: number
  /** Image to start from; without one, the world is new. */
  readonly from?: WorldImage
  readonly workers?: number
  /** Ticks between full checks of all invariants. */
  readonly checkEvery?: number
  /** Makes a map of few systems and goods, on which ticks cost little. */
  readonly isSmallMap?: true
}

export interface DrivenWorld {
  readonly world: World
  readonly registry: Registry
  /** Registers a player and binds them to a WebSocket. */
  join(username: string, empire: string): Eid
  /** Returns whether a mutation of the player would be accepted now. */
  isFree(player: Eid, command: string): boolean
  /** Runs queries and immediate commands, which need no tick. */
  now(wishes: readonly Wish[]): readonly Reply[]
  /** Runs a tick with one mutation a player; returns all answers given by its end. */
  tick(wishes: readonly Wish[]): readonly Reply[]
  /** Waits for the work that kernel threads still have. */
  settled(): Promise<void>
  /** Events of the last batch. */
  readonly emissions: readonly PublishedEmission[]
  image(): WorldImage
  hash(): string
  /** Ends the world: nothing of it can be read any more. */
  close(): Promise<void>
}

const fullRegistry = createRegistry(DOMAINS)

export const empireOf = (index: number): string => EMPIRES[index % EMPIRES.length]

function begin(registry: Registry, { maxEntities, seed = 1, from }: DrivenOptions): World {
  const shape = { registry, tickMs: TICK_MS, maxEntities, memory: worldMemory }
  return from ? loadWorld(shape, from) : bornWorld({ ...shape, seed })
}

export async function driveWorld(options: DrivenOptions): Promise<DrivenWorld> {
  const registry = options.isSmallMap ? createRegistry([smallMapDomain, ...DOMAINS]) : fullRegistry
  const world = begin(registry, options)
  const engine: Engine = await openEngine(world, registry, {
    workers: options.workers ?? 0,
    threadFile: new URL('../kernel-thread.js', import.meta.url).href,
    breakEvenNs: 0,
    checkEvery: options.checkEvery ?? 1,
  })
  let part = 0
  let emissions: readonly PublishedEmission[] = []
  const wallMs = (): number => WALL_START_MS + world.tick * TICK_MS
  const inputOf = ({ player, command, params = {} }: Wish): JournalInput => {
    const number = player === 0 ? 0 : playerNumber(world, player)
    return { ref: number || 1, player: number, command, params, framing: 'ws1' }
  }
  const finish = (run: BatchRun): readonly Reply[] => {
    const batch = finishUnstored(engine, run, part)
    emissions = batch.emissions
    return batch.answers.map(({ command, outcome, player: number }) => ({
      player: number === 0 ? 0 : world.rowOf(Player, number),
      command,
      outcome,
    }))
  }
  /** Answers or refuses at once what it can, and returns the rest as inputs of a batch. */
  const sort = (wishes: readonly Wish[]): { replies: Reply[]; inputs: JournalInput[] } => {
    const replies: Reply[] = []
    const inputs = wishes.flatMap((wish) => {
      const input = inputOf(wish)
      const answered = receive(world, registry, createInbox(), input)
      if (!answered || answered.stage === 'accepted') return [input]
      replies.push({ player: wish.player, command: wish.command, outcome: answered.outcome })
      return []
    })
    return { replies, inputs }
  }
  const now = (wishes: readonly Wish[]): readonly Reply[] => {
    const { replies, inputs } = sort(wishes)
    if (inputs.length === 0) return replies
    part++
    return [...replies, ...finish(runImmediates(engine, inputs, wallMs()))]
  }
  return {
    world,
    registry,
    now,
    join(username, empire) {
      const params = { username, empire }
      const [made] = now([{ player: 0, command: 'internal:register', params }])
      assert(made.outcome.ok, `cannot register: ${JSON.stringify(made.outcome)}`)
      const { player } = made.outcome.result as { player: number }
      now([{ player: 0, command: 'internal:bind', params: { player, channel: 'ws' } }])
      return world.rowOf(Player, player)
    },
    isFree(player, command) {
      const def = registry.commands.get(command)
      assert(def, `there is no command ${command}`)
      if (pendingOf(world, player)) return false
      return !registry.domains.some((domain) => domain.admission?.(world, player, def))
    },
    tick(wishes) {
      const { replies, inputs } = sort(wishes)
      part = 0
      return [...replies, ...finish(runTick(engine, inputs, wallMs()))]
    },
    settled: async () => {
      await engine.section.settled()
    },
    get emissions() {
      return emissions
    },
    image: () => copyImage(captureWorld(world, createImageMemory())),
    hash: () => stateHash(world),
    close: async () => {
      await engine.section.close()
      endWorld(world)
    },
  }
}
