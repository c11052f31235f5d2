/**
 * Missions that players are at: opening, taking back what was handed over, and ending them. What a
 * command refuses is decided before anything here is called. Source: missions.md sections 1-3.
 */

import { assert } from '../../core/assert.ts'
import {
  GOODS,
  itemIndex,
  type MissionRow,
  missionFaults,
  OBJECTIVES_MAX,
  type ObjectiveRow,
  type ObjectiveType,
} from '../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../core/goods.ts'
import { append, drop, exclude } from '../../core/groups.ts'
import { balanceOf, namedAccount } from '../../core/ledger.ts'
import { LAPSED_MISSIONS_MAX } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { empireOfBase } from '../base/model.ts'
import { closeEmptyLocker, lockerOf } from '../cargo/model.ts'
import { addDebt } from '../law/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { freePosting, holdPosting } from '../posting/rules.ts'
import { activeShip, cargoUnits, loadCargo, shipsOf, unloadCargo } from '../ship/model.ts'
import { rebuildPools, saveRecord } from './community-rules.ts'
import {
  missionId,
  missionsOf,
  missionsOfSignal,
  type Provided,
  providedBy,
  recordOf,
  templateOf,
} from './model.ts'
import { MISSIONS_OF, Mission, type Offer } from './state.ts'

/** The server does not start with templates that promise what they must not. */
export function start(world: World): void {
  const faults = missionFaults()
  assert(faults.length === 0, `missions are not sound: ${faults.join('; ')}`)
  rebuildMissions(world)
  rebuildPools(world)
}

/*
 * What players do, counted towards the objectives of their missions: the one function that other
 * domains call. It knows which missions a player is at, and nothing of offers or rewards. Source:
 * missions.md sections 2, 9.
 */

/** Item index, base or system row, pirate tier or player number: what the objective is about. */
type ProgressKey = number | string

function isMeant(view: WorldView, at: number, row: ObjectiveRow, key: ProgressKey): boolean {
  switch (row.type) {
    case 'visit_system':
      return view.read(Mission).toSystem[at] === key
    case 'dock_base':
      return view.read(Mission).toBase[at] === key
    case 'kill_pirate':
      return row.tier === undefined || row.tier === key
    case 'kill_player':
      return row.player === key
    case 'mine_item':
    case 'craft_item':
    case 'sell_item':
      return row.item !== undefined && itemIndex(row.item) === key
    case 'deliver_item':
    case 'contribute':
    case 'rescue':
      return false
    default:
      return true
  }
}

/** Notes that the missions of a player, or how far they are, are others than before this tick. */
export function recordChanged(world: World, player: Eid): void {
  const { changed } = world.index(MISSIONS_OF)
  if (changed.tick !== world.tick) changed.players.clear()
  changed.tick = world.tick
  changed.players.add(player)
}

/** Counts what a player did towards their missions; O(missions they are at). */
export function recordProgress(
  world: World,
  player: Eid,
  type: ObjectiveType,
  what: { readonly key?: ProgressKey; readonly units?: number } = {},
): void {
  const { key = 0, units = 1 } = what
  const open = world.index(MISSIONS_OF)
  const missions = open.of.get(player)
  if (!missions || units <= 0) return
  for (const mission of missions) {
    for (const [index, row] of templateOf(world, mission).objectives.entries()) {
      const at = mission * OBJECTIVES_MAX + index
      if (row.type !== type || !isMeant(world, at, row, key)) continue
      const { progress } = world.write(Mission)
      const after = Math.min(row.quantity, progress[at] + units)
      if (after === progress[at]) continue
      progress[at] = after
      open.moved.set(mission, index)
      recordChanged(world, player)
    }
  }
}

function enter(world: World, mission: Row): void {
  const { player, expireTick, signal } = world.read(Mission)
  const { of, due, answering, giving } = world.index(MISSIONS_OF)
  const template = templateOf(world, mission)
  recordChanged(world, player[mission])
  if (signal[mission] !== 0) {
    answering.set(signal[mission], [...missionsOfSignal(world, signal[mission]), mission])
  }
  if (template.community) {
    const rows = giving.get(template.template_id) ?? new Set<Row>()
    giving.set(template.template_id, rows.add(mission))
  }
  of.set(player[mission], [...missionsOf(world, player[mission]), mission])
  append(due, expireTick[mission], mission)
}

/** Fills the indexes from the table, after a restore. */
function rebuildMissions(world: World): void {
  const { of, due, moved, changed, answering, giving } = world.index(MISSIONS_OF)
  for (const map of [of, due, moved, answering, giving]) map.clear()
  const { alive, seq } = world.read(Mission)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Mission); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) enter(world, row)
  changed.players.clear()
}

/** Bases in whose lockers goods of a mission are looked for. */
function basesOf(view: WorldView, mission: Row): Eid[] {
  const { base, toBase } = view.read(Mission)
  const bases = [base[mission]]
  for (let i = 0; i < OBJECTIVES_MAX; i++) bases.push(toBase[mission * OBJECTIVES_MAX + i])
  return [...new Set(bases)].filter((row) => row !== 0)
}

/** Takes bound goods from wherever the player has them; returns the units found. */
function takeBack(world: World, mission: Row, player: Eid, { item, units }: Provided): number {
  const quests = namedContainer('quests')
  let left = units
  for (const ship of shipsOf(world, player)) {
    const taken = Math.min(left, cargoUnits(world, ship, item))
    if (taken > 0) unloadCargo(world, ship, quests, item, taken)
    left -= taken
  }
  for (const base of basesOf(world, mission)) {
    const locker = lockerOf(world, player, base)
    const taken = locker === 0 ? 0 : Math.min(left, unitsIn(world, locker, item))
    if (taken === 0) continue
    moveItems(world, locker, quests, item, taken)
    closeEmptyLocker(world, player, base)
    left -= taken
  }
  return units - left
}

/** Charges what is missing: the wallet to zero, the rest is owed to the empire of the base. */
function charge(world: World, mission: Row, player: Eid, credits: number): void {
  const { title } = templateOf(world, mission)
  const wallet = walletOf(world, player)
  const paid = Math.min(credits, balanceOf(world, wallet))
  const said = `Paid for what "${title}" handed over and did not get back.`
  const sink = namedAccount('fee_sink')
  creditMove(world, player, wallet, sink, paid, 'mission', 'mission.replaced', said, {
    mission_id: missionId(world, mission),
  })
  const empire = empireOfBase(world, world.read(Mission).base[mission])
  const why = `Goods of the mission "${title}" were lost.`
  if (empire >= 0 && credits > paid)
    addDebt(world, player, empire, { credits: credits - paid, why })
}

/** Takes back what a mission handed over; returns what was charged for the rest. */
export function reclaim(world: World, mission: Row): number {
  const player = world.read(Mission).player[mission]
  let due = 0
  for (const one of providedBy(templateOf(world, mission))) {
    const found = takeBack(world, mission, player, one)
    due += (one.units - found) * GOODS[one.item].base_value
  }
  if (due > 0) charge(world, mission, player, due)
  return due
}

/* Opening and ending */

/** Accepts an offer; the caller has seen to room for it and in the hold. */
export function openMission(world: World, player: Eid, offer: Offer): Row {
  const { template, base, epoch, credits } = offer
  const mission = world.take(Mission)
  const columns = world.write(Mission)
  columns.player[mission] = player
  columns.base[mission] = base
  columns.epoch[mission] = epoch
  columns.acceptedTick[mission] = world.tick
  columns.acceptedMs[mission] = world.wallMs
  columns.expireTick[mission] = world.tick + template.ttlTicks
  columns.credits[mission] = credits
  columns.posting[mission] = offer.posting
  for (let i = 0; i < template.objectives.length; i++) {
    columns.toBase[mission * OBJECTIVES_MAX + i] = offer.toBase[i]
    columns.toSystem[mission * OBJECTIVES_MAX + i] = offer.toSystem[i]
  }
  world.setText(Mission, 'template', mission, template.template_id)
  enter(world, mission)
  if (offer.posting !== 0) holdPosting(world, offer.posting, mission)
  const ship = activeShip(world, player)
  for (const { item, units } of providedBy(template)) {
    loadCargo(world, ship, namedContainer('quests'), item, units)
  }
  return mission
}

interface RescuePlan {
  readonly signal: Row
  readonly system: Eid
  /** True for a pilot who takes it in that system. */
  readonly isNear: boolean
  readonly template: MissionRow
  readonly expireTick: number
  readonly credits: number
}

/** Gives a player a rescue; the caller has seen to room for it. */
export function openRescue(world: World, player: Eid, plan: RescuePlan): Row {
  const mission = world.take(Mission)
  const columns = world.write(Mission)
  columns.player[mission] = player
  columns.signal[mission] = plan.signal
  columns.near[mission] = plan.isNear ? 1 : 0
  columns.acceptedTick[mission] = world.tick
  columns.acceptedMs[mission] = world.wallMs
  columns.expireTick[mission] = plan.expireTick
  columns.credits[mission] = plan.credits
  columns.toSystem[mission * OBJECTIVES_MAX] = plan.system
  world.setText(Mission, 'template', mission, plan.template.template_id)
  enter(world, mission)
  return mission
}

/** Forgets a mission that is over; a posting it is of is the caller's to free or to close. */
export function closeMission(world: World, mission: Row): void {
  const { alive, player, signal } = world.read(Mission)
  assert(alive[mission] === 1, `mission ${mission} is over already`)
  const { of, moved, answering, giving } = world.index(MISSIONS_OF)
  const template = templateOf(world, mission).template_id
  exclude(giving, template, mission)
  const others = missionsOfSignal(world, signal[mission]).filter((row) => row !== mission)
  if (others.length === 0) answering.delete(signal[mission])
  else answering.set(signal[mission], others)
  drop(of, player[mission], mission)
  moved.delete(mission)
  recordChanged(world, player[mission])
  world.release(Mission, mission)
}

/** Ends a mission that comes to nothing: a posting goes back on its board. */
export function dropMission(world: World, mission: Row): void {
  const { player, posting } = world.read(Mission)
  const [who, of] = [player[mission], posting[mission]]
  closeMission(world, mission)
  if (of !== 0) freePosting(world, of, who)
}

function lapse(world: World, mission: Row): void {
  const player = world.read(Mission).player[mission]
  const { title, kind } = templateOf(world, mission)
  const id = missionId(world, mission)
  // a rescue ends without penalty. Source: missions.md section 4
  if (kind === 'rescue') {
    closeMission(world, mission)
    return
  }
  reclaim(world, mission)
  const record = recordOf(world, player)
  const lapsed = [...record.lapsed, id].slice(-LAPSED_MISSIONS_MAX)
  saveRecord(world, player, { ...record, lapsed })
  const said = `The time for "${title}" has run out.`
  logAction(world, player, 'mission', 'failed', said, { mission_id: id })
  dropMission(world, mission)
}

/** Ends what is due; rows that ended before are passed over. O(due). */
export function lapseDue(world: World): void {
  const { due } = world.index(MISSIONS_OF)
  const rows = due.get(world.tick)
  if (!rows) return
  due.delete(world.tick)
  const { alive, expireTick, seq } = world.read(Mission)
  const over = [...new Set(rows)].filter(
    (row) => alive[row] === 1 && expireTick[row] === world.tick,
  )
  for (const mission of over.sort((a, b) => seq[a] - seq[b])) lapse(world, mission)
}
