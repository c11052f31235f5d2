/**
 * Every metric of the server except those of domains (core/registry.ts, GaugeDef) and of Node:
 * name, kind, labels and description. The metrics page, its documentation and the tests of
 * dashboard and alerts are derived from this table. Source: Prometheus, "Metric and label naming".
 */
import { PHASES } from '../core/system.ts'
import { GC_KINDS, TICK_STEPS } from '../core/wire/tick-figures.ts'

/**
 * Rows of the dashboard and of the documentation. `cluster`: of a process in a cluster. `load`: for
 * programs that watch single ticks.
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
  /** Name without the prefix; ends with its unit, if any: seconds, bytes or ratio. */
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

/* Buckets in seconds: of the parts of a tick, of whole ticks (1 to 10 s, longer in overload), … */
const PARTS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]
const WHOLE_TICKS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10, 30]
const COMMITS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]
const DELAYS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 5, 30]
const SNAPSHOTS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const COMMANDS = [...PARTS, 2.5, 5, 10, 30]

export const METRICS = {
  tick: gauge(['ticks', 'tick', 'Last tick whose results have left the server.']),
  tickLength: gauge(['ticks', 'tick_length_seconds', 'Configured length of a tick.']),
  tickStretch: gauge([
    'ticks',
    'tick_stretch_ratio',
    'Factor by which ticks are longer than configured: above 1 in overload.',
  ]),
  tickDuration: histogram(
    [
      'ticks',
      'tick_duration_seconds',
      'Time from the start of a tick until its last frame is handed to the sockets.',
    ],
    WHOLE_TICKS,
  ),
  tickStepDuration: histogram(
    [
      'ticks',
      'tick_step_duration_seconds',
      `Steps of a tick, which add up to its duration: ${TICK_STEPS.join(', ')}.`,
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
      'Longest time for which a tick blocked a thread (main, world) without a break.',
    ],
    PARTS,
    'thread',
  ),
  tickUnanswered: histogram(
    [
      'ticks',
      'tick_unanswered_seconds',
      'Longest time for which the world thread answered nothing, per tick.',
    ],
    PARTS,
  ),
  tickGc: histogram(
    [
      'ticks',
      'tick_gc_seconds',
      `Garbage collection pauses of the world thread in a tick, by kind: ${GC_KINDS.join(', ')}. ` +
        'A tick without any is not counted.',
    ],
    PARTS,
    'kind',
  ),
  tickSlowest: gauge([
    'ticks',
    'tick_slowest_seconds',
    'Slowest tick since the world thread started; `npx orrery tick-report --slow` lists more.',
  ]),
  slowTicks: counter([
    'ticks',
    'slow_ticks_total',
    'Ticks whose computation took more than half their length.',
  ]),

  playersOnline: gauge(['players', 'players_online', 'Players logged in.']),
  sessions: gauge(['players', 'sessions', 'Sessions of HTTP and MCP.']),
  sockets: gauge(['players', 'sockets', 'WebSocket connections.']),
  commands: counter(['players', 'commands_total', 'Commands received.'], 'channel'),
  commandDuration: histogram(
    [
      'players',
      'command_duration_seconds',
      'Time from a command to its final answer; a mutation waits for its tick.',
    ],
    COMMANDS,
    'channel',
    'kind',
  ),
  commandsWaiting: gauge([
    'players',
    'commands_waiting',
    'Accepted commands that no batch contains yet.',
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
    'Notifications that full queues of HTTP and MCP sessions dropped unread.',
  ]),
  unread: gauge([
    'players',
    'unread_bytes',
    'Bytes buffered in the server that clients have not read yet.',
  ]),

  feedReaders: gauge(['spectators', 'feed_readers', 'Readers of the public feed (/events).']),
  feedRefused: counter(
    ['spectators', 'feed_refused_total', 'Readers of the public feed that were refused.'],
    'reason',
  ),
  feedClosed: counter(
    [
      'spectators',
      'feed_closed_total',
      'Readers of the public feed that were closed: too slow, or a write failed.',
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
      'Time from sending a journal row until it is durable.',
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
    ['journal', 'snapshot_duration_seconds', 'Time from taking a snapshot until it is stored.'],
    SNAPSHOTS,
  ),
  snapshots: counter(['journal', 'snapshots_total', 'Snapshots stored and failed.'], 'result'),

  leads: gauge(['cluster', 'leads', '1 while this process leads the world, else 0.']),
  leaderEpoch: gauge([
    'cluster',
    'leader_epoch',
    'Epoch of the leader lease as this process knows it; it increases with each leader.',
  ]),
  busConnected: gauge(['cluster', 'bus_connected', '1 while NATS answers, else 0.']),
  staleness: gauge([
    'cluster',
    'replica_staleness_seconds',
    'Time since this process was last at the head of the world, or as leader last reached NATS; ' +
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
    'Rows of the journal that the replica read from the database, for NATS had not brought them.',
  ]),
  forwarded: counter(['cluster', 'forwarded_commands_total', 'Commands forwarded to the leader.']),
  forwardedBytes: counter([
    'cluster',
    'forwarded_bytes_total',
    'Bytes of the messages with forwarded commands, before TLS.',
  ]),
  sentRowBytes: counter([
    'cluster',
    'sent_row_bytes_total',
    'Bytes of the rows that this process has sent to replicas as leader, before compression.',
  ]),
  sentInputs: counter([
    'cluster',
    'sent_inputs_total',
    'Inputs in the rows that this process has sent to replicas as leader.',
  ]),
  largestMessage: gauge([
    'cluster',
    'bus_largest_message_bytes',
    'The largest message that this process has sent over NATS.',
  ]),
  replicaDelay: histogram(
    [
      'cluster',
      'replica_delay_seconds',
      'Time from a row being durable at the leader until the replica had it, without the replay; ' +
        'for rows delivered by NATS, by the clocks of both machines.',
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
    'How long the last takeover by this process took, from the free lease on; 0 if it never led.',
  ]),

  ready: gauge(['process', 'ready', '1 while the server serves players (/readyz), else 0.']),
  notReady: gauge(
    ['process', 'not_ready', '1 for each reason why the server is not ready.'],
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
      'CPU time of the main and of the world thread; 0 if the system does not report it.',
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
    'World threads that ended and were replaced because of a kernel thread.',
  ]),
  kernelThreadsOff: gauge([
    'process',
    'kernel_threads_off',
    '1 when kernel threads ended too often and the world runs without them.',
  ]),

  lastTick: gauge(['load', 'last_tick', 'Tick of the orrery_last_tick_… figures.']),
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
    'All work of the last tick without waiting for the database; ticks stretch with it.',
  ]),
} satisfies Readonly<Record<string, AnyRow>>

export type MetricKey = keyof typeof METRICS
