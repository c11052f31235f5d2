/**
 * GET /health: that the server answers, at which tick, and when the next one is expected. Main
 * knows all of it by itself, so it answers while the world is away too.
 */
import type { Net } from '../session/types.ts'

export interface Health {
  /** The batch of a tick has come. */
  noteTick(): void
  /** A tick lasts so many times its length, in overload. */
  noteStretch(stretch: number): void
  /** The body. Source: newer.md section 3. */
  report(): Readonly<Record<string, unknown>>
}

export function createHealth(net: Pick<Net, 'config' | 'link' | 'clock'>): Health {
  const { config, link, clock } = net
  let lastMs: number | undefined
  let stretch = 1
  /** Nothing while the world is away, or a whole tick late: then nobody knows. */
  const nextTick = (): { readonly estimated_next_tick?: string } => {
    if (lastMs === undefined || !link.isUp()) return {}
    const lengthMs = link.state().tickMs * stretch
    const leftMs = lastMs + lengthMs - clock.monoMs()
    if (leftMs < -lengthMs) return {}
    return { estimated_next_tick: new Date(clock.wallMs() + Math.max(0, leftMs)).toISOString() }
  }
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
  }
}
