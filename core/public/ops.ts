/**
 * What an operator reads at /api/ops: the anatomy of ticks, depths of queues, sockets, memory. It
 * is not delayed, and not public. Source: WEB 4.
 */
import { ints, list, named, numbers, opt, type Static, strings, Type } from '../params.ts'

const phases = list(Type.Number())

/** `phases` in the order of PHASES, milliseconds. */
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
  /** The last 600 at most, oldest first. */
  ticks: list(opsTick),
  ...ints('inbox', 'unanswered', 'journal_queue', 'outbound_bytes'),
  sockets: named('OpsSockets', ints('ws1', 'ws2', 'http', 'mcp', 'watchers')),
  /** Bytes. */
  memory: named('OpsMemory', ints('rss', 'heap', 'external', 'columns')),
  /** Recent slow ticks, newest first, at most 100. */
  slow: list(named('OpsSlowTick', { ...ints('tick'), ...numbers('compute_ms'), phases })),
  ...opt({
    snapshot: named('OpsSnapshot', { ...ints('tick', 'age_ticks'), ...numbers('ms') }),
    database: named('OpsDatabase', { ...strings('state'), ...numbers('ms') }),
  }),
})
export type OpsBody = Static<typeof opsBody>
