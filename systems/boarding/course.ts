/**
 * The rows of boardings: how one starts and how it ends, and what the tick has to note of them.
 * What happens in between is in kernels.ts, what becomes of a taken hull in prizes.ts.
 */
import { assert } from '../../core/assert.ts'
import { wireId } from '../../core/entity.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Battle, FATES, Participant, STANCES } from '../combat/columns.ts'
import { combatantId } from '../combat/views.ts'
import { Ship } from '../ship/columns.ts'
import { WITHDRAWAL_TICKS } from './assault.ts'
import {
  BattleBoarding,
  BOARDING_ANSWERS,
  BOARDING_OUTCOMES,
  Boarding,
  LINK_PHASES,
  Link,
} from './columns.ts'

const BOARD = STANCES.indexOf('board')
const CLOSING = LINK_PHASES.indexOf('closing')
const WITHDRAWING = LINK_PHASES.indexOf('withdrawing')

export type BoardingOutcome = (typeof BOARDING_OUTCOMES)[number]
export type BoardingAnswer = (typeof BOARDING_ANSWERS)[number]

/** The UUID of a boarding on the wire. */
export const operationId = (view: WorldView, link: Row): string =>
  wireId(view.seed, Link.name, view.read(Link).number[link])

/** Rows of a battle's boardings, in order of starting. */
export function linksOf(view: WorldView, battle: Row): Row[] {
  const { next } = view.read(Link)
  const rows: Row[] = []
  for (let row = view.read(BattleBoarding).first[battle]; row !== 0; row = next[row]) rows.push(row)
  return rows
}

/* What the battle log has of it */

/** An entry of the battle log: public, so it counts no people. Source: combat.md section 16. */
export interface BoardingNote {
  readonly event: 'boarding_started' | 'boarding_rejected' | 'latched' | 'withdrawing' | 'ended'
  readonly operation_id?: string
  readonly attacker_id: string
  readonly target_id: string
  /** Why a request was rejected, or what made the boarding end. */
  readonly reason?: string
  readonly outcome?: string
}

/** Notes of the tick being fought, by battle. */
const NOTES = defineIndex('boarding.notes', () => new Map<Row, BoardingNote[]>())

export const forgetNotes = (world: World): void => world.index(NOTES).clear()

/** What boardings did in the tick being fought, for the battle log. */
export const boardingNotes = (view: WorldView, battle: Row): readonly BoardingNote[] =>
  view.index(NOTES).get(battle) ?? []

type Noted = Pick<BoardingNote, 'event' | 'reason' | 'outcome'>

function note(world: World, battle: Row, entry: BoardingNote): void {
  const notes = world.index(NOTES)
  const list = notes.get(battle)
  if (list) list.push(entry)
  else notes.set(battle, [entry])
}

function noteLink(world: World, row: Row, noted: Noted): void {
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
  link.battle[row] = battle
  link.attacker[row] = attacker
  link.target[row] = target
  link.phase[row] = CLOSING
  link.committed[row] = Math.min(boarding.marines[attacker], fit)
  link.startTick[row] = world.tick
  assert(link.committed[row] >= 1, 'a boarding without marines')
  append(world, battle, row)
  boarding.link[attacker] = row
  boarding.link[target] = row
  boarding.stanceAfter[attacker] = 0
  part.boardedStance[attacker] = part.stance[attacker]
  part.stance[attacker] = BOARD
  noteLink(world, row, { event: 'boarding_started' })
}

function append(world: World, battle: Row, row: Row): void {
  const last = linksOf(world, battle).at(-1) ?? 0
  if (last === 0) world.write(BattleBoarding).first[battle] = row
  else world.write(Link).next[last] = row
}

/* Course */

/** Notes what the kernel made of a battle's boardings, and ends those that were given up. */
export function followBoardings(world: World, battle: Row): void {
  const { attached, target, phase, timer, outcome } = world.read(Link)
  const { locked } = world.write(Boarding)
  for (const row of linksOf(world, battle)) {
    if (attached[row] === 1 && locked[target[row]] === 0) {
      locked[target[row]] = 1
      noteLink(world, row, { event: 'latched' })
    }
    if (phase[row] === WITHDRAWING && timer[row] === WITHDRAWAL_TICKS) {
      noteLink(world, row, { event: 'withdrawing' })
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
  const { attacker, target, battle, attached, committed } = world.read(Link)
  const [a, t] = [attacker[row], target[row]]
  if (outcome === 'closing_stalled') {
    noteLink(world, row, { event: 'ended', outcome: 'withdrawn', reason: outcome })
  } else noteLink(world, row, { event: 'ended', outcome })
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
  remove(world, battle[row], row)
}

function remove(world: World, battle: Row, row: Row): void {
  const link = world.write(Link)
  const rows = linksOf(world, battle)
  const at = rows.indexOf(row)
  assert(at >= 0, `boarding ${row} is not in the list of its battle`)
  if (at === 0) world.write(BattleBoarding).first[battle] = link.next[row]
  else link.next[rows[at - 1]] = link.next[row]
  world.release(Link, row)
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
