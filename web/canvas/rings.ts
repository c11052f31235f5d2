/**
 * Draws a moment of a battle: rings, sectors, lines of fire, and ships with arcs for hull and
 * shield. Sides differ in shape as well as colour, damage types in dashes. Source: WEB 4, 7.
 */
import { type FireLine, RINGS } from '../battle-model.ts'
import { type Layout, type Mark, markAt, RING_RADII, WRECK_TICKS } from '../rings-model.ts'
import type { Theme } from '../settings.ts'
import { INKS, type Ink, SIDE_COLORS } from './inks.ts'

export interface Scene {
  readonly layout: Layout
  /** The layout of the tick before. */
  readonly before?: Layout
  readonly lines: readonly FireLine[]
  readonly tick: number
  /** How far the moment is between the two layouts, from 0 to 1. */
  readonly share: number
  readonly theme: Theme
  readonly selected: string
  readonly hovered: string
  readonly nameOf: (id: string) => string
  readonly lostAt: (id: string) => number
  readonly sideName: (side: number) => string
}

/** Room around the rings for the names of the sides, in pixels. */
const MARGIN = 22
const NAMED_SHIPS_MAX = 24
const NAMED_WIDTH_MIN = 420
/** A ring is not labelled if a ship is this near, in units. */
const LABEL_ROOM = 0.14
const TURN = 2 * Math.PI
const TOP = -Math.PI / 2

/** Dashes of each damage type; others are drawn like kinetic. */
const DASHES: Readonly<Record<string, readonly number[]>> = {
  kinetic: [],
  energy: [14, 3],
  explosive: [7, 5],
  thermal: [3, 3],
  em: [9, 3, 2, 3],
  void: [2, 6],
}

export const dashOf = (type: string): readonly number[] => DASHES[type] ?? DASHES.kinetic

interface Pen {
  readonly c: CanvasRenderingContext2D
  readonly ink: Ink
  readonly scene: Scene
  /** Pixels per unit, and the middle of the canvas in pixels. */
  readonly unit: number
  readonly middle: number
}

const px = ({ unit, middle }: Pen, value: number): number => middle + value * unit

/** Returns the length of a unit of the layout, in pixels, on a canvas of this width. */
export const unitOf = (width: number): number => width / 2 - MARGIN

/** Traces the shape of a side; there are six different shapes. */
function tracePath(c: CanvasRenderingContext2D, side: number, x: number, y: number, r: number) {
  const kind = (side - 1) % 6
  c.beginPath()
  if (kind === 0) c.arc(x, y, r * 0.85, 0, TURN)
  else if (kind === 1) polygon(c, x, y, r, 3, TOP)
  else if (kind === 2) polygon(c, x, y, r, 4, TOP)
  else if (kind === 3) polygon(c, x, y, r, 4, TOP + Math.PI / 4)
  else if (kind === 4) polygon(c, x, y, r, 5, TOP)
  else polygon(c, x, y, r, 3, -TOP)
}

function polygon(
  c: CanvasRenderingContext2D,
  ...[x, y, r, corners, from]: [number, number, number, number, number]
): void {
  for (let index = 0; index < corners; index++) {
    const angle = from + (index * TURN) / corners
    const step = index === 0 ? 'moveTo' : 'lineTo'
    c[step](x + r * Math.cos(angle), y + r * Math.sin(angle))
  }
  c.closePath()
}

export const sideColor = (theme: Theme, side: number): string => {
  const colors = SIDE_COLORS[theme]
  return colors[(side - 1 + colors.length) % colors.length]
}

function drawGround(pen: Pen): void {
  const { c, ink, scene, unit, middle } = pen
  c.lineWidth = 1
  for (const [ring, radius] of RING_RADII.entries()) {
    c.strokeStyle = ink.line
    c.setLineDash(ring === 0 ? [] : [2, 4])
    c.beginPath()
    c.arc(middle, middle, radius * unit, 0, TURN)
    c.stroke()
  }
  c.setLineDash([])
  for (const { from } of scene.layout.sectors.length > 1 ? scene.layout.sectors : []) {
    const angle = from - 0.04
    c.strokeStyle = ink.line
    c.beginPath()
    c.moveTo(px(pen, 0.08 * Math.cos(angle)), px(pen, 0.08 * Math.sin(angle)))
    c.lineTo(px(pen, Math.cos(angle)), px(pen, Math.sin(angle)))
    c.stroke()
  }
}

/** Labels the sides around the rings, and the rings along a border if no ship is in the way. */
function drawNames(pen: Pen): void {
  const { c, ink, scene } = pen
  c.textBaseline = 'middle'
  c.textAlign = 'center'
  c.font = '600 12px ui-sans-serif, system-ui, sans-serif'
  for (const { side, from, to } of scene.layout.sectors) {
    const angle = (from + to) / 2
    c.fillStyle = sideColor(scene.theme, side)
    c.save()
    c.translate(px(pen, Math.cos(angle)), px(pen, Math.sin(angle)))
    // Along the rim, but never upside down.
    const isLow = Math.sin(angle) > 0.01
    c.rotate(angle + (isLow ? -Math.PI / 2 : Math.PI / 2))
    c.fillText(scene.sideName(side), 0, isLow ? 12 : -12)
    c.restore()
  }
  c.font = '400 12px ui-sans-serif, system-ui, sans-serif'
  c.fillStyle = ink.muted
  const border = scene.layout.sectors.length > 1 ? scene.layout.sectors[0].from : Math.PI / 2
  for (const [ring, name] of RINGS.entries()) {
    const x = RING_RADII[ring] * Math.cos(border - 0.04)
    const y = RING_RADII[ring] * Math.sin(border - 0.04)
    if (!markAt(scene.layout, x, y, LABEL_ROOM)) label(pen, name, px(pen, x), px(pen, y))
  }
}

/** Draws text on a strip of background, so that lines do not cross it. */
function label({ c, ink }: Pen, text: string, x: number, y: number): void {
  const width = c.measureText(text).width + 6
  const color = c.fillStyle
  c.fillStyle = ink.ground
  c.globalAlpha = 0.8
  c.fillRect(x - width / 2, y - 8, width, 16)
  c.globalAlpha = 1
  c.fillStyle = color
  c.fillText(text, x, y)
}

/** Returns where a mark is at the moment of the scene. */
function placeOf({ scene }: Pen, mark: Mark): readonly [number, number] {
  const was = scene.before?.byKey.get(mark.key)
  if (!was || scene.share >= 1) return [mark.x, mark.y]
  const share = scene.share * scene.share * (3 - 2 * scene.share)
  return [was.x + (mark.x - was.x) * share, was.y + (mark.y - was.y) * share]
}

type Places = ReadonlyMap<string, readonly [number, number]>

function drawLines(pen: Pen, places: Places): void {
  const { c, ink, scene } = pen
  const fade = 1 - 0.55 * scene.share
  for (const line of scene.lines) {
    const from = scene.layout.markOf.get(line.from)
    const to = scene.layout.markOf.get(line.to)
    const start = from && places.get(from.key)
    const end = to && places.get(to.key)
    if (!start || !end) continue
    const isChosen = scene.selected === line.from || scene.selected === line.to
    const isDimmed = scene.selected !== '' && !isChosen
    c.globalAlpha = (line.hit ? fade : fade * 0.35) * (isDimmed ? 0.3 : 1)
    c.strokeStyle = ink.damage[line.type] ?? ink.text
    c.lineWidth = line.killed ? 2.5 : line.hit ? 1.4 : 0.8
    c.setLineDash([...dashOf(line.type)])
    // A miss passes its target.
    const past = line.hit ? 0.97 : 1.12
    c.beginPath()
    c.moveTo(px(pen, start[0]), px(pen, start[1]))
    c.lineTo(
      px(pen, start[0] + (end[0] - start[0]) * past),
      px(pen, start[1] + (end[1] - start[1]) * past),
    )
    c.stroke()
  }
  c.setLineDash([])
  c.globalAlpha = 1
}

function arc({ c }: Pen, at: readonly [number, number], radius: number, share: number): void {
  if (share <= 0) return
  c.beginPath()
  c.arc(at[0], at[1], radius, TOP, TOP + TURN * share)
  c.stroke()
}

function drawWreck(pen: Pen, mark: Mark, at: readonly [number, number], r: number): void {
  const { c, ink, scene } = pen
  const age = scene.tick - scene.lostAt(mark.ids[0])
  c.globalAlpha = Math.max(0.25, 1 - age / WRECK_TICKS)
  c.strokeStyle = ink.bad
  c.lineWidth = 2
  c.beginPath()
  c.moveTo(at[0] - r, at[1] - r)
  c.lineTo(at[0] + r, at[1] + r)
  c.moveTo(at[0] + r, at[1] - r)
  c.lineTo(at[0] - r, at[1] + r)
  c.stroke()
  c.globalAlpha = 1
}

function drawShip(pen: Pen, mark: Mark, place: readonly [number, number]): void {
  const { c, ink, scene, unit } = pen
  const isGroup = mark.count > 1
  const r = Math.max(4, scene.layout.size * unit) * (isGroup ? 1.8 : 1)
  const at = [px(pen, place[0]), px(pen, place[1])] as const
  if (mark.isWreck) {
    drawWreck(pen, mark, at, r * 0.7)
    return
  }
  c.fillStyle = ink.ground
  c.beginPath()
  c.arc(at[0], at[1], r * 1.25, 0, TURN)
  c.fill()
  c.lineWidth = Math.max(1.5, r * 0.16)
  c.strokeStyle = ink.line
  arc(pen, at, r * 0.95, 1)
  c.strokeStyle = mark.hull > 0.5 ? ink.good : mark.hull > 0.25 ? ink.warn : ink.bad
  arc(pen, at, r * 0.95, mark.hull)
  c.strokeStyle = ink.accent
  arc(pen, at, r * 1.25, mark.shield)
  c.fillStyle = sideColor(scene.theme, mark.side)
  tracePath(c, mark.side, at[0], at[1], r * 0.55)
  c.fill()
  if (mark.ids.includes(scene.selected)) {
    c.strokeStyle = ink.focus
    c.lineWidth = 2
    arc(pen, at, r * 1.6, 1)
  }
  if (isGroup) {
    c.fillStyle = ink.text
    label(pen, `${mark.count} ${mark.shipClass}`, at[0], at[1] + r * 1.25 + 10)
  }
}

/** Draws ship names as far as there is room; the selected and the hovered ship always have one. */
function drawShipNames(pen: Pen, places: Places, width: number): void {
  const { c, ink, scene, unit } = pen
  const isFew = scene.layout.marks.length <= NAMED_SHIPS_MAX && width >= NAMED_WIDTH_MIN
  const isHighlighted = ({ ids }: Mark) =>
    ids.includes(scene.selected) || ids.includes(scene.hovered)
  const singles = scene.layout.marks.filter(({ count }) => count === 1)
  const wanted = singles.filter((mark) => isFew || isHighlighted(mark))
  wanted.sort((a, b) => Number(isHighlighted(b)) - Number(isHighlighted(a)))
  const taken: (readonly [number, number, number])[] = []
  c.font = '400 12px ui-sans-serif, system-ui, sans-serif'
  c.textAlign = 'center'
  for (const mark of wanted) {
    const place = places.get(mark.key) ?? [mark.x, mark.y]
    const text = shortened(scene.nameOf(mark.ids[0]))
    const half = c.measureText(text).width / 2 + 3
    const x = Math.max(half, Math.min(width - half, px(pen, place[0])))
    const y = px(pen, place[1]) + Math.max(4, scene.layout.size * unit) * 1.3 + 9
    const isBlocked = taken.some(
      ([ox, oy, oh]) => Math.abs(ox - x) < oh + half && Math.abs(oy - y) < 14,
    )
    if (isBlocked && !isHighlighted(mark)) continue
    taken.push([x, y, half])
    c.fillStyle = isHighlighted(mark) ? ink.text : ink.muted
    label(pen, text, x, y)
  }
}

const NAME_LETTERS_MAX = 22
const shortened = (name: string): string =>
  [...name].length > NAME_LETTERS_MAX ? `${[...name].slice(0, NAME_LETTERS_MAX).join('')}…` : name

/** Draws a scene on a square of `width` CSS pixels. */
export function drawRings(c: CanvasRenderingContext2D, width: number, scene: Scene): void {
  const ink = INKS[scene.theme]
  const pen: Pen = { c, ink, scene, unit: unitOf(width), middle: width / 2 }
  c.clearRect(0, 0, width, width)
  drawGround(pen)
  drawNames(pen)
  const places = new Map(scene.layout.marks.map((mark) => [mark.key, placeOf(pen, mark)]))
  drawLines(pen, places)
  drawShipNames(pen, places, width)
  for (const mark of scene.layout.marks) drawShip(pen, mark, places.get(mark.key) ?? [0, 0])
}
