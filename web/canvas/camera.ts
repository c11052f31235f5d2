/** The camera of a canvas: the middle of the view in world units, and the scale. */

export interface Camera {
  x: number
  y: number
  /** Pixels per world unit. */
  scale: number
  /** The scale at which everything is in view. */
  fitScale: number
  width: number
  height: number
  centre: readonly [x: number, y: number]
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const PADDING_PX = 28
const ZOOM_MIN = 0.6
const ZOOM_MAX = 24

export const newCamera = (): Camera => ({
  x: 0,
  y: 0,
  scale: 1,
  fitScale: 1,
  width: 1,
  height: 1,
  centre: [0, 0],
})

export const screenX = (camera: Camera, x: number): number =>
  (x - camera.x) * camera.scale + camera.width / 2
export const screenY = (camera: Camera, y: number): number =>
  (y - camera.y) * camera.scale + camera.height / 2
export const worldX = (camera: Camera, x: number): number =>
  (x - camera.width / 2) / camera.scale + camera.x
export const worldY = (camera: Camera, y: number): number =>
  (y - camera.height / 2) / camera.scale + camera.y

/** Returns the zoom of a camera; 1 shows the whole map. */
export const zoomOf = (camera: Camera): number => camera.scale / camera.fitScale

/** Sets the size of the canvas; middle and zoom of the view stay the same. */
export function resize(camera: Camera, width: number, height: number, box: Box): void {
  const zoom = zoomOf(camera)
  camera.width = Math.max(1, width)
  camera.height = Math.max(1, height)
  const room = (side: number): number => Math.max(40, side - 2 * PADDING_PX)
  camera.fitScale = Math.min(
    room(camera.width) / Math.max(1, box.right - box.left),
    room(camera.height) / Math.max(1, box.bottom - box.top),
  )
  camera.scale = zoom * camera.fitScale
  camera.centre = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
}

/** Shows the whole world. */
export function fit(camera: Camera): void {
  camera.x = camera.centre[0]
  camera.y = camera.centre[1]
  camera.scale = camera.fitScale
}

/** Centres a camera on a point of the map, at a zoom within the limits. */
export function lookAt(camera: Camera, x: number, y: number, zoom = zoomOf(camera)): void {
  camera.x = x
  camera.y = y
  camera.scale = camera.fitScale * Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom))
}

/** Zooms by a factor; what is at this point of the screen stays there. */
export function zoomBy(camera: Camera, factor: number, atX: number, atY: number): void {
  const x = worldX(camera, atX)
  const y = worldY(camera, atY)
  lookAt(camera, camera.x, camera.y, zoomOf(camera) * factor)
  camera.x = x - (atX - camera.width / 2) / camera.scale
  camera.y = y - (atY - camera.height / 2) / camera.scale
}

export function panBy(camera: Camera, byX: number, byY: number): void {
  camera.x -= byX / camera.scale
  camera.y -= byY / camera.scale
}

/** Returns the camera as `x,y,zoom` for the address; undefined if the whole world is in view. */
export function writeAt(camera: Camera): string | undefined {
  const isFit =
    Math.abs(zoomOf(camera) - 1) < 0.01 &&
    Math.hypot(camera.x - camera.centre[0], camera.y - camera.centre[1]) < 1
  return isFit
    ? undefined
    : `${Math.round(camera.x)},${Math.round(camera.y)},${zoomOf(camera).toFixed(2)}`
}

/** Sets the camera from an address; returns false if the address has none. */
export function readAt(camera: Camera, text: string | undefined): boolean {
  const [x, y, zoom] = (text ?? '').split(',').map(Number)
  if (![x, y, zoom].every(Number.isFinite) || !text) return false
  lookAt(camera, x, y, zoom)
  return true
}
