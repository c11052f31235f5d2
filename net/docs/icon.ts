/** The icon of the pages: a sun and two planets on their orbits, drawn from one list of shapes. */

/** Side of the drawing. */
const SIDE = 32

interface Disc {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly colour: string
  /** Line width of an orbit; absent: the disc is filled. */
  readonly line?: number
}

/** Later discs cover earlier ones. */
const DISCS: readonly Disc[] = [
  { x: 16, y: 16, radius: 8, colour: '#7d8bb0', line: 1.2 },
  { x: 16, y: 16, radius: 14, colour: '#7d8bb0', line: 1.2 },
  { x: 16, y: 16, radius: 4.5, colour: '#f2b134' },
  { x: 21.7, y: 10.3, radius: 2.2, colour: '#4f9dde' },
  { x: 4.4, y: 23.8, radius: 2.8, colour: '#d9694a' },
]

const circle = ({ x, y, radius, colour, line }: Disc): string => {
  const paint = line ? `fill="none" stroke="${colour}" stroke-width="${line}"` : `fill="${colour}"`
  return `<circle cx="${x}" cy="${y}" r="${radius}" ${paint}/>`
}

export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}">${DISCS.map(circle).join('')}</svg>\n`

/** Returns the share of a pixel that a disc covers, 0 to 1, from the distance of its centre. */
function coverage({ x, y, radius, line }: Disc, column: number, row: number): number {
  const distance = Math.hypot(column + 0.5 - x, row + 0.5 - y)
  const inside = line ? line / 2 - Math.abs(distance - radius) : radius - distance
  return Math.min(1, Math.max(0, inside + 0.5))
}

const FILE_HEADER_BYTES = 22
const BITMAP_HEADER_BYTES = 40
const PIXEL_BYTES = 4
/** One bit per pixel; all are zero, as transparency is in the pixels. */
const MASK_BYTES = (SIDE * SIDE) / 8

/** Paints the discs on a transparent background, as blue, green, red and alpha. */
function paintPixel(pixels: Buffer, offset: number, column: number, row: number): void {
  for (const disc of DISCS) {
    const share = coverage(disc, column, row)
    if (share === 0) continue
    const under = pixels[offset + 3] / 255
    const opacity = share + under * (1 - share)
    for (const channel of [0, 1, 2]) {
      const colour = Number.parseInt(disc.colour.slice(5 - 2 * channel, 7 - 2 * channel), 16)
      const mixed = colour * share + pixels[offset + channel] * under * (1 - share)
      pixels[offset + channel] = Math.round(mixed / opacity)
    }
    pixels[offset + 3] = Math.round(opacity * 255)
  }
}

/** Returns the icon as an ICO file with one bitmap, for browsers that request /favicon.ico. */
export function iconFile(): Buffer {
  const pixelBytes = SIDE * SIDE * PIXEL_BYTES
  const imageBytes = BITMAP_HEADER_BYTES + pixelBytes + MASK_BYTES
  const file = Buffer.alloc(FILE_HEADER_BYTES + imageBytes)
  file.writeUInt16LE(1, 2)
  file.writeUInt16LE(1, 4)
  file.writeUInt8(SIDE, 6)
  file.writeUInt8(SIDE, 7)
  file.writeUInt16LE(1, 10)
  file.writeUInt16LE(PIXEL_BYTES * 8, 12)
  file.writeUInt32LE(imageBytes, 14)
  file.writeUInt32LE(FILE_HEADER_BYTES, 18)
  const header = file.subarray(FILE_HEADER_BYTES)
  header.writeUInt32LE(BITMAP_HEADER_BYTES, 0)
  header.writeInt32LE(SIDE, 4)
  // The height includes the mask.
  header.writeInt32LE(SIDE * 2, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(PIXEL_BYTES * 8, 14)
  const pixels = header.subarray(BITMAP_HEADER_BYTES)
  for (let row = 0; row < SIDE; row++) {
    // Rows go from the bottom up.
    const start = (SIDE - 1 - row) * SIDE
    for (let column = 0; column < SIDE; column++)
      paintPixel(pixels, (start + column) * PIXEL_BYTES, column, row)
  }
  return file
}
