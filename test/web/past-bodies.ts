/** Canned bodies of history: the strip of the scrubber and the moments behind it. */
import { differenceOf, type Json } from '../../core/public/difference.ts'
import type { HistoryBody, MomentBody, StepsBody } from '../../core/public/past.ts'
import * as galaxy from './galaxy-bodies.ts'

const KEYFRAME_TICKS = 60
const POINTS_MAX = 720

export function history(newest: number, query: URLSearchParams): HistoryBody {
  const to = Math.min(newest, Number(query.get('to') ?? newest))
  const from = Math.max(0, Number(query.get('from') ?? to - POINTS_MAX * KEYFRAME_TICKS))
  // Each point stands for a whole number of frames, as on the server.
  const frames = Math.max(1, Math.ceil((to - from) / (POINTS_MAX - 1) / KEYFRAME_TICKS))
  const step = frames * KEYFRAME_TICKS
  const first = Math.ceil(from / step) * step
  const count = Math.floor((to - first) / step) + 1
  const ticks = Array.from({ length: Math.max(0, count) }, (_, index) => first + index * step)
  return {
    ticks: ticks
      // A gap, as if the server had been down.
      .filter((tick) => tick < newest - 9_000 || tick > newest - 7_200)
      .map((tick) => ({
        tick,
        at: new Date(Date.now() - (newest - tick) * galaxy.TICK_MS).toISOString(),
        online: 150 + galaxy.draw(80, tick >> 9),
        battles: galaxy.draw(5, tick >> 7),
        fills: galaxy.draw(60, tick),
        kills: galaxy.draw(9, tick) === 0 ? 1 + galaxy.draw(5, tick, 1) : 0,
      })),
  }
}

/** Frames of single ticks, up to the next that is kept whole. */
export function steps(newest: number, tick: number): StepsBody {
  const first = Math.floor(tick / KEYFRAME_TICKS) * KEYFRAME_TICKS
  const last = Math.min(newest, first + KEYFRAME_TICKS - 1)
  const frameOf = (shown: number): MomentBody => ({
    tick: shown,
    at: '',
    activity: galaxy.activity(shown),
    territory: galaxy.territory(),
    battles: [],
  })
  const rest = Array.from({ length: last - first }, (_, index) => {
    const shown = first + 1 + index
    const changes = differenceOf(frameOf(shown - 1) as Json, frameOf(shown) as Json)
    return { tick: shown, changes: changes as Record<string, unknown> }
  })
  return { steps: [{ tick: first, frame: frameOf(first) }, ...rest], complete: last < newest }
}
