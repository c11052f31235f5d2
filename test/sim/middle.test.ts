/** Queries between the steps of a tick are answered and do not change the tick's result. */
import { describe, expect, test } from 'vitest'
import { createDice } from '../../core/dice.ts'
import type { JournalRow, PublishedBatch, WorldImage } from '../../core/ports.ts'
import { createRegistry } from '../../core/registry.ts'
import { runSteps } from '../../core/steps.ts'
import { runImmediates, tickSteps } from '../../core/tick.ts'
import type { World } from '../../core/types.ts'
import { finishBatch } from '../../core/wire/describe.ts'
import { packBatch } from '../../core/wire/packed.ts'
import { loadWorld, openEngine } from '../../engine/start.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { createOnlookers, type Onlookers } from './onlookers.ts'
import { simulate } from './simulate.ts'
import { smallMapDomain } from './small-map.ts'
import { openWar } from './war.ts'
import { MAX_ENTITIES, TICK_MS } from './world-life.ts'

const SEEDS = soaked([101], [seedOr(7), 101])
const TICKS = 60
const WAR_TICKS = 20
const WAR_SEED = 11
/** Kinds of queries that must have been answered without a refusal for a test to be meaningful. */
const KINDS_ANSWERED = 80
/** Caches that a query may fill in the middle of a tick. */
const CACHES = ['looks of players', 'travel.sorted', 'mission.boards']

const wholeMap = createRegistry(DOMAINS)
const registry = createRegistry([smallMapDomain, ...DOMAINS])

interface Journal {
  readonly first: WorldImage
  readonly rows: readonly JournalRow[]
}

async function journalOf(seed: number): Promise<Journal> {
  let journal: Journal | undefined
  await simulate({
    seed,
    ticks: TICKS,
    faults: false,
    onEnd: (first, rows) => {
      journal = { first, rows: rows.map((text) => JSON.parse(text) as JournalRow) }
    },
  })
  if (!journal) throw new Error('the simulation left no journal')
  return journal
}

interface Replayed {
  readonly batches: readonly PublishedBatch[]
  readonly hashes: readonly (string | null)[]
  readonly onlookers: Onlookers | undefined
}

async function replay({ first, rows }: Journal, onlookersSeed?: number): Promise<Replayed> {
  const world = loadWorld({ registry, tickMs: TICK_MS, maxEntities: MAX_ENTITIES }, first)
  const engine = await openEngine(world, registry, { hashEvery: 1, checkEvery: 1 })
  const onlookers =
    onlookersSeed === undefined
      ? undefined
      : createOnlookers(world, registry, createDice(onlookersSeed))
  const batches: PublishedBatch[] = []
  const hashes: (string | null)[] = []
  for (const row of rows) {
    const run =
      row.part === 0
        ? runSteps(tickSteps(engine, row.inputs, row.wallMs), onlookers?.look)
        : runImmediates(engine, row.inputs, row.wallMs)
    batches.push(packBatch(finishBatch(engine, run, row)))
    hashes.push(run.hash)
  }
  return { batches, hashes, onlookers }
}

/** Runs a war; returns the hash after each tick. */
async function warHashes(onlookers?: (world: World) => () => void): Promise<string[]> {
  const war = await openWar({ seed: WAR_SEED, ...(onlookers ? { onlookers } : {}) })
  const hashes: string[] = []
  for (let tick = 1; tick <= WAR_TICKS; tick++) {
    await war.tick()
    hashes.push(war.hash())
  }
  await war.close()
  return hashes
}

describe('queries in the middle of ticks', () => {
  test.each(SEEDS)('change neither hashes nor batches of seed %i', async (seed) => {
    const journal = await journalOf(seed)
    const alone = await replay(journal)
    const watched = await replay(journal, seed)
    expect(watched.hashes).toEqual(alone.hashes)
    expect(watched.hashes.filter((hash) => hash !== null).length).toBeGreaterThan(TICKS)
    expect(watched.batches).toEqual(alone.batches)
    expect(watched.onlookers?.failures).toEqual([])
    expect(watched.onlookers?.answered.size).toBeGreaterThan(KINDS_ANSWERED)
    // Otherwise the run has not tested these caches in the middle of a tick.
    expect([...(watched.onlookers?.filled ?? [])]).toEqual(expect.arrayContaining(CACHES))
  })

  test('do not change the hashes of a war', async () => {
    let onlookers: Onlookers | undefined
    const alone = await warHashes()
    const watched = await warHashes((world) => {
      onlookers = createOnlookers(world, wholeMap, createDice(WAR_SEED))
      return onlookers.look
    })
    expect(watched).toEqual(alone)
    expect(onlookers?.failures).toEqual([])
    expect(onlookers?.answered.size).toBeGreaterThan(KINDS_ANSWERED)
  }, 300_000)
})
