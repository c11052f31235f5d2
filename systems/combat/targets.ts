/** Whom a pilot means by an id or a name. */
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { playerById } from '../account/rules.ts'
import { areApart } from '../arena/rules.ts'
import { baseById } from '../base/rules.ts'
import { bodyById } from '../drone/hull-rules.ts'
import { Prize } from '../prize/columns.ts'
import { prizeById } from '../prize/rules.ts'
import { playerMeant, seePlayer, sightOf } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { shipById } from '../ship/rules.ts'
import { stationById } from '../siege/rules.ts'
import { hullOf } from '../siege/station-rules.ts'
import { combatantOf, participantOf } from './battles.ts'
import { Participant } from './columns.ts'
import { combatantId } from './views.ts'

/**
 * The ship that a player attacks by this id: that of a player he knows by it, one of the server, or
 * a nameless one of his battle. Refusals: invalid_target, target_cloaked.
 */
export function findTarget(view: WorldView, player: Eid, id: string): Outcome<Eid> {
  const other = playerMeant(view, player, id)
  if (other !== 0) return findPlayer(view, player, other)
  const prize = prizeById(view, id)
  const ship = prize === 0 ? hullById(view, id) : view.read(Prize).ship[prize]
  if (ship === 0) return invalidTarget(id)
  if (view.read(Ship).owner[ship] === 0) return ok(ship)
  const own = combatantOf(view, player)
  const isFoe =
    own !== 0 && combatantByShip(view, view.read(Participant).battle[own], ship, id) !== 0
  return isFoe ? ok(ship) : invalidTarget(id)
}

/** A ship by its id, or the hull of a drone by that of the drone; 0 none. */
const hullById = (view: WorldView, id: string): Eid => shipById(view, id) || bodyById(view, id)

const invalidTarget = (id: string): Failure => fail('invalid_target', { target_id: id })

function findPlayer(view: WorldView, player: Eid, other: Eid): Outcome<Eid> {
  const { ship } = view.read(Player)
  if (other === player || areApart(view, ship[player], ship[other])) return fail('invalid_target')
  return sightOf(view, player, other) === 'nothing'
    ? fail('target_cloaked')
    : ok(view.read(Player).ship[other])
}

/**
 * The station that a player attacks by this id, or by that of its place; 0 when it means something
 * else.
 */
export const findStation = (view: WorldView, player: Eid, id: string): Eid =>
  playerById(view, id) === 0 ? stationById(view, player, id) : 0

/** What a ship is in a battle; 0 if it is not in it. */
function memberOf(view: WorldView, battle: Row, ship: Eid): Row {
  const row = participantOf(view, ship)
  return row !== 0 && view.read(Participant).battle[row] === battle ? row : 0
}

/** Refuses an id or name of nobody and nothing, wherever that be. Refusal: invalid_target. */
export function refusesNobody(view: WorldView, player: Eid, id: string): Failure | undefined {
  const isSomebody =
    playerMeant(view, player, id) !== 0 ||
    prizeById(view, id) !== 0 ||
    hullById(view, id) !== 0 ||
    stationById(view, player, id) !== 0
  return isSomebody ? undefined : invalidTarget(id)
}

/** The participant of the battle whose ship it is and who goes by this id there; 0 none. */
function combatantByShip(view: WorldView, battle: Row, ship: Eid, id: string): Row {
  const row = memberOf(view, battle, ship)
  return row !== 0 && combatantId(view, row) === id.toLowerCase() ? row : 0
}

/** The participant of a battle who goes by an id, or is a player of that name; 0 none. */
export function combatantById(view: WorldView, battle: Row, id: string): Row {
  const prize = prizeById(view, id)
  if (prize !== 0) return memberOf(view, battle, view.read(Prize).ship[prize])
  const ship = hullById(view, id)
  if (ship !== 0) return combatantByShip(view, battle, ship, id)
  const hull = hullOf(view, baseById(view, id))
  if (hull !== 0) return combatantByShip(view, battle, hull, id)
  const player = playerById(view, id)
  if (player === 0 || seePlayer(view, 0, player) !== 'full') return 0
  return memberOf(view, battle, view.read(Player).ship[player])
}
