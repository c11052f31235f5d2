/**
 * Shows the progress of a long step on standard error: on a terminal one line that changes,
 * elsewhere a line every few seconds; with its rate and, if its end is known, the time left.
 */
import { digits, duration } from './format.ts'

const DRAW_MS = 250
const LINE_MS = 5_000
/** The shortest time over which a rate is meaningful. */
const RATE_MS_MIN = 1_000
const CLEAR_LINE = '\r\u001b[K'

export interface Progress {
  /** Writes a line beside the report. */
  note(text: string): void
  /** Reports how far `step` is; the step names what is counted: "journal rows replayed". */
  progress(step: string, done: number, all?: number): void
  /** Clears the line of the current step. */
  end(): void
}

/** What is used of standard error. */
interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

interface ProgressOptions {
  readonly quiet?: boolean
  readonly screen?: Screen
  readonly now?: () => number
}

interface Step {
  readonly name: string
  readonly sinceMs: number
  readonly from: number
}

/** Returns the line of a step; `elapsedMs` and `gained` count from its first report. */
function lineOf(
  name: string,
  { done, all }: { readonly done: number; readonly all?: number },
  { elapsedMs, gained }: { readonly elapsedMs: number; readonly gained: number },
): string {
  const parts = [all === undefined ? digits(done) : `${digits(done)} of ${digits(all)}`]
  if (all !== undefined && all > 0) parts[0] += ` (${Math.floor((100 * done) / all)} %)`
  if (elapsedMs >= RATE_MS_MIN && gained > 0) {
    const perS = (1_000 * gained) / elapsedMs
    parts.push(`${digits(perS < 10 ? Number(perS.toFixed(1)) : Math.round(perS))} a second`)
    if (all !== undefined) parts.push(`${duration((1_000 * Math.max(0, all - done)) / perS)} left`)
  }
  return `${name}: ${parts.join(', ')}`
}

/** Creates a progress line on standard error: redrawn on a terminal, else printed rarely. */
export function createProgress({
  quiet = false,
  screen = process.stderr,
  now = () => performance.now(),
}: ProgressOptions = {}): Progress {
  const everyMs = screen.isTTY ? DRAW_MS : LINE_MS
  let drawnAt = now()
  let isOpen = false
  let step: Step | undefined
  const end = (): void => {
    if (isOpen) screen.write(CLEAR_LINE)
    isOpen = false
  }
  return {
    end,
    note(text) {
      end()
      if (!quiet) screen.write(`${text}\n`)
    },
    progress(name, done, all) {
      const at = now()
      if (step?.name !== name) step = { name, sinceMs: at, from: done }
      if (quiet || at - drawnAt < everyMs) return
      drawnAt = at
      const rate = { elapsedMs: at - step.sinceMs, gained: done - step.from }
      const line = lineOf(name, { done, all }, rate)
      isOpen = screen.isTTY ?? false
      screen.write(isOpen ? CLEAR_LINE + line.slice(0, (screen.columns ?? 80) - 1) : `${line}\n`)
    },
  }
}
