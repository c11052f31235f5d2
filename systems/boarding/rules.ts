/**
 * Boardings: the figures frozen when a ship joins a battle, the request to board, start, notes for
 * the battle log, and end. What happens in between is in kernels.ts, the fate of a captured
 * hull in systems.ts.
 */
import { assert } from '../../core/assert.ts'
import type { ModuleRow } from '../../core/catalog/types.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { addToList } from '../../core/groups.ts'
import { say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { areHostile, combatantId } from '../combat/model.ts'
import { Battle, FATES, PARTICIPANT_KINDS, Participant, STANCES } from '../combat/state.ts'
import { keepsHulls, npcKindOf } from '../npc/model.ts'
import { hasSpecial, modulesOf, moduleTypeOf, shipClassOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { WITHDRAWAL_TICKS } from './assault-kernels.ts'
import { linksOf, operationId } from './model.ts'
import {
  BattleBoarding,
  BOARDABLE_KINDS,
  BOARDING_ANSWERS,
  BOARDING_OUTCOMES,
  Boarding,
  type BoardingNote,
  LINK_PHASES,
  LINKS_OF,
  Link,
  NOTES,
} from './state.ts'

const BOARD = STANCES.indexOf('board')
const CLOSING = LINK_PHASES.indexOf('closing')
const WITHDRAWING = LINK_PHASES.indexOf('withdrawing')

type BoardingOutcome = (typeof BOARDING_OUTCOMES)[number]
type BoardingAnswer = (typeof BOARDING_ANSWERS)[number]

/* Notes */

/** Discards the notes of the previous tick. */
export const clearNotes = (world: World): void => world.index(NOTES).clear()

/** Records a note on a boarding for the battle log, with the ids of both ships. */
function recordNote(
  world: World,
  row: Row,
  note: Pick<BoardingNote, 'event' | 'reason' | 'outcome'>,
): void {
  const { battle, attacker, target } = world.read(Link)
  addToList(world.index(NOTES), battle[row], {
    ...note,
    operation_id: operationId(world, row),
    attacker_id: combatantId(world, attacker[row]),
    target_id: combatantId(world, target[row]),
  })
}

/* Start */

/** Starts or rejects boardings as the kernel has answered a battle's requests. */
export function startBoardings(world: World, battle: Row): void {
  const { next } = world.read(Participant)
  const boarding = world.write(Boarding)
  world.write(BattleBoarding).asked[battle] = 0
  for (let row = world.read(Battle).first[battle]; row !== 0; row = next[row]) {
    if (boarding.wanted[row] === 0) continue
    const answer = BOARDING_ANSWERS[boarding.answer[row]]
    if (answer === 'started') start(world, battle, row)
    else if (answer !== 'none') reject(world, battle, row, answer)
    boarding.wanted[row] = 0
    boarding.marines[row] = 0
    boarding.answer[row] = 0
  }
}

function reject(world: World, battle: Row, row: Row, reason: BoardingAnswer): void {
  const target = world.read(Boarding).wanted[row]
  const isThere = world.read(Participant).alive[target] === 1
  addToList(world.index(NOTES), battle, {
    event: 'boarding_rejected',
    attacker_id: combatantId(world, row),
    target_id: isThere ? combatantId(world, target) : '',
    reason,
  })
}

function start(world: World, battle: Row, attacker: Row): void {
  const boarding = world.write(Boarding)
  const part = world.write(Participant)
  const target = boarding.wanted[attacker]
  const fit = world.read(Ship).marinesFit[part.ship[attacker]]
  assert(boarding.link[attacker] === 0 && boarding.link[target] === 0, 'a hull in two boardings')
  const row = world.take(Link)
  const link = world.write(Link)
  link.number[row] = world.nextNumber(Link.name)
  link.attacker[row] = attacker
  link.target[row] = target
  link.phase[row] = CLOSING
  link.committed[row] = Math.min(boarding.marines[attacker], fit)
  link.startTick[row] = world.tick
  assert(link.committed[row] >= 1, 'a boarding without marines')
  LINKS_OF.link(world, row, battle)
  boarding.link[attacker] = row
  boarding.link[target] = row
  boarding.stanceAfter[attacker] = 0
  part.boardedStance[attacker] = part.stance[attacker]
  part.stance[attacker] = BOARD
  recordNote(world, row, { event: 'boarding_started' })
}

/* Progress */

/** Records the progress of a battle's boardings, and ends those that the kernel has decided. */
export function followBoardings(world: World, battle: Row): void {
  const { attached, target, phase, timer, outcome } = world.read(Link)
  const { locked } = world.write(Boarding)
  for (const row of linksOf(world, battle)) {
    if (attached[row] === 1 && locked[target[row]] === 0) {
      locked[target[row]] = 1
      recordNote(world, row, { event: 'latched' })
    }
    if (phase[row] === WITHDRAWING && timer[row] === WITHDRAWAL_TICKS) {
      recordNote(world, row, { event: 'withdrawing' })
    }
    if (outcome[row] !== 0) endBoarding(world, row, BOARDING_OUTCOMES[outcome[row]])
  }
}

/* End */

/** Outcomes in which a hull is destroyed with everyone aboard. */
const WRECKED: ReadonlySet<BoardingOutcome> = new Set([
  'attacker_destroyed',
  'target_destroyed',
  'target_self_destructed',
])

/**
 * Ends a boarding: the boarder takes the stance it was ordered, or had before. ours: marines aboard
 * a destroyed hull are lost; the sheet does not say.
 */
export function endBoarding(world: World, row: Row, outcome: BoardingOutcome): void {
  const link = world.read(Link)
  const attacker = link.attacker[row]
  const target = link.target[row]
  if (outcome === 'closing_stalled') {
    recordNote(world, row, { event: 'ended', outcome: 'withdrawn', reason: outcome })
  } else recordNote(world, row, { event: 'ended', outcome })
  if (link.attached[row] === 1 && WRECKED.has(outcome)) {
    const ship = world.read(Participant).ship[attacker]
    const { marinesFit, personnelVersion } = world.write(Ship)
    marinesFit[ship] -= link.committed[row]
    personnelVersion[ship]++
  }
  const boarding = world.write(Boarding)
  const part = world.write(Participant)
  const ordered = boarding.stanceAfter[attacker]
  part.stance[attacker] = ordered === 0 ? part.boardedStance[attacker] : ordered - 1
  part.boardedStance[attacker] = 0
  boarding.stanceAfter[attacker] = 0
  boarding.link[attacker] = 0
  boarding.link[target] = 0
  boarding.locked[target] = 0
  LINKS_OF.remove(world, row)
}

/** Returns how a boarding ends when one of its hulls leaves the battle. */
function outcomeOf(view: WorldView, row: Row, gone: Row): BoardingOutcome {
  const fate = FATES[view.read(Participant).fate[gone]]
  const isBoarder = view.read(Link).attacker[row] === gone
  if (fate === 'self_destructed') return isBoarder ? 'attacker_destroyed' : 'target_self_destructed'
  if (fate === 'destroyed') return isBoarder ? 'attacker_destroyed' : 'target_destroyed'
  return 'withdrawn'
}

/**
 * Ends the boarding, if any, of a participant that leaves its battle. The caller does so while its
 * row still exists, with its fate set.
 */
export function leaveBoarding(world: World, participant: Row): void {
  const row = world.read(Boarding).link[participant]
  if (row !== 0) endBoarding(world, row, outcomeOf(world, row, participant))
}

/* Joining a battle */

const TRIAGE_MAX_PCT = 100

/** Returns whether a crew plunders a hull instead of keeping it; those of empires keep it. */
const plunders = (view: WorldView, hull: Eid): boolean =>
  view.read(Ship).owner[hull] === 0 && npcKindOf(view, hull) !== 'npc' && !keepsHulls(view, hull)

/** Fills the frozen figures of a participant from its hull and modules, as it joins. */
export function freezeBoarding(world: World, participant: Row): void {
  const { ship, battle } = world.read(Participant)
  const hull = ship[participant]
  const hullClass = shipClassOf(world, hull)
  const fit = modulesOf(world, hull).map((module) => moduleTypeOf(world, module))
  const sum = (field: keyof ModuleRow) =>
    fit.reduce((total, module) => total + ((module[field] as number | undefined) ?? 0), 0)
  const inherentLatch = hullClass.inherent_capabilities.reduce(
    (total, { type, value }) => total + (type === 'latch_strength' ? value : 0),
    0,
  )
  const columns = world.write(Boarding)
  columns.capable[participant] = hasSpecial(world, hull, 'boarding_capability') ? 1 : 0
  columns.uncapturable[participant] = hullClass.capture_policy === 'forbidden' ? 1 : 0
  columns.plunders[participant] = plunders(world, hull) ? 1 : 0
  columns.latchStrength[participant] = inherentLatch + sum('latch_strength')
  columns.latchResistance[participant] = hullClass.latch_resistance + sum('latch_resistance_bonus')
  columns.marineBonusPct[participant] = sum('marine_combat_bonus')
  columns.crewBonusPct[participant] = sum('crew_combat_bonus')
  columns.defenseBonusPct[participant] =
    hullClass.boarding_defense_bonus_pct + sum('boarding_defense_bonus')
  columns.contactDefense[participant] = fit.filter(
    (module) => module.special === 'boarding_contact_defense',
  ).length
  columns.triagePct[participant] = Math.min(TRIAGE_MAX_PCT, sum('fleet_triage_pct'))
  if (columns.triagePct[participant] > 0)
    world.write(BattleBoarding).triage[battle[participant]] = 1
}

/* Requests */

/** Returns whether a participant may board another: a hostile hull that can be captured. */
function canBoard(view: WorldView, participant: Row, target: Row): boolean {
  const { alive, battle, side, kind } = view.read(Participant)
  if (target === 0 || alive[target] === 0 || battle[target] !== battle[participant]) return false
  if (view.read(Boarding).uncapturable[target] === 1) return false
  if (!areHostile(view, battle[target], side[target], side[participant])) return false
  return BOARDABLE_KINDS.includes(PARTICIPANT_KINDS[kind[target]])
}

const NO_ENEMY = say`That is no enemy you can board; {get_battle_status} lists all ships.`

/**
 * Requests a boarding, which phase fight grants or rejects. A request of a ship that is already
 * boarding changes nothing. Source: combat.md sections 10, 17.
 */
export function requestBoarding(
  world: World,
  participant: Row,
  target: Row,
  marines: number,
): Failure<'invalid_target' | 'no_boarding_gear' | 'no_marines'> | undefined {
  const { ship, stance } = world.read(Participant)
  if (world.read(Boarding).capable[participant] === 0) return fail('no_boarding_gear')
  const fit = world.read(Ship).marinesFit[ship[participant]]
  if (fit === 0) return fail('no_marines')
  if (marines < 1) return fail('no_marines', { fit_marines: fit })
  if (!canBoard(world, participant, target)) return fail('invalid_target', {}, NO_ENEMY)
  if (STANCES[stance[participant]] === 'board') return undefined
  const columns = world.write(Boarding)
  columns.wanted[participant] = target
  columns.marines[participant] = Math.min(marines, fit)
  world.write(Participant).orderStance[participant] = BOARD + 1
  world.write(BattleBoarding).asked[world.read(Participant).battle[participant]] = 1
  return undefined
}
