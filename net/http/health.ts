/**
 * Whether the server lives, is ready for players, and at which tick it is. Main knows all of it by
 * itself, so it answers while the world is away too.
 */
import type { NodeBeat } from '../../core/bus.ts'
import { isCutOff } from '../node-view.ts'
import type { Net } from '../session/types.ts'
import type { WorldTrouble } from '../world-link.ts'

export type NodeRole = NodeBeat['role']

/** Why the server is not ready, in a sentence for the operator. */
const NOT_READY: Readonly<Record<WorldTrouble | 'draining' | 'cut_off', string>> = {
  draining: 'The server is stopping: last tick, snapshot, end.',
  recovering: 'The world is being brought up from its snapshot and its journal.',
  world_ended: 'The world thread ended too often; the process stops.',
  database_away: 'The database takes no batches; ticks pause until it does.',
  journal_stalled:
    'A batch has waited for the journal for seconds; nothing is published before it is durable.',
  cut_off:
    'This node has not been at the head of the world for 10 s: NATS, the leader or its own way to ' +
    'either is away. Queries are answered from what it has; commands wait.',
}

type Reason = keyof typeof NOT_READY

interface Readiness {
  readonly status: 'ready' | 'not_ready'
  /** Of a process that has others beside it. */
  readonly role?: NodeRole
  readonly leads?: boolean
  readonly reasons: readonly { readonly code: string; readonly message: string }[]
}

export interface Health {
  /** The batch of a tick has come. */
  noteTick(): void
  /** A tick lasts this many times its length, in overload. */
  noteStretch(stretch: number): void
  /** The server is about to stop: it is not ready from here on. */
  drain(): void
  /** The body of /health. Source: newer.md section 3. */
  report(): Readonly<Record<string, unknown>>
  /** By each reason for which the server may not be ready: 1 if it holds, else 0. */
  reasons(): Readonly<Record<string, number>>
  /** The body of /readyz. */
  readiness(): Readiness
}

/**
 * Makes the health report; `role`: of a process that has others beside it, absent for a server
 * alone.
 */
export function createHealth(net: Pick<Net, 'config' | 'link' | 'clock'>, role?: NodeRole): Health {
  const { config, link, clock } = net
  let lastMs: number | undefined
  let stretch = 1
  let isDraining = false
  /** Estimates the next tick; empty while the world is away, or a whole tick late. */
  const nextTick = (): { readonly estimated_next_tick?: string } => {
    if (lastMs === undefined || !link.isUp()) return {}
    const lengthMs = link.state().tickMs * stretch
    const leftMs = lastMs + lengthMs - clock.monoMs()
    if (leftMs < -lengthMs) return {}
    return { estimated_next_tick: new Date(clock.wallMs() + Math.max(0, leftMs)).toISOString() }
  }
  const known = (Object.keys(NOT_READY) as Reason[]).filter((code) => role || code !== 'cut_off')
  const holding = (): Reason[] => {
    const codes: (Reason | undefined)[] = [
      isDraining ? 'draining' : undefined,
      link.trouble(),
      role && isCutOff(link.cluster()) ? 'cut_off' : undefined,
    ]
    return codes.filter((code) => code !== undefined)
  }
  const roleOf = (): object => (role ? { role, leads: link.cluster()?.leads ?? false } : {})
  return {
    noteTick: () => {
      lastMs = clock.monoMs()
    },
    noteStretch: (times) => {
      stretch = times
    },
    report: () => ({
      status: 'ok',
      tick: link.state().tick,
      ...nextTick(),
      version: config.version,
    }),
    drain: () => {
      isDraining = true
    },
    reasons: () => {
      const found = holding()
      return Object.fromEntries(
        known.map((code) => [code, found.some((one) => one === code) ? 1 : 0]),
      )
    },
    readiness: () => {
      const reasons = holding().map((code) => ({ code, message: NOT_READY[code] }))
      return { status: reasons.length === 0 ? 'ready' : 'not_ready', ...roleOf(), reasons }
    },
  }
}
