/** Handles mouse, pen and touch on a canvas: drag, pinch and wheel move its camera. */
import { type Camera, panBy, zoomBy } from './camera.ts'

interface PointerTarget {
  readonly camera: Camera
  moved(): void
  /** Called for a tap or click; touch needs a larger reach. */
  tapped(x: number, y: number, isTouch: boolean): void
  /** Called for a double click; returns whether it was handled, else it zooms. */
  opened(x: number, y: number): boolean
  /** Called when the pointer moves; undefined: it has left. */
  hovered(at: readonly [x: number, y: number] | undefined): void
}

const WHEEL_ZOOM = 0.0016
const TAP_PX_MAX = 6
const DOUBLE_ZOOM = 2

type Point = readonly [x: number, y: number]

/** Listens on an element; returns a function that stops. */
export function watchPointer(element: HTMLElement, target: PointerTarget): () => void {
  const down = new Map<number, Point>()
  let travelled = 0
  const pointOf = (event: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect()
    return [event.clientX - left, event.clientY - top]
  }
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return
    if (down.size === 0) travelled = 0
    element.setPointerCapture(event.pointerId)
    down.set(event.pointerId, pointOf(event))
  }
  const move = (event: PointerEvent) => {
    const now = pointOf(event)
    const before = down.get(event.pointerId)
    if (!before) {
      if (event.pointerType !== 'touch') target.hovered(now)
      return
    }
    travelled += Math.hypot(now[0] - before[0], now[1] - before[1])
    if (down.size === 2) pinch(target.camera, event.pointerId, down, now)
    else if (travelled > TAP_PX_MAX) panBy(target.camera, now[0] - before[0], now[1] - before[1])
    down.set(event.pointerId, now)
    if (travelled > TAP_PX_MAX) target.moved()
  }
  const release = (event: PointerEvent) => {
    const at = down.get(event.pointerId)
    if (!at || !down.delete(event.pointerId)) return
    const isTap = event.type === 'pointerup' && down.size === 0 && travelled <= TAP_PX_MAX
    if (isTap) target.tapped(at[0], at[1], event.pointerType === 'touch')
  }
  const turn = (event: WheelEvent) => {
    event.preventDefault()
    const lines = event.deltaMode === 1 ? 20 : 1
    const by = Math.max(-240, Math.min(240, event.deltaY * lines))
    const [x, y] = pointOf(event)
    zoomBy(target.camera, Math.exp(-by * WHEEL_ZOOM), x, y)
    target.moved()
  }
  const double = (event: MouseEvent) => {
    const [x, y] = pointOf(event)
    if (target.opened(x, y)) return
    zoomBy(target.camera, DOUBLE_ZOOM, x, y)
    target.moved()
  }
  const controller = new AbortController()
  const { signal } = controller
  element.addEventListener('pointerdown', press, { signal })
  element.addEventListener('pointermove', move, { signal })
  element.addEventListener('pointerup', release, { signal })
  element.addEventListener('pointercancel', release, { signal })
  element.addEventListener('pointerleave', () => target.hovered(undefined), { signal })
  element.addEventListener('wheel', turn, { passive: false, signal })
  element.addEventListener('dblclick', double, { signal })
  return () => controller.abort()
}

/** Pans and zooms with two fingers, so that the world stays under both of them. */
function pinch(camera: Camera, moving: number, down: Map<number, Point>, now: Point): void {
  const before = down.get(moving) as Point
  const [, still] = [...down].find(([id]) => id !== moving) as [number, Point]
  const spanBefore = Math.hypot(before[0] - still[0], before[1] - still[1])
  const spanNow = Math.hypot(now[0] - still[0], now[1] - still[1])
  if (spanBefore < 8 || spanNow < 8) return
  panBy(camera, (now[0] - before[0]) / 2, (now[1] - before[1]) / 2)
  zoomBy(camera, spanNow / spanBefore, (now[0] + still[0]) / 2, (now[1] + still[1]) / 2)
}
