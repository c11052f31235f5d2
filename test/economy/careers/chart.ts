/**
 * The map as experienced pilots know it: lanes, places, bases, the level of police. Nothing here
 * changes while a world lives; bots query everything that does.
 */
import { generateGalaxy } from '../../../core/catalog/index.ts'
import type { BasePlan, PoiPlan, SystemPlan } from '../../../core/catalog/types.ts'

export interface Port {
  readonly base: BasePlan
  readonly place: PoiPlan
  readonly system: number
}

export interface Chart {
  readonly systems: readonly SystemPlan[]
  /** Bases that anybody may dock at, by id. */
  readonly ports: ReadonlyMap<string, Port>
  /** Index of a system by its id or that of a place in it. */
  systemOf(id: string): number
  /** Jumps between systems; `UNREACHED` if there is no way. */
  jumps(from: number, to: number, lawful: boolean): number
  /** The next system on the way. */
  next(from: number, to: number, lawful: boolean): number
}

/** Level of police below which there are packs of pirates. */
export const LAWFUL_POLICE = 20
/** Stands for the jumps to a system that cannot be reached. */
export const UNREACHED = 9_999

/** Returns the jumps to a system from all others; a lawful way passes only policed systems. */
function distances(systems: readonly SystemPlan[], to: number, lawful: boolean): Uint16Array {
  const jumps = new Uint16Array(systems.length).fill(UNREACHED)
  jumps[to] = 0
  const queue = [to]
  for (const system of queue) {
    if (lawful && system !== to && systems[system].police_level < LAWFUL_POLICE) continue
    for (const next of systems[system].lanes) {
      if (jumps[next] !== UNREACHED) continue
      jumps[next] = jumps[system] + 1
      queue.push(next)
    }
  }
  return jumps
}

export function drawChart(seed: number): Chart {
  const { systems } = generateGalaxy(seed)
  const ports = new Map<string, Port>()
  const byId = new Map<string, number>()
  for (const [system, { id, pois }] of systems.entries()) {
    byId.set(id, system)
    for (const place of pois) {
      byId.set(place.id, system)
      const { base } = place
      if (!base) continue
      byId.set(base.id, system)
      if (base.pirate_rep_required === 0) ports.set(base.id, { base, place, system })
    }
  }
  const [anyWay, lawfulWay]: Uint16Array[][] = [[], []]
  const jumpsTo = (goal: number, lawful: boolean): Uint16Array => {
    const ways = lawful ? lawfulWay : anyWay
    ways[goal] ??= distances(systems, goal, lawful)
    return ways[goal]
  }
  return {
    systems,
    ports,
    systemOf(id) {
      const system = byId.get(id)
      if (system === undefined) throw new Error(`nothing on the chart is called ${id}`)
      return system
    },
    jumps: (from, goal, lawful) => jumpsTo(goal, lawful)[from],
    next(from, goal, lawful) {
      const jumps = jumpsTo(goal, lawful)
      return systems[from].lanes.reduce((best, lane) => (jumps[lane] < jumps[best] ? lane : best))
    },
  }
}
