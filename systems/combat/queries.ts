/** Looking at the battle of the system. */
import { query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { BATTLE_LISTED_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import {
  bools,
  choice,
  ints,
  list,
  NO_PARAMS,
  obj,
  opt,
  optional,
  type Static,
  strings,
} from '../../core/params.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { isBoardingLocked } from '../boarding/rules.ts'
import { LATCH_STATUS, latchStatus, renderBoardings } from '../boarding/views.ts'
import { activeShip, shipName } from '../ship/rules.ts'
import { JUMPING, Location } from '../travel/columns.ts'
import { systemId, systemOf } from '../travel/rules.ts'
import { battleIn, combatantOf } from './battles.ts'
import { Battle, GUNS_MAX, Participant } from './columns.ts'
import { isOnAutopilot } from './damage.ts'
import {
  battleId,
  boardingSchema,
  combatantId,
  combatantName,
  participantSchema,
  participantsOf,
  pilotOf,
  renderParticipant,
  renderSides,
  sidesSchema,
} from './views.ts'

/** Participants with what only this answer tells. Source: contract, BattleParticipant. */
const statusParticipant = obj({
  ...participantSchema.properties,
  ...bools('auto_pilot'),
  ...ints('damage_dealt', 'damage_taken', 'kill_count'),
  ...opt({ ...strings('ship_name', 'target_id'), ...ints('zone_distance') }),
})

const combatState = obj({
  ...bools('can_escape', 'em_disrupted', 'warp_disrupted', 'webbed'),
  ...ints('effective_speed', 'flee_counter', 'max_weapon_reach'),
  ...opt(ints('disruption_ticks', 'flee_required', 'speed_penalty_pct')),
  latch_status: optional(choice('How a boarding of yours gets on.', LATCH_STATUS)),
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

/** What hampers or helps the viewer's own ship, as of the last tick. */
function renderCombatState(view: WorldView, row: Row): Static<typeof combatState> {
  const part = view.read(Participant)
  const reaches = Array.from(
    { length: part.guns[row] },
    (_, i) => part.gunReach[row * GUNS_MAX + i],
  )
  const speed = part.speed[row]
  // figures of the turn are those of the tick fought last; before the first there are none
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
    // no number of ticks is enough for who is held
    ...(isHeld ? {} : { flee_required: part.fleeNeed[row] }),
    ...(latch_status ? { latch_status } : {}),
    max_weapon_reach: Math.max(0, ...reaches),
    speed_penalty_pct: speed === 0 ? 0 : divFloor(100 * (speed - effective), speed),
    warp_disrupted: isTackled,
    webbed: part.webbedPct[row] > 0,
  }
}

const NOT_IN_BATTLE = 'You are in no battle, and none is fought in your system.'

export const getBattleStatus = query({
  name: 'get_battle_status',
  v2: { tool: 'game_battle', action: 'status' },
  summary: 'The battle of your system, whether you take part in it, and how your ship stands.',
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
    const isGone = view.read(Location).state[activeShip(view, player)] >= JUMPING
    const there = isGone ? 0 : battleIn(view, systemOf(view, player))
    const battle = own === 0 ? there : view.read(Participant).battle[own]
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
