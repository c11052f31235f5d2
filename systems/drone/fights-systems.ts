/**
 * Drones in battles: whom they attack, their orders, and the events for their owners.
 * Source: drones.md section 3.6, combat.md sections 1-5.
 */
import { emit, toPlayer } from '../../core/event.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound, playerById, playerId } from '../account/model.ts'
import { aggress } from '../combat/engage-rules.ts'
import { battles, combatantId, participantOf } from '../combat/model.ts'
import {
  ATTACK_FLAGS,
  Attack,
  Battle,
  DAMAGE_TYPES,
  PARTICIPANT_KINDS,
  Participant,
  RING_OUTER,
  STANCES,
} from '../combat/state.ts'
import { npcOf } from '../npc/model.ts'
import { seePlayer } from '../sensing/model.ts'
import { activeShip, shipById } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { AT_POI, Location } from '../travel/state.ts'
import { type Do, textArgument } from './actions-systems.ts'
import { bodyById, droneId, droneOf } from './model.ts'
import { areFriends, sightsAt } from './scene-systems.ts'
import { droneUpdate } from './schemas.ts'
import { DEPLOYED, DRONE_UPDATES_PER_TICK_MAX, Drone, HUNTERS } from './state.ts'

const FIRE = STANCES.indexOf('fire')
const EVADE = STANCES.indexOf('evade')
const FLEE = STANCES.indexOf('flee')
const IS_DRONE = PARTICIPANT_KINDS.indexOf('drone')

/* Orders */

const rowOf = (view: WorldView, drone: Row): Row =>
  participantOf(view, view.read(Drone).body[drone])

/** Gives an order as a pilot does: the latest of each kind counts. Returns false in no battle. */
function order(world: World, drone: Row, give: (row: Row) => void): boolean {
  const row = rowOf(world, drone)
  if (row === 0) return false
  give(row)
  world.write(Participant).orderTick[row] = world.tick
  return true
}

/** Ends a flight: a ship that flees does not come nearer. */
function stopFleeing(world: World, row: Row): void {
  const { stance, orderStance } = world.write(Participant)
  if (stance[row] === FLEE) orderStance[row] = FIRE + 1
}

/** Moves one ring inwards. */
export const advance: Do = (world, drone) =>
  order(world, drone, (row) => {
    stopFleeing(world, row)
    world.write(Participant).orderMove[row] = -1
  })

/** Moves outwards; in the outer ring it flees instead. */
export const retreat: Do = (world, drone) =>
  order(world, drone, (row) => {
    const { ring, orderMove, orderStance } = world.write(Participant)
    if (ring[row] === RING_OUTER) orderStance[row] = FLEE + 1
    else orderMove[row] = 1
  })

/** Takes the stance that the script names. */
export const stance: Do = (world, drone) =>
  order(world, drone, (row) => {
    const index = (STANCES as readonly string[]).indexOf(textArgument(world, drone))
    world.write(Participant).orderStance[row] = index + 1
    const { fuel, fuelMax } = world.write(Ship)
    const body = world.read(Drone).body[drone]
    // A drone has no tank: it evades for as long as it is ordered to.
    if (index === EVADE) fuel[body] = fuelMax[body]
  })

/* Attacks */

/** Returns whether a ship is in space at the place of the drone. */
function isHere(view: WorldView, drone: Row, ship: Eid): boolean {
  const { poi, state } = view.read(Location)
  return ship !== 0 && state[ship] === AT_POI && poi[ship] === view.read(Drone).poi[drone]
}

/** Returns the first player here who is not a friend, else the first pirate; 0 none. */
function nearestTarget(view: WorldView, drone: Row): Eid {
  const { owner, poi } = view.read(Drone)
  const { visitors, pirates } = sightsAt(view, poi[drone])
  const player = visitors.find(
    (other) => other !== owner[drone] && !areFriends(view, owner[drone], other),
  )
  if (player !== undefined) return activeShip(view, player)
  return pirates.find((ship) => isHere(view, drone, ship)) ?? 0
}

/** Returns the ship of a player, an NPC or another's drone by id; 0 for what it may not attack. */
function namedTarget(view: WorldView, drone: Row, text: string): Eid {
  const owner = view.read(Drone).owner[drone]
  const player = playerById(view, text)
  if (player !== 0) {
    const isSeen = seePlayer(view, owner, player) === 'full'
    return player === owner || !isSeen ? 0 : activeShip(view, player)
  }
  const body = bodyById(view, text)
  if (body !== 0) return view.read(Drone).owner[droneOf(view, body)] === owner ? 0 : body
  const ship = shipById(view, text)
  return ship !== 0 && npcOf(view, ship) !== 0 ? ship : 0
}

/** Sets a drone on a target; the attack itself comes with phase engage of the next tick. */
export const attack: Do = (world, drone) => {
  const text = textArgument(world, drone)
  const target = text === 'nearest' ? nearestTarget(world, drone) : namedTarget(world, drone, text)
  if (!isHere(world, drone, target)) return false
  world.write(Drone).quarry[drone] = world.read(Ship).seq[target]
  world.index(HUNTERS).add(drone)
  return true
}

export function rebuildHunters(world: World): void {
  const hunters = world.index(HUNTERS)
  hunters.clear()
  const { alive, quarry } = world.read(Drone)
  for (let drone = 1; drone <= world.highOf(Drone); drone++) {
    if (alive[drone] === 1 && quarry[drone] !== 0) hunters.add(drone)
  }
}

/** Makes the attacks decided in the previous tick; skips targets that are gone. Phase engage. */
export function strikeAll(world: World): void {
  const hunters = world.index(HUNTERS)
  if (hunters.size === 0) return
  const { alive, seq, state, quarry, body } = world.write(Drone)
  const rows = [...hunters].filter((drone) => alive[drone] === 1 && quarry[drone] !== 0)
  hunters.clear()
  for (const drone of rows.sort((a, b) => seq[a] - seq[b])) {
    const target = world.rowOf(Ship, quarry[drone])
    quarry[drone] = 0
    if (state[drone] === DEPLOYED && isHere(world, drone, target)) {
      aggress(world, body[drone], target)
    }
  }
}

/* Notices */

/** Notifies owners of hits by and on their drones, at most DRONE_UPDATES_PER_TICK_MAX a tick. */
export function reportHits(world: World): void {
  const sent = new Map<Eid, number>()
  const { firstAttack, attackCount } = world.read(Battle)
  const { attacker, target, shieldHit, hullHit } = world.read(Attack)
  const { kind } = world.read(Participant)
  for (const battle of battles(world)) {
    const from = firstAttack[battle]
    for (let row = from; row < from + attackCount[battle]; row++) {
      if (shieldHit[row] + hullHit[row] === 0) continue
      if (attacker[row] !== 0 && kind[attacker[row]] === IS_DRONE) notifyHit(world, row, sent, true)
      if (kind[target[row]] === IS_DRONE) notifyHit(world, row, sent, false)
    }
  }
}

/** Notifies the owner of the attacking drone (`isOwnHit`), or of the one that was hit. */
function notifyHit(world: World, row: Row, sent: Map<Eid, number>, isOwnHit: boolean): void {
  const { attacker, target, shieldHit, hullHit, type, flags } = world.read(Attack)
  const { ship } = world.read(Participant)
  const drone = droneOf(world, ship[isOwnHit ? attacker[row] : target[row]])
  const owner = world.read(Drone).owner[drone]
  const count = sent.get(owner) ?? 0
  if (owner === 0 || !isBound(world, owner) || count >= DRONE_UPDATES_PER_TICK_MAX) return
  sent.set(owner, count + 1)
  const namesAttacker = !isOwnHit && attacker[row] !== 0
  const payload = {
    tick: world.tick,
    drone_id: droneId(world, drone),
    owner_id: playerId(world, owner),
    target_id: combatantId(world, target[row]),
    damage: shieldHit[row] + hullHit[row],
    damage_type: (flags[row] & ATTACK_FLAGS.burn) === 0 ? DAMAGE_TYPES[type[row]] : 'thermal',
    ...(namesAttacker ? { attacker_id: combatantId(world, attacker[row]) } : {}),
  }
  emit(world, droneUpdate, payload, toPlayer(owner))
}

/** Returns whether some drone may be in a battle. */
export const mayFight = (view: WorldView): boolean =>
  view.countOf(Battle) > 0 && view.countOf(Drone) > 0
