/**
 * Active missions: opening, progress, taking provided goods back, ending. Callers check beforehand
 * whether a player may do it. Source: missions.md sections 1-3.
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
import type { Held } from '../../core/goods.ts'
import { moveItems, namedContainer, unitsIn } from '../../core/goods.ts'
import { addToList, addToSet, removeFromList, removeFromSet } from '../../core/groups.ts'
import { balanceOf, namedAccount } from '../../core/ledger.ts'
import { LAPSED_MISSIONS_MAX } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { empireOfBase } from '../base/model.ts'
import { closeEmptyLocker, lockerOf } from '../cargo/model.ts'
import { addDebt } from '../law/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { assignPosting, relistPosting } from '../posting/rules.ts'
import { activeShip, cargoUnits, loadCargo, shipsOf, unloadCargo } from '../ship/model.ts'
import { rebuildPools, saveRecord } from './community-rules.ts'
import { countErrand } from './errand-model.ts'
import { missionId, providedBy, recordOf, slotOf, templateOf } from './model.ts'
import { ACTIVE, Mission, type Offer } from './state.ts'

/** What is wrong with the templates: found once, since every world has the same ones. */
let faults: readonly string[] | undefined

/** Asserts that the templates are valid, and rebuilds the indexes after a restore. */
export function rebuildMissionIndexes(world: World): void {
  faults ??= missionFaults()
  assert(faults.length === 0, `missions are invalid: ${faults.join('; ')}`)
  rebuildMissions(world)
  rebuildPools(world)
}

/* Progress. Source: missions.md sections 2, 9. */

/** The subject of an objective: item index, base or system row, pirate tier or player number. */
type ProgressKey = number | string

function matches(view: WorldView, slot: number, row: ObjectiveRow, key: ProgressKey): boolean {
  switch (row.type) {
    case 'visit_system':
      return view.read(Mission).toSystem[slot] === key
    case 'dock_base':
      return view.read(Mission).toBase[slot] === key
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
    case 'escort_convoy':
      return false
    default:
      return true
  }
}

/** Records that the missions of a player, or their progress, changed in this tick. */
export function markChanged(world: World, player: Eid): void {
  const { changed } = world.index(ACTIVE)
  if (changed.tick !== world.tick) changed.players.clear()
  changed.tick = world.tick
  changed.players.add(player)
}

/** Counts an action of a player towards their missions. O(missions of the player). */
export function recordProgress(
  world: World,
  player: Eid,
  type: ObjectiveType,
  action: { readonly key?: ProgressKey; readonly units?: number } = {},
): void {
  const { key = 0, units = 1 } = action
  const { byPlayer, moved } = world.index(ACTIVE)
  const missions = byPlayer.get(player)
  if (!missions || units <= 0) return
  for (const mission of missions) {
    for (const [index, row] of templateOf(world, mission).objectives.entries()) {
      const slot = slotOf(mission, index)
      if (row.type !== type || !matches(world, slot, row, key)) continue
      const { progress } = world.write(Mission)
      const after = Math.min(row.quantity, progress[slot] + units)
      if (after === progress[slot]) continue
      progress[slot] = after
      moved.set(mission, index)
      markChanged(world, player)
    }
  }
}

/* Indexes */

function indexMission(world: World, mission: Row): void {
  const { player, expireTick, signal, convoy } = world.read(Mission)
  const { byPlayer, due, bySignal, byConvoy, byCollection } = world.index(ACTIVE)
  const { community, template_id } = templateOf(world, mission)
  markChanged(world, player[mission])
  if (signal[mission] !== 0) addToList(bySignal, signal[mission], mission)
  if (convoy[mission] !== 0) addToList(byConvoy, convoy[mission], mission)
  if (community) addToSet(byCollection, template_id, mission)
  addToList(byPlayer, player[mission], mission)
  addToList(due, expireTick[mission], mission)
}

/** Rebuilds the indexes from the table, after a restore. */
function rebuildMissions(world: World): void {
  const { byPlayer, due, moved, changed, bySignal, byConvoy, byCollection } = world.index(ACTIVE)
  for (const map of [byPlayer, due, moved, bySignal, byConvoy, byCollection]) map.clear()
  const { alive, seq } = world.read(Mission)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Mission); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) indexMission(world, row)
  changed.players.clear()
}

/* Taking back provided goods */

/** Lists the bases whose lockers are searched for goods of a mission: its own and its targets. */
function basesOf(view: WorldView, mission: Row): Eid[] {
  const { base, toBase } = view.read(Mission)
  const bases = [base[mission]]
  for (let i = 0; i < OBJECTIVES_MAX; i++) bases.push(toBase[slotOf(mission, i)])
  return [...new Set(bases)].filter((row) => row !== 0)
}

/** Takes provided goods from the player's ships and lockers; returns the units still missing. */
function takeBack(world: World, mission: Row, player: Eid, { item, units }: Held): number {
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
  return left
}

/**
 * Charges for missing goods: first from the wallet, the rest as a debt to the base's empire, if any.
 * Returns the credits charged.
 */
function charge(world: World, mission: Row, player: Eid, credits: number): number {
  const { title } = templateOf(world, mission)
  const wallet = walletOf(world, player)
  const paid = Math.min(credits, balanceOf(world, wallet))
  const summary = `Paid for missing goods of the mission "${title}".`
  const sink = namedAccount('fee_sink')
  creditMove(world, player, wallet, sink, paid, 'mission', 'mission.replaced', summary, {
    mission_id: missionId(world, mission),
  })
  const empire = empireOfBase(world, world.read(Mission).base[mission])
  if (empire < 0) return paid
  const why = `Goods of the mission "${title}" were lost.`
  if (credits > paid) addDebt(world, player, empire, { credits: credits - paid, why })
  return credits
}

/** Takes back the goods that a mission provided; returns the credits charged for missing ones. */
export function reclaim(world: World, mission: Row): number {
  const player = world.read(Mission).player[mission]
  let due = 0
  for (const provided of providedBy(templateOf(world, mission))) {
    due += takeBack(world, mission, player, provided) * GOODS[provided.item].base_value
  }
  return due > 0 ? charge(world, mission, player, due) : 0
}

/* Opening and ending */

/** Accepts an offer; the caller checks for room in the table and in the hold. */
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
  if (offer.convoy !== undefined) {
    columns.convoy[mission] = offer.convoy
    columns.stops[mission] = template.objectives[0].quantity
  }
  for (let i = 0; i < template.objectives.length; i++) {
    columns.toBase[slotOf(mission, i)] = offer.toBase[i]
    columns.toSystem[slotOf(mission, i)] = offer.toSystem[i]
  }
  world.setText(Mission, 'template', mission, template.template_id)
  indexMission(world, mission)
  countErrand(world, offer)
  if (offer.posting !== 0) assignPosting(world, offer.posting, mission)
  const ship = activeShip(world, player)
  for (const { item, units } of providedBy(template)) {
    loadCargo(world, ship, namedContainer('quests'), item, units)
  }
  return mission
}

interface RescuePlan {
  readonly signal: Row
  readonly system: Eid
  /** True if the pilot accepts it in the system of the signal. */
  readonly isNear: boolean
  readonly template: MissionRow
  readonly expireTick: number
  readonly credits: number
}

/** Opens a rescue mission of a player; the caller checks for room in the table. */
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
  columns.toSystem[slotOf(mission, 0)] = plan.system
  world.setText(Mission, 'template', mission, plan.template.template_id)
  indexMission(world, mission)
  return mission
}

/** Removes a mission; the caller relists or closes its posting. */
export function closeMission(world: World, mission: Row): void {
  const { alive, player, signal, convoy } = world.read(Mission)
  assert(alive[mission] === 1, `mission ${mission} is over already`)
  const { byPlayer, moved, bySignal, byConvoy, byCollection } = world.index(ACTIVE)
  removeFromSet(byCollection, templateOf(world, mission).template_id, mission)
  removeFromList(bySignal, signal[mission], mission)
  removeFromList(byConvoy, convoy[mission], mission)
  removeFromList(byPlayer, player[mission], mission)
  moved.delete(mission)
  markChanged(world, player[mission])
  world.release(Mission, mission)
}

/** Removes a mission that is not completed; its posting returns to the board. */
export function dropMission(world: World, mission: Row): void {
  const columns = world.read(Mission)
  const player = columns.player[mission]
  const posting = columns.posting[mission]
  closeMission(world, mission)
  if (posting !== 0) relistPosting(world, posting, player)
}

/** Ends a mission whose time has run out. */
function lapse(world: World, mission: Row): void {
  const { title, kind } = templateOf(world, mission)
  // A rescue ends without penalty. Source: missions.md section 4.
  if (kind === 'rescue') {
    closeMission(world, mission)
    return
  }
  failMission(world, mission, `The time for "${title}" has run out.`)
}

/** Ends a mission that cannot be completed any more, and logs why. */
export function failMission(world: World, mission: Row, summary: string): void {
  const player = world.read(Mission).player[mission]
  const id = missionId(world, mission)
  reclaim(world, mission)
  const record = recordOf(world, player)
  const lapsed = [...record.lapsed, id].slice(-LAPSED_MISSIONS_MAX)
  saveRecord(world, player, { ...record, lapsed })
  logAction(world, player, 'mission', 'failed', summary, { mission_id: id })
  dropMission(world, mission)
}

/** Ends missions that expire in this tick; skips rows of missions that ended earlier. O(due). */
export function lapseDue(world: World): void {
  const { due } = world.index(ACTIVE)
  const rows = due.get(world.tick)
  if (!rows) return
  due.delete(world.tick)
  const { alive, expireTick, seq } = world.read(Mission)
  const expired = [...new Set(rows)].filter(
    (row) => alive[row] === 1 && expireTick[row] === world.tick,
  )
  for (const mission of expired.sort((a, b) => seq[a] - seq[b])) lapse(world, mission)
}
