/** Draws the parts of ticks as stacked bars on a canvas. */
import { ceilingOf, formatMs, type OpsTick, quantile, spansOf, totalOf } from '../ops-model.ts'

/** Room for the scale, in CSS pixels. */
const LEFT = 56
const TOP = 8
const BOTTOM = 18
const GRID_LINES = 4

interface Look {
  readonly text: string
  readonly line: string
  readonly mark: string
  /** Colours of the parts. */
  readonly parts: readonly string[]
}

/** Hues of the parts, in their order; adjacent ones differ strongly. */
const HUES = [210, 40, 330, 160, 20, 265, 95, 190, 350, 55, 225, 120, 290]

export const partColors = (isDark: boolean): readonly string[] =>
  HUES.map((hue, index) => `hsl(${hue} ${index % 2 === 0 ? 62 : 48}% ${isDark ? 62 : 42}%)`)

/** Returns the tick at a position on the canvas. */
export function tickAt(ticks: readonly OpsTick[], x: number, width: number): OpsTick | undefined {
  const step = (width - LEFT) / Math.max(ticks.length, 1)
  return ticks[Math.floor((x - LEFT) / step)]
}

interface Bars {
  readonly ticks: readonly OpsTick[]
  readonly chosen?: number
  readonly look: Look
}

/** Draws the bars over the whole canvas, sharp on dense screens. */
export function drawBars(canvas: HTMLCanvasElement, { ticks, chosen, look }: Bars): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const scale = Math.min(devicePixelRatio, 2)
  canvas.width = width * scale
  canvas.height = height * scale
  const pen = canvas.getContext('2d')
  if (!pen || ticks.length === 0) return
  pen.scale(scale, scale)
  const totals = ticks.map(totalOf)
  const ceiling = ceilingOf(totals)
  const floor = height - BOTTOM
  const y = (ms: number) => floor - (Math.min(ms, ceiling) / ceiling) * (floor - TOP)
  drawGrid(pen, { width, ceiling, y, look })
  const step = (width - LEFT) / ticks.length
  const bar = Math.max(1, step - (step > 4 ? 1 : 0))
  const tops = new Float64Array(ticks.length)
  // Drawn colour by colour, to change the fill style rarely.
  for (const [part, color] of look.parts.entries()) {
    pen.fillStyle = color
    for (const [index, tick] of ticks.entries()) {
      const ms = spansOf(tick)[part] ?? 0
      if (ms <= 0) continue
      const from = y(tops[index])
      tops[index] += ms
      const to = y(tops[index])
      pen.fillRect(LEFT + index * step, to, bar, from - to)
    }
  }
  pen.fillStyle = look.mark
  for (const [index, total] of totals.entries()) {
    // A bar that exceeds the chart gets a mark at its top.
    if (total > ceiling) pen.fillRect(LEFT + index * step, TOP - 4, Math.max(bar, 2), 3)
    if (ticks[index].tick === chosen)
      pen.fillRect(LEFT + index * step, floor + 2, Math.max(bar, 3), 3)
  }
  drawLine(pen, { width, y, ms: quantile(totals, 0.5), name: 'p50', look })
  drawLine(pen, { width, y, ms: quantile(totals, 0.99), name: 'p99', look })
}

interface GridProps {
  readonly width: number
  readonly ceiling: number
  readonly y: (ms: number) => number
  readonly look: Look
}

function drawGrid(pen: CanvasRenderingContext2D, { width, ceiling, y, look }: GridProps): void {
  pen.font = '11px ui-sans-serif, system-ui, sans-serif'
  pen.textAlign = 'right'
  pen.textBaseline = 'middle'
  for (let index = 0; index <= GRID_LINES; index++) {
    const ms = (ceiling * index) / GRID_LINES
    pen.fillStyle = look.line
    pen.fillRect(LEFT, Math.round(y(ms)), width - LEFT, 1)
    pen.fillStyle = look.text
    pen.fillText(formatMs(ms), LEFT - 6, y(ms))
  }
}

interface LineProps {
  readonly width: number
  readonly y: (ms: number) => number
  readonly ms: number
  readonly name: string
  readonly look: Look
}

function drawLine(pen: CanvasRenderingContext2D, { width, y, ms, name, look }: LineProps): void {
  pen.strokeStyle = look.mark
  pen.setLineDash(name === 'p99' ? [6, 3] : [2, 3])
  pen.beginPath()
  pen.moveTo(LEFT, y(ms))
  pen.lineTo(width, y(ms))
  pen.stroke()
  pen.setLineDash([])
  pen.textAlign = 'left'
  pen.textBaseline = 'bottom'
  pen.fillStyle = look.mark
  pen.fillText(name, LEFT + 4, y(ms) - 1)
}
