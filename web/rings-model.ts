/**
 * Positions of ships in the picture of a battle: four rings, one sector per side. Coordinates are
 * in units of half the picture's width; the middle is 0, 0. Does not draw.
 */
import type { Combatant, Frame } from './battle-model.ts'

/** The middle radius of each ring, by its index. */
export const RING_RADII = [0.24, 0.47, 0.69, 0.9] as const
const BAND_HALF = 0.07
const ROWS_MAX = 3
/** Where there is room, the spacing is up to this many times the least one. */
const EASE = 2.4
/** The angle between two sectors, in radians. */
const SECTOR_GAP = 0.08
/** Above this many ships, they are grouped by class. */
export const SINGLE_SHIPS_MAX = 200
/** A destroyed ship is drawn for this many ticks. */
export const WRECK_TICKS = 3

interface Sector {
  readonly side: number
  /** Radians, clockwise from the right. */
  readonly from: number
  readonly to: number
}

/** A ship, or all ships of a class in one ring of a side. */
export interface Mark {
  readonly key: string
  readonly x: number
  readonly y: number
  readonly side: number
  readonly count: number
  readonly shipClass: string
  readonly ids: readonly string[]
  /** Shares from 0 to 1. */
  readonly hull: number
  readonly shield: number
  readonly isWreck: boolean
}

export interface Layout {
  readonly sectors: readonly Sector[]
  readonly marks: readonly Mark[]
  readonly byKey: ReadonlyMap<string, Mark>
  /** Mark of a ship, by its id. */
  readonly markOf: ReadonlyMap<string, Mark>
  /** Radius of a single ship. */
  readonly size: number
}

/** Divides the circle: a side with more ships gets more; each gets at least half an equal share. */
export function sectorsOf(ships: readonly Combatant[]): Sector[] {
  const counts = new Map<number, number>()
  for (const { side } of ships) counts.set(side, (counts.get(side) ?? 0) + 1)
  const sides = [...counts].sort(([a], [b]) => a - b)
  const roots = sides.map(([, count]) => Math.sqrt(count))
  const rootSum = roots.reduce((sum, root) => sum + root, 0)
  const shares = roots.map((root) => 0.5 / sides.length + (0.5 * root) / rootSum)
  // The first side faces left.
  let from = Math.PI - Math.PI * (shares[0] ?? 0)
  return sides.map(([side], index) => {
    const to = from + 2 * Math.PI * shares[index]
    const sector = { side, from: from + SECTOR_GAP / 2, to: to - SECTOR_GAP / 2 }
    from = to
    return sector
  })
}

const sizeFor = (count: number): number =>
  count <= 12 ? 0.034 : count <= 40 ? 0.025 : count <= 100 ? 0.018 : 0.013

/** Spreads `count` places over an arc of a ring, in as few rows as they need, each centred. */
export function placesOnArc(sector: Sector, ring: number, count: number, size: number) {
  const radius = RING_RADII[ring]
  const span = sector.to - sector.from
  const spacing = (size * 2.9) / radius
  const fitting = Math.max(1, Math.floor(span / spacing))
  const rows = Math.min(ROWS_MAX, Math.ceil(count / fitting))
  const across = Math.ceil(count / rows)
  const step = Math.min(spacing * EASE, span / across)
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / across)
    const inRow = Math.min(across, count - row * across)
    const angle = (sector.from + sector.to) / 2 + (index - row * across - (inRow - 1) / 2) * step
    const shift = rows === 1 ? 0 : BAND_HALF * ((2 * row) / (rows - 1) - 1)
    return { x: Math.cos(angle) * (radius + shift), y: Math.sin(angle) * (radius + shift) }
  })
}

type Group = Omit<Mark, 'x' | 'y'>

const share = (part: number, whole: number): number =>
  whole > 0 ? Math.max(0, Math.min(1, part / whole)) : 0

const sum = (ships: readonly Combatant[], numberOf: (ship: Combatant) => number): number =>
  ships.reduce((total, ship) => total + numberOf(ship), 0)

function groupOf(key: string, ships: readonly Combatant[]): Group {
  const [first] = ships
  return {
    key,
    side: first.side,
    count: ships.length,
    shipClass: first.shipClass,
    ids: ships.map(({ id }) => id),
    hull: share(
      sum(ships, ({ hull }) => hull),
      sum(ships, ({ hullMax }) => hullMax),
    ),
    shield: share(
      sum(ships, ({ shield }) => shield),
      sum(ships, ({ shieldMax }) => shieldMax),
    ),
    isWreck: first.fate === 'destroyed',
  }
}

/** Returns whether a ship is drawn: it is fighting, or was destroyed a few ticks ago. */
const isDrawn = (ship: Combatant, tick: number): boolean =>
  ship.fate === 'fighting' || (ship.fate === 'destroyed' && tick - ship.fateTick < WRECK_TICKS)

/** Places the ships of a frame. */
export function layOut({ ships, tick }: Frame): Layout {
  const sectors = sectorsOf(ships)
  const drawn = ships.filter((ship) => isDrawn(ship, tick))
  const isSingle = drawn.length <= SINGLE_SHIPS_MAX
  const size = isSingle ? sizeFor(drawn.length) : sizeFor(SINGLE_SHIPS_MAX)
  const marks: Mark[] = []
  for (const sector of sectors) {
    for (let ring = 0; ring < RING_RADII.length; ring++) {
      const here = drawn.filter((ship) => ship.side === sector.side && ship.ring === ring)
      const groups = isSingle ? here.map((ship) => groupOf(ship.id, [ship])) : byClass(here, ring)
      const places = placesOnArc(sector, ring, groups.length, isSingle ? size : size * 3)
      for (const [index, group] of groups.entries()) marks.push({ ...group, ...places[index] })
    }
  }
  const markOf = new Map(marks.flatMap((mark) => mark.ids.map((id) => [id, mark] as const)))
  const byKey = new Map(marks.map((mark) => [mark.key, mark]))
  return { sectors, marks, byKey, markOf, size }
}

/** Groups ships of one ring by class; destroyed ships are groups of their own. */
function byClass(ships: readonly Combatant[], ring: number): Group[] {
  const groups = new Map<string, Combatant[]>()
  for (const ship of ships) {
    const key = `${ship.side}/${ring}/${ship.shipClass}/${ship.fate === 'destroyed' ? 'lost' : ''}`
    const members = groups.get(key)
    if (members) members.push(ship)
    else groups.set(key, [ship])
  }
  return [...groups].map(([key, members]) => groupOf(key, members))
}

/** Returns the mark nearest to a point; undefined if none is within `reach`. */
export function markAt(layout: Layout, x: number, y: number, reach: number): Mark | undefined {
  let best: Mark | undefined
  let minSquared = reach * reach
  for (const mark of layout.marks) {
    const distance = (mark.x - x) ** 2 + (mark.y - y) ** 2
    if (distance > minSquared) continue
    minSquared = distance
    best = mark
  }
  return best
}
