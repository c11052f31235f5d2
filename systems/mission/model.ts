/** Lookups of missions; writes only to its own columns. */
import { assert } from '../../core/assert.ts'
import {
  EMPIRE_IDS,
  GOODS,
  itemIndex,
  type MissionRow,
  missionTemplate,
  OBJECTIVES_MAX,
  type Whither,
} from '../../core/catalog/index.ts'
import type { EmpireId } from '../../core/catalog/map-types.ts'
import { idOf } from '../../core/entity.ts'
import { MISSION_CREDITS_PER_DAY_MAX } from '../../core/limits.ts'
import { divFloor, mulDivFloor } from '../../core/math.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { capitalOf, empireOfBase, offersService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { Signal } from '../distress/state.ts'
import { postingTemplate } from '../posting/model.ts'
import { fitting } from '../ship/model.ts'
import { ownerOfBase } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { Lane, Poi, StarSystem } from '../travel/state.ts'
import {
  GIVERS,
  JUMPS,
  MISSION_RECORDS,
  MISSIONS_OF,
  Mission,
  type MissionRecord,
  POOLS,
  type Pool,
  SHARES,
} from './state.ts'

export const NEW: Pool = { given: 0, phase: 'open', opensTick: 0, due: 0, best: 0, bestUnits: 0 }

export const shareKey = (template: string, player: number): string => `${template}:${player}`

/** What there is of a collection; after its rest it begins anew. */
export function poolOf(view: WorldView, template: string): Pool {
  const pool = view.records(POOLS).get(template)
  if (!pool || (pool.phase === 'resting' && view.tick >= pool.opensTick)) return NEW
  return pool
}

/** True while gifts are taken. */
export const isCollecting = (view: WorldView, template: string): boolean =>
  poolOf(view, template).phase === 'open'

/** What is collected, and how much of it makes the collection full. */
export function goalOf({ template_id, objectives }: MissionRow): { item: number; units: number } {
  const [{ item = '', quantity }] = objectives
  assert(objectives.length === 1 && itemIndex(item) >= 0, `${template_id} collects nothing`)
  return { item: itemIndex(item), units: quantity }
}

/** Units that a player has given in this round. */
export const shareOf = (view: WorldView, template: string, player: Eid): number =>
  view.records(SHARES).get(shareKey(template, view.read(Player).seq[player])) ?? 0

/** True where one more player's share finds room. */
export const hasShareRoom = (view: WorldView, template: string, player: Eid): boolean =>
  shareOf(view, template, player) > 0 || view.records(SHARES).size < SHARES.rowsMax

/** As missions show a collection. */
export function renderPool(view: WorldView, template: MissionRow) {
  const { units } = goalOf(template)
  const { given } = poolOf(view, template.template_id)
  return {
    community: true,
    community_percent: divFloor(100 * given, units),
    community_progress: { [template.objectives[0].item ?? '']: `${given}/${units}` },
  }
}

/* Pay */

/** Credits for so many units of a collection, less what rounding leaves. */
export const payOf = (template: MissionRow, units: number): number =>
  mulDivFloor(template.credits, units, goalOf(template).units)

/** Credits that a player's share of a collection is worth, as far as it has come. */
export const shareWorth = (view: WorldView, template: MissionRow, player: Eid): number =>
  payOf(template, shareOf(view, template.template_id, player))

/** Credits for the largest share of a full collection besides: what rounding leaves of all. */
export function restFor(view: WorldView, template: MissionRow, player: Eid): number {
  const id = template.template_id
  let rest = template.credits
  let best = 0
  let bestUnits = 0
  for (const number of view.index(GIVERS).get(id) ?? []) {
    const units = view.records(SHARES).get(shareKey(id, number)) ?? 0
    rest -= payOf(template, units)
    if (units < bestUnits || (units === bestUnits && number > best)) continue
    best = number
    bestUnits = units
  }
  return best === view.read(Player).seq[player] ? rest : 0
}

/** Units given by all, as their shares say. */
export function sharesSum(view: WorldView, template: string): number {
  const givers = view.index(GIVERS).get(template) ?? new Set<number>()
  const shares = view.records(SHARES)
  return [...givers].reduce((sum, number) => sum + (shares.get(shareKey(template, number)) ?? 0), 0)
}

export const dayOf = (tick: number): number => divFloor(tick, DAY_TICKS)

const NO_RECORD: MissionRecord = { done: {}, epoch: 0, offers: [], day: 0, paid: 0, lapsed: [] }

export const recordKey = (view: WorldView, player: Eid): string =>
  String(view.read(Player).seq[player])

export const recordOf = (view: WorldView, player: Eid): MissionRecord =>
  view.records(MISSION_RECORDS).get(recordKey(view, player)) ?? NO_RECORD

/** Credits that the faucet still pays a player today. */
export function creditsLeft(view: WorldView, player: Eid): number {
  const { day, paid } = recordOf(view, player)
  return MISSION_CREDITS_PER_DAY_MAX - (day === dayOf(view.tick) ? paid : 0)
}

/** Jumps that `near` and `far` mean. */
const NEAR_JUMPS = [1, 3] as const
const FAR_JUMPS = [4, 8] as const
const UNREACHED = 0xffff

export const systemOfBase = (view: WorldView, base: Eid): Eid =>
  view.read(Poi).system[view.read(Base).poi[base]]

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

export interface Delivery {
  readonly item: number
  readonly units: number
  readonly base: Eid
}

/** Missions a player is at, in the order of acceptance. */
export const missionsOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(MISSIONS_OF).of.get(player) ?? []

export function templateOf(view: WorldView, mission: Row): MissionRow {
  const { posting, template } = view.read(Mission)
  if (posting[mission] !== 0) return postingTemplate(view, posting[mission])
  const id = view.texts.get(template[mission])
  const row = missionTemplate(id)
  assert(row, `mission ${mission} is of the unknown template ${id}`)
  return row
}

/**
 * True where the missions of a player may read otherwise than before this tick. A delivery counts
 * what is aboard at its station: docked there, whatever moves goods may have moved it.
 */
export function haveMoved(view: WorldView, player: Eid): boolean {
  const { changed } = view.index(MISSIONS_OF)
  if (changed.tick === view.tick && changed.players.has(player)) return true
  const here = dockedBase(view, player)
  const { toBase } = view.read(Mission)
  return (
    here !== 0 &&
    missionsOf(view, player).some((mission) =>
      templateOf(view, mission).objectives.some(
        ({ type }, i) => type === 'deliver_item' && toBase[mission * OBJECTIVES_MAX + i] === here,
      ),
    )
  )
}

/** Units of every delivery of a mission, with where it goes. */
export function deliveriesOf(view: WorldView, mission: Row): Delivery[] {
  const { toBase } = view.read(Mission)
  return templateOf(view, mission).objectives.flatMap((row, index) =>
    row.type === 'deliver_item'
      ? [
          {
            item: itemIndex(row.item ?? ''),
            units: row.quantity,
            base: toBase[mission * OBJECTIVES_MAX + index],
          },
        ]
      : [],
  )
}

/** True of a mission that is completed at a base: deliveries, and gifts to a collection. */
export const needsDocking = (view: WorldView, mission: Row): boolean =>
  deliveriesOf(view, mission).length > 0 || templateOf(view, mission).community === true

/* Finding */

/** Id of a mission; a rescue goes by that of the signal, which was told before anybody took it. */
export function missionId(view: WorldView, mission: Row): string {
  const signal = view.read(Mission).signal[mission]
  return signal === 0 ? idOf(view, Mission, mission) : idOf(view, Signal, signal)
}

/** The mission of a player meant by its id, or by that of its template; 0 none. */
export function missionById(view: WorldView, player: Eid, id: string): Row {
  const wanted = id.toLowerCase()
  return (
    missionsOf(view, player).find(
      (row) => missionId(view, row) === wanted || templateOf(view, row).template_id === id,
    ) ?? 0
  )
}

/* The indexes */

/** The rescue that answers a distress signal, if anybody took it. */
export const missionsOfSignal = (view: WorldView, signal: Row): readonly Row[] =>
  view.index(MISSIONS_OF).answering.get(signal) ?? []

/* What is handed over */

export interface Provided {
  readonly item: number
  readonly units: number
}

export const providedBy = ({ provided }: MissionRow): Provided[] =>
  Object.entries(provided).map(([id, units]) => ({ item: itemIndex(id), units }))

/** What a player owes who loses everything that a mission hands over. */
export const replacementCost = (template: MissionRow): number =>
  providedBy(template).reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)

/** True while a hold takes all that a mission hands over. Its goods are of one kind or small. */
export const takesProvided = (view: WorldView, ship: Eid, template: MissionRow): boolean =>
  providedBy(template).every(({ item, units }) => fitting(view, ship, item) >= units)
