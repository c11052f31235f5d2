/**
 * Archives what strangers are shown when it becomes public: every sixtieth frame whole, and of each
 * tick between them what it changed. What the archive does not accept is missing from the past.
 * Source: WEB 1.3.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { FRAME_KEPT_TICKS, PUBLIC_WRITES_MAX } from '../../core/limits.ts'
import { differenceOf } from '../../core/public/difference.ts'
import type { MomentBody } from '../../core/public/past.ts'
import { isoTime } from '../../core/time.ts'
import type { Net } from '../session/types.ts'
import { renderActivity } from './map-rows.ts'
import type { PublicState } from './state.ts'
import { renderTerritory } from './system-rows.ts'

const zip = promisify(gzip)

const slotOf = (tick: number): number => Math.floor(tick / FRAME_KEPT_TICKS)

const renderMoment = (state: PublicState): MomentBody => ({
  tick: state.tick,
  at: isoTime(state.wallMs),
  activity: renderActivity(state),
  territory: renderTerritory(state),
  battles: [...state.battles],
})

/** Writes one after the other; a write is left out where many wait already. */
function createWriter(warn: (error: unknown) => void) {
  let writing = Promise.resolve()
  let waiting = 0
  /** Resolves to whether it was written. */
  return async (work: () => Promise<void>): Promise<boolean> => {
    if (waiting >= PUBLIC_WRITES_MAX) return false
    waiting += 1
    const written = writing.then(work)
    writing = written.catch(() => {})
    try {
      await written
      return true
    } catch (error) {
      warn(error)
      return false
    } finally {
      waiting -= 1
    }
  }
}

export function keepFrames({
  frames,
  archive,
  link,
  log,
}: Pick<Net, 'frames' | 'archive' | 'link' | 'log'>): void {
  /** The last tick that was kept whole; at first, the one before the first public tick. */
  let last: number | undefined
  /** What the next step is the difference to; absent: it is whole. */
  let base: MomentBody | undefined
  let isMissing = false
  const warn = (error: unknown): void => {
    base = undefined
    if (!isMissing) log.warn({ err: error }, 'the archive did not keep what is public')
    isMissing = true
  }
  const write = createWriter(warn)
  const keep = async (moment: MomentBody, work: () => Promise<void>): Promise<void> => {
    base = moment
    if (await write(work)) isMissing = false
    else base = undefined
  }
  const keepWhole = (moment: MomentBody, { figures, wallMs }: PublicState, ticks: number): void => {
    const { tick, battles } = moment
    const head = { tick, atMs: wallMs, ticks, tickMs: link.state().tickMs, online: figures.online }
    const text = JSON.stringify(moment)
    void keep(moment, async () =>
      archive.keepFrame?.({ ...head, battles: battles.length, body: await zip(text) }),
    )
  }
  const keepStep = (moment: MomentBody): void => {
    const text = JSON.stringify(base === undefined ? moment : differenceOf(base, moment))
    const head = { tick: moment.tick, base: base?.tick ?? null }
    void keep(moment, async () => archive.keepStep?.({ ...head, body: await zip(text) }))
  }
  // O(systems, flights and battles) a public tick.
  frames.onPublic((state) => {
    const { tick } = state
    // A world thread that was replaced may go back.
    if (last === undefined || tick < last) [last, base] = [tick - 1, undefined]
    const ticks = tick - last
    const isWhole = slotOf(tick) > slotOf(last)
    if (isWhole) last = tick
    try {
      const moment = renderMoment(state)
      if (isWhole) keepWhole(moment, state, Math.max(ticks, FRAME_KEPT_TICKS))
      else keepStep(moment)
    } catch (error) {
      warn(error)
    }
  })
}
