/**
 * Three stacked canvases: ground and marks are redrawn after changes, motion in every frame. A
 * hidden tab draws nothing.
 */
import { resize } from './camera.ts'
import { drawGround } from './ground.ts'
import { drawMarks } from './marks.ts'
import { drawMotion } from './motion.ts'
import type { Scene } from './scene.ts'

const DENSITY_MAX = 2
/** While the camera moves, the ground is redrawn only if that takes less than this. */
const GROUND_MS_MAX = 7
const REST_MS = 120

interface Layer {
  readonly canvas: HTMLCanvasElement
  readonly context: CanvasRenderingContext2D
}

interface BoardOptions {
  readonly scene: Scene
  momentNow(): number
  /** Called when the size has changed, so that the camera can be set. */
  sized(): void
}

export interface Board {
  /** Redraws everything, or all but the ground. */
  redraw(what: 'all' | 'marks'): void
  /** Redraws after the camera has moved. */
  moved(): void
  /** Redraws after the extent of the world has changed. */
  resize(): void
  close(): void
}

const density = (): number => Math.min(DENSITY_MAX, devicePixelRatio || 1)

function begin({ canvas, context }: Layer): void {
  const unit = density()
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.setTransform(unit, 0, 0, unit, 0, 0)
}

function sizeLayers(host: HTMLElement, layers: readonly Layer[], scene: Scene): void {
  const { clientWidth, clientHeight } = host
  const unit = density()
  for (const { canvas } of layers) {
    canvas.width = Math.round(clientWidth * unit)
    canvas.height = Math.round(clientHeight * unit)
  }
  resize(scene.camera, clientWidth, clientHeight, scene.chart.box)
}

/** Returns whether the density has changed since the layers were sized: no observer tells. */
const isMissized = (host: HTMLElement, { canvas }: Layer): boolean =>
  canvas.width !== Math.round(host.clientWidth * density())

/** Starts to draw a scene on the canvases of the host element. */
export function openBoard(host: HTMLElement, options: BoardOptions): Board {
  const { scene } = options
  const layers = [...host.querySelectorAll('canvas')].map((canvas) => ({
    canvas,
    context: canvas.getContext('2d') as CanvasRenderingContext2D,
  }))
  const [ground, marks, motion] = layers
  const drawn = { x: 0, y: 0, scale: 1 }
  let isGroundOld = true
  let areMarksOld = true
  let groundMs = 0
  let movedMs = 0
  let frame = 0

  const paintGround = () => {
    const startMs = performance.now()
    begin(ground)
    drawGround(ground.context, scene)
    groundMs = performance.now() - startMs
    isGroundOld = false
    ground.canvas.style.transform = ''
    Object.assign(drawn, { x: scene.camera.x, y: scene.camera.y, scale: scene.camera.scale })
  }
  /** Shifts and scales the last picture to follow the camera. */
  const shiftGround = () => {
    const { camera } = scene
    const x = (drawn.x - camera.x) * camera.scale
    const y = (drawn.y - camera.y) * camera.scale
    ground.canvas.style.transform = `translate(${x}px, ${y}px) scale(${camera.scale / drawn.scale})`
  }
  const paint = (nowMs: number) => {
    frame = requestAnimationFrame(paint)
    if (document.hidden) return
    if (isMissized(host, ground)) size()
    if (isGroundOld) {
      if (nowMs - movedMs > REST_MS || groundMs < GROUND_MS_MAX) paintGround()
      else shiftGround()
    }
    if (areMarksOld) {
      begin(marks)
      drawMarks(marks.context, scene)
      areMarksOld = false
    }
    begin(motion)
    drawMotion(motion.context, scene, { now: options.momentNow(), nowMs })
  }
  const size = () => {
    sizeLayers(host, layers, scene)
    options.sized()
    isGroundOld = areMarksOld = true
  }
  const watch = new ResizeObserver(size)
  watch.observe(host)
  frame = requestAnimationFrame(paint)
  return {
    redraw: (what) => {
      areMarksOld = true
      if (what === 'all') isGroundOld = true
    },
    moved: () => {
      movedMs = performance.now()
      isGroundOld = areMarksOld = true
    },
    resize: size,
    close: () => {
      cancelAnimationFrame(frame)
      watch.disconnect()
    },
  }
}
