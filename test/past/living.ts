/**
 * Runs a world of bots for hours of ticks as fast as it can, in a store like that of a server, and
 * records what queries of its players answer meanwhile.
 */
import { openAhead } from '../../cli/ahead.ts'
import { joinCrew } from '../../cli/bots/crew.ts'
import { queryWorld } from '../../cli/past-query.ts'
import { type Tool, ToolError } from '../../cli/tool.ts'
import { createDice } from '../../core/dice.ts'
import type { Engine } from '../../core/engine.ts'
import { captureWorld, createImageMemory } from '../../core/image.ts'
import { createRegistry } from '../../core/registry.ts'
import { RULES_VERSION } from '../../core/version.ts'
import { newWorld, openEngine } from '../../engine/start.ts'
import type { ConnectionOptions } from '../../storage/db.ts'
import { createBatchStore } from '../../storage/journal.ts'
import { migrate } from '../../storage/migrations/index.ts'
import { usernameOf } from '../../systems/account/model.ts'
import { DOMAINS } from '../../systems/registry.ts'

/** Wall clock at tick 0: ticks are run as fast as they can be, so real time means nothing. */
const WALL_START_MS = 1_800_000_000_000

/** Queries that are asked, in turn. */
export const QUERIES = [
  'get_status',
  'get_cargo',
  'get_system',
  'get_nearby',
  'get_skills',
] as const

/** The answer to a player's query at the end of a tick. */
export interface Recorded {
  readonly tick: number
  readonly player: string
  readonly query: string
  /** The result, or the sentence of a refusal. */
  readonly answer: unknown
}

/** Returns the answer to a query; a refusal (nobody is nearby in flight) is an answer too. */
function answerTo(engine: Engine, name: string, player: number): unknown {
  try {
    const result = queryWorld(engine, { name, params: '{}', player })
    // A copy, because results may share parts of the world.
    return JSON.parse(JSON.stringify(result))
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return error.message
  }
}

interface Living {
  readonly bots: number
  readonly ticks: number
  readonly seed: number
  /** Ticks at whose end a player asks something. */
  readonly askAt: ReadonlySet<number>
  readonly onProgress: (tick: number) => void
}

/** Makes a new world in its own schema, with the snapshot that every world begins with. */
async function beginIn(tool: Tool, connection: ConnectionOptions, seed: number) {
  const registry = createRegistry(DOMAINS)
  const { tickMs, maxEntities, checkEvery, snapshotKeep: keep } = tool.config
  const world = newWorld({ registry, seed, tickMs, maxEntities })
  await migrate(connection)
  const store = await createBatchStore(connection, { rulesVersion: RULES_VERSION, keep })
  await store.ensureSeed(seed)
  await store.saveSnapshot(captureWorld(world, createImageMemory()))
  await store.close()
  return openEngine(world, registry, { checkEvery, checksWrites: false })
}

/** Runs a new world; returns the recorded answers in the order of the ticks. */
export async function liveOn(
  tool: Tool,
  connection: ConnectionOptions,
  { bots, ticks, seed, askAt, onProgress }: Living,
): Promise<Recorded[]> {
  const engine = await beginIn(tool, connection, seed)
  const { world } = engine
  const wallMs = (tick: number): number => WALL_START_MS + tick * world.tickMs
  const ahead = await openAhead(tool, engine, connection, tool.config.snapshotEvery)
  const dice = createDice(seed).branch('asks')
  const recorded: Recorded[] = []
  try {
    const crew = await joinCrew(engine, { count: bots, seed }, (inputs) =>
      ahead.now(inputs, wallMs(0)),
    )
    for (let tick = 1; tick <= ticks; tick++) {
      crew.note(await ahead.tick(crew.inputs(), wallMs(tick)))
      onProgress(tick)
      if (!askAt.has(tick)) continue
      const number = 1 + dice.below(bots)
      const query = QUERIES[recorded.length % QUERIES.length]
      const player = usernameOf(world, world.rowOf(world.players, number))
      recorded.push({ tick, player, query, answer: answerTo(engine, query, number) })
    }
  } finally {
    await ahead.close()
  }
  return recorded
}
