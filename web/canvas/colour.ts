/**
 * Colours on canvases. Those of empires and factions can be anything, so for marks and lines their
 * lightness is adjusted until they stand out from the ground. Source: WEB 7.
 */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Parses "#rgb", "#rrggbb" or "rgb(…)"; anything else is grey. */
export function parseColour(text: string): Rgb {
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(text)
  if (long) return [1, 2, 3].map((part) => Number.parseInt(long[part], 16)) as unknown as Rgb
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)
  if (short) return [1, 2, 3].map((part) => Number.parseInt(short[part], 16) * 17) as unknown as Rgb
  const numbers = /^rgba?\((\d+)[, ]+(\d+)[, ]+(\d+)/.exec(text)
  return numbers ? [Number(numbers[1]), Number(numbers[2]), Number(numbers[3])] : [128, 128, 128]
}

/** Returns a colour in CSS notation. */
export const css = ([red, green, blue]: Rgb, opacity = 1): string =>
  opacity === 1 ? `rgb(${red} ${green} ${blue})` : `rgb(${red} ${green} ${blue} / ${opacity})`

const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** Returns the contrast ratio according to WCAG, from 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, index) => Math.round(part + (to[index] - part) * share)) as unknown as Rgb

const STEPS = 20

/** Returns the colour moved towards white or black until its contrast to `ground` is `ratio`. */
export function readable(colour: Rgb, ground: Rgb, ratio: number): Rgb {
  const end: Rgb = luminance(ground) < 0.18 ? [255, 255, 255] : [0, 0, 0]
  for (let step = 0; step < STEPS; step++) {
    const moved = mix(colour, end, step / STEPS)
    if (contrast(moved, ground) >= ratio) return moved
  }
  return end
}

function lab(colour: Rgb): Rgb {
  const [red, green, blue] = colour.map(linear)
  const x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
  const y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
  const [fx, fy, fz] = [x, y, z].map((part) =>
    part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116,
  )
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)]
}

/** Returns how different two colours look (CIE76 ΔE): below 12 they are easily confused. */
export function difference(one: Rgb, other: Rgb): number {
  const [a, b] = [lab(one), lab(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

const NAMES = ['ground', 'panel', 'line', 'text', 'muted', 'faint', 'accent', 'good', 'warn', 'bad']

export type Palette = Readonly<Record<string, Rgb>>

/** Reads the palette of the current theme from the style sheet. */
export function readPalette(): Palette {
  const probe = document.createElement('span')
  probe.hidden = true
  document.body.append(probe)
  const palette = Object.fromEntries(
    NAMES.map((name) => {
      probe.style.color = `var(--${name})`
      return [name, parseColour(getComputedStyle(probe).color)]
    }),
  )
  probe.remove()
  return palette
}
