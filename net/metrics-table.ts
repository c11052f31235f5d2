/**
 * Every metric of the server but those of domains (core/registry.ts, GaugeDef) and of Node: name,
 * kind, labels and what it says. The page of metrics, its documentation and the tests of dashboard
 * and alerts are made of this table. Source: Prometheus, "Metric and label naming".
 */
import { PHASES } from '../core/system.ts'
import { GC_KINDS, TICK_STEPS } from '../core/wire/tick-figures.ts'

/**
 * Rows of the dashboard and of the documentation. `cluster`: of a process that has others beside it.
 * `load`: for programs that watch single ticks.
 */
type MetricGroup =
  | 'ticks'
  | 'players'
  | 'spectators'
  | 'journal'
  | 'economy'
  | 'cluster'
  | 'process'
  | 'load'

interface MetricRow<L extends string> {
  /** Without the prefix; in seconds, bytes or ratios where it has a unit. */
  readonly name: string
  readonly group: MetricGroup
  readonly help: string
  readonly labels: readonly L[]
}
export interface CounterRow<L extends string = string> extends MetricRow<L> {
  readonly kind: 'counter'
}
export interface GaugeRow<L extends string = string> extends MetricRow<L> {
  readonly kind: 'gauge'
}
export interface HistogramRow<L extends string = string> extends MetricRow<L> {
  readonly kind: 'histogram'
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}
export type AnyRow = CounterRow | GaugeRow | HistogramRow

type Text = readonly [group: MetricGroup, name: string, help: string]

const counter = <L extends string = never>(
  [group, name, help]: Text,
  ...labels: L[]
): CounterRow<L> => ({ kind: 'counter', group, name, help, labels })

const gauge = <L extends string = never>(
  [group, name, help]: Text,
  ...labels: L[]
): GaugeRow<L> => ({ kind: 'gauge', group, name, help, labels })

const histogram = <L extends string = never>(
  [group, name, help]: Text,
  buckets: readonly number[],
  ...labels: L[]
): HistogramRow<L> => ({ kind: 'histogram', group, name, help, labels, buckets })

/* Seconds: of what a tick is made of, of whole ticks (1 to 10 s, longer in overload), and so on. */
const PARTS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]
const WHOLE_TICKS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10, 30]
const COMMITS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]
const DELAYS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 5, 30]
const SNAPSHOTS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const COMMANDS = [...PARTS, 2.5, 5, 10, 30]

export const METRICS = {
  tick: gauge(['ticks', 'tick', 'Last tick whose results have left the server.']),
  tickLength: gauge(['ticks', 'tick_length_seconds', 'Length of a tick as it is set.']),
  tickStretch: gauge([
    'ticks',
    'tick_stretch_ratio',
    'A tick lasts so many times its length: more than 1 in overload.',
  ]),
  tickDuration: histogram(
    [
      'ticks',
      'tick_duration_seconds',
      'From the boundary of a tick until its last frame is with the sockets.',
    ],
    WHOLE_TICKS,
  ),
  tickStepDuration: histogram(
    [
      'ticks',
      'tick_step_duration_seconds',
      `Steps of a tick, which together are all of it: ${TICK_STEPS.join(', ')}.`,
    ],
    [...PARTS, 2.5, 10],
    'step',
  ),
  tickPhaseDuration: histogram(
    [
      'ticks',
      'tick_phase_duration_seconds',
      `Phases of computing a tick: ${PHASES.slice(0, -1).join(', ')}.`,
    ],
    PARTS,
    'phase',
  ),
  tickSlice: histogram(
    [
      'ticks',
      'tick_longest_slice_seconds',
      'Longest time for which the results of a tick kept a thread (main, world) from all else.',
    ],
    PARTS,
    'thread',
  ),
  tickUnanswered: histogram(
    [
      'ticks',
      'tick_unanswered_seconds',
      'Longest time for which the world thread answered nothing, from tick to tick.',
    ],
    PARTS,
  ),
  tickGc: histogram(
    [
      'ticks',
      'tick_gc_seconds',
      `Pauses of the world thread's garbage collector in a tick, all of a kind together: ${GC_KINDS.join(', ')}. ` +
        'A tick without any is not counted.',
    ],
    PARTS,
    'kind',
  ),
  tickSlowest: gauge([
    'ticks',
    'tick_slowest_seconds',
    'The slowest tick since the world thread started; `npx orrery tick-report --slow` lists the slowest.',
  ]),
  slowTicks: counter([
    'ticks',
    'slow_ticks_total',
    'Ticks that computed for longer than half their length.',
  ]),

  playersOnline: gauge(['players', 'players_online', 'Players logged in.']),
  sessions: gauge(['players', 'sessions', 'Sessions of HTTP and MCP.']),
  sockets: gauge(['players', 'sockets', 'WebSocket connections.']),
  commands: counter(['players', 'commands_total', 'Commands received.'], 'channel'),
  commandDuration: histogram(
    [
      'players',
      'command_duration_seconds',
      'From a command to its final answer; a mutation waits for its tick.',
    ],
    COMMANDS,
    'channel',
    'kind',
  ),
  commandsWaiting: gauge([
    'players',
    'commands_waiting',
    'Commands accepted that no batch holds yet.',
  ]),
  inbox: gauge(
    ['players', 'inbox_commands', 'Commands left in the world thread after the last tick.'],
    'kind',
  ),
  errors: counter(['players', 'refusals_total', 'Refusals answered, by code.'], 'code'),
  logins: counter(['players', 'logins_total', 'Logins.'], 'channel'),
  requests: counter(['players', 'http_responses_total', 'HTTP responses.'], 'status'),
  closes: counter(['players', 'socket_closes_total', 'Sockets closed by the server.'], 'code'),
  frames: counter(['players', 'event_frames_total', 'Frames of events handed to sockets.']),
  notificationsDropped: counter([
    'players',
    'notifications_dropped_total',
    'Notifications that full queues of HTTP and MCP sessions parted with unread.',
  ]),
  unread: gauge([
    'players',
    'unread_bytes',
    'Bytes that wait in the server for clients who have not read them.',
  ]),

  feedReaders: gauge(['spectators', 'feed_readers', 'Readers of the public feed (/events).']),
  feedRefused: counter(
    ['spectators', 'feed_refused_total', 'Readers of the public feed who were not let in.'],
    'reason',
  ),
  feedClosed: counter(
    [
      'spectators',
      'feed_closed_total',
      'Readers of the public feed who were closed: slow ones, and those who could not be written to.',
    ],
    'reason',
  ),
  feedBytes: counter([
    'spectators',
    'feed_bytes_total',
    'Bytes handed to readers of the public feed.',
  ]),
  publicBodies: counter(
    [
      'spectators',
      'public_bodies_total',
      'Bodies of the public web API that were answered: sent (200), or known to the reader (304).',
    ],
    'status',
  ),

  batches: counter(
    ['journal', 'batches_total', 'Batches published: ticks, and immediates between them.'],
    'kind',
  ),
  commitDuration: histogram(
    [
      'journal',
      'journal_commit_duration_seconds',
      'From a journal row on its way until it is durable.',
    ],
    COMMITS,
  ),
  journalBytes: counter(['journal', 'journal_bytes_total', 'Bytes of journal rows written.']),
  snapshotAge: gauge([
    'journal',
    'snapshot_age_seconds',
    'Age of the world in the newest snapshot: what a recovery replays.',
  ]),
  snapshotDuration: histogram(
    ['journal', 'snapshot_duration_seconds', 'From a snapshot taken until it is stored.'],
    SNAPSHOTS,
  ),
  snapshots: counter(['journal', 'snapshots_total', 'Snapshots stored, and failed.'], 'result'),

  leads: gauge(['cluster', 'leads', '1 while this process leads the world, else 0.']),
  leaderEpoch: gauge([
    'cluster',
    'leader_epoch',
    'Epoch of the lease by which the world is led, as this process knows it; it grows with each leader.',
  ]),
  busConnected: gauge(['cluster', 'bus_connected', '1 while NATS answers, else 0.']),
  staleness: gauge([
    'cluster',
    'replica_staleness_seconds',
    'Time since this process was known to be at the head of the world, or as leader to reach NATS; ' +
      'above 10 s it is not ready.',
  ]),
  replicaLag: gauge([
    'cluster',
    'replica_lag_batches',
    'Batches known to be durable that the replica has not applied.',
  ]),
  rowsApplied: counter([
    'cluster',
    'replica_rows_applied_total',
    'Rows of the journal that the replica has applied.',
  ]),
  rowsFilled: counter([
    'cluster',
    'replica_rows_filled_total',
    'Of those, rows read from the database, since NATS had not brought them.',
  ]),
  forwarded: counter([
    'cluster',
    'forwarded_commands_total',
    'Commands sent on to the leader, which alone judges them.',
  ]),
  forwardedBytes: counter([
    'cluster',
    'forwarded_bytes_total',
    'Bytes of the messages in which those went, before TLS.',
  ]),
  sentRowBytes: counter([
    'cluster',
    'sent_row_bytes_total',
    'Bytes of the rows that this process has sent to the replicas as leader, before they are deflated.',
  ]),
  sentInputs: counter(['cluster', 'sent_inputs_total', 'Inputs in those rows.']),
  largestMessage: gauge([
    'cluster',
    'bus_largest_message_bytes',
    'The largest message that this process has sent over NATS.',
  ]),
  replicaDelay: histogram(
    [
      'cluster',
      'replica_delay_seconds',
      'From a row durable at the leader until the replica had it, less the replay itself; of the ' +
        'rows that NATS brought, by the clocks of both machines.',
    ],
    DELAYS,
  ),
  takeovers: counter([
    'cluster',
    'takeovers_total',
    'How often this process has begun to lead the world.',
  ]),
  takeoverTime: gauge([
    'cluster',
    'takeover_seconds',
    'Its last takeover, from the lease that was free until it led; 0 where it has not led.',
  ]),

  ready: gauge(['process', 'ready', '1 while the server serves players (/readyz), else 0.']),
  notReady: gauge(
    ['process', 'not_ready', '1 for each reason for which the server is not ready.'],
    'reason',
  ),
  buildInfo: gauge(
    ['process', 'build_info', 'Always 1: release, interface, Node and version of the rules.'],
    'version',
    'interface',
    'node',
    'rules',
  ),
  socketsInfo: gauge(
    [
      'process',
      'sockets_info',
      'Always 1: library that serves the sockets, a native build or node.',
    ],
    'library',
  ),
  threadCpu: counter(
    [
      'process',
      'thread_cpu_seconds_total',
      'Processor time of the main and of the world thread; 0 where the system does not report it.',
    ],
    'thread',
  ),
  worldThreadEnds: counter([
    'process',
    'world_thread_ends_total',
    'World threads that ended and were replaced.',
  ]),
  kernelThreadEnds: counter([
    'process',
    'kernel_thread_ends_total',
    'Of those, ends that were the doing of kernel threads.',
  ]),
  kernelThreadsOff: gauge([
    'process',
    'kernel_threads_off',
    '1 when kernel threads ended too often and the world runs without them.',
  ]),

  lastTick: gauge(['load', 'last_tick', 'Tick that the figures orrery_last_tick_… are of.']),
  lastTickDuration: gauge([
    'load',
    'last_tick_duration_seconds',
    'orrery_tick_duration_seconds of the last tick.',
  ]),
  lastTickStep: gauge(
    ['load', 'last_tick_step_seconds', 'orrery_tick_step_duration_seconds of the last tick.'],
    'step',
  ),
  lastTickSlice: gauge(
    ['load', 'last_tick_slice_seconds', 'orrery_tick_longest_slice_seconds of the last tick.'],
    'thread',
  ),
  lastTickUnanswered: gauge([
    'load',
    'last_tick_unanswered_seconds',
    'orrery_tick_unanswered_seconds of the last tick.',
  ]),
  lastTickWork: gauge([
    'load',
    'last_tick_work_seconds',
    'All work of the last tick without the wait for the database: what stretches ticks.',
  ]),
} satisfies Readonly<Record<string, AnyRow>>

export type MetricKey = keyof typeof METRICS
