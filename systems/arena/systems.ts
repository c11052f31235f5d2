/** What the arena does in a tick: challenges expire, waves come, the house gives its orders. */
import { assert } from '../../core/assert.ts'
import { FIGHTERS } from '../../core/catalog/index.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { BATTLE_WRITES } from '../combat/battles-rules.ts'
import { participantsOf } from '../combat/model.ts'
import {
  BATTLE_KINDS,
  Battle,
  Participant,
  RING_OUTER,
  ShipCombat,
  STANCES,
} from '../combat/state.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import { expireDuels } from './duels-commands.ts'
import { matchesOf, sendWaves } from './matches-systems.ts'
import { MATCHES, OWN_SIDE, SAVED_SHIPS, ShipMatch } from './state.ts'

/* Invariants of the arena. */

const ARENA = BATTLE_KINDS.indexOf('arena')

/** Checks every ship: a handful of reads each. */
export const matchesAreSound: CheckDef = {
  name: 'arena: a ship in a match fights in it and has a saved state; every match is a battle',
  run(view, full) {
    if (!full) return
    const { alive, owner } = view.read(Ship)
    const { match, fighter } = view.read(ShipMatch)
    const { participant } = view.read(ShipCombat)
    const { battle } = view.read(Participant)
    const savedShips = view.records(SAVED_SHIPS)
    let fighters = 0
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || match[ship] === 0) continue
      const row = participant[ship]
      if (row === 0 || battle[row] !== match[ship]) assert(false, `ship ${ship} left its match`)
      if (fighter[ship] !== 0) continue
      const key = String(view.read(Player).seq[owner[ship]])
      if (!savedShips.has(key)) assert(false, `ship ${ship} has no saved state`)
      fighters++
    }
    assert(fighters === savedShips.size, 'a saved state belongs to nobody in a match')
    const { alive: isBattle, kind } = view.read(Battle)
    let arenas = 0
    for (let row = 1; row <= view.highOf(Battle); row++) {
      if (isBattle[row] === 1 && kind[row] === ARENA) arenas++
    }
    assert(arenas === view.records(MATCHES).size, 'matches and battles of kind arena differ')
  },
}

export const challengeExpiry: SystemDef = {
  name: 'arena.lapse',
  phase: 'arrive',
  writes: [],
  run: expireDuels,
}

/** Sends in waves before the fight, so that newcomers are seen before they fire. */
export const waves: SystemDef = {
  name: 'arena.waves',
  phase: 'engage',
  writes: [...SHIP_WRITES, ...PLACE_WRITES, ...BATTLE_WRITES, ShipMatch],
  run(world) {
    for (const { battle, match } of matchesOf(world)) sendWaves(world, battle, match)
  },
}

export const houseOrders: SystemDef = {
  name: 'arena.orders',
  phase: 'decide',
  writes: [Participant],
  run(world) {
    const { fighter } = world.read(ShipMatch)
    const { ship } = world.read(Participant)
    for (const { battle, match } of matchesOf(world)) {
      if (match.challenge === '') continue
      for (const row of participantsOf(world, battle)) {
        if (fighter[ship[row]] !== 0) giveHouseOrders(world, battle, row)
      }
    }
  },
}

/* How ships of the house fight: by their style, against the nearest rival. */

/** Returns the nearest of the players' ships, the oldest among equals; 0 none. */
function nearestRival(view: WorldView, battle: Row): Row {
  const { side, next, ring } = view.read(Participant)
  let nearest = 0
  for (let row = view.read(Battle).first[battle]; row !== 0; row = next[row]) {
    if (side[row] === OWN_SIDE && (nearest === 0 || ring[row] < ring[nearest])) nearest = row
  }
  return nearest
}

/** Gives a ship of the house its orders for the coming fight. */
function giveHouseOrders(world: World, battle: Row, row: Row): void {
  const participants = world.write(Participant)
  const { fighter, flees } = world.read(ShipMatch)
  const ship = participants.ship[row]
  participants.orderTick[row] = world.tick
  const rival = nearestRival(world, battle)
  if (flees[ship] === 1) {
    participants.orderStance[row] = STANCES.indexOf('flee') + 1
    return
  }
  if (rival === 0) return
  participants.orderTarget[row] = rival
  const { style, guns } = FIGHTERS[fighter[ship] - 1]
  const { reach } = guns[0]
  const distance = style === 'artillery' ? reach : Math.max(0, reach - 1)
  const goodRing = Math.min(RING_OUTER, Math.max(0, distance - participants.ring[rival]))
  participants.orderMove[row] = Math.sign(goodRing - participants.ring[row])
  const distanceAfter =
    participants.ring[row] + participants.orderMove[row] + participants.ring[rival]
  participants.orderStance[row] = STANCES.indexOf(distanceAfter <= reach ? 'fire' : 'brace') + 1
}
