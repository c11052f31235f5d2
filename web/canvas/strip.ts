/** Draws the strip of the scrubber: fills and kills over time, with gaps hatched. */
import type { HistoryBody } from '../../core/public/past.ts'
import { css, type Palette } from './colour.ts'

type Moment = HistoryBody['ticks'][number]

interface StripView {
  readonly from: number
  readonly to: number
  readonly width: number
  readonly height: number
  readonly palette: Palette
}

const GAP_STEPS = 1.9
const HATCH_PX = 6
const BAR_PX_MAX = 8

/** Returns the median number of ticks between two points. */
function stepOf(ticks: readonly Moment[]): number {
  const steps = ticks.slice(1).map(({ tick }, index) => tick - ticks[index].tick)
  steps.sort((a, b) => a - b)
  return Math.max(1, steps[steps.length >> 1] ?? 1)
}

/** Returns the spans without a frame, as pairs of ticks. */
function gapsOf(
  ticks: readonly Moment[],
  from: number,
  to: number,
): readonly (readonly [from: number, to: number])[] {
  const step = stepOf(ticks)
  const edges = [from, ...ticks.map(({ tick }) => tick), to]
  return edges
    .slice(1)
    .map((tick, index) => [edges[index], tick] as const)
    .filter(([left, right]) => right - left > GAP_STEPS * step)
}

export function drawStrip(
  context: CanvasRenderingContext2D,
  ticks: readonly Moment[],
  view: StripView,
): void {
  const { from, to, width, height, palette } = view
  context.clearRect(0, 0, width, height)
  const xOf = (tick: number): number => ((tick - from) / Math.max(1, to - from)) * width
  drawGaps(context, gapsOf(ticks, from, to), { ...view, xOf })
  const barWidth = Math.min(BAR_PX_MAX, Math.max(1, xOf(from + stepOf(ticks)) - 0.5))
  const maxOf = (numberOf: (moment: Moment) => number) =>
    ticks.reduce((max, moment) => Math.max(max, numberOf(moment)), 1)
  const fillsMax = maxOf(({ fills }) => fills)
  const killsMax = maxOf(({ kills }) => kills)
  context.fillStyle = css(palette.accent, 0.35)
  for (const { tick, fills } of ticks) {
    const barHeight = (fills / fillsMax) * (height * 0.55)
    context.fillRect(xOf(tick), height - barHeight, barWidth, barHeight)
  }
  context.fillStyle = css(palette.bad)
  for (const { tick, kills } of ticks) {
    if (kills === 0) continue
    const barHeight = 4 + (kills / killsMax) * (height * 0.45)
    context.fillRect(xOf(tick), 0, Math.max(2, barWidth), barHeight)
  }
}

function drawGaps(
  context: CanvasRenderingContext2D,
  gaps: readonly (readonly [number, number])[],
  { height, palette, xOf }: StripView & { readonly xOf: (tick: number) => number },
): void {
  context.strokeStyle = css(palette.faint, 0.6)
  context.lineWidth = 1
  for (const [left, right] of gaps) {
    context.save()
    context.beginPath()
    context.rect(xOf(left), 0, xOf(right) - xOf(left), height)
    context.clip()
    context.beginPath()
    for (let x = xOf(left) - height; x < xOf(right); x += HATCH_PX) {
      context.moveTo(x, height)
      context.lineTo(x + height, 0)
    }
    context.stroke()
    context.restore()
  }
}
