/**
 * Territory as areas: the cell of each held system, limited to its reach, and the border where the
 * holder changes. Rebuilt when the territory changes; drawn by canvas/ground.ts.
 */
import type { TerritoryBody } from '../../core/public/world.ts'
import type { Chart } from './chart.ts'
import { difference, parseColour, type Rgb } from './colour.ts'

export interface Area {
  readonly name: string
  readonly colour: Rgb
  readonly fill: Path2D
  readonly border: Path2D
  readonly contested: Path2D
  /** Middle and number of its systems. */
  x: number
  y: number
  systems: number
  /** Kind of its hatching, by SLOPES in ground.ts; 0: its fill is not hatched. */
  hatchKind: number
}

/** A corner, and the neighbour beyond the edge that begins there; -1 if there is none. */
interface Corner {
  readonly x: number
  readonly y: number
  readonly beyond: number
}

const SIDES = 28
const DIFFERENCE_MIN = 12

/** Returns a polygon that approximates a circle. */
function disc(x: number, y: number, radius: number): Corner[] {
  return Array.from({ length: SIDES }, (_, side) => {
    const angle = (side / SIDES) * 2 * Math.PI
    return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle), beyond: -1 }
  })
}

/** Keeps the part of a polygon that is nearer to `home` than to `other`. */
function cut(corners: readonly Corner[], chart: Chart, home: number, other: number): Corner[] {
  const nx = chart.x[other] - chart.x[home]
  const ny = chart.y[other] - chart.y[home]
  const middle = ((chart.x[home] + chart.x[other]) * nx + (chart.y[home] + chart.y[other]) * ny) / 2
  const side = ({ x, y }: Corner): number => x * nx + y * ny - middle
  const kept: Corner[] = []
  for (const [index, corner] of corners.entries()) {
    const next = corners[(index + 1) % corners.length]
    const here = side(corner)
    const there = side(next)
    if (here <= 0) kept.push(corner)
    if (here <= 0 === there <= 0) continue
    const share = here / (here - there)
    const x = corner.x + (next.x - corner.x) * share
    const y = corner.y + (next.y - corner.y) * share
    // On leaving the kept half, the new edge is the cut; on entering it, the old edge continues.
    kept.push({ x, y, beyond: here <= 0 ? other : corner.beyond })
  }
  return kept
}

function cellOf(chart: Chart, system: number): Corner[] {
  let corners = disc(chart.x[system], chart.y[system], chart.reach)
  for (const other of chart.delaunay.neighbors(system)) {
    corners = cut(corners, chart, system, other)
    if (corners.length === 0) break
  }
  return corners
}

const newArea = (name: string, colour: string): Area => ({
  name,
  colour: parseColour(colour),
  fill: new Path2D(),
  border: new Path2D(),
  contested: new Path2D(),
  x: 0,
  y: 0,
  systems: 0,
  hatchKind: 0,
})

function trace(path: Path2D, corners: readonly Corner[]): void {
  for (const [index, { x, y }] of corners.entries()) {
    if (index === 0) path.moveTo(x, y)
    else path.lineTo(x, y)
  }
  path.closePath()
}

/** Makes one area for each holder of systems. */
export function makeAreas(chart: Chart, { systems }: TerritoryBody): Area[] {
  const areas = new Map<string, Area>()
  const holders = chart.systems.map(({ id }) => {
    const held = systems[id]
    const name = held?.faction_tag ?? held?.empire
    return held && name ? `${name} ${held.color}` : ''
  })
  const touching = new Set<string>()
  for (const [system, { id }] of chart.systems.entries()) {
    const holder = holders[system]
    if (!holder) continue
    const held = systems[id]
    let area = areas.get(holder)
    if (!area) {
      area = newArea(held.faction_tag ?? held.empire ?? '', held.color)
      areas.set(holder, area)
    }
    area.systems++
    area.x += (chart.x[system] - area.x) / area.systems
    area.y += (chart.y[system] - area.y) / area.systems
    const corners = cellOf(chart, system)
    trace(area.fill, corners)
    if (held.contested) trace(area.contested, corners)
    for (const [index, corner] of corners.entries()) {
      const beyond = corner.beyond < 0 ? '' : holders[corner.beyond]
      if (beyond === holder) continue
      if (beyond) touching.add(`${holder}\n${beyond}`)
      const next = corners[(index + 1) % corners.length]
      area.border.moveTo(corner.x, corner.y)
      area.border.lineTo(next.x, next.y)
    }
  }
  hatchSimilar(areas, touching)
  return [...areas.values()]
}

/** Hatches neighbours whose colours are easily confused; from the third kind on, all look alike. */
function hatchSimilar(areas: ReadonlyMap<string, Area>, touching: ReadonlySet<string>): void {
  const similar = new Map<Area, Area[]>()
  for (const pair of touching) {
    const [one, other] = pair.split('\n').map((holder) => areas.get(holder))
    if (!one || !other || difference(one.colour, other.colour) >= DIFFERENCE_MIN) continue
    similar.set(one, [...(similar.get(one) ?? []), other])
    similar.set(other, [...(similar.get(other) ?? []), one])
  }
  const done = new Set<Area>()
  for (const [area, neighbours] of similar) {
    const used = neighbours.filter((other) => done.has(other)).map((other) => other.hatchKind)
    while (used.includes(area.hatchKind)) area.hatchKind += 1
    done.add(area)
  }
}
