/** The middle layer of the map: systems and their names. */
import { formatId } from '../parts/format.ts'
import { screenX, screenY, zoomOf } from './camera.ts'
import { css, readable } from './colour.ts'
import type { Scene } from './scene.ts'

const LABEL_PX = 12
const LABEL_GAP_PX = 4
const CELL_PX = 8
/** The zoom at which names appear, by rank: homes and strongholds, stations, the rest. */
const RANK_ZOOMS = [0, 1.6, 3.2] as const
const HALO_PX = 4
const HOLDER_PX = 15
/** Offsets from the middle of an area at which its name may be drawn. */
const HOLDER_SHIFTS_PX = [0, -24, 24, -48]
const HOLDERS_ZOOM_MAX = 2
const HOLDER_SYSTEMS_MIN = 8
const LABELS_MAX = 400

const rankOf = ({ chart, stations }: Scene, system: number): 0 | 1 | 2 => {
  const { is_home, is_stronghold } = chart.systems[system]
  return is_home || is_stronghold ? 0 : stations[system] ? 1 : 2
}

/** Returns half the width of the mark of a system, by its rank and the zoom. */
function sizeOf(scene: Scene, system: number): number {
  const zoom = Math.min(1.7, 0.75 + zoomOf(scene.camera) * 0.18)
  return [4, 2.9, 1.8][rankOf(scene, system)] * zoom
}

const isSafe = ({ chart }: Scene, system: number): boolean => chart.systems[system].police_level > 0

function addMark(
  context: CanvasRenderingContext2D,
  scene: Scene,
  ...[system, x, y]: [system: number, x: number, y: number]
): void {
  const size = sizeOf(scene, system)
  if (scene.stations[system]) context.rect(x - size, y - size, 2 * size, 2 * size)
  else {
    context.moveTo(x + size, y)
    context.arc(x, y, size, 0, 2 * Math.PI)
  }
}

/**
 * Draws the systems: those with police filled, lawless ones as rings, so that they do not differ in
 * colour only.
 */
function drawSystems(context: CanvasRenderingContext2D, scene: Scene): void {
  const { chart, camera, palette } = scene
  for (const safe of [true, false]) {
    context.beginPath()
    for (let system = 0; system < chart.systems.length; system++) {
      if (isSafe(scene, system) !== safe) continue
      const x = screenX(camera, chart.x[system])
      const y = screenY(camera, chart.y[system])
      if (x < -9 || y < -9 || x > camera.width + 9 || y > camera.height + 9) continue
      addMark(context, scene, system, x, y)
    }
    context.fillStyle = css(safe ? palette.text : palette.ground)
    context.fill()
    if (safe) continue
    context.lineWidth = 1.2
    context.strokeStyle = css(palette.muted)
    context.stroke()
  }
  context.beginPath()
  for (let system = 0; system < chart.systems.length; system++) {
    if (!chart.systems[system].is_stronghold) continue
    const x = screenX(camera, chart.x[system])
    const y = screenY(camera, chart.y[system])
    const radius = sizeOf(scene, system) + 4
    context.moveTo(x + radius, y)
    context.arc(x, y, radius, 0, 2 * Math.PI)
  }
  context.lineWidth = 1.2
  context.strokeStyle = css(palette.warn)
  context.stroke()
}

/** Highlights the hovered and the selected system. */
function drawChosen(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, chart, palette } = scene
  for (const [system, colour] of [
    [scene.hovered, palette.text],
    [scene.selected, palette.accent],
  ] as const) {
    if (system < 0) continue
    context.beginPath()
    const radius = sizeOf(scene, system) + 6
    context.arc(
      screenX(camera, chart.x[system]),
      screenY(camera, chart.y[system]),
      radius,
      0,
      2 * Math.PI,
    )
    context.lineWidth = 2
    context.strokeStyle = css(colour)
    context.stroke()
  }
}

interface Grid {
  readonly columns: number
  readonly taken: Uint8Array
}

function takeRoom({ columns, taken }: Grid, ...box: [number, number, number, number]): boolean {
  const [left, top, right, bottom] = box.map((side) => Math.floor(side / CELL_PX) + 4)
  const rows = taken.length / columns
  if (left < 0 || top < 0 || right >= columns || bottom >= rows) return false
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++)
      if (taken[row * columns + column]) return false
  for (let row = top; row <= bottom; row++)
    taken.fill(1, row * columns + left, row * columns + right + 1)
  return true
}

const widths = new Map<string, number>()

function widthOf(context: CanvasRenderingContext2D, text: string): number {
  let width = widths.get(text)
  if (width === undefined) {
    if (widths.size > 2_000) widths.clear()
    width = context.measureText(text).width
    widths.set(text, width)
  }
  return width
}

const isChosen = ({ selected, hovered }: Scene, system: number): boolean =>
  system === selected || system === hovered

/** The least weight of a home; systems below it are labelled after the areas. */
const HOME_WEIGHT = 3e5

/** Returns the priority of a name: highlighted, with a battle, by rank, by players online. */
function weightOf(scene: Scene, system: number): number {
  if (isChosen(scene, system)) return 2e6
  const battle = scene.battles[system] > 0 ? 1e6 : 0
  return battle + (3 - rankOf(scene, system)) * 1e5 + Math.min(scene.online[system], 9e4)
}

function byPriority(scene: Scene): number[] {
  const zoom = zoomOf(scene.camera)
  const shown: number[] = []
  for (let system = 0; system < scene.chart.systems.length; system++) {
    const isFought = scene.battles[system] > 0 && zoom > 0.8
    const isShown = isFought || zoom >= RANK_ZOOMS[rankOf(scene, system)]
    if (isShown || isChosen(scene, system)) shown.push(system)
  }
  return shown.sort((a, b) => weightOf(scene, b) - weightOf(scene, a) || a - b)
}

/** Draws the names of large areas when zoomed out. */
function drawHolders(context: CanvasRenderingContext2D, scene: Scene, grid: Grid): void {
  const { camera, palette } = scene
  if (!scene.shown.has('territory') || zoomOf(camera) > HOLDERS_ZOOM_MAX) return
  context.textAlign = 'center'
  context.font = `600 ${HOLDER_PX}px ui-sans-serif, system-ui, sans-serif`
  for (const area of scene.areas) {
    if (area.systems < HOLDER_SYSTEMS_MIN) continue
    const x = screenX(camera, area.x)
    const name = formatId(area.name)
    const half = context.measureText(name).width / 2 + 4
    const middle = screenY(camera, area.y)
    const y = HOLDER_SHIFTS_PX.map((shift) => middle + shift).find((at) =>
      takeRoom(grid, x - half, at - 9, x + half, at + 9),
    )
    if (y === undefined) continue
    context.strokeText(name, x, y)
    context.fillStyle = css(readable(area.colour, palette.ground, 4.5))
    context.fillText(name, x, y)
  }
  context.textAlign = 'left'
}

function drawNames(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, palette } = scene
  const columns = Math.ceil(camera.width / CELL_PX) + 8
  const rows = Math.ceil(camera.height / CELL_PX) + 8
  const grid: Grid = { columns, taken: new Uint8Array(columns * rows) }
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = HALO_PX
  context.strokeStyle = css(palette.ground)
  const font = `${LABEL_PX}px ui-sans-serif, system-ui, sans-serif`
  context.font = font
  const names = byPriority(scene)
  // Areas are labelled before the less important systems in them.
  const firstLesser = names.findIndex((system) => weightOf(scene, system) < HOME_WEIGHT)
  const count = Math.min(LABELS_MAX, names.length)
  for (let index = 0; index < count; index++) {
    if (index === firstLesser) {
      drawHolders(context, scene, grid)
      context.font = font
    }
    drawName(context, scene, grid, names[index])
  }
  if (firstLesser < 0) drawHolders(context, scene, grid)
}

function drawName(
  context: CanvasRenderingContext2D,
  scene: Scene,
  grid: Grid,
  system: number,
): void {
  const { camera, chart, palette } = scene
  const x = screenX(camera, chart.x[system])
  const y = screenY(camera, chart.y[system])
  if (x < 0 || y < 0 || x > camera.width || y > camera.height) return
  const { name } = chart.systems[system]
  const width = widthOf(context, name)
  const online = scene.online[system] > 0 ? String(scene.online[system]) : ''
  const whole = width + (online ? LABEL_GAP_PX + widthOf(context, online) : 0)
  const left = x + sizeOf(scene, system) + LABEL_GAP_PX
  const isFree = takeRoom(grid, left - 2, y - 7, left + whole + 2, y + 7)
  if (!isFree && !isChosen(scene, system)) return
  context.strokeText(name, left, y)
  context.fillStyle = css(scene.battles[system] > 0 ? palette.bad : palette.text)
  context.fillText(name, left, y)
  if (!online) return
  context.strokeText(online, left + width + LABEL_GAP_PX, y)
  context.fillStyle = css(palette.muted)
  context.fillText(online, left + width + LABEL_GAP_PX, y)
}

/** Draws the middle layer: systems, names and the chosen system. */
export function drawMarks(context: CanvasRenderingContext2D, scene: Scene): void {
  drawSystems(context, scene)
  if (scene.shown.has('names')) drawNames(context, scene)
  drawChosen(context, scene)
}
