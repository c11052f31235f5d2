/** A canned body of /api/ops: 400 ticks, one of them far slower than the rest. */
import type { OpsBody } from '../../core/public/ops.ts'
import { PHASES } from '../../core/system.ts'
import { draw } from './galaxy-bodies.ts'

const TICKS = 400
const SLOW_AT = 250
const MIB = 1024 * 1024

const phasesOf = (tick: number) =>
  PHASES.map(
    (_, index) => (0.2 + draw(300, index, tick) / 100) * (tick % TICKS === SLOW_AT ? 30 : 1),
  )

export function opsBody(tick: number): OpsBody {
  const ticks = Array.from({ length: TICKS }, (_, index) => {
    const own = tick - TICKS + index + 1
    return {
      tick: own,
      late_ms: draw(20, own) / 10,
      phases: phasesOf(own),
      journal_ms: 1 + draw(30, own, 1) / 10,
      finish_ms: 0.4,
      publish_ms: 0.5 + draw(20, own, 2) / 10,
      to_sockets_ms: 12,
      inputs: 40 + draw(20, own),
      emissions: 400,
    }
  })
  return {
    tick,
    tick_ms: 2_000,
    world: 'up',
    phase_names: [...PHASES],
    ticks,
    inbox: 3,
    unanswered: 41,
    journal_queue: 0,
    outbound_bytes: 120_000,
    sockets: { ws1: 120, ws2: 64, http: 30, mcp: 4, watchers: 88 },
    memory: { rss: 700 * MIB, heap: 210 * MIB, external: 90 * MIB, columns: 160 * MIB },
    slow: ticks
      .filter(({ tick: own }) => own % TICKS === SLOW_AT)
      .map(({ tick: own, phases }) => ({
        tick: own,
        compute_ms: phases.reduce((sum, ms) => sum + ms, 0),
        phases,
      })),
    snapshot: { tick: tick - 12, age_ticks: 12, ms: 84 },
    database: { state: 'up', ms: 1.4 },
  }
}
