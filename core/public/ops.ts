/**
 * What an operator reads at /api/ops: the parts of each tick's time, lengths of queues, sockets,
 * memory. It is not delayed, and not public. Source: WEB 4.
 */
import { ints, list, named, numbers, opt, type Static, strings, Type } from '../params.ts'

const phases = list(Type.Number())

/**
 * Milliseconds. `late_ms`: how late the tick began; `finish_ms`: from the journal to publishing;
 * `to_sockets_ms`: all of it, from its boundary to the last frame; `phases` as in `phase_names`.
 */
const opsTick = named('OpsTick', {
  ...ints('tick', 'inputs', 'emissions'),
  ...numbers('late_ms', 'journal_ms', 'finish_ms', 'publish_ms', 'to_sockets_ms'),
  phases,
})

export const opsBody = named('Ops', {
  ...ints('tick', 'tick_ms'),
  /** `up`, or why it is not: `down`, `starting`. */
  ...strings('world'),
  /** Names of `phases`. */
  phase_names: list(Type.String()),
  /** At most the last 600 ticks, oldest first. */
  ticks: list(opsTick),
  /** Commands that wait, commands without an answer, batches that wait, bytes not yet read. */
  ...ints('inbox', 'unanswered', 'journal_queue', 'outbound_bytes'),
  sockets: named('OpsSockets', ints('ws1', 'ws2', 'http', 'mcp', 'watchers')),
  /** Bytes. */
  memory: named('OpsMemory', ints('rss', 'heap', 'external', 'columns')),
  /** Recent slow ticks, newest first, at most 100. */
  slow: list(named('OpsSlowTick', { ...ints('tick'), ...numbers('compute_ms'), phases })),
  ...opt({
    /** `ms`: how long it took. */
    snapshot: named('OpsSnapshot', { ...ints('tick', 'age_ticks'), ...numbers('ms') }),
    /** `ms`: of the last commit. */
    database: named('OpsDatabase', { ...strings('state'), ...numbers('ms') }),
  }),
})
export type OpsBody = Static<typeof opsBody>
