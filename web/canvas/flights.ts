/**
 * Ships in flight: jumps between systems, and flights between the places of one system. Kept in
 * arrays, so that drawing a frame allocates nothing.
 */

/** Ships that depart together and arrive together. */
interface Group {
  readonly start_tick: number
  readonly arrival_tick: number
  readonly count: number
}
interface Jump extends Group {
  readonly from_system: string
  readonly to_system: string
}

/** Where flights begin and end: systems, or the places of one. */
interface Places {
  /** By id: the index into `x` and `y`. */
  readonly at: ReadonlyMap<string, number>
  readonly x: Float32Array
  readonly y: Float32Array
}

/** With more ships than this in flight, every group is drawn as a square. */
const DOTS_MAX = 5_000
/** Up to this many ships are drawn as dots in a wedge; a larger group is an arrow with a number. */
const WEDGE_MAX = 12
const GAP_PX = 5
/** Flights are drawn to the right of their lane, apart from those in the opposite direction. */
const LANE_OFFSET_PX = 3
/** Groups this far outside the canvas are not drawn. */
const MARGIN_PX = 40

/** Offsets of the dots of a wedge: rows of one, two, three and so on. */
const WEDGE_X = new Float32Array(WEDGE_MAX)
const WEDGE_Y = new Float32Array(WEDGE_MAX)
for (let dot = 0, row = 0, inRow = 0; dot < WEDGE_MAX; dot++) {
  WEDGE_X[dot] = -row * GAP_PX
  WEDGE_Y[dot] = (inRow - row / 2) * GAP_PX
  inRow++
  if (inRow > row) {
    row++
    inRow = 0
  }
}

/** Returns the key of the lane between two places, the same in both directions. */
const laneKey = (one: number, other: number): number =>
  one < other ? one * 65_536 + other : other * 65_536 + one

export class Flights {
  groups = 0
  ships = 0
  private from = new Uint16Array()
  private to = new Uint16Array()
  private start = new Float64Array()
  private end = new Float64Array()
  private counts = new Uint32Array()
  private x: Float32Array = new Float32Array()
  private y: Float32Array = new Float32Array()
  /** Ships on each lane, by its key. */
  private onLane = new Map<number, number>()

  clear(): void {
    this.groups = 0
    this.ships = 0
    this.onLane.clear()
  }

  load(places: Places, jumps: readonly Jump[]): void {
    this.loadGroups(places, jumps, (jump) => [jump.from_system, jump.to_system])
  }

  loadGroups<G extends Group>(
    { at, x, y }: Places,
    groups: readonly G[],
    endsOf: (group: G) => readonly [from: string, to: string],
  ): void {
    this.clear()
    this.x = x
    this.y = y
    if (this.from.length < groups.length) {
      this.from = new Uint16Array(groups.length)
      this.to = new Uint16Array(groups.length)
      this.start = new Float64Array(groups.length)
      this.end = new Float64Array(groups.length)
      this.counts = new Uint32Array(groups.length)
    }
    for (const group of groups) {
      const [fromId, toId] = endsOf(group)
      const from = at.get(fromId)
      const to = at.get(toId)
      if (from === undefined || to === undefined) continue
      const index = this.groups++
      this.from[index] = from
      this.to[index] = to
      this.start[index] = group.start_tick
      this.end[index] = Math.max(group.start_tick + 1, group.arrival_tick)
      this.counts[index] = group.count
      this.ships += group.count
      const lane = laneKey(from, to)
      this.onLane.set(lane, (this.onLane.get(lane) ?? 0) + group.count)
    }
  }

  /** Returns the number of ships that fly between two places, in both directions. */
  between(one: number, other: number): number {
    return this.onLane.get(laneKey(one, other)) ?? 0
  }

  /**
   * Draws all groups at the tick `now`, in the colours set on the context, whose unit is a pixel;
   * `scale`, `dx` and `dy` of the view map the world to the canvas.
   */
  draw(context: CanvasRenderingContext2D, now: number, view: FlightView): void {
    const { scale, dx, dy, width, height } = view
    const areSquares = this.ships > DOTS_MAX
    context.beginPath()
    for (let index = 0; index < this.groups; index++) {
      const start = this.start[index]
      const share = (now - start) / (this.end[index] - start)
      if (share < 0 || share > 1) continue
      const fromX = this.x[this.from[index]] * scale + dx
      const fromY = this.y[this.from[index]] * scale + dy
      const toX = this.x[this.to[index]] * scale + dx
      const toY = this.y[this.to[index]] * scale + dy
      const length = Math.sqrt((toX - fromX) ** 2 + (toY - fromY) ** 2)
      if (length < 1) continue
      const ux = (toX - fromX) / length
      const uy = (toY - fromY) / length
      const x = fromX + (toX - fromX) * share - uy * LANE_OFFSET_PX
      const y = fromY + (toY - fromY) * share + ux * LANE_OFFSET_PX
      if (x < -MARGIN_PX || y < -MARGIN_PX) continue
      if (x > width + MARGIN_PX || y > height + MARGIN_PX) continue
      const count = this.counts[index]
      if (areSquares) {
        // Only squares are cheap enough for this many ships.
        const side = 2 + Math.log2(count)
        context.fillRect(x - side / 2, y - side / 2, side, side)
        continue
      }
      if (count > WEDGE_MAX) {
        traceArrow(context, x, y, ux, uy, count)
        continue
      }
      for (let dot = 0; dot < count; dot++) {
        const atX = x + WEDGE_X[dot] * ux - WEDGE_Y[dot] * uy
        const atY = y + WEDGE_X[dot] * uy + WEDGE_Y[dot] * ux
        context.fillRect(atX - 1, atY - 1, 2, 2)
      }
    }
    context.fill()
    if (areSquares || view.areNumbersShown) this.drawNumbers(context, now, view)
  }

  /** Draws the number of ships beside each large group. */
  private drawNumbers(context: CanvasRenderingContext2D, now: number, view: FlightView): void {
    const { scale, dx, dy } = view
    for (let index = 0; index < this.groups; index++) {
      if (this.counts[index] <= WEDGE_MAX) continue
      const share = (now - this.start[index]) / (this.end[index] - this.start[index])
      if (share < 0 || share > 1) continue
      const from = this.from[index]
      const to = this.to[index]
      const x = (this.x[from] + (this.x[to] - this.x[from]) * share) * scale + dx
      const y = (this.y[from] + (this.y[to] - this.y[from]) * share) * scale + dy
      context.fillText(String(this.counts[index]), x + 9, y + 12)
    }
  }
}

export interface FlightView {
  readonly scale: number
  readonly dx: number
  readonly dy: number
  readonly width: number
  readonly height: number
  readonly areNumbersShown: boolean
}

/** Adds an arrow to the path; its size grows with the number of ships. */
function traceArrow(
  context: CanvasRenderingContext2D,
  ...[x, y, ux, uy, count]: [x: number, y: number, ux: number, uy: number, count: number]
): void {
  const size = 4 + Math.min(8, Math.log2(1 + count))
  context.moveTo(x + ux * size, y + uy * size)
  context.lineTo(x - ux * size - uy * size * 0.7, y - uy * size + ux * size * 0.7)
  context.lineTo(x - ux * size * 0.4, y - uy * size * 0.4)
  context.lineTo(x - ux * size + uy * size * 0.7, y - uy * size - ux * size * 0.7)
  context.closePath()
}
