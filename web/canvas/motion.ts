/** The top layer of the map, drawn in every frame: ships in flight, and pulses at battles. */
import { screenX, screenY } from './camera.ts'
import { css } from './colour.ts'
import type { FlightView } from './flights.ts'
import type { Scene } from './scene.ts'

const PULSE_MS = 1_800
const PULSE_PX = 18
const PULSE_FROM_PX = 6

interface Frame {
  /** The current moment in ticks. */
  readonly now: number
  /** The time for pulses, which do not depend on ticks. */
  readonly nowMs: number
}

function drawBattles(context: CanvasRenderingContext2D, scene: Scene, nowMs: number): void {
  const { battles, camera, chart, palette } = scene
  const share = scene.isCalm ? 0.4 : (nowMs % PULSE_MS) / PULSE_MS
  const radius = PULSE_FROM_PX + (PULSE_PX - PULSE_FROM_PX) * share
  context.beginPath()
  for (let system = 0; system < battles.length; system++) {
    if (battles[system] === 0) continue
    const x = screenX(camera, chart.x[system])
    const y = screenY(camera, chart.y[system])
    context.moveTo(x + radius, y)
    context.arc(x, y, radius, 0, 2 * Math.PI)
    // Four strokes make a battle different from a ring even without colour.
    for (let quarter = 0; quarter < 4; quarter++) {
      const toX = quarter & 1 ? 1 : -1
      const toY = quarter & 2 ? 1 : -1
      context.moveTo(x + 5 * toX, y + 5 * toY)
      context.lineTo(x + 9 * toX, y + 9 * toY)
    }
  }
  context.lineWidth = 2
  context.strokeStyle = css(palette.bad, scene.isCalm ? 1 : 1 - share * 0.8)
  context.stroke()
}

const view: { -readonly [Key in keyof FlightView]: FlightView[Key] } = {
  scale: 1,
  dx: 0,
  dy: 0,
  width: 0,
  height: 0,
  areNumbersShown: true,
}

/** Draws the top layer, in each animation frame: flights and battles. */
export function drawMotion(context: CanvasRenderingContext2D, scene: Scene, frame: Frame): void {
  const { camera, palette, shown } = scene
  if (shown.has('flights')) {
    view.scale = camera.scale
    view.dx = camera.width / 2 - camera.x * camera.scale
    view.dy = camera.height / 2 - camera.y * camera.scale
    view.width = camera.width
    view.height = camera.height
    context.fillStyle = css(palette.accent)
    scene.flights.draw(context, scene.isCalm ? Math.floor(frame.now) : frame.now, view)
  }
  if (shown.has('battles')) drawBattles(context, scene, frame.nowMs)
}
