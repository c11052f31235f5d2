/**
 * Lays out the galaxy: where systems are, which of them an empire holds, and which lanes join them.
 * Integers only: squared distances are compared, directions come from tables. Lanes join near
 * neighbours and form one connected graph.
 */
import { assert } from '../assert.ts'
import { type Draws, drawsFor } from './draws.ts'
import { EMPIRE_IDS } from './empires.ts'
import type { EmpireId } from './map-types.ts'

const SYSTEM_COUNT = 545
const RADIUS = 2_050
const SPACING = 92
const CAPITAL_RADIUS = 1_180
const NEAREST = 16
/** Share of the extra lanes of the Gabriel graph that are kept, percent. */
const EXTRA_LANES = 38
const TRIES_MAX = 60_000

/** Five directions of a pentagon, then the five between them, ×1000. */
const SPOKES: readonly (readonly [number, number])[] = [
  [0, 1000],
  [951, 309],
  [588, -809],
  [-588, -809],
  [-951, 309],
]
const GAPS: readonly (readonly [number, number])[] = [
  [588, 809],
  [951, -309],
  [0, -1000],
  [-951, -309],
  [-588, 809],
]

export interface Layout {
  x: number[]
  y: number[]
  /** Index into EMPIRE_IDS, or -1. */
  owner: number[]
  /** Lawless tract 0-5 of the system; -1 inside an empire. */
  tract: number[]
  lanes: number[][]
  /**
   * In an empire: jumps to the capital within its own space. Lawless: jumps to the nearest system
   * of an empire.
   */
  depth: number[]
}

/** Lays the systems out; the first five are the capitals, in the order of EMPIRE_IDS. */
export function layOut(seed: number): Layout {
  const draws = drawsFor(seed, 'map.layout', 0)
  const { x, y } = placeSystems(draws)
  const owner = claimSystems(x, y, draws)
  const lanes = joinLanes(x, y, seed)
  releaseStrays(owner, lanes)
  const depth = measureDepth(owner, lanes)
  const tract = owner.map((empire, i) => (empire >= 0 ? -1 : tractOf(x[i]!, y[i]!)))
  return { x, y, owner, tract, lanes, depth }
}

function placeSystems(draws: Draws): { x: number[]; y: number[] } {
  const x: number[] = []
  const y: number[] = []
  const turn = draws.below(SPOKES.length)
  for (let i = 0; i < EMPIRE_IDS.length; i++) {
    const spoke = SPOKES[(i + turn) % SPOKES.length]!
    x.push(Math.trunc((spoke[0] * CAPITAL_RADIUS) / 1000) + draws.between(-60, 60))
    y.push(Math.trunc((spoke[1] * CAPITAL_RADIUS) / 1000) + draws.between(-60, 60))
  }
  for (let tries = 0; x.length < SYSTEM_COUNT; tries++) {
    assert(tries < TRIES_MAX, 'map: no room for another system')
    const px = draws.between(-RADIUS, RADIUS)
    const py = draws.between(-RADIUS, RADIUS)
    if (px * px + py * py > RADIUS * RADIUS) continue
    if (isFree(x, y, px, py)) {
      x.push(px)
      y.push(py)
    }
  }
  return { x, y }
}

function isFree(x: readonly number[], y: readonly number[], px: number, py: number): boolean {
  for (let i = 0; i < x.length; i++) {
    const dx = x[i]! - px
    const dy = y[i]! - py
    if (dx * dx + dy * dy < SPACING * SPACING) return false
  }
  return true
}

/**
 * Assigns each empire the systems nearest to its capital, closest claims first, up to its size.
 */
function claimSystems(x: readonly number[], y: readonly number[], draws: Draws): number[] {
  const count = EMPIRE_IDS.length
  const room = EMPIRE_IDS.map(() => draws.between(48, 58))
  const claims: { squared: number; system: number; empire: number }[] = []
  for (let empire = 0; empire < count; empire++) {
    for (let system = 0; system < x.length; system++) {
      const squared = squaredDistance(x, y, empire, system)
      if (squared < 900 * 900) claims.push({ squared, system, empire })
    }
  }
  claims.sort((a, b) => a.squared - b.squared || a.system - b.system || a.empire - b.empire)
  const owner = x.map(() => -1)
  for (const claim of claims) {
    if (owner[claim.system] !== -1 || room[claim.empire]! <= 0) continue
    owner[claim.system] = claim.empire
    room[claim.empire]! -= 1
  }
  return owner
}

function squaredDistance(x: readonly number[], y: readonly number[], i: number, j: number): number {
  const dx = x[i]! - x[j]!
  const dy = y[i]! - y[j]!
  return dx * dx + dy * dy
}

/**
 * Returns all lanes of the relative neighbourhood graph and some of the Gabriel graph; symmetric,
 * ascending.
 */
function joinLanes(x: readonly number[], y: readonly number[], seed: number): number[][] {
  const lanes: number[][] = x.map(() => [])
  const near = x.map((_, i) => nearestTo(x, y, i))
  for (let i = 0; i < x.length; i++) {
    const draws = drawsFor(seed, 'map.lanes', i)
    for (const j of near[i]!) {
      if (j < i && near[j]!.includes(i)) continue
      const keep = draws.chance(EXTRA_LANES) || i < EMPIRE_IDS.length || j < EMPIRE_IDS.length
      if (isLane(x, y, [i, j], near[i]!, keep)) addLane(lanes, i, j)
    }
  }
  bridgeParts(x, y, lanes)
  for (const list of lanes) list.sort((a, b) => a - b)
  return lanes
}

function nearestTo(x: readonly number[], y: readonly number[], i: number): number[] {
  const keys = new Float64Array(x.length)
  for (let j = 0; j < x.length; j++) keys[j] = squaredDistance(x, y, i, j) * 1024 + j
  keys.sort()
  return Array.from(keys.subarray(1, NEAREST + 1), (key) => key % 1024)
}

function isLane(
  x: readonly number[],
  y: readonly number[],
  [i, j]: readonly [number, number],
  between: readonly number[],
  generous: boolean,
): boolean {
  const direct = squaredDistance(x, y, i, j)
  for (const k of between) {
    if (k === j) break
    const ik = squaredDistance(x, y, i, k)
    const kj = squaredDistance(x, y, k, j)
    if (generous ? ik + kj < direct : Math.max(ik, kj) < direct) return false
  }
  return true
}

function addLane(lanes: number[][], i: number, j: number): void {
  if (lanes[i]!.includes(j)) return
  lanes[i]!.push(j)
  lanes[j]!.push(i)
}

/**
 * Joins disconnected parts by the shortest missing lane, until everything can be reached from
 * system 0.
 */
function bridgeParts(x: readonly number[], y: readonly number[], lanes: number[][]): void {
  for (let rounds = 0; rounds < lanes.length; rounds++) {
    const reach = jumpsFrom(lanes, [0])
    let best = { squared: Number.MAX_SAFE_INTEGER, from: -1, to: -1 }
    for (let to = 0; to < lanes.length; to++) {
      if (reach[to]! >= 0) continue
      for (let from = 0; from < lanes.length; from++) {
        if (reach[from]! < 0) continue
        const squared = squaredDistance(x, y, from, to)
        if (squared < best.squared) best = { squared, from, to }
      }
    }
    if (best.from < 0) return
    addLane(lanes, best.from, best.to)
  }
}

/** Returns the jumps from the nearest of `starts`; -1 if lanes and `allowed` leave no path. */
export function jumpsFrom(
  lanes: readonly (readonly number[])[],
  starts: readonly number[],
  allowed: (system: number) => boolean = () => true,
): number[] {
  const jumps = lanes.map(() => -1)
  const queue = [...starts]
  for (const start of starts) jumps[start] = 0
  for (let head = 0; head < queue.length; head++) {
    const here = queue[head]!
    for (const next of lanes[here]!) {
      if (jumps[next] !== -1 || !allowed(next)) continue
      jumps[next] = jumps[here]! + 1
      queue.push(next)
    }
  }
  return jumps
}

/**
 * Releases systems that their empire cannot reach through its own space; a capital keeps its
 * neighbours.
 */
function releaseStrays(owner: number[], lanes: readonly (readonly number[])[]): void {
  for (let empire = 0; empire < EMPIRE_IDS.length; empire++) {
    for (const next of lanes[empire]!) owner[next] = empire
    const reach = jumpsFrom(lanes, [empire], (system) => owner[system] === empire)
    for (let system = 0; system < owner.length; system++) {
      if (owner[system] === empire && reach[system]! < 0) owner[system] = -1
    }
  }
}

function measureDepth(owner: readonly number[], lanes: readonly (readonly number[])[]): number[] {
  const held = owner.flatMap((empire, system) => (empire >= 0 ? [system] : []))
  const depth = jumpsFrom(lanes, held)
  for (let empire = 0; empire < EMPIRE_IDS.length; empire++) {
    const inside = jumpsFrom(lanes, [empire], (system) => owner[system] === empire)
    for (let system = 0; system < owner.length; system++) {
      if (owner[system] === empire) depth[system] = inside[system]!
    }
  }
  return depth
}

/**
 * Returns the part of the disc a point is in: 0 is the middle, 1-5 the gaps between the empires.
 */
function tractOf(x: number, y: number): number {
  if (x * x + y * y < 700 * 700) return 0
  let best = 0
  let bestDot = -Number.MAX_SAFE_INTEGER
  for (let i = 0; i < GAPS.length; i++) {
    const dot = x * GAPS[i]![0] + y * GAPS[i]![1]
    if (dot > bestDot) {
      bestDot = dot
      best = i + 1
    }
  }
  return best
}

/** Returns the empire of an owner in `Layout`; null in lawless space. */
export function empireAt(owner: number): EmpireId | null {
  return owner >= 0 ? EMPIRE_IDS[owner]! : null
}
