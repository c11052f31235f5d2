/** The commands attack and self_destruct, and finding what an id means in a battle. */
import { mutation } from '../../core/command.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { bools, choice, ints, obj, opt, str, strings, Type, words } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import { tickTime } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerById } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { areApart } from '../arena/model.ts'
import { baseById } from '../base/model.ts'
import { bodyById } from '../drone/model.ts'
import { logAction } from '../log/rules.ts'
import { shipByName } from '../npc/listing-model.ts'
import { prizeById } from '../prize/model.ts'
import { Prize } from '../prize/state.ts'
import { playerMeant, seePlayer, sightOf } from '../sensing/model.ts'
import { activeShip, shipById } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { stationById, stationShipOf } from '../siege/model.ts'
import { poiOf, systemOf } from '../travel/location-model.ts'
import { systemName } from '../travel/model.ts'
import { Location } from '../travel/state.ts'
import { scheduleEngagement } from './battles-rules.ts'
import { describeScuttling } from './destruction-model.ts'
import { destroyShip } from './destruction-rules.ts'
import { aggress, attackStation } from './engage-rules.ts'
import {
  battleId,
  combatantId,
  combatantName,
  combatantOf,
  kindOf,
  participantOf,
  pilotOf,
} from './model.ts'
import { IN_SPACE_TO_ATTACK, LOOSE } from './needs.ts'
import { armSelfDestruct, SELF_DESTRUCT_TICKS } from './self-destruct-rules.ts'
import { Participant, PlayerCombat, RINGS } from './state.ts'
import { renderSupporters } from './warning-views.ts'

/* Attack */

const docking = opt(bools('auto_docked', 'auto_undocked'))

const attackSchema = Type.Union([
  obj({
    action: choice('Always attack.', ['attack']),
    kind: choice('A player.', ['player']),
    ...docking,
    ...strings('battle_id', 'message', 'system', 'target', 'your_zone'),
    ...ints('your_side'),
  }),
  obj({
    action: choice('Always attack.', ['attack']),
    kind: choice('Anything else.', ['npc']),
    ...docking,
    ...strings('target', 'target_name', 'target_type', 'battle_id', 'message', 'your_zone'),
    ...ints('your_side'),
    ...opt(strings('warning')),
  }),
])

/** Renders the result of an attack for the attacker. */
function attackResult(world: World, player: Eid, row: Row) {
  const { battle, side, ring, target, guns } = world.read(Participant)
  const enemy = target[row]
  const name = combatantName(world, enemy)
  const head = {
    action: 'attack' as const,
    battle_id: battleId(world, battle[row]),
    target: combatantId(world, enemy),
    your_side: side[row],
    your_zone: RINGS[ring[row]],
    message: `You attack ${name || 'an unknown ship'}.`,
  }
  if (pilotOf(world, enemy) !== 0) {
    return { ...head, kind: 'player' as const, system: systemName(world, systemOf(world, player)) }
  }
  const warning = guns[row] === 0 ? { warning: 'No weapon is fitted to your ship.' } : {}
  return {
    ...head,
    kind: 'npc' as const,
    target_name: name,
    target_type: kindOf(world, enemy),
    ...warning,
  }
}

/** Attacks a ship or a station by its id. */
function attackById(world: World, player: Eid, id: string) {
  const ship = activeShip(world, player)
  const base = findStation(world, player, id)
  if (base !== 0) return attackStation(world, ship, base)
  const target = findTarget(world, player, id)
  return target.ok ? aggress(world, ship, target.result) : target
}

export const attack = mutation({
  name: 'attack',
  v2: { tool: 'game', action: 'attack', rename: { target_id: 'id' } },
  summary:
    'Attack a ship or a station of your system: opens a battle, or draws both into the one there is.',
  category: 'combat',
  order: 'attack',
  inBattle: true,
  params: obj({
    target_id: str(
      'A player, or a ship or creature at your place, by id or name; a station by its id.',
      { min: 1 },
    ),
  }),
  result: attackSchema,
  needs: [IN_SPACE_TO_ATTACK],
  changes: ['player', 'ship', 'cargo', 'location', 'queue', 'skills'],
  errors: words('in_transit invalid_target target_cloaked protected target_wrecked limit_reached'),
  judge: (view, player, { target_id }) => unknownTargetRefusal(view, player, target_id),
  preview(view, player, { target_id }) {
    const target = findTarget(view, player, target_id)
    if (!target.ok) return {}
    // What is in another system is neither visible nor in reach.
    const isHere = view.read(Location).system[target.result] === systemOf(view, player)
    return isHere ? renderSupporters(view, target.result) : {}
  },
  run(world, player, { target_id }) {
    const done = attackById(world, player, target_id)
    if (!done.ok) return done
    const result = attackResult(world, player, done.result)
    logAction(world, player, 'combat', 'attack', result.message, { battle_id: result.battle_id })
    return ok(result)
  },
})

/*
 * Self-destruct: outside battles the ship is gone at once, in one a countdown starts, the same as
 * that of `battle self_destruct`. Source: combat.md sections 15, 17.
 */

const CAUSE = 'self_destruct'

/** Destroys the ship at once, with all that follows. */
function scuttle(world: World, player: Eid) {
  const ship = activeShip(world, player)
  scheduleEngagement(world, ship, 0, 0)
  const { fee } = destroyShip(world, describeScuttling(world, ship))
  const until = tickTime(world, world.read(PlayerCombat).restrictedUntil[player])
  return {
    cause: CAUSE,
    message: 'You have destroyed your ship. You respawn at a base in another one.',
    ...(fee.isPaid && fee.credits > 0 ? { self_destruct_fee: fee.credits } : {}),
    ...(fee.isPaid ? {} : { wreck_suppressed: true, trading_restricted_until: until }),
  }
}

export const selfDestruct = mutation({
  name: 'self_destruct',
  v2: { tool: 'game', action: 'self_destruct' },
  summary: `Destroy your own ship: at once, or in a battle after ${SELF_DESTRUCT_TICKS} ticks.`,
  category: 'combat',
  order: 'plain',
  inBattle: true,
  adrift: true,
  unmanned: true,
  params: obj({}),
  result: obj({
    ...strings('cause', 'message'),
    ...opt({ ...ints('self_destruct_fee', 'ticks'), ...strings('trading_restricted_until') }),
    ...opt(bools('wreck_suppressed', 'auto_docked', 'auto_undocked')),
  }),
  needs: [LOOSE],
  changes: ['player', 'ship', 'modules', 'cargo', 'location', 'queue', 'skills'],
  errors: ['in_transit', 'rate_limited'],
  run(world, player) {
    const row = combatantOf(world, player)
    if (row === 0) return ok(scuttle(world, player))
    const ticks = armSelfDestruct(world, row)
    const message = `The ship blows up in ${counted(ticks, 'tick')}, for all to see.`
    logAction(world, player, 'combat', 'self_destruct', message, { ticks })
    return ok({ cause: CAUSE, message, ticks })
  },
})

/* Finding what a pilot means by an id or a name */

/**
 * Finds the ship that a player attacks by an id: of a player, of the server, or an anonymous one in
 * their battle. Refusals: invalid_target, target_cloaked.
 */
function findTarget(
  view: WorldView,
  player: Eid,
  id: string,
): Outcome<Eid, 'invalid_target' | 'target_cloaked'> {
  // A player may have taken the name of a ship of the server, which comes first.
  const named = shipNamed(view, player, id)
  if (named !== 0) return ok(named)
  const other = playerMeant(view, player, id)
  if (other !== 0) return findPlayer(view, player, other)
  const prize = prizeById(view, id)
  const ship = prize === 0 ? hullById(view, id) : view.read(Prize).ship[prize]
  if (ship === 0) return invalidTarget(id)
  if (view.read(Ship).owner[ship] === 0) return ok(ship)
  const own = combatantOf(view, player)
  const isInSameBattle =
    own !== 0 && combatantByShip(view, view.read(Participant).battle[own], ship, id) !== 0
  return isInSameBattle ? ok(ship) : invalidTarget(id)
}

/** Returns a ship by its id, or the hull of a drone by the drone's; 0 if there is none. */
const hullById = (view: WorldView, id: string): Eid => shipById(view, id) || bodyById(view, id)

/** Returns a ship of the server at the player's place by its name; 0 if there is none. */
const shipNamed = (view: WorldView, player: Eid, name: string): Eid =>
  shipByName(view, poiOf(view, player), name)

const invalidTarget = (id: string): Failure<'invalid_target'> =>
  fail('invalid_target', { target_id: id })

function findPlayer(
  view: WorldView,
  player: Eid,
  other: Eid,
): Outcome<Eid, 'invalid_target' | 'target_cloaked'> {
  const { ship } = view.read(Player)
  if (other === player || areApart(view, ship[player], ship[other])) return fail('invalid_target')
  return sightOf(view, player, other) === 'nothing' ? fail('target_cloaked') : ok(ship[other])
}

/** Returns the station that has this id, or whose place has it; 0 for the id of a player. */
const findStation = (view: WorldView, player: Eid, id: string): Eid =>
  playerById(view, id) === 0 ? stationById(view, player, id) : 0

/** Returns the participant that a ship is in a battle; 0 if it is not in it. */
function memberOf(view: WorldView, battle: Row, ship: Eid): Row {
  const row = participantOf(view, ship)
  return row !== 0 && view.read(Participant).battle[row] === battle ? row : 0
}

/** Refuses an id or name that nothing anywhere has. */
function unknownTargetRefusal(
  view: WorldView,
  player: Eid,
  id: string,
): Failure<'invalid_target'> | undefined {
  const isKnown =
    playerMeant(view, player, id) !== 0 ||
    prizeById(view, id) !== 0 ||
    hullById(view, id) !== 0 ||
    shipNamed(view, player, id) !== 0 ||
    stationById(view, player, id) !== 0
  return isKnown ? undefined : invalidTarget(id)
}

/** Returns the participant that a ship is in a battle, if it has this id there; else 0. */
function combatantByShip(view: WorldView, battle: Row, ship: Eid, id: string): Row {
  const row = memberOf(view, battle, ship)
  return row !== 0 && combatantId(view, row) === id.toLowerCase() ? row : 0
}

/** Returns the participant of a battle with this id, or user name; 0 if there is none. */
export function combatantById(view: WorldView, battle: Row, id: string): Row {
  const prize = prizeById(view, id)
  if (prize !== 0) return memberOf(view, battle, view.read(Prize).ship[prize])
  const ship = hullById(view, id)
  if (ship !== 0) return combatantByShip(view, battle, ship, id)
  const hull = stationShipOf(view, baseById(view, id))
  if (hull !== 0) return combatantByShip(view, battle, hull, id)
  const player = playerById(view, id)
  if (player === 0 || seePlayer(view, 0, player) !== 'full') return 0
  return memberOf(view, battle, view.read(Player).ship[player])
}
