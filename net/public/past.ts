/** Helpers for bodies of the past: archive reads, and wall time in ticks. */
import type { ArchiveRead } from '../../core/archive-calls.ts'
import { type Outcome, ok } from '../../core/errors.ts'
import type { PublicContext } from './row.ts'

/** Reads the archive and renders the result. `T` is the result type of the method. */
export async function readPast<T>(
  { archive }: PublicContext,
  call: ArchiveRead,
  render: (result: T) => unknown,
): Promise<Outcome<unknown>> {
  const outcome = await archive.read(call)
  return outcome.ok ? ok(render(outcome.result as T)) : outcome
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Returns the tick `ms` milliseconds before another, at least 0. */
export const tickBefore = (tick: number, ms: number, tickMs: number): number =>
  Math.max(0, tick - Math.ceil(ms / tickMs))
