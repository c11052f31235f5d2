/** Queries about battles: the one in the system, and the log and the summary of any. */
import { archive, query } from '../../core/command.ts'
import { seqOfWireId } from '../../core/entity.ts'
import { fail, ok } from '../../core/errors.ts'
import {
  BATTLE_LISTED_MAX,
  BATTLE_LOG_ROWS_DEFAULT,
  BATTLE_LOG_ROWS_MAX,
} from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import {
  bools,
  choice,
  int,
  ints,
  list,
  NO_PARAMS,
  obj,
  opt,
  optional,
  type Static,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { captureSchema, type EndedParticipant, logRowSchema } from '../../core/public/battle-log.ts'
import { say } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { isBoardingLocked } from '../boarding/model.ts'
import { LATCH_STATUS, latchStatus, renderBoardings } from '../boarding/views.ts'
import { strangerSeesBattle } from '../sensing/model.ts'
import { activeShip, shipName } from '../ship/model.ts'
import { systemOf } from '../travel/location-model.ts'
import { poiId, systemId, systemName } from '../travel/model.ts'
import { JUMPING, Location } from '../travel/state.ts'
import { isOnAutopilot } from './damage-kernels.ts'
import { capturesOf, draftOf, endedParticipants } from './log-model.ts'
import {
  battleId,
  battleIn,
  battleKindOf,
  combatantId,
  combatantName,
  combatantOf,
  participantsOf,
  pilotOf,
  renderParticipant,
  renderSides,
} from './model.ts'
import { renderPublicBattle } from './public-views.ts'
import type { Ending } from './report-state.ts'
import { boardingSchema, participantSchema, sidesSchema } from './schemas.ts'
import { Battle, GUNS_MAX, Participant } from './state.ts'

const UNDECIDED: Ending = { reason: 'ongoing', winner: -1 }

const battleIdParam = () =>
  str(say`Id of a battle, as its frames and {get_battle_status} give it.`, { min: 1 })

/** Returns the durable number of the battle with this id; 0 if no battle has it. */
const seqOfBattle = (view: WorldView, id: string): number => seqOfWireId(view.seed, Battle.name, id)

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

/** Renders a battle as it is, or as it ends now. */
function summaryOf(view: WorldView, battle: Row, ending?: Ending) {
  const { system, origin, startTick, damage, destroyed, captured } = view.read(Battle)
  const all = endedParticipants(view, battle)
  const { reason, winner } = ending ?? UNDECIDED
  return {
    battle_id: battleId(view, battle),
    status: ending ? 'ended' : 'active',
    outcome: reason,
    category: battleKindOf(view, battle),
    system_id: systemId(view, system[battle]),
    system_name: systemName(view, system[battle]),
    // Anyone may read the summary, so it does not name a place that is not charted.
    ...(strangerSeesBattle(view, battle) ? { origin_poi: poiId(view, origin[battle]) } : {}),
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

/** Records the end of a battle in its log, with its summary. */
export function logEnd(world: World, battle: Row, ending: Ending): void {
  const summary = summaryOf(world, battle, ending)
  const ended = {
    category: summary.category,
    duration: summary.duration_ticks,
    outcome: ending.reason,
    participant_names: summary.player_names,
    participants: endedParticipants(world, battle),
    ships_destroyed: summary.ships_destroyed,
    ships_captured: summary.ships_captured,
    captures: summary.captures,
    total_damage: summary.total_damage,
    winning_side: ending.winner,
  }
  const publicSummary = strangerSeesBattle(world, battle)
    ? renderPublicBattle(world, battle, ending)
    : undefined
  Object.assign(draftOf(world, battle), { ended, summary, publicSummary })
}

/** Finds a battle, and its row while it is fought. Refusal: battle_not_found. */
function findBattle(view: WorldView, id: string) {
  const battle = seqOfBattle(view, id)
  if (battle === 0) return fail('battle_not_found', { battle_id: id })
  return ok({ battle, row: view.rowOf(Battle, battle) })
}

export const getBattleSummary = archive({
  name: 'get_battle_summary',
  v2: { tool: 'game_battle', action: 'summary', rename: { battle_id: 'id' } },
  summary: 'The summary of a battle: who took part, what was lost, how it ended.',
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

/* Status */

/** A participant as this query alone describes it. Source: contract, BattleParticipant. */
const statusParticipant = obj({
  ...participantSchema.properties,
  ...bools('auto_pilot'),
  ...ints('damage_dealt', 'damage_taken', 'kill_count'),
  ...opt({ ...strings('ship_name', 'target_id'), ...ints('zone_distance') }),
})

const combatState = obj({
  ...bools('can_escape', 'em_disrupted', 'warp_disrupted', 'webbed'),
  ...ints('effective_speed', 'flee_counter', 'max_weapon_reach'),
  ...opt(ints('disruption_ticks', 'flee_required', 'speed_penalty_pct', 'web_strength_pct')),
  latch_status: optional(choice('How your boarding is going.', LATCH_STATUS)),
})

function renderStatus(view: WorldView, row: Row, viewer: Row): Static<typeof statusParticipant> {
  const part = view.read(Participant)
  const { target, ring, orderTick } = part
  const isPiloted = pilotOf(view, row) !== 0
  const isNamed = combatantName(view, row) !== ''
  return {
    ...renderParticipant(view, row),
    auto_pilot: !isPiloted || isOnAutopilot(view.tick, orderTick[row]),
    damage_dealt: part.dealt[row],
    damage_taken: part.taken[row],
    kill_count: part.kills[row],
    ...(isNamed ? { ship_name: shipName(view, part.ship[row]) } : {}),
    ...(target[row] === 0 ? {} : { target_id: combatantId(view, target[row]) }),
    ...(viewer === 0 ? {} : { zone_distance: ring[row] + ring[viewer] }),
  }
}

/** Renders the state of the viewer's own ship as of the last tick. */
function renderCombatState(view: WorldView, row: Row): Static<typeof combatState> {
  const part = view.read(Participant)
  const reaches = Array.from(
    { length: part.guns[row] },
    (_, i) => part.gunReach[row * GUNS_MAX + i],
  )
  const speed = part.speed[row]
  // Figures of the turn are those of the last fight; before the first there are none.
  const hasFought = part.joinTick[row] < view.tick || part.effectiveSpeed[row] > 0
  const effective = hasFought ? part.effectiveSpeed[row] : speed
  const isTackled = part.tacklePoints[row] > 0
  const isHeld = isTackled || isBoardingLocked(view, row)
  const latch_status = latchStatus(view, row)
  return {
    can_escape: !isHeld,
    effective_speed: effective,
    em_disrupted: part.emTicks[row] > 0,
    disruption_ticks: part.emTicks[row],
    flee_counter: part.flee[row],
    // A ship that is held cannot flee, however long it tries.
    ...(isHeld ? {} : { flee_required: part.fleeNeed[row] }),
    ...(latch_status ? { latch_status } : {}),
    max_weapon_reach: Math.max(0, ...reaches),
    speed_penalty_pct: speed === 0 ? 0 : divFloor(100 * (speed - effective), speed),
    warp_disrupted: isTackled,
    webbed: part.webbedPct[row] > 0,
    ...(part.webbedPct[row] > 0 ? { web_strength_pct: part.webbedPct[row] } : {}),
  }
}

const NOT_IN_BATTLE = 'You are in no battle, and none is fought in your system.'

export const getBattleStatus = query({
  name: 'get_battle_status',
  v2: { tool: 'game_battle', action: 'status' },
  summary: 'The battle of your system, whether you take part in it, and the state of your ship.',
  category: 'combat',
  params: NO_PARAMS,
  result: obj({
    ...strings('action', 'battle_id', 'system_id'),
    ...bools('is_participant'),
    ...ints('tick_duration', 'participant_count'),
    sides: sidesSchema,
    participants: list(statusParticipant),
    boarding: list(boardingSchema),
    combat_state: optional(combatState),
  }),
  needs: [],
  errors: ['not_in_battle'],
  run(view, player) {
    const own = combatantOf(view, player)
    const hasLeft = view.read(Location).state[activeShip(view, player)] >= JUMPING
    const general = hasLeft ? 0 : battleIn(view, systemOf(view, player))
    const battle = own === 0 ? general : view.read(Participant).battle[own]
    if (battle === 0) return fail('not_in_battle', undefined, NOT_IN_BATTLE)
    const rows = participantsOf(view, battle)
    const { startTick, system } = view.read(Battle)
    return ok({
      action: 'get_battle_status',
      battle_id: battleId(view, battle),
      system_id: systemId(view, system[battle]),
      is_participant: own !== 0,
      tick_duration: view.tick - startTick[battle] + 1,
      participant_count: rows.length,
      sides: renderSides(view, rows),
      participants: rows.slice(0, BATTLE_LISTED_MAX).map((row) => renderStatus(view, row, own)),
      boarding: renderBoardings(view, battle),
      ...(own === 0 ? {} : { combat_state: renderCombatState(view, own) }),
    })
  },
})
