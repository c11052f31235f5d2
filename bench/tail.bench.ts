/**
 * The slowest ticks: 2,000 acting players without sockets, through the end of a day. Reports which
 * ticks were slow and why, from the flight recorder of the server.
 */
import { setImmediate } from 'node:timers/promises'
import { slowTicksText } from '../cli/slow-ticks.ts'
import { stateHash } from '../core/hash.ts'
import { DAY_TICKS } from '../core/time.ts'
import { TICK_PARTS, type TickPart } from '../core/wire/tick-figures.ts'
import { watchGc } from '../engine/gc.ts'
import { createRecorder, type Recorder, readGauges } from '../engine/recorder.ts'
import { tailOf } from '../engine/tail.ts'
import type { BenchDef } from './bench.ts'
import { commandsOf } from './canonical.ts'
import { quantile, sorted } from './figures.ts'
import { arrangeLargeWorld } from './large-world.ts'
import { type BenchWorld, benchWorld } from './worlds.ts'

/** The ticks for warming up give V8 time to compile. */
const SIZES = {
  tiny: { players: 40, warmUp: 2, ticks: 20, maxEntities: 60_000 },
  full: { players: 2_000, warmUp: 50, ticks: 1_000, maxEntities: 300_000 },
}
/** The default of a server. */
const CHECK_EVERY = 10
const SHOWN = 10
/** All players without a pending command act. */
const ACTING_PCT = 100

/** Runs a tick and records it. */
function runTick(bench: BenchWorld, recorder: Recorder, sent: ReturnType<typeof commandsOf>) {
  const { world, registry } = bench.engine
  const sinceMs = performance.now()
  recorder.begin(sinceMs, sinceMs)
  recorder.ran('mutations', sent)
  const tookMs = bench.run(sent)
  const overMs = sinceMs + tookMs
  // Parts of a tick that do not run here take no time.
  for (const part of TICK_PARTS.slice(TICK_PARTS.indexOf('check'))) recorder.partOver(part, overMs)
  recorder.count('events', world.outbox.emissions.length)
  recorder.count('rows', world.outbox.writes.length + 1)
  const gauges = readGauges(registry, world)
  const { tick, wallMs } = world
  const isHashed = tick % CHECK_EVERY === 0
  const end = { tick, wallMs, isHashed, isStoring: false, journal: undefined, gauges }
  recorder.over(end, overMs)
  return tookMs
}

export const bench: BenchDef = {
  name: 'tail',
  about:
    'Full size: 545 systems, 2,000 players who each mine, travel, trade or dock in every tick in which ' +
    'they have nothing pending, 1,000 ticks through the end of a day, without sockets and journal: the ' +
    'slowest ticks by cause, and the ratio of p99 to p50 of computing a tick.',
  rounds: 1,
  variants: ['all'],
  lines: [{ of: 'tick p99', unit: 'ms', against: 'tick p50' }],
  async run(size) {
    const { players, warmUp, ticks, maxEntities } = SIZES[size]
    let partOver = (_part: TickPart, _atMs: number): void => {}
    const bench = await benchWorld({
      players,
      maxEntities,
      checkEvery: CHECK_EVERY,
      phaseOver: (phase) => partOver(phase, performance.now()),
    })
    const { world, registry, section } = bench.engine
    world.tick = DAY_TICKS - warmUp - Math.floor(ticks / 2)
    const rows = bench.players.map((number) => world.rowOf(world.players, number))
    const cards = arrangeLargeWorld(world, rows, players)
    const turns = new Array<number>(players).fill(0)
    const names = registry.gauges.map(({ name }) => name)
    let recorder = createRecorder(names)
    const endWatch = watchGc((kind, startMs, ms) => recorder.pause(kind, startMs, ms))
    partOver = (part, atMs) => recorder.partOver(part, atMs)
    const times: number[] = []
    let commands = 0
    for (let tick = 0; tick < warmUp + ticks; tick++) {
      if (tick === warmUp) recorder = createRecorder(names)
      await section.settled()
      const sent = commandsOf(bench, cards, turns, ACTING_PCT)
      const tookMs = runTick(bench, recorder, sent)
      // Pauses of the garbage collector are reported in the next turn of the event loop.
      await setImmediate()
      if (tick < warmUp) continue
      commands += sent.length
      times.push(tookMs)
    }
    endWatch()
    const report = recorder.report()
    const hash = stateHash(world)
    await bench.close()
    console.error(slowTicksText(report, SHOWN))
    const ascending = sorted(times)
    const [largest] = tailOf(report).causes
    return {
      medianMs: {
        'tick p50': quantile(ascending, 0.5),
        'tick p99': quantile(ascending, 0.99),
        'slowest tick': quantile(ascending, 1),
      },
      facts: {
        'mutations a tick': Math.round(commands / ticks),
        'of the tail': `${largest.cause} ${Math.round(largest.sharePct)} %`,
      },
      hash,
    }
  },
}
