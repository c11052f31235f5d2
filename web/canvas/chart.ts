/** The map in the form needed for drawing: positions in arrays, and an index for the nearest. */
import { Delaunay } from 'd3-delaunay'
import type { MapBody } from '../../core/public/world.ts'
import type { Box } from './camera.ts'

export type System = MapBody['systems'][number]

export interface Chart {
  readonly systems: readonly System[]
  readonly at: ReadonlyMap<string, number>
  readonly x: Float32Array
  readonly y: Float32Array
  /** Pairs of systems, each lane once. */
  readonly lanes: Uint16Array
  readonly delaunay: Delaunay<Delaunay.Point>
  readonly box: Box
  /** The radius of the area around a system: 1.2 times the median length of a lane. */
  readonly reach: number
}

export function makeChart({ systems }: Pick<MapBody, 'systems'>): Chart {
  const at = new Map(systems.map(({ id }, index) => [id, index]))
  const x = Float32Array.from(systems, (system) => system.x)
  const y = Float32Array.from(systems, (system) => system.y)
  const lanes: number[] = []
  const lengths: number[] = []
  for (const [from, { connections }] of systems.entries()) {
    for (const id of connections) {
      const to = at.get(id)
      // A one-way lane is listed from its beginning, others from the system with the lower index.
      const isOther = to !== undefined && systems[to].connections.includes(systems[from].id)
      if (to === undefined || (isOther && to < from)) continue
      lanes.push(from, to)
      lengths.push(Math.hypot(x[from] - x[to], y[from] - y[to]))
    }
  }
  lengths.sort((a, b) => a - b)
  const points = new Float64Array(systems.length * 2)
  for (let index = 0; index < systems.length; index++) {
    points[2 * index] = x[index]
    points[2 * index + 1] = y[index]
  }
  return {
    systems,
    at,
    x,
    y,
    lanes: Uint16Array.from(lanes),
    delaunay: new Delaunay(points),
    box: {
      left: x.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      right: x.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
      top: y.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      bottom: y.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
    },
    reach: (lengths[lengths.length >> 1] ?? 100) * 1.2,
  }
}

/** Returns the next system in a direction, preferring neighbours by lane; -1 if there is none. */
export function systemTowards(chart: Chart, from: number, byX: number, byY: number): number {
  let best = -1
  let bestCost = Number.POSITIVE_INFINITY
  const near = new Set(chart.systems[from].connections.map((id) => chart.at.get(id)))
  for (let index = 0; index < chart.systems.length; index++) {
    const dx = chart.x[index] - chart.x[from]
    const dy = chart.y[index] - chart.y[from]
    const along = dx * byX + dy * byY
    const across = Math.abs(dx * byY - dy * byX)
    if (along <= 0 || across > along) continue
    const cost = (along + 2 * across) * (near.has(index) ? 1 : 2)
    if (cost >= bestCost) continue
    best = index
    bestCost = cost
  }
  return best
}
