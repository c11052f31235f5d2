/** Draws a chart of curves on logarithmic axes as SVG, without a library. */

export interface Curve {
  readonly name: string
  /** Index into the colours; curves of one subject have the same. */
  readonly color: number
  readonly dashed: boolean
  readonly points: readonly (readonly [x: number, y: number])[]
}

interface Chart {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  readonly curves: readonly Curve[]
}

const WIDTH = 820
const HEIGHT = 480
const LEFT = 70
const RIGHT = 240
const TOP = 40
const BOTTOM = 50
/** Colours that can be told apart with colour blindness, too. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#666666', '#e69f00']

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Returns the powers of ten that span the values. */
function decades(values: readonly number[]): [low: number, high: number] {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.ceil(Math.log10(Math.max(...values)))
  return [low, Math.max(high, low + 1)]
}

/** Returns a power of ten as text, with grouped digits: 1,000 or 0.01. */
const decadeName = (power: number): string =>
  power >= 0 ? (10 ** power).toLocaleString('en-US') : (10 ** power).toFixed(-power)

interface Axis {
  readonly low: number
  readonly high: number
  place(value: number): number
}

function axisOf(values: readonly number[], from: number, to: number): Axis {
  const [low, high] = decades(values)
  const place = (value: number): number =>
    from + ((Math.log10(value) - low) / (high - low)) * (to - from)
  return { low, high, place }
}

function grid(x: Axis, y: Axis): string[] {
  const lines: string[] = []
  const line = (x1: number, y1: number, x2: number, y2: number): string =>
    `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#ddd"/>`
  const [right, bottom] = [WIDTH - RIGHT, HEIGHT - BOTTOM]
  for (let power = x.low; power <= x.high; power++) {
    const lineX = Math.round(x.place(10 ** power))
    lines.push(line(lineX, TOP, lineX, bottom))
    lines.push(
      `<text x="${lineX}" y="${bottom + 18}" text-anchor="middle">${decadeName(power)}</text>`,
    )
  }
  for (let power = y.low; power <= y.high; power++) {
    const lineY = Math.round(y.place(10 ** power))
    lines.push(line(LEFT, lineY, right, lineY))
    lines.push(
      `<text x="${LEFT - 8}" y="${lineY + 4}" text-anchor="end">${decadeName(power)}</text>`,
    )
  }
  return lines
}

function drawn(curve: Curve, index: number, x: Axis, y: Axis): string[] {
  const color = COLORS[curve.color % COLORS.length]
  const style = `stroke="${color}"${curve.dashed ? ' stroke-dasharray="6 4"' : ''}`
  const points = curve.points.map(([a, b]) => [x.place(a).toFixed(1), y.place(b).toFixed(1)])
  const legendX = WIDTH - RIGHT + 16
  const legendY = TOP + 10 + index * 20
  return [
    `<polyline fill="none" stroke-width="2" ${style} points="${points.map((p) => p.join(',')).join(' ')}"/>`,
    ...points.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`),
    `<line x1="${legendX}" y1="${legendY}" x2="${legendX + 30}" y2="${legendY}" stroke-width="2" ${style}/>`,
    `<text x="${legendX + 38}" y="${legendY + 4}">${escaped(curve.name)}</text>`,
  ]
}

/** Draws a chart of curves as an SVG image. */
export function toSvg({ title, xLabel, yLabel, curves }: Chart): string {
  const points = curves.flatMap((curve) => curve.points)
  const [right, bottom] = [WIDTH - RIGHT, HEIGHT - BOTTOM]
  const x = axisOf(
    points.map(([value]) => value),
    LEFT,
    right,
  )
  const y = axisOf(
    points.map(([, value]) => value),
    bottom,
    TOP,
  )
  const middle = (TOP + bottom) / 2
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="22" font-size="15">${escaped(title)}</text>`,
    ...grid(x, y),
    ...curves.flatMap((curve, index) => drawn(curve, index, x, y)),
    `<text x="${(LEFT + right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escaped(xLabel)}</text>`,
    `<text transform="translate(16 ${middle}) rotate(-90)" text-anchor="middle">${escaped(yLabel)}</text>`,
    '</svg>',
    '',
  ].join('\n')
}
