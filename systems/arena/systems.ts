/** What the arena does in a tick: challenges lapse, waves come, the house gives its orders. */

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
import { lapse } from './duels-commands.ts'
import { matchesOf, sendWaves } from './matches-systems.ts'
import { MATCHES, OWN_SIDE, ShipMatch, STAKES } from './state.ts'

/* Invariants of the arena. */

const ARENA = BATTLE_KINDS.indexOf('arena')

/** A handful of reads a ship: every ship. */
export const matchesAreSound: CheckDef = {
  name: 'arena: who is in a match fights in it and has a stake; every match is a battle',
  run(view, full) {
    if (!full) return
    const { alive, owner } = view.read(Ship)
    const { match, fighter } = view.read(ShipMatch)
    const { participant } = view.read(ShipCombat)
    const { battle } = view.read(Participant)
    const stakes = view.records(STAKES)
    let staked = 0
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || match[ship] === 0) continue
      const row = participant[ship]
      if (row === 0 || battle[row] !== match[ship]) assert(false, `ship ${ship} left the ring`)
      if (fighter[ship] !== 0) continue
      const key = String(view.read(Player).seq[owner[ship]])
      if (!stakes.has(key)) assert(false, `ship ${ship} has no stake`)
      staked++
    }
    assert(staked === stakes.size, 'a stake belongs to nobody in a match')
    const { alive: isBattle, kind } = view.read(Battle)
    let arenas = 0
    for (let row = 1; row <= view.highOf(Battle); row++) {
      if (isBattle[row] === 1 && kind[row] === ARENA) arenas++
    }
    assert(arenas === view.records(MATCHES).size, 'a match is no battle, or a battle no match')
  },
}

export const lapsing: SystemDef = {
  name: 'arena.lapse',
  phase: 'arrive',
  writes: [],
  run: lapse,
}

/** Before the fight, so that who has just come is seen before it fires. */
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

/* How ships of the house fight: by their style, against whoever is nearest. */

/** The nearest player's ship, then the oldest; 0 none. */
function nearestRival(view: WorldView, battle: Row): Row {
  const { side, next, ring } = view.read(Participant)
  let nearest = 0
  for (let row = view.read(Battle).first[battle]; row !== 0; row = next[row]) {
    if (side[row] === OWN_SIDE && (nearest === 0 || ring[row] < ring[nearest])) nearest = row
  }
  return nearest
}

/** Orders of a ship of the house for the coming fight. */
function giveHouseOrders(world: World, battle: Row, row: Row): void {
  const part = world.write(Participant)
  const { fighter, flees } = world.read(ShipMatch)
  const ship = part.ship[row]
  part.orderTick[row] = world.tick
  const rival = nearestRival(world, battle)
  if (flees[ship] === 1) {
    part.orderStance[row] = STANCES.indexOf('flee') + 1
    return
  }
  if (rival === 0) return
  part.orderTarget[row] = rival
  const { style, guns } = FIGHTERS[fighter[ship] - 1]
  const { reach } = guns[0]
  const distance = style === 'artillery' ? reach : Math.max(0, reach - 1)
  const wanted = Math.min(RING_OUTER, Math.max(0, distance - part.ring[rival]))
  part.orderMove[row] = Math.sign(wanted - part.ring[row])
  const after = part.ring[row] + part.orderMove[row] + part.ring[rival]
  part.orderStance[row] = STANCES.indexOf(after <= reach ? 'fire' : 'brace') + 1
}
