/**
 * Power and air of a base: what the station itself gives, what its facilities add, and how the
 * battery makes up for a shortage. Source: crafting.md section 6, power.
 */
import { clamp, divFloor } from '../../core/math.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { ownerOfBase } from '../station/access-rules.ts'
import { Grid } from './columns.ts'
import { awakeBases, gridSums } from './store.ts'

/**
 * What a station of the server gives of its own, a level. ours: it stands before its first
 * facility. One of a faction has what its works give.
 */
const POWER_A_LEVEL = 100
const AIR_A_LEVEL = 100
const levelsOf = (view: WorldView, base: Row): number =>
  ownerOfBase(view, base) === 0 ? view.read(Base).level[base] : 0
/** Thousandths of full speed that are left however little power there is. */
const EFFICIENCY_MIN = 100

/** Power made at a base, units a tick. */
export const powerSupply = (view: WorldView, base: Row): number =>
  levelsOf(view, base) * POWER_A_LEVEL + (gridSums(view, base)?.supply ?? 0)

/** Power drawn by what runs. */
export function powerDraw(view: WorldView, base: Row): number {
  const sums = gridSums(view, base)
  return sums === undefined ? 0 : sums.steadyDraw + sums.jobDraw
}

export const batteryMax = (view: WorldView, base: Row): number =>
  gridSums(view, base)?.batteryMax ?? 0

/** Air made at a base, and drawn there. */
export const airSupply = (view: WorldView, base: Row): number =>
  levelsOf(view, base) * AIR_A_LEVEL + (gridSums(view, base)?.lifeSupply ?? 0)
export const airDraw = (view: WorldView, base: Row): number => gridSums(view, base)?.lifeDraw ?? 0

export interface Flow {
  readonly supply: number
  readonly draw: number
  readonly battery: number
  readonly batteryMax: number
}

/** A tick of a grid: the charge afterwards, and thousandths of full speed. */
export function powerStep(flow: Flow): { battery: number; efficiency: number } {
  const { supply, draw } = flow
  const battery = Math.min(flow.battery, flow.batteryMax)
  if (draw <= supply) {
    return { battery: Math.min(flow.batteryMax, battery + supply - draw), efficiency: 1000 }
  }
  const deficit = draw - supply
  if (battery >= deficit) return { battery: battery - deficit, efficiency: 1000 }
  const efficiency = divFloor(1000 * (supply + battery), draw)
  return { battery: 0, efficiency: clamp(efficiency, EFFICIENCY_MIN, 1000) }
}

/** Steps every grid that is not at rest, bases in order of their rows. */
export function runGrids(world: World): void {
  const awake = awakeBases(world)
  if (awake.size === 0) return
  const { battery, lack } = world.write(Grid)
  for (const base of [...awake].sort((a, b) => a - b)) {
    const after = powerStep({
      supply: powerSupply(world, base),
      draw: powerDraw(world, base),
      battery: battery[base],
      batteryMax: batteryMax(world, base),
    })
    const isAtRest = after.battery === battery[base] && 1000 - after.efficiency === lack[base]
    battery[base] = after.battery
    lack[base] = 1000 - after.efficiency
    if (isAtRest) awake.delete(base)
  }
}
