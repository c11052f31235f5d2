/**
 * Health of the server: liveness, readiness for players, and the current tick. The main thread has
 * everything this needs, so it answers even while the world thread is down.
 */
import type { NodeBeat } from '../../core/bus.ts'
import { isCutOff } from '../node-view.ts'
import type { Net } from '../session/types.ts'
import type { WorldTrouble } from '../world-link.ts'

export type NodeRole = NodeBeat['role']

/** Why the server is not ready, in a sentence for the operator. */
const NOT_READY: Readonly<Record<WorldTrouble | 'draining' | 'cut_off', string>> = {
  draining: 'The server is stopping: last tick, snapshot, end.',
  recovering: 'The world is being restored from its snapshot and its journal; wait.',
  world_ended: 'The world thread ended too often; the process stops. See its log for the cause.',
  database_away: 'The database accepts no batches; ticks pause until it does. Check that it runs.',
  journal_stalled:
    'A batch has waited seconds for the journal; nothing is published before it is durable. ' +
    'Check the load and the disk of the database.',
  cut_off:
    'This node has been behind the head of the world for 10 s: NATS, leader or network is ' +
    'down. Queries are answered from its replica; commands wait.',
}

type Reason = keyof typeof NOT_READY

interface Readiness {
  readonly status: 'ready' | 'not_ready'
  /** Only for a process in a cluster. */
  readonly role?: NodeRole
  readonly leads?: boolean
  readonly reasons: readonly { readonly code: string; readonly message: string }[]
}

export interface Health {
  /** Records that the batch of a tick has arrived. */
  recordTick(): void
  /** Records the factor by which overload makes ticks longer than configured. */
  recordStretch(stretch: number): void
  /** Marks the server as stopping: it is not ready from then on. */
  drain(): void
  /** Returns the body of /health. Source: newer.md section 3. */
  report(): Readonly<Record<string, unknown>>
  /** Returns 1 or 0 for each possible reason for not being ready. */
  reasons(): Readonly<Record<string, number>>
  /** Returns the body of /readyz. */
  readiness(): Readiness
}

/** Creates the health report. `role`: of a process in a cluster; absent for a single server. */
export function createHealth(net: Pick<Net, 'config' | 'link' | 'clock'>, role?: NodeRole): Health {
  const { config, link, clock } = net
  let lastMs: number | undefined
  let stretch = 1
  let isDraining = false
  /** Estimates the next tick; empty while the world is down, or more than a tick late. */
  const nextTick = (): { readonly estimated_next_tick?: string } => {
    if (lastMs === undefined || !link.isUp()) return {}
    const lengthMs = link.state().tickMs * stretch
    const leftMs = lastMs + lengthMs - clock.monoMs()
    if (leftMs < -lengthMs) return {}
    return { estimated_next_tick: new Date(clock.wallMs() + Math.max(0, leftMs)).toISOString() }
  }
  const possible = (Object.keys(NOT_READY) as Reason[]).filter((code) => role || code !== 'cut_off')
  const activeReasons = (): Reason[] => {
    const codes: (Reason | undefined)[] = [
      isDraining ? 'draining' : undefined,
      link.trouble(),
      role && isCutOff(link.cluster()) ? 'cut_off' : undefined,
    ]
    return codes.filter((code) => code !== undefined)
  }
  const roleOf = (): object => (role ? { role, leads: link.cluster()?.leads ?? false } : {})
  return {
    recordTick: () => {
      lastMs = clock.monoMs()
    },
    recordStretch: (factor) => {
      stretch = factor
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
      const found = activeReasons()
      return Object.fromEntries(
        possible.map((code) => [code, found.some((reason) => reason === code) ? 1 : 0]),
      )
    },
    readiness: () => {
      const reasons = activeReasons().map((code) => ({ code, message: NOT_READY[code] }))
      return { status: reasons.length === 0 ? 'ready' : 'not_ready', ...roleOf(), reasons }
    },
  }
}
