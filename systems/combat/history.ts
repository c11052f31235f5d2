/** What is told of battles afterwards: the log, tick by tick, and the account of a whole battle. */
import { archive } from '../../core/command.ts'
import { seqOfWireId } from '../../core/entity.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { BATTLE_LOG_ROWS_DEFAULT, BATTLE_LOG_ROWS_MAX } from '../../core/limits.ts'
import {
  bools,
  int,
  ints,
  list,
  obj,
  opt,
  optional,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { seesPoi } from '../sensing/rules.ts'
import { poiId, systemId, systemName } from '../travel/rules.ts'
import { BATTLE_KINDS, Battle } from './columns.ts'
import { captureSchema } from './events.ts'
import { noteEnd } from './log.ts'
import { logRowSchema } from './log-schemas.ts'
import { capturesOf, type EndedParticipant, everyone } from './roll.ts'
import { battleId } from './views.ts'

/** How a battle came out; `none` while it is fought. */
export interface Ending {
  readonly reason: string
  readonly winner: number
}
const UNDECIDED: Ending = { reason: 'ongoing', winner: -1 }

const battleIdParam = () =>
  str(say`Id of a battle, as its frames and {get_battle_status} give it.`, { min: 1 })

/** The durable number of the battle with this id; 0 if the id is none of a battle. */
const numberOf = (view: WorldView, id: string): number => seqOfWireId(view.seed, Battle.name, id)

/* Summary */

const summarySchema = obj({
  ...strings('battle_id', 'status', 'outcome', 'category', 'system_id', 'system_name'),
  ...ints('start_tick', 'duration_ticks', 'participant_count', 'ships_destroyed'),
  ...ints('ships_captured', 'total_damage', 'winning_side'),
  sides: list(
    obj({
      ...ints('side_id'),
      participants: list(Type.String()),
      ...opt(strings('faction_id', 'faction_tag')),
    }),
  ),
  player_names: list(Type.String()),
  destroyed_names: list(Type.String()),
  captures: list(captureSchema),
  ...opt({ ...strings('origin_poi', 'ended_at') }),
  top_damage: optional(obj({ ...ints('damage'), ...strings('username') })),
})

function sidesOfSummary(all: readonly EndedParticipant[]) {
  const ids = [...new Set(all.map(({ side_id }) => side_id))].sort((a, b) => a - b)
  return ids.map((side_id) => ({
    side_id,
    participants: all.filter((one) => one.side_id === side_id).map(({ username }) => username),
  }))
}

function topDamage(all: readonly EndedParticipant[]) {
  const top = all.reduce<EndedParticipant | undefined>(
    (best, one) => (best && best.damage_dealt >= one.damage_dealt ? best : one),
    undefined,
  )
  if (!top || top.damage_dealt === 0) return {}
  return { top_damage: { damage: top.damage_dealt, username: top.username } }
}

/** The account of a battle as it stands, or as it ends now. */
export function summaryOf(view: WorldView, battle: Row, ending?: Ending) {
  const { system, origin, kind, startTick, damage, destroyed, captured } = view.read(Battle)
  const all = everyone(view, battle)
  const { reason, winner } = ending ?? UNDECIDED
  // everybody may read it: a place off the chart is not named
  const isCharted = origin[battle] !== 0 && seesPoi(view, 0, origin[battle])
  return {
    battle_id: battleId(view, battle),
    status: ending ? 'ended' : 'active',
    outcome: reason,
    category: BATTLE_KINDS[kind[battle]],
    system_id: systemId(view, system[battle]),
    system_name: systemName(view, system[battle]),
    ...(isCharted ? { origin_poi: poiId(view, origin[battle]) } : {}),
    start_tick: startTick[battle],
    duration_ticks: view.tick - startTick[battle] + 1,
    ...(ending ? { ended_at: isoTime(view.wallMs) } : {}),
    participant_count: all.length,
    player_names: all.map(({ username }) => username),
    destroyed_names: all.filter(({ survived }) => !survived).map(({ username }) => username),
    ships_destroyed: destroyed[battle],
    ships_captured: captured[battle],
    captures: [...capturesOf(view, battle)],
    sides: sidesOfSummary(all),
    ...topDamage(all),
    total_damage: damage[battle],
    winning_side: winner,
  }
}

/** Notes the end of a battle in its log, and keeps its account. */
export function logEnd(world: World, battle: Row, ending: Ending): void {
  const summary = summaryOf(world, battle, ending)
  const ended = {
    category: summary.category,
    duration: summary.duration_ticks,
    outcome: ending.reason,
    participant_names: summary.player_names,
    participants: everyone(world, battle),
    ships_destroyed: summary.ships_destroyed,
    ships_captured: summary.ships_captured,
    captures: summary.captures,
    total_damage: summary.total_damage,
    winning_side: ending.winner,
  }
  noteEnd(world, battle, ended, summary)
}

/** The battle that is meant, and its row while it is fought. Refusal: battle_not_found. */
function findBattle(view: WorldView, id: string): Outcome<{ battle: number; row: Row }> {
  const battle = numberOf(view, id)
  if (battle === 0) return fail('battle_not_found', { battle_id: id })
  return ok({ battle, row: view.rowOf(Battle, battle) })
}

export const getBattleSummary = archive({
  name: 'get_battle_summary',
  v2: { tool: 'game_battle', action: 'summary', rename: { battle_id: 'id' } },
  summary: 'The account of a battle: who took part, what was lost, how it came out.',
  category: 'combat',
  as: 'query',
  method: 'battleSummary',
  params: obj({ battle_id: battleIdParam() }),
  result: summarySchema,
  needs: [],
  errors: ['battle_not_found'],
  scope(view, _player, { battle_id }) {
    const found = findBattle(view, battle_id)
    if (!found.ok) return found
    const { battle, row } = found.result
    return ok({ battle, battle_id, ...(row === 0 ? {} : { active: summaryOf(view, row) }) })
  },
})

/* Log */

export const getBattleLog = archive({
  name: 'get_battle_log',
  v2: { tool: 'game_battle', action: 'log', rename: { battle_id: 'id' } },
  summary: 'The log of a battle, tick by tick, with every stage of each logged attack.',
  category: 'combat',
  as: 'query',
  method: 'battleLog',
  params: obj({
    battle_id: battleIdParam(),
    limit: optional(
      int(`Ticks wanted, at most ${BATTLE_LOG_ROWS_MAX}.`, {
        min: 1,
        example: BATTLE_LOG_ROWS_DEFAULT,
      }),
    ),
    tick_start: optional(int('First tick wanted.', { min: 0, example: 120 })),
    tick_end: optional(int('Last tick wanted.', { min: 0, example: 160 })),
  }),
  result: obj({
    ...strings('battle_id', 'status'),
    ...bools('has_more'),
    ...ints('total_ticks'),
    entries: list(logRowSchema),
  }),
  needs: [],
  errors: ['battle_not_found'],
  scope(view, _player, { battle_id, limit, tick_start, tick_end }) {
    const found = findBattle(view, battle_id)
    if (!found.ok) return found
    const { battle, row } = found.result
    const startTick = view.read(Battle).startTick[row]
    return ok({
      battle,
      battle_id,
      limit: Math.min(limit ?? BATTLE_LOG_ROWS_DEFAULT, BATTLE_LOG_ROWS_MAX),
      ...(row === 0 ? {} : { activeTicks: view.tick - startTick + 1 }),
      ...(tick_start === undefined ? {} : { tickStart: tick_start }),
      ...(tick_end === undefined ? {} : { tickEnd: tick_end }),
    })
  },
})
