/**
 * What is recorded of a battle: the row of its log that is being written, and who has left it or
 * lost a hull, for the report at its end.
 */
import { BATTLE_LISTED_MAX } from '../../core/limits.ts'
import type { Capture, EndedParticipant } from '../../core/public/battle-log.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { isBoss } from '../npc/model.ts'
import { strangerSeesBattle } from '../sensing/model.ts'
import { systemId } from '../travel/model.ts'
import { battleId, combatantId, combatantName, kindOf, participantsOf, pilotOf } from './model.ts'
import {
  BATTLE_RECORDS,
  type BattleLogDraft,
  type BattleRecord,
  DRAFTS,
  type Entry,
} from './report-state.ts'
import { Battle, Participant } from './state.ts'

/** Returns the log row of the tick being fought; a new one if nothing is in it yet. */
export function draftOf(world: World, battle: Row): BattleLogDraft {
  const drafts = world.index(DRAFTS)
  let draft = drafts.get(battle)
  if (!draft) {
    draft = {
      battle: world.read(Battle).seq[battle],
      id: battleId(world, battle),
      system: systemId(world, world.read(Battle).system[battle]),
      isCharted: strangerSeesBattle(world, battle),
      lists: { snapshots: [] },
    }
    drafts.set(battle, draft)
  }
  return draft
}

/** Adds an entry to the row of this tick. */
export function recordInLog(world: World, battle: Row, list: string, entry: Entry): void {
  const { lists } = draftOf(world, battle)
  lists[list] ??= []
  lists[list].push(entry)
}

/* Departures and captures */

const EMPTY: BattleRecord = { departed: [], lost: [], captures: [] }

const keyOf = (view: WorldView, battle: Row): string => String(view.read(Battle).seq[battle])

const recordOf = (view: WorldView, battle: Row): BattleRecord =>
  view.records(BATTLE_RECORDS).get(keyOf(view, battle)) ?? EMPTY

function describeParticipant(view: WorldView, row: Row, survived: boolean): EndedParticipant {
  const { side, dealt, taken, kills, ship } = view.read(Participant)
  return {
    player_id: combatantId(view, row),
    username: combatantName(view, row),
    side_id: side[row],
    damage_dealt: dealt[row],
    damage_taken: taken[row],
    kill_count: kills[row],
    survived,
    kind: kindOf(view, row),
    ...(isBoss(view, ship[row]) ? { is_boss: true } : {}),
  }
}

/** Lists the first BATTLE_LISTED_MAX who took part: those still there, then those who left. */
export function endedParticipants(view: WorldView, battle: Row): EndedParticipant[] {
  const present = participantsOf(view, battle).slice(0, BATTLE_LISTED_MAX)
  const entries = present.map((row) => describeParticipant(view, row, true))
  return [...entries, ...recordOf(view, battle).departed].slice(0, BATTLE_LISTED_MAX)
}

/** Returns whether a side has opponents who did not survive, among the first that left. */
export const haveOpponentsDied = (view: WorldView, battle: Row, side: number): boolean =>
  recordOf(view, battle).departed.some(({ side_id, survived }) => side_id !== side && !survived)

/** Counts the ships of a kind that a side has lost, among the first that left the battle. */
export const lossesOf = (view: WorldView, battle: Row, side: number, kind: string): number =>
  recordOf(view, battle).departed.filter(
    (entry) => entry.side_id === side && entry.kind === kind && !entry.survived,
  ).length

export const capturesOf = (view: WorldView, battle: Row): readonly Capture[] =>
  recordOf(view, battle).captures

/** Returns the players who lost their ship in the battle. */
export const playersWithLosses = (view: WorldView, battle: Row): Eid[] =>
  recordOf(view, battle).lost.map((seq) => view.rowOf(Player, seq))

/** Records who leaves a battle before its end: the first BATTLE_LISTED_MAX, and who lost a ship. */
export function recordDeparture(world: World, row: Row, survived: boolean): void {
  const battle = world.read(Participant).battle[row]
  const record = recordOf(world, battle)
  const player = pilotOf(world, row)
  const isLoss = player !== 0 && !survived
  const isListed = record.departed.length < BATTLE_LISTED_MAX
  if (!isListed && !isLoss) return
  const { departed } = record
  world.records(BATTLE_RECORDS).set(keyOf(world, battle), {
    ...record,
    departed: isListed ? [...departed, describeParticipant(world, row, survived)] : departed,
    lost: isLoss ? [...record.lost, world.read(Player).seq[player]] : record.lost,
  })
}

/** Records that a hull was captured. */
export function recordCapture(world: World, battle: Row, capture: Capture): void {
  const record = recordOf(world, battle)
  if (record.captures.length >= BATTLE_LISTED_MAX) return
  recordInLog(world, battle, 'captures', capture)
  const captures = [...record.captures, capture]
  world.records(BATTLE_RECORDS).set(keyOf(world, battle), { ...record, captures })
}

/** Deletes the record of a battle that has ended. */
export function deleteRecord(world: World, battle: Row): void {
  world.records(BATTLE_RECORDS).delete(keyOf(world, battle))
}
