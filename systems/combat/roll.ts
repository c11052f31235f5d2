/**
 * The roll of a battle: those who are out of it already, and hulls taken, for the account that is
 * given when it ends. Rare and small, so records.
 */
import { BATTLE_LISTED_MAX, ROWS } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { isBoss } from '../npc/rules.ts'
import { Battle, PARTICIPANT_KINDS, Participant } from './columns.ts'
import type { captureSchema, endedParticipantSchema } from './events.ts'
import { noteInLog } from './log.ts'
import { combatantId, combatantName, participantsOf, pilotOf } from './views.ts'

export type EndedParticipant = Static<typeof endedParticipantSchema>
export type Capture = Static<typeof captureSchema>

interface Roll {
  readonly departed: readonly EndedParticipant[]
  /** Numbers of the players who lost their ship: they hear of the end wherever they are. */
  readonly lost: readonly number[]
  readonly captures: readonly Capture[]
}

/** By number of the battle; there is none until somebody leaves it. */
export const ROLLS = defineRecords<Roll>('battle_rolls', ROWS.battles)

const NONE: Roll = { departed: [], lost: [], captures: [] }

const keyOf = (view: WorldView, battle: Row): string => String(view.read(Battle).seq[battle])

function rollOf(view: WorldView, battle: Row): Roll {
  return view.records(ROLLS).get(keyOf(view, battle)) ?? NONE
}

function accountOf(view: WorldView, row: Row, survived: boolean): EndedParticipant {
  const { kind, side, dealt, taken, kills, ship } = view.read(Participant)
  return {
    player_id: combatantId(view, row),
    username: combatantName(view, row),
    side_id: side[row],
    damage_dealt: dealt[row],
    damage_taken: taken[row],
    kill_count: kills[row],
    survived,
    kind: PARTICIPANT_KINDS[kind[row]],
    ...(isBoss(view, ship[row]) ? { is_boss: true } : {}),
  }
}

/** Notes who leaves a battle before its end, as long as the roll has room. */
export function recordDeparture(world: World, row: Row, survived: boolean): void {
  const battle = world.read(Participant).battle[row]
  const roll = rollOf(world, battle)
  if (roll.departed.length >= BATTLE_LISTED_MAX) return
  const player = pilotOf(world, row)
  const isLoss = player !== 0 && !survived
  world.records(ROLLS).set(keyOf(world, battle), {
    ...roll,
    departed: [...roll.departed, accountOf(world, row, survived)],
    lost: isLoss ? [...roll.lost, world.read(Player).seq[player]] : roll.lost,
  })
}

/** Notes that a hull was taken. */
export function recordCapture(world: World, battle: Row, capture: Capture): void {
  const roll = rollOf(world, battle)
  if (roll.captures.length >= BATTLE_LISTED_MAX) return
  noteInLog(world, battle, 'captures', capture)
  const captures = [...roll.captures, capture]
  world.records(ROLLS).set(keyOf(world, battle), { ...roll, captures })
}

/** Everyone who took part, those still there first, as far as the list reaches. */
export function everyone(view: WorldView, battle: Row): EndedParticipant[] {
  const there = participantsOf(view, battle).slice(0, BATTLE_LISTED_MAX)
  const rows = there.map((row) => accountOf(view, row, true))
  return [...rows, ...rollOf(view, battle).departed].slice(0, BATTLE_LISTED_MAX)
}

/** True when somebody who fought against that side did not survive it. */
export const hasLosses = (view: WorldView, battle: Row, winner: number): boolean =>
  rollOf(view, battle).departed.some((one) => one.side_id !== winner && !one.survived)

export const capturesOf = (view: WorldView, battle: Row): readonly Capture[] =>
  rollOf(view, battle).captures

/** Players who lost their ship in the battle. */
export const lostIn = (view: WorldView, battle: Row): Eid[] =>
  rollOf(view, battle).lost.map((number) => view.rowOf(Player, number))

export function closeRoll(world: World, battle: Row): void {
  world.records(ROLLS).delete(keyOf(world, battle))
}
