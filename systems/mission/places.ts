/** Where missions lead: bases and systems by their distance from the base that offers them. */
import { EMPIRE_IDS, type Whither } from '../../core/catalog/index.ts'
import type { EmpireId } from '../../core/catalog/map-types.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/columns.ts'
import { capitalOf, empireOfBase, offersService } from '../base/rules.ts'
import { ownerOfBase } from '../station/access-rules.ts'
import { Lane, Poi, StarSystem } from '../travel/columns.ts'

/** Jumps that `near` and `far` mean. */
const NEAR_JUMPS = [1, 3] as const
const FAR_JUMPS = [4, 8] as const
const UNREACHED = 0xffff

export const systemOfBase = (view: WorldView, base: Eid): Eid =>
  view.read(Poi).system[view.read(Base).poi[base]]

/** Lanes never change: jumps from a system to every other are worked out once. */
const JUMPS = defineIndex('mission.jumps', () => new Map<Eid, Uint16Array>())

/** Jumps from a base to every system by row; UNREACHED where no lanes lead. */
function jumpsFrom(view: WorldView, base: Eid): Uint16Array {
  const start = systemOfBase(view, base)
  const kept = view.index(JUMPS).get(start)
  if (kept) return kept
  const { firstLane, laneCount } = view.read(StarSystem)
  const { to } = view.read(Lane)
  const jumps = new Uint16Array(view.highOf(StarSystem) + 1).fill(UNREACHED)
  const queue = [start]
  jumps[start] = 0
  for (let read = 0; read < queue.length; read++) {
    const here = queue[read]
    for (let i = 0; i < laneCount[here]; i++) {
      const next = to[firstLane[here] + i]
      if (jumps[next] !== UNREACHED) continue
      jumps[next] = jumps[here] + 1
      queue.push(next)
    }
  }
  view.index(JUMPS).set(start, jumps)
  return jumps
}

/** Jumps from a base to a system. */
export const jumpsTo = (view: WorldView, base: Eid, system: Eid): number =>
  jumpsFrom(view, base)[system]

/** Rows of a table within a distance, ascending; the nearest others where there are none. */
function within(rows: readonly Eid[], far: (row: Eid) => number, to: readonly [number, number]) {
  const inside = rows.filter((row) => far(row) >= to[0] && far(row) <= to[1])
  if (inside.length > 0) return inside
  const reached = rows.filter((row) => far(row) >= 1 && far(row) < UNREACHED)
  const nearest = reached.reduce((least, row) => Math.min(least, far(row)), UNREACHED)
  return reached.filter((row) => far(row) === nearest)
}

/** Bases that take part in missions: those made with the world that anybody may dock at. */
function openBases(view: WorldView): Eid[] {
  const { alive, pirateRepRequired } = view.read(Base)
  const rows: Eid[] = []
  for (let base = 1; base <= view.highOf(Base); base++) {
    const isOpen = pirateRepRequired[base] === 0 && ownerOfBase(view, base) === 0
    if (alive[base] === 1 && isOpen && offersService(view, base, 'missions')) rows.push(base)
  }
  return rows
}

const isEmpire = (to: Whither): to is EmpireId => (EMPIRE_IDS as readonly string[]).includes(to)

/** Capital meant: of the base's empire, or another where that is the base itself. */
function capitalFor(view: WorldView, base: Eid, to: Whither): Eid {
  if (isEmpire(to)) return capitalOf(view, EMPIRE_IDS.indexOf(to))
  const own = empireOfBase(view, base)
  const capitals = EMPIRE_IDS.map((_, empire) => capitalOf(view, empire))
  if (own >= 0 && capitals[own] !== base) return capitals[own]
  const far = (row: Eid) => jumpsTo(view, base, systemOfBase(view, row))
  return within(capitals, far, [1, FAR_JUMPS[1]])[0]
}

/** Bases that an objective may lead to, seen from the one that offers it; never none. */
export function basesFor(view: WorldView, base: Eid, to: Whither): readonly Eid[] {
  if (to === 'here') return [base]
  if (to === 'capital' || isEmpire(to)) return [capitalFor(view, base, to)]
  const far = (row: Eid) => jumpsTo(view, base, systemOfBase(view, row))
  const others = openBases(view).filter((row) => row !== base)
  return within(others, far, to === 'far' ? FAR_JUMPS : NEAR_JUMPS)
}

/** Systems that an objective may lead to. */
export function systemsFor(view: WorldView, base: Eid, to: Whither): readonly Eid[] {
  if (to === 'here') return [systemOfBase(view, base)]
  if (to === 'capital' || isEmpire(to)) return [systemOfBase(view, capitalFor(view, base, to))]
  const { alive, empire } = view.read(StarSystem)
  const rows: Eid[] = []
  for (let system = 1; system <= view.highOf(StarSystem); system++) {
    if (alive[system] === 1 && (to !== 'lawless' || empire[system] === 0)) rows.push(system)
  }
  const reach = to === 'near' ? NEAR_JUMPS : to === 'far' ? FAR_JUMPS : ([1, 8] as const)
  return within(rows, (row) => jumpsTo(view, base, row), reach)
}
