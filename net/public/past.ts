/** What bodies of the past share: asking the archive, and spans of wall time in ticks. */
import type { ArchiveRead } from '../../core/archive-calls.ts'
import { type Outcome, ok } from '../../core/errors.ts'
import type { PublicContext } from './row.ts'

/** Asks the archive, and renders what it answers. `T` is the result of the method. */
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

/** Returns the tick so long before another, at least 0. */
export const tickBefore = (tick: number, ms: number, tickMs: number): number =>
  Math.max(0, tick - Math.ceil(ms / tickMs))
