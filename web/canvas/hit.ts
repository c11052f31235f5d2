/** Finds the system under a point of the map. */
import { screenX, screenY, worldX, worldY } from './camera.ts'
import type { Scene } from './scene.ts'

const REACH_PX = 14
const TOUCH_REACH_PX = 26

/** Returns the system at a point of the screen; -1 if none is near. */
export function nearestSystem(scene: Scene, x: number, y: number, isTouch: boolean): number {
  const { camera, chart } = scene
  if (chart.systems.length === 0) return -1
  const system = chart.delaunay.find(worldX(camera, x), worldY(camera, y))
  const distance = Math.hypot(
    screenX(camera, chart.x[system]) - x,
    screenY(camera, chart.y[system]) - y,
  )
  return distance <= (isTouch ? TOUCH_REACH_PX : REACH_PX) ? system : -1
}
