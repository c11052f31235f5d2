/** Lookups of missions, of collections, and of the targets of objectives. */
import { assert } from '../../core/assert.ts'
import {
  EMPIRE_IDS,
  escortTemplate,
  GOODS,
  itemIndex,
  type MissionRow,
  missionTemplate,
  OBJECTIVES_MAX,
  type ObjectiveTarget,
} from '../../core/catalog/index.ts'
import type { EmpireId } from '../../core/catalog/map-types.ts'
import { idOf } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { Held } from '../../core/goods.ts'
import { addToSet } from '../../core/groups.ts'
import { divFloor, mulDivFloor } from '../../core/math.ts'
import { say } from '../../core/say.ts'
import { dayOfTick } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseName, capitalOf, empireOfBase, offersService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { Signal } from '../distress/state.ts'
import { Deposit } from '../mining/state.ts'
import { postingTemplate } from '../posting/model.ts'
import { unitsThatFit } from '../ship/model.ts'
import { creditsPerDayMax } from '../skill/model.ts'
import { ownerOfBase } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { systemName } from '../travel/model.ts'
import { Lane, Poi, StarSystem } from '../travel/state.ts'
import {
  ACTIVE,
  EPOCH_TICKS,
  GIVERS,
  JUMPS,
  MINED_IN,
  MISSION_RECORDS,
  Mission,
  type MissionRecord,
  POOLS,
  type Pool,
  SHARES,
} from './state.ts'

export const epochOf = (tick: number): number => divFloor(tick, EPOCH_TICKS)

/* Collections. Source: missions.md section 2, `contribute`. */

export const NEW_POOL: Pool = {
  given: 0,
  phase: 'open',
  opensTick: 0,
  due: 0,
  best: 0,
  bestUnits: 0,
}

export const shareKey = (template: string, player: number): string => `${template}:${player}`

/**
 * Returns the state of a collection; after its cooldown it starts over. It is also full if a newer
 * catalogue has a goal below what has been given.
 */
export function poolOf(view: WorldView, template: string): Pool {
  const pool = view.records(POOLS).get(template)
  if (!pool || (pool.phase === 'resting' && view.tick >= pool.opensTick)) return NEW_POOL
  const row = pool.phase === 'open' ? missionTemplate(template) : undefined
  return row && pool.given >= goalOf(row).units ? { ...pool, phase: 'paying' } : pool
}

/** Returns whether a collection accepts gifts. */
export const isCollecting = (view: WorldView, template: string): boolean =>
  poolOf(view, template).phase === 'open'

/** Returns the item that is collected, and the units that complete the collection. */
export function goalOf({ template_id, objectives }: MissionRow): { item: number; units: number } {
  const [{ item = '', quantity }] = objectives
  assert(objectives.length === 1 && itemIndex(item) >= 0, `${template_id} collects nothing`)
  return { item: itemIndex(item), units: quantity }
}

/** Returns the units that a player has given in this round. */
export const shareOf = (view: WorldView, template: string, player: Eid): number =>
  view.records(SHARES).get(shareKey(template, view.read(Player).seq[player])) ?? 0

/** Returns whether a player has a share or the table has room for one. */
export const hasShareRoom = (view: WorldView, template: string, player: Eid): boolean =>
  shareOf(view, template, player) > 0 || view.records(SHARES).size < SHARES.rowsMax

export function renderPool(view: WorldView, template: MissionRow) {
  const units = sharedUnits(view, template)
  const { given } = poolOf(view, template.template_id)
  return {
    community: true,
    community_percent: divFloor(100 * given, units),
    community_progress: { [template.objectives[0].item ?? '']: `${given}/${units}` },
  }
}

/** Returns the units that share the pay of a collection: its goal, or what was given if more. */
export const sharedUnits = (view: WorldView, template: MissionRow): number =>
  Math.max(goalOf(template).units, poolOf(view, template.template_id).given)

/** Returns the credits for some units of a collection, rounded down. */
export const payOf = (view: WorldView, template: MissionRow, units: number): number =>
  mulDivFloor(template.credits, units, sharedUnits(view, template))

/** Returns the credits that a player's share is worth so far. */
export const shareWorth = (view: WorldView, template: MissionRow, player: Eid): number =>
  payOf(view, template, shareOf(view, template.template_id, player))

/**
 * Returns the credits of a full collection that are left over by rounding down, if the player has
 * the largest share; otherwise 0.
 */
export function remainderFor(view: WorldView, template: MissionRow, player: Eid): number {
  const id = template.template_id
  let remainder = template.credits
  let best = 0
  let bestUnits = 0
  for (const number of view.index(GIVERS).get(id) ?? []) {
    const units = view.records(SHARES).get(shareKey(id, number)) ?? 0
    remainder -= payOf(view, template, units)
    if (units < bestUnits || (units === bestUnits && number > best)) continue
    best = number
    bestUnits = units
  }
  return best === view.read(Player).seq[player] ? remainder : 0
}

/** Returns the sum of all shares in a collection, units. */
export function sharesSum(view: WorldView, template: string): number {
  const givers = view.index(GIVERS).get(template) ?? new Set<number>()
  const shares = view.records(SHARES)
  return [...givers].reduce((sum, number) => sum + (shares.get(shareKey(template, number)) ?? 0), 0)
}

/* Records */

const NO_RECORD: MissionRecord = { done: {}, epoch: 0, offers: [], day: 0, paid: 0, lapsed: [] }

export const recordKey = (view: WorldView, player: Eid): string =>
  String(view.read(Player).seq[player])

export const recordOf = (view: WorldView, player: Eid): MissionRecord =>
  view.records(MISSION_RECORDS).get(recordKey(view, player)) ?? NO_RECORD

/** Returns the credits of NPC missions that a player has been paid today. */
export const paidToday = (view: WorldView, { day, paid }: MissionRecord): number =>
  day === dayOfTick(view.tick) ? paid : 0

/** Returns the credits that NPC missions may still pay a player today. */
export const creditsLeft = (view: WorldView, player: Eid): number =>
  Math.max(0, creditsPerDayMax(view, player) - paidToday(view, recordOf(view, player)))

/* Places */

type JumpRange = readonly [min: number, max: number]

/** Ranges of jumps for the targets `next`, `near` and `far`, and the default. */
const NEXT_JUMPS = [1, 1] as const
const NEAR_JUMPS = [1, 3] as const
const FAR_JUMPS = [4, 8] as const
const ANY_JUMPS = [1, 8] as const
const JUMPS_OF: Partial<Record<ObjectiveTarget, JumpRange>> = {
  next: NEXT_JUMPS,
  near: NEAR_JUMPS,
  far: FAR_JUMPS,
}
/** The number of jumps to a system that no lanes lead to. */
export const UNREACHED = 0xffff

export const systemOfBase = (view: WorldView, base: Eid): Eid =>
  view.read(Poi).system[view.read(Base).poi[base]]

/** Returns the jumps from a base to every system, UNREACHED included. */
function jumpsFrom(view: WorldView, base: Eid): Uint16Array {
  const start = systemOfBase(view, base)
  const cached = view.index(JUMPS).get(start)
  if (cached) return cached
  const { firstLane, laneCount } = view.read(StarSystem)
  const { to } = view.read(Lane)
  const jumps = new Uint16Array(view.highOf(StarSystem) + 1).fill(UNREACHED)
  const queue = [start]
  jumps[start] = 0
  // The loop also visits systems that it appends to the queue.
  for (const from of queue) {
    for (let i = 0; i < laneCount[from]; i++) {
      const next = to[firstLane[from] + i]
      if (jumps[next] !== UNREACHED) continue
      jumps[next] = jumps[from] + 1
      queue.push(next)
    }
  }
  view.index(JUMPS).set(start, jumps)
  return jumps
}

export const jumpsTo = (view: WorldView, base: Eid, system: Eid): number =>
  jumpsFrom(view, base)[system]

/** Returns the rows within a range of jumps; if there are none, the nearest others. */
function rowsWithin(rows: readonly Eid[], jumpsOf: (row: Eid) => number, [min, max]: JumpRange) {
  const inside = rows.filter((row) => jumpsOf(row) >= min && jumpsOf(row) <= max)
  if (inside.length > 0) return inside
  const reachable = rows.filter((row) => jumpsOf(row) >= 1 && jumpsOf(row) < UNREACHED)
  const nearest = Math.min(UNREACHED, ...reachable.map(jumpsOf))
  return reachable.filter((row) => jumpsOf(row) === nearest)
}

/** Applies `rowsWithin` to bases, by the jumps to their systems. */
const basesWithin = (view: WorldView, base: Eid, bases: readonly Eid[], range: JumpRange) =>
  rowsWithin(bases, (row) => jumpsTo(view, base, systemOfBase(view, row)), range)

/** Returns the bases that missions lead to: those that no player owns and that admit everyone. */
function openBases(view: WorldView): Eid[] {
  const { alive, pirateRepRequired } = view.read(Base)
  const rows: Eid[] = []
  for (let base = 1; base <= view.highOf(Base); base++) {
    const isOpen = pirateRepRequired[base] === 0 && ownerOfBase(view, base) === 0
    if (alive[base] === 1 && isOpen && offersService(view, base, 'missions')) rows.push(base)
  }
  return rows
}

const isEmpire = (to: ObjectiveTarget): to is EmpireId =>
  (EMPIRE_IDS as readonly string[]).includes(to)

/**
 * Returns the capital of the named empire. For `capital`, returns that of the base's own empire; if
 * the base belongs to none or is that capital itself, the nearest other one. 0 if there is none.
 */
function capitalFor(view: WorldView, base: Eid, to: ObjectiveTarget): Eid {
  if (isEmpire(to)) return capitalOf(view, EMPIRE_IDS.indexOf(to))
  const own = empireOfBase(view, base)
  const capitals = EMPIRE_IDS.map((_, empire) => capitalOf(view, empire))
  if (own >= 0 && capitals[own] !== base) return capitals[own]
  // A world with a single station has no other capital.
  return basesWithin(view, base, capitals, ANY_JUMPS)[0] ?? 0
}

/** Returns the bases that an objective offered at a base may lead to. */
export function basesFor(view: WorldView, base: Eid, to: ObjectiveTarget): readonly Eid[] {
  if (to === 'here') return [base]
  if (to === 'capital' || isEmpire(to)) return [capitalFor(view, base, to)]
  const others = openBases(view).filter((row) => row !== base)
  return basesWithin(view, base, others, JUMPS_OF[to] ?? NEAR_JUMPS)
}

/** Returns the systems that an objective offered at a base may lead to. */
export function systemsFor(view: WorldView, base: Eid, to: ObjectiveTarget): readonly Eid[] {
  if (to === 'here') return [systemOfBase(view, base)]
  if (to === 'capital' || isEmpire(to)) return [systemOfBase(view, capitalFor(view, base, to))]
  const { alive, empire } = view.read(StarSystem)
  const rows: Eid[] = []
  for (let system = 1; system <= view.highOf(StarSystem); system++) {
    if (alive[system] === 1 && (to !== 'lawless' || empire[system] === 0)) rows.push(system)
  }
  return rowsWithin(rows, (row) => jumpsTo(view, base, row), JUMPS_OF[to] ?? ANY_JUMPS)
}

/** Jumps within which the goods of a mining objective are found. Source: balance.md section 7. */
const MINED_JUMPS_MAX = 2

/** Returns, by system, the goods that can be mined there; hidden places are left out. */
export function minedBySystem(view: WorldView): ReadonlyMap<Eid, ReadonlySet<number>> {
  const mined = view.index(MINED_IN)
  if (mined.size > 0) return mined
  const { alive, item, poi } = view.read(Deposit)
  const { system, hidden } = view.read(Poi)
  for (let row = 1; row <= view.highOf(Deposit); row++) {
    if (alive[row] === 1 && hidden[poi[row]] === 0) addToSet(mined, system[poi[row]], item[row])
  }
  return mined
}

/** Returns whether a good can be mined within two jumps of a base. */
export function isMinedNear(view: WorldView, base: Eid, item: number): boolean {
  const jumps = jumpsFrom(view, base)
  for (const [system, items] of minedBySystem(view)) {
    if (jumps[system] <= MINED_JUMPS_MAX && items.has(item)) return true
  }
  return false
}

/* Active missions */

/** Returns the missions of a player in the order of acceptance. */
export const missionsOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(ACTIVE).byPlayer.get(player) ?? []

/** Returns the index of an objective in columns with OBJECTIVES_MAX values a mission. */
export const slotOf = (mission: Row, index: number): number => mission * OBJECTIVES_MAX + index

/** Returns the template of an active mission: that of its posting, its escort or the catalogue. */
export function templateOf(view: WorldView, mission: Row): MissionRow {
  const { posting, template, stops } = view.read(Mission)
  if (posting[mission] !== 0) return postingTemplate(view, posting[mission])
  if (stops[mission] !== 0) return escortTemplate(stops[mission])
  const id = view.texts.get(template[mission])
  const row = missionTemplate(id)
  assert(row, `mission ${mission} is of the unknown template ${id}`)
  return row
}

/**
 * Returns whether the missions of a player may have changed in this tick. The progress of a
 * delivery is the cargo aboard while docked at its base, so there any move of goods may change it.
 */
export function haveMissionsChanged(view: WorldView, player: Eid): boolean {
  const { changed } = view.index(ACTIVE)
  if (changed.tick === view.tick && changed.players.has(player)) return true
  const here = dockedBase(view, player)
  const { toBase } = view.read(Mission)
  return (
    here !== 0 &&
    missionsOf(view, player).some((mission) =>
      templateOf(view, mission).objectives.some(
        ({ type }, index) => type === 'deliver_item' && toBase[slotOf(mission, index)] === here,
      ),
    )
  )
}

export interface Delivery {
  readonly item: number
  readonly units: number
  readonly base: Eid
}

/**
 * Returns the deliveries of a mission. One without a base was added to the template after the
 * mission was accepted; it is not required and left out.
 */
export function deliveriesOf(view: WorldView, mission: Row): Delivery[] {
  const { toBase } = view.read(Mission)
  return templateOf(view, mission).objectives.flatMap(({ type, item = '', quantity }, index) => {
    const base = toBase[slotOf(mission, index)]
    const isRequired = type === 'deliver_item' && base !== 0
    return isRequired ? [{ item: itemIndex(item), units: quantity, base }] : []
  })
}

/** Returns whether a mission can only be completed at a base: a delivery, or a gift. */
export const needsDocking = (view: WorldView, mission: Row): boolean =>
  deliveriesOf(view, mission).length > 0 || templateOf(view, mission).community === true

/** Returns the id of a mission; a rescue has the id of its signal, which players saw before. */
export function missionId(view: WorldView, mission: Row): string {
  const signal = view.read(Mission).signal[mission]
  return signal === 0 ? idOf(view, Mission, mission) : idOf(view, Signal, signal)
}

/** Returns a player's mission by its id or the id of its template; 0 if there is none. */
export function missionById(view: WorldView, player: Eid, id: string): Row {
  const lowerId = id.toLowerCase()
  return (
    missionsOf(view, player).find(
      (row) => missionId(view, row) === lowerId || templateOf(view, row).template_id === id,
    ) ?? 0
  )
}

/** Returns the name of a base, with its system unless the name includes it already. */
export function placeName(view: WorldView, base: Eid): string {
  const name = baseName(view, base)
  const system = systemName(view, systemOfBase(view, base))
  return name.includes(system) ? name : `${name} in ${system}`
}

/** Refuses an id that is none of the player's active missions. */
export const unknownActive = (id: string): Failure<'mission_not_found'> =>
  fail(
    'mission_not_found',
    { mission_id: id },
    say`You have no active mission “${id.slice(0, 64)}”; {get_active_missions} lists your active missions.`,
  )

/** Returns the missions that answer a distress signal: at most one since version 6 of the rules. */
export const missionsOfSignal = (view: WorldView, signal: Row): readonly Row[] =>
  view.index(ACTIVE).bySignal.get(signal) ?? []

/** Experience in each skill of a mission, for each point of its difficulty. */
export const XP_PER_DIFFICULTY = 30

/* Goods that a mission provides */

export const providedBy = ({ provided }: MissionRow): Held[] =>
  Object.entries(provided).map(([id, units]) => ({ item: itemIndex(id), units }))

/** Returns the value of all goods that a mission provides, credits. */
export const replacementCost = (template: MissionRow): number =>
  providedBy(template).reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)

/** Returns whether a hold has room for the goods provided; they are of one kind or take little. */
export const takesProvided = (view: WorldView, ship: Eid, template: MissionRow): boolean =>
  providedBy(template).every(({ item, units }) => unitsThatFit(view, ship, item) >= units)
