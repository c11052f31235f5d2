/** The lowest layer of the map: heat, territory and lanes. */
import { css, type Rgb, readable } from './colour.ts'
import type { Scene } from './scene.ts'
import type { Area } from './territory.ts'

const FILL_OPACITY = 0.1
const LANE_OPACITY = 0.25
const HATCH_PX = 7
const HEAT_REACH = 1.2
const TRAFFIC_STEPS = 3

const hatches = new Map<string, HTMLCanvasElement>()

/** Whether the lines of a hatching fall, by kind; the first is for contested systems alone. */
const SLOPES = [[false], [true], [false], [true, false]] as const

/** Returns a tile of lines, cached by colour, kind and opacity. */
function hatchOf(colour: Rgb, kind: number, opacity: number): HTMLCanvasElement {
  const name = `${colour} ${kind} ${opacity}`
  let tile = hatches.get(name)
  if (tile) return tile
  if (hatches.size > 64) hatches.clear()
  tile = document.createElement('canvas')
  tile.width = tile.height = HATCH_PX * 2
  const context = tile.getContext('2d') as CanvasRenderingContext2D
  context.strokeStyle = css(colour, opacity)
  context.lineWidth = 1.5
  const side = HATCH_PX * 2
  for (const isFalling of SLOPES[Math.min(kind, SLOPES.length - 1)]) {
    for (const shift of [-side, 0, side]) {
      context.moveTo(shift, isFalling ? 0 : side)
      context.lineTo(shift + side, isFalling ? side : 0)
    }
  }
  context.stroke()
  hatches.set(name, tile)
  return tile
}

function hatch(context: CanvasRenderingContext2D, scene: Scene, area: Area, path: Path2D): void {
  const tile = hatchOf(area.colour, area.hatchKind, path === area.contested ? 0.5 : 0.18)
  const pattern = context.createPattern(tile, 'repeat')
  if (!pattern) return
  const unit = 1 / (scene.camera.scale * 2)
  pattern.setTransform(new DOMMatrix([unit, 0, 0, unit, 0, 0]))
  context.fillStyle = pattern
  context.fill(path)
}

function drawAreas(context: CanvasRenderingContext2D, scene: Scene): void {
  const { palette, camera } = scene
  for (const area of scene.areas) {
    const mark = readable(area.colour, palette.ground, 3)
    context.fillStyle = css(area.colour, FILL_OPACITY)
    context.fill(area.fill)
    if (area.hatchKind > 0) hatch(context, scene, area, area.fill)
    hatch(context, scene, area, area.contested)
    // Clipped to the area, so that the borders of two neighbours are side by side.
    context.save()
    context.clip(area.fill)
    context.lineWidth = 2 / camera.scale
    context.strokeStyle = css(mark, 0.55)
    context.stroke(area.border)
    context.restore()
  }
}

function drawHeat(context: CanvasRenderingContext2D, { chart, heat, palette }: Scene): void {
  const radius = chart.reach * HEAT_REACH
  for (let system = 0; system < heat.length; system++) {
    if (heat[system] === 0) continue
    const x = chart.x[system]
    const y = chart.y[system]
    const field = context.createRadialGradient(x, y, 0, x, y, radius)
    const opacity = 0.08 + (0.26 * heat[system]) / 100
    field.addColorStop(0, css(palette.bad, opacity))
    field.addColorStop(1, css(palette.bad, 0))
    context.fillStyle = field
    context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
  }
}

/** Draws lanes in a few steps of brightness by traffic, one path per step. */
function drawLanes(context: CanvasRenderingContext2D, scene: Scene): void {
  const { chart, traffic, camera, palette } = scene
  context.lineWidth = 1 / camera.scale
  for (let step = 0; step <= TRAFFIC_STEPS; step++) {
    context.beginPath()
    for (let lane = 0; lane < traffic.length; lane++) {
      const ships = traffic[lane]
      const level = ships === 0 ? 0 : Math.min(TRAFFIC_STEPS, 1 + Math.floor(Math.log2(ships) / 2))
      if (level !== step) continue
      const from = chart.lanes[2 * lane]
      const to = chart.lanes[2 * lane + 1]
      context.moveTo(chart.x[from], chart.y[from])
      context.lineTo(chart.x[to], chart.y[to])
    }
    context.strokeStyle = css(palette.muted, LANE_OPACITY + step * 0.16)
    context.stroke()
  }
}

/** Draws the lowest layer: territory, heat and lanes. */
export function drawGround(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, shown } = scene
  context.save()
  context.translate(camera.width / 2, camera.height / 2)
  context.scale(camera.scale, camera.scale)
  context.translate(-camera.x, -camera.y)
  if (shown.has('territory')) drawAreas(context, scene)
  if (shown.has('heat')) drawHeat(context, scene)
  if (shown.has('lanes')) drawLanes(context, scene)
  context.restore()
}
