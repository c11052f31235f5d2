/**
 * The canonical world without sockets: all systems of the map, 10,000 players of whom 40 % send a
 * mutation in each tick (the queries of the others in the canonical mix are left out), 5,000 NPCs,
 * and a snapshot every 30 ticks. Measures how long a tick takes on one core, and for how long a
 * snapshot blocks the world thread. Source: RELIABILITY 5 (L2).
 */
import { assert } from '../core/assert.ts'
import { captureWorld, createImageMemory } from '../core/image.ts'
import { pendingOf } from '../core/pending.ts'
import { hash32, hashText } from '../core/rng.ts'
import type { Eid, World } from '../core/types.ts'
import { Creature } from '../systems/creature/state.ts'
import { lurkPlacesOf } from '../systems/npc/model.ts'
import { makePirate } from '../systems/npc/spawn-systems.ts'
import { Npc } from '../systems/npc/state.ts'
import { StarSystem } from '../systems/travel/state.ts'
import { type Card, stepsOf } from './crowd.ts'
import { quantile, sorted } from './figures.ts'
import type { Judged } from './judge.ts'
import { arrangeLargeWorld } from './large-world.ts'
import { type BenchCommand, type BenchWorld, benchWorld } from './worlds.ts'

interface CanonicalOptions {
  readonly players: number
  readonly npcs: number
  readonly ticks: number
  print(line: string): void
}

const SNAPSHOT_EVERY_TICKS = 30
/** Ticks between checks and hashes: the default of a server. */
const CHECK_EVERY = 10
const MUTATIONS_PCT = 40
const MIX = hashText('bench.canonical')
/** Ticks that are not measured, while V8 still compiles. */
const WARM_UP_TICKS = 10
/** Tiers of every ten pirates, in turn. */
const TIERS = [0, 0, 0, 0, 0, 0, 1, 1, 1, 2]
const MAX_ENTITIES = 300_000

/** Adds pirates in turn to the systems that have places for them. */
function addPirates(world: World, npcs: number): void {
  const systems: Eid[] = []
  for (let row = 1; row <= world.highOf(StarSystem); row++) {
    if (lurkPlacesOf(world, row).length > 0) systems.push(row)
  }
  assert(systems.length > 0, 'no system has a place for pirates')
  for (let i = 0; world.countOf(Npc) + world.countOf(Creature) < npcs; i++) {
    makePirate(world, systems[i % systems.length], TIERS[i % TIERS.length])
  }
}

/**
 * Returns the commands of a tick: draws `pct` percent of the players and leaves out those who have a
 * pending command. Counts in `sentCounts` how many each player has sent.
 */
export function commandsOf(
  bench: BenchWorld,
  cards: readonly Card[],
  sentCounts: number[],
  pct: number,
): BenchCommand[] {
  const { engine, players } = bench
  const { world } = engine
  return cards.flatMap((card, i) => {
    if (hash32(MIX, world.tick, i) % 100 >= pct) return []
    if (pendingOf(world, world.rowOf(world.players, players[i]))) return []
    const [command, params] = stepsOf(card)(sentCounts[i]++)
    return [{ player: players[i], command, params }]
  })
}

const rowCount = ({ engine: { world, registry } }: BenchWorld): number =>
  registry.tables.reduce((rows, table) => rows + world.countOf(table), 0)

/** Runs the ticks; returns the figures with their bounds and prints the hash of the world. */
export async function runCanonical(options: CanonicalOptions): Promise<Judged[]> {
  const { players, npcs, ticks, print } = options
  const bench = await benchWorld({ players, maxEntities: MAX_ENTITIES, checkEvery: CHECK_EVERY })
  const { world } = bench.engine
  const rows = bench.players.map((number) => world.rowOf(world.players, number))
  const cards = arrangeLargeWorld(world, rows, players)
  addPirates(world, npcs)
  const systems = world.highOf(StarSystem)
  const beings = world.countOf(Npc) + world.countOf(Creature)
  print(`${systems} systems, ${players} players, ${beings} NPCs, ${rowCount(bench)} rows`)
  const memory = createImageMemory()
  captureWorld(world, memory)
  const sentCounts = new Array<number>(players).fill(0)
  const ticksMs: number[] = []
  const snapshotsMs: number[] = []
  let commands = 0
  for (let tick = 1; tick <= ticks + WARM_UP_TICKS; tick++) {
    await bench.engine.section.settled()
    const sent = commandsOf(bench, cards, sentCounts, MUTATIONS_PCT)
    const tookMs = bench.run(sent)
    if (tick <= WARM_UP_TICKS) continue
    commands += sent.length
    ticksMs.push(tookMs)
    if (world.tick % SNAPSHOT_EVERY_TICKS !== 0) continue
    const since = performance.now()
    captureWorld(world, memory)
    snapshotsMs.push(performance.now() - since)
  }
  print(`${ticks} ticks, ${commands} mutations, result ${bench.hash()}`)
  await bench.close()
  const ascending = sorted(ticksMs)
  return [
    { figure: 'tick p50', value: quantile(ascending, 0.5), unit: 'ms', atMost: 150 },
    { figure: 'tick p99', value: quantile(ascending, 0.99), unit: 'ms', atMost: 400 },
    // A short run takes no snapshot.
    ...snapshotsMs.slice(0, 1).map(() => ({
      figure: 'snapshot blocks',
      value: quantile(sorted(snapshotsMs), 1),
      unit: 'ms',
      atMost: 25,
      ofMemory: true as const,
    })),
  ]
}
