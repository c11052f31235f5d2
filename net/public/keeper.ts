/**
 * Archives every sixtieth frame when it becomes public, in the form that strangers read. If the
 * archive fails, that frame is missing from the past. Source: WEB 1.3.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { FRAME_KEPT_TICKS } from '../../core/limits.ts'
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

export function keepFrames({
  frames,
  archive,
  link,
  log,
}: Pick<Net, 'frames' | 'archive' | 'link' | 'log'>): void {
  /** The last tick that was kept; at first, the one before the first public tick. */
  let last: number | undefined
  let isAway = false
  const keep = async (state: PublicState, ticks: number): Promise<void> => {
    const { tick, wallMs: atMs, figures, battles } = state
    const head = { tick, atMs, ticks, tickMs: link.state().tickMs, online: figures.online }
    try {
      const text = JSON.stringify(renderMoment(state))
      await archive.keepFrame?.({ ...head, battles: battles.length, body: await zip(text) })
      isAway = false
    } catch (error) {
      if (!isAway) log.warn({ err: error, tick }, 'the archive did not keep what is public')
      isAway = true
    }
  }
  frames.onPublic((state) => {
    const { tick } = state
    // A world thread that was replaced may go back.
    if (last === undefined || tick < last) last = tick - 1
    if (slotOf(tick) <= slotOf(last)) return
    void keep(state, Math.max(tick - last, FRAME_KEPT_TICKS))
    last = tick
  })
}
