/**
 * What other domains ask of boarding: figures frozen when a ship joins a battle, the request to
 * board, and who holds whom. The course of a boarding is in kernels.ts, its arithmetic in assault-
 * kernels.ts.
 */

import { assert } from '../../core/assert.ts'
import type { ModuleRow } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { append } from '../../core/groups.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { combatantId } from '../combat/model.ts'
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

/*
 * The rows of boardings: how one starts and how it ends, and what the tick has to note of them.
 * What happens in between is in kernels.ts, what becomes of a taken hull in systems.ts.
 */

const BOARD = STANCES.indexOf('board')
const CLOSING = LINK_PHASES.indexOf('closing')
const WITHDRAWING = LINK_PHASES.indexOf('withdrawing')

type BoardingOutcome = (typeof BOARDING_OUTCOMES)[number]
type BoardingAnswer = (typeof BOARDING_ANSWERS)[number]

export const clearNotes = (world: World): void => world.index(NOTES).clear()

type Noted = Pick<BoardingNote, 'event' | 'reason' | 'outcome'>

function note(world: World, battle: Row, entry: BoardingNote): void {
  const notes = world.index(NOTES)
  append(notes, battle, entry)
}

function recordLink(world: World, row: Row, noted: Noted): void {
  const { battle, attacker, target } = world.read(Link)
  note(world, battle[row], {
    ...noted,
    operation_id: operationId(world, row),
    attacker_id: combatantId(world, attacker[row]),
    target_id: combatantId(world, target[row]),
  })
}

/* Start */

/** Turns what the kernel answered to a battle's requests into boardings and notes. */
export function startBoardings(world: World, battle: Row): void {
  const { next } = world.read(Participant)
  const boarding = world.write(Boarding)
  world.write(BattleBoarding).asked[battle] = 0
  for (let row = world.read(Battle).first[battle]; row !== 0; row = next[row]) {
    const wanted = boarding.wanted[row]
    if (wanted === 0) continue
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
  note(world, battle, {
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
  recordLink(world, row, { event: 'boarding_started' })
}

/* Course */

/** Notes what the kernel made of a battle's boardings, and ends those that were given up. */
export function followBoardings(world: World, battle: Row): void {
  const { attached, target, phase, timer, outcome } = world.read(Link)
  const { locked } = world.write(Boarding)
  for (const row of linksOf(world, battle)) {
    if (attached[row] === 1 && locked[target[row]] === 0) {
      locked[target[row]] = 1
      recordLink(world, row, { event: 'latched' })
    }
    if (phase[row] === WITHDRAWING && timer[row] === WITHDRAWAL_TICKS) {
      recordLink(world, row, { event: 'withdrawing' })
    }
    if (outcome[row] !== 0) endBoarding(world, row, BOARDING_OUTCOMES[outcome[row]])
  }
}

/* End */

/** Outcomes in which a hull is gone, with everybody who was aboard. */
const WRECKED: ReadonlySet<BoardingOutcome> = new Set([
  'attacker_destroyed',
  'target_destroyed',
  'target_self_destructed',
])

/**
 * Ends a boarding: the boarder takes up the stance it was told, or had before, and marines who were
 * aboard a hull that is gone are lost. ours: the sheet does not say what becomes of those.
 */
export function endBoarding(world: World, row: Row, outcome: BoardingOutcome): void {
  const { attacker, target, attached, committed } = world.read(Link)
  const [a, t] = [attacker[row], target[row]]
  if (outcome === 'closing_stalled') {
    recordLink(world, row, { event: 'ended', outcome: 'withdrawn', reason: outcome })
  } else recordLink(world, row, { event: 'ended', outcome })
  if (attached[row] === 1 && WRECKED.has(outcome)) {
    const ship = world.read(Participant).ship[a]
    world.write(Ship).marinesFit[ship] -= committed[row]
    world.write(Ship).personnelVersion[ship]++
  }
  const boarding = world.write(Boarding)
  const part = world.write(Participant)
  part.stance[a] =
    boarding.stanceAfter[a] === 0 ? part.boardedStance[a] : boarding.stanceAfter[a] - 1
  part.boardedStance[a] = 0
  boarding.stanceAfter[a] = 0
  boarding.link[a] = 0
  boarding.link[t] = 0
  boarding.locked[t] = 0
  LINKS_OF.remove(world, row)
}

/** What the end of one of its two hulls makes of a boarding. */
function outcomeOf(view: WorldView, row: Row, gone: Row): BoardingOutcome {
  const fate = FATES[view.read(Participant).fate[gone]]
  const isBoarder = view.read(Link).attacker[row] === gone
  if (fate === 'self_destructed') return isBoarder ? 'attacker_destroyed' : 'target_self_destructed'
  if (fate === 'destroyed') return isBoarder ? 'attacker_destroyed' : 'target_destroyed'
  return 'withdrawn'
}

/**
 * Ends the boarding of a participant that leaves its battle, whichever part it has in it; nothing
 * without one. To be called while the participant's row still is, with its fate set.
 */
export function leaveBoarding(world: World, participant: Row): void {
  const row = world.read(Boarding).link[participant]
  if (row !== 0) endBoarding(world, row, outcomeOf(world, row, participant))
}

const BOARD_ORDER = STANCES.indexOf('board') + 1
const TRIAGE_MAX_PCT = 100

/** What a crew of the server is after; empires keep a hull, as players do. */
const plunders = (view: WorldView, hull: Eid): boolean =>
  view.read(Ship).owner[hull] === 0 && npcKindOf(view, hull) !== 'npc' && !keepsHulls(view, hull)

/** Fills the frozen figures of a participant from its hull and modules; when it joins. */
export function freezeBoarding(world: World, participant: Row): void {
  const { ship, battle } = world.read(Participant)
  const hull = ship[participant]
  const row = shipClassOf(world, hull)
  const fit = modulesOf(world, hull).map((module) => moduleTypeOf(world, module))
  const sum = (field: keyof ModuleRow) =>
    fit.reduce((total, module) => total + ((module[field] as number | undefined) ?? 0), 0)
  const own = (type: string) =>
    row.inherent_capabilities.reduce(
      (total, found) => total + (found.type === type ? found.value : 0),
      0,
    )
  const columns = world.write(Boarding)
  columns.capable[participant] = hasSpecial(world, hull, 'boarding_capability') ? 1 : 0
  columns.uncapturable[participant] = row.capture_policy === 'forbidden' ? 1 : 0
  columns.plunders[participant] = plunders(world, hull) ? 1 : 0
  columns.latchStrength[participant] = own('latch_strength') + sum('latch_strength')
  columns.latchResistance[participant] = row.latch_resistance + sum('latch_resistance_bonus')
  columns.marineBonusPct[participant] = sum('marine_combat_bonus')
  columns.crewBonusPct[participant] = sum('crew_combat_bonus')
  columns.defenseBonusPct[participant] =
    row.boarding_defense_bonus_pct + sum('boarding_defense_bonus')
  columns.contactDefense[participant] = fit.filter(
    (module) => module.special === 'boarding_contact_defense',
  ).length
  columns.triagePct[participant] = Math.min(TRIAGE_MAX_PCT, sum('fleet_triage_pct'))
  if (columns.triagePct[participant] > 0)
    world.write(BattleBoarding).triage[battle[participant]] = 1
}

function mayBoard(view: WorldView, participant: Row, target: Row): boolean {
  const { alive, battle, side, kind } = view.read(Participant)
  if (target === 0 || alive[target] === 0 || battle[target] !== battle[participant]) return false
  if (view.read(Boarding).uncapturable[target] === 1) return false
  const hostile = view.read(Battle).hostile[battle[target] * (BATTLE_SIDES_MAX + 1) + side[target]]
  if (((hostile >>> (side[participant] - 1)) & 1) === 0) return false
  return BOARDABLE_KINDS.includes(PARTICIPANT_KINDS[kind[target]])
}

/**
 * The order to board: judged in phase fight, where initiative decides between contenders. Asked
 * again while it boards, it changes nothing. Refusals: no_boarding_gear, no_marines,
 * invalid_target. Source: combat.md sections 10, 17.
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
  if (marines < 1 || fit === 0) return fail('no_marines', { fit_marines: fit })
  if (!mayBoard(world, participant, target)) return fail('invalid_target')
  if (STANCES[stance[participant]] === 'board') return undefined
  const columns = world.write(Boarding)
  columns.wanted[participant] = target
  columns.marines[participant] = Math.min(marines, fit)
  world.write(Participant).orderStance[participant] = BOARD_ORDER
  world.write(BattleBoarding).asked[world.read(Participant).battle[participant]] = 1
  return undefined
}
