/** The plan of a system: the positions of its places and of the lanes that lead out of it. */
import type { SystemBody } from '../../core/public/world.ts'

type Poi = SystemBody['pois'][number]

export interface PlanPoi {
  readonly poi: Poi
  readonly x: number
  readonly y: number
  /** Radius of its orbit; 0 in the middle. */
  readonly orbit: number
  /** Absent if there is no room for the name. */
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

/** The margin for the lanes; a narrow plan has no room for it. */
const MARGIN_PX = 64
const NARROW_PX = 480
const NARROW_MARGIN_PX = 20
const LABEL_PX = 16
const MARK_PX = 10
const EDGE_PX = 22

interface Neighbour {
  readonly id: string
  readonly name: string
  /** The direction from the system. */
  readonly dx: number
  readonly dy: number
}

/**
 * Returns the position of a place and its orbit. Uses the square root of its distance, so that
 * inner places do not overlap; directions are true.
 */
function placeOf(poi: Poi, farthest: number, radius: number): readonly [number, number, number] {
  const distance = Math.hypot(poi.x, poi.y)
  if (distance === 0 || farthest === 0) return [0, 0, 0]
  const orbit = Math.sqrt(distance / farthest) * radius
  return [(poi.x / distance) * orbit, (poi.y / distance) * orbit, orbit]
}

/** Places labels without overlap: each beside its mark, or below or above that position. */
function labelled(places: readonly Omit<PlanPoi, 'label'>[], width: number): readonly PlanPoi[] {
  const taken = places.map(({ x, y }) => ({ left: x - MARK_PX, right: x + MARK_PX, y }))
  const isFree = (left: number, right: number, y: number): boolean =>
    taken.every((box) => Math.abs(box.y - y) >= LABEL_PX || right < box.left || left > box.right)
  return [...places]
    .sort((a, b) => a.y - b.y)
    .map((place) => {
      const labelWidth = place.poi.name.length * 6.8
      const tries = [0, LABEL_PX, -LABEL_PX, 2 * LABEL_PX, -2 * LABEL_PX].flatMap((shift) => [
        { isLeft: false, x: place.x + 14, y: place.y + shift },
        { isLeft: true, x: place.x - 14, y: place.y + shift },
      ])
      const boxOf = ({ isLeft, x }: { isLeft: boolean; x: number }) =>
        isLeft ? ([x - labelWidth, x] as const) : ([x, x + labelWidth] as const)
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

/** Lays out the places of a system, its lanes and their labels for a canvas of this size. */
export function makePlan(
  pois: readonly Poi[],
  neighbours: readonly Neighbour[],
  width: number,
  height: number,
): Plan {
  const middle = [width / 2, height / 2] as const
  const margin = width < NARROW_PX ? NARROW_MARGIN_PX : MARGIN_PX
  const radius = Math.max(40, Math.min(width, height) / 2 - margin)
  const farthest = pois.reduce((max, { x, y }) => Math.max(max, Math.hypot(x, y)), 0)
  const places = pois.map((poi) => {
    const [x, y, orbit] = placeOf(poi, farthest, radius)
    return { poi, x: middle[0] + x, y: middle[1] + y, orbit }
  })
  const lanes = neighbours.map(({ id, name, dx, dy }) => {
    const distance = Math.hypot(dx, dy) || 1
    // On the edge of the picture, in the direction of the neighbour.
    const reach = Math.min(
      (middle[0] - EDGE_PX) / Math.max(1e-6, Math.abs(dx / distance)),
      (middle[1] - EDGE_PX) / Math.max(1e-6, Math.abs(dy / distance)),
    )
    const x = middle[0] + (dx / distance) * reach
    return { id, name, x, y: middle[1] + (dy / distance) * reach, isLeft: x > middle[0] }
  })
  return { width, height, pois: labelled(places, width), lanes }
}
