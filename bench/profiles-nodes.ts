/**
 * Runs the same load on one process and then on a leader with gateways, and compares what players
 * notice and the traffic over NATS. Source: SCALE 3 and 8, issue "Beyond one machine".
 */
import { ROW_PART_BYTES_MAX } from '../core/limits-cluster.ts'
import { connect, disconnect } from '../storage/db.ts'
import { readJournal } from '../storage/journal.ts'
import type { Judged } from './judge.ts'
import { type LiveNodes, withNodes, withServer } from './live.ts'
import { describeAnswers, type LoadRun, liveFigures } from './load-report.ts'
import { type PlayOptions, play } from './play.ts'
import type { Profile, Scaled } from './profile.ts'
import { settingsFor, sockets, sound, working } from './profiles-play.ts'
import { describeServer, seriesOf } from './server-figures.ts'

/* Bounds: queries against one process, bytes up and down, delay from durable to applied. */
const QUERY_P99_BY_ONE = 1.5
const COMMAND_BYTES = 150
const INPUT_BYTES = 120
const MESSAGE_HEAD_BYTES = 1_024
const DELAY_P99_MS = 50

const MINUTES = 3
const PLAYERS = 600

type Series = ReadonlyMap<string, number>

const DELAYS = /^orrery_replica_delay_seconds_bucket\{le="(.*)"\}$/

const pageOf = async (url: string): Promise<Series> =>
  seriesOf(await (await fetch(`${url}/metrics`)).text())

/** Returns by how much a metric grew between two readings, summed over several processes. */
type Counted = (name: string) => number

/** Returns a quantile of the histograms in ms: the bound of its bucket. */
export function delayMsOf(names: Iterable<string>, counted: Counted, q: number): number {
  const buckets = [...names].flatMap((name) => {
    const [, bound] = DELAYS.exec(name) ?? []
    return bound === undefined ? [] : [{ boundS: Number(bound.replace('+Inf', 'Infinity')), name }]
  })
  buckets.sort((a, b) => a.boundS - b.boundS)
  const last = buckets.at(-1)
  const total = last ? counted(last.name) : 0
  const reached = buckets.find(({ name }) => counted(name) >= q * total)
  return total === 0 || !reached ? Number.NaN : reached.boundS * 1_000
}

/** Reads the metrics of all nodes. */
async function readMetrics({ leader, gateways }: LiveNodes): Promise<Series[]> {
  return Promise.all([leader, ...gateways].map(pageOf))
}

function busFigures(before: readonly Series[], after: readonly Series[]): Judged[] {
  const counted: Counted = (name) =>
    after.reduce((sum, page, i) => sum + (page.get(name) ?? 0) - (before[i]?.get(name) ?? 0), 0)
  const maxOf = (name: string): number => Math.max(...after.map((page) => page.get(name) ?? 0))
  const names = new Set(after.flatMap((page) => [...page.keys()]))
  const commands = counted('orrery_forwarded_commands_total')
  const inputs = counted('orrery_sent_inputs_total')
  const delay = (q: number): number => delayMsOf(names, counted, q)
  return [
    { figure: 'commands sent on', value: commands, unit: '', atLeast: 1, isSound: true },
    {
      figure: 'bytes a command up',
      unit: 'B',
      atMost: COMMAND_BYTES,
      value: counted('orrery_forwarded_bytes_total') / commands,
    },
    {
      figure: 'bytes an input down, before deflate',
      unit: 'B',
      atMost: INPUT_BYTES,
      value: counted('orrery_sent_row_bytes_total') / inputs,
    },
    {
      figure: 'largest message',
      value: maxOf('orrery_bus_largest_message_bytes'),
      unit: 'B',
      atMost: ROW_PART_BYTES_MAX + MESSAGE_HEAD_BYTES,
    },
    { figure: 'durable to applied, p50 at most', value: delay(0.5), unit: 'ms' },
    {
      figure: 'durable to applied, p99 at most',
      value: delay(0.99),
      unit: 'ms',
      atMost: DELAY_P99_MS,
    },
    {
      figure: 'rows from the database',
      value: counted('orrery_replica_rows_filled_total'),
      unit: '',
    },
    { figure: 'RSS of the leader', value: rssOf(after[0]), unit: 'MiB' },
    { figure: 'RSS of a gateway', value: Math.max(...after.slice(1).map(rssOf)), unit: 'MiB' },
  ]
}

const rssOf = (page: Series): number => (page.get('process_resident_memory_bytes') ?? 0) / 2 ** 20

/**
 * Compares the results that clients received with the mutations in the journal, where each command
 * must be in exactly one row. Rejects if rows are missing or damaged.
 */
async function auditFigures({ connection }: LiveNodes, { figures }: LoadRun): Promise<Judged[]> {
  const sql = connect(connection, { name: 'audit' })
  const refs = new Set<number>()
  let [mutations, twice] = [0, 0]
  try {
    for await (const { part, inputs } of readJournal(sql, 0)) {
      if (part === 0) mutations += inputs.length
      for (const { ref } of inputs) {
        if (refs.has(ref)) twice += 1
        refs.add(ref)
      }
    }
  } finally {
    await disconnect(sql)
  }
  const results = [...figures.arrivals.values()].reduce((sum, { length }) => sum + length, 0)
  const none = { unit: '', atMost: 0, isSound: true as const }
  return [
    { figure: 'mutations in the journal', value: mutations, unit: '' },
    { figure: 'results missing or in excess', value: Math.abs(results - mutations), ...none },
    { figure: 'commands twice in the journal', value: twice, ...none },
  ]
}

const named = (rows: readonly Judged[], where: string): Judged[] =>
  rows.map((row) => ({ ...row, figure: `${row.figure}, ${where}` }))

async function playOn(options: PlayOptions, { print }: Scaled, where: string): Promise<LoadRun> {
  print(`${where}:`)
  const run = await play(options)
  for (const line of [...describeAnswers(run), ...describeServer(run.server)]) print(line)
  return run
}

async function runGateways(scaled: Scaled, count: number): Promise<Judged[]> {
  const { players } = scaled
  const settings = settingsFor(players)
  const several = `${count} gateways`
  const one = await withServer({ settings }, (url) =>
    playOn(working(url, scaled, sockets(players)), scaled, 'one process'),
  )
  return withNodes({ settings, gateways: count }, async (nodes) => {
    const { leader, gateways } = nodes
    let before = readMetrics(nodes)
    const options = {
      ...working(leader, scaled, sockets(players)),
      urlOf: (index: number) => gateways[Math.floor(index / 2) % gateways.length],
      onPlaying: () => {
        before = readMetrics(nodes)
      },
    }
    const run = await playOn(options, scaled, `a leader and ${several}`)
    const bus = busFigures(await before, await readMetrics(nodes))
    const [oneP99, p99] = [one, run].map((each) => liveFigures(each).queryMsP99)
    return [
      ...named(sound(one), 'one process'),
      ...named(sound(run), several),
      { figure: 'query p99, one process', value: oneP99, unit: 'ms' },
      { figure: `query p99, ${several}`, value: p99, unit: 'ms' },
      {
        figure: `query p99, ${several} / one process`,
        value: p99 / oneP99,
        unit: 'x',
        atMost: QUERY_P99_BY_ONE,
      },
      ...(await auditFigures(nodes, run)),
      ...bus,
      { figure: "this client's own delay p99", value: liveFigures(run).ownDelayMsP99, unit: 'ms' },
    ]
  })
}

/** Returns the profile that compares one process with a leader and gateways. */
export const gatewaysProfile = (count: number): Profile => ({
  id: `gateways ${count}`,
  minutes: MINUTES,
  players: PLAYERS,
  what: `one process, then a leader and ${count} gateways, with the same players`,
  run: (scaled) => runGateways(scaled, count),
})
