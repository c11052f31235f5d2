/** The plan of a system: where its places and the lanes out of it are in a picture. */
import type { SystemBody } from '../../core/public/world.ts'

type Poi = SystemBody['pois'][number]

export interface PlanPoi {
  readonly poi: Poi
  readonly x: number
  readonly y: number
  /** Radius of its orbit; 0 for what is in the middle. */
  readonly orbit: number
  /** Absent where there is no room for its name. */
  readonly label?: { readonly x: number; readonly y: number; readonly isLeft: boolean }
}

interface PlanLane {
  readonly id: string
  readonly name: string
  readonly x: number
  readonly y: number
  readonly isLeft: boolean
}

export interface Plan {
  readonly width: number
  readonly height: number
  readonly pois: readonly PlanPoi[]
  readonly lanes: readonly PlanLane[]
}

/** Around the plan, where the lanes are drawn; a narrow one has no room for them. */
const MARGIN_PX = 64
const NARROW_PX = 480
const NARROW_MARGIN_PX = 20
const LABEL_PX = 16
const MARK_PX = 10
const EDGE_PX = 22

interface Neighbour {
  readonly id: string
  readonly name: string
  /** Direction from the system. */
  readonly dx: number
  readonly dy: number
}

/**
 * Places are drawn by the square root of their distance, so that the inner ones do not lie on each
 * other; their directions are true.
 */
function placeOf(poi: Poi, farthest: number, radius: number): readonly [number, number, number] {
  const away = Math.hypot(poi.x, poi.y)
  if (away === 0 || farthest === 0) return [0, 0, 0]
  const orbit = Math.sqrt(away / farthest) * radius
  return [(poi.x / away) * orbit, (poi.y / away) * orbit, orbit]
}

/** Moves labels apart: each finds room beside its mark, else below or above it. */
function labelled(places: readonly Omit<PlanPoi, 'label'>[], width: number): readonly PlanPoi[] {
  const taken = places.map(({ x, y }) => ({ left: x - MARK_PX, right: x + MARK_PX, y }))
  const isFree = (left: number, right: number, y: number): boolean =>
    taken.every((box) => Math.abs(box.y - y) >= LABEL_PX || right < box.left || left > box.right)
  return [...places]
    .sort((a, b) => a.y - b.y)
    .map((place) => {
      const long = place.poi.name.length * 6.8
      const tries = [0, LABEL_PX, -LABEL_PX, 2 * LABEL_PX, -2 * LABEL_PX].flatMap((shift) => [
        { isLeft: false, x: place.x + 14, y: place.y + shift },
        { isLeft: true, x: place.x - 14, y: place.y + shift },
      ])
      const boxOf = ({ isLeft, x }: { isLeft: boolean; x: number }) =>
        isLeft ? ([x - long, x] as const) : ([x, x + long] as const)
      const label = tries.find((at) => {
        const [left, right] = boxOf(at)
        return left > 4 && right < width - 4 && isFree(left, right, at.y)
      })
      if (!label) return place
      const [left, right] = boxOf(label)
      taken.push({ left, right, y: label.y })
      return { ...place, label }
    })
}

export function makePlan(
  pois: readonly Poi[],
  neighbours: readonly Neighbour[],
  width: number,
  height: number,
): Plan {
  const middle = [width / 2, height / 2] as const
  const margin = width < NARROW_PX ? NARROW_MARGIN_PX : MARGIN_PX
  const radius = Math.max(40, Math.min(width, height) / 2 - margin)
  const farthest = pois.reduce((most, { x, y }) => Math.max(most, Math.hypot(x, y)), 0)
  const places = pois.map((poi) => {
    const [x, y, orbit] = placeOf(poi, farthest, radius)
    return { poi, x: middle[0] + x, y: middle[1] + y, orbit }
  })
  const lanes = neighbours.map(({ id, name, dx, dy }) => {
    const away = Math.hypot(dx, dy) || 1
    // On the edge of the picture, in the direction of the neighbour.
    const reach = Math.min(
      (middle[0] - EDGE_PX) / Math.max(1e-6, Math.abs(dx / away)),
      (middle[1] - EDGE_PX) / Math.max(1e-6, Math.abs(dy / away)),
    )
    const x = middle[0] + (dx / away) * reach
    return { id, name, x, y: middle[1] + (dy / away) * reach, isLeft: x > middle[0] }
  })
  return { width, height, pois: labelled(places, width), lanes }
}
