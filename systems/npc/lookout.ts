/**
 * What all pirates of a tick know together: who may be prey at a place, whom somebody is after, who
 * is free to be called, where to go. Found once a tick, however many of them ask; memory of the
 * tick, never kept.
 */
import { PIRATES } from '../../core/catalog/index.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Fighting } from '../combat/columns.ts'
import { seePlayer } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { AT_POI, Location, Poi } from '../travel/columns.ts'
import { Npc } from './columns.ts'
import { crewIn, standingWith } from './crew-rules.ts'
import { npcsOf, PIRATE } from './rules.ts'
import { hauntsOf } from './spawn.ts'

/** Standing from which a crew lets a player be. ours: who may dock with them is one of theirs. */
export const FRIEND_STANDING = 10

export interface Lookout {
  /** Ships at a place that a pirate may turn on, in the order of their numbers. */
  preyAt(poi: Eid): readonly Eid[]
  /** Durable numbers of the ships that pirates of a system are after. */
  stalkedIn(system: Eid): Set<number>
  /** Pirates of a system above the first tier with nothing to do; whoever calls one takes it. */
  raidersIn(system: Eid): Set<Row>
  hauntsIn(system: Eid): readonly Eid[]
}

/** The value of a key, made once. */
function once<V>(make: (key: number) => V): (key: number) => V {
  const made = new Map<number, V>()
  return (key) => {
    let value = made.get(key)
    if (value === undefined) {
      value = make(key)
      made.set(key, value)
    }
    return value
  }
}

/**
 * True for a ship in the open at a place that a pirate may turn on: flown by a player who is online
 * and seen, no friend of the crew, in no battle, and not just out of one.
 */
function isPrey(view: WorldView, ship: Eid, poi: Eid): boolean {
  const player = view.read(Ship).owner[ship]
  const { ship: flown, bound } = view.read(Player)
  if (player === 0 || flown[player] !== ship || bound[player] === 0) return false
  const at = view.read(Location)
  const { participant, graceUntil } = view.read(Fighting)
  return (
    seePlayer(view, 0, player) !== 'nothing' &&
    at.state[ship] === AT_POI &&
    participant[ship] === 0 &&
    graceUntil[ship] < view.tick &&
    standingWith(view, player, crewIn(view, view.read(Poi).system[poi])) < FRIEND_STANDING
  )
}

/** Nearly always there is nobody but pirates at a place: columns are read once for all of them. */
function findPrey(view: WorldView, poi: Eid): readonly Eid[] {
  const { nextHere } = view.read(Location)
  const { owner, seq } = view.read(Ship)
  const found: Eid[] = []
  for (let ship = view.read(Poi).firstShip[poi]; ship !== 0; ship = nextHere[ship]) {
    if (owner[ship] !== 0 && isPrey(view, ship, poi)) found.push(ship)
  }
  return found.sort((a, b) => seq[a] - seq[b])
}

function findRaiders(view: WorldView, system: Eid): Set<Row> {
  const { kind, type, prey, ship } = view.read(Npc)
  const { state } = view.read(Location)
  const { participant } = view.read(Fighting)
  return new Set(
    npcsOf(view, system).filter(
      (npc) =>
        kind[npc] === PIRATE &&
        PIRATES[type[npc]].rank > 1 &&
        !PIRATES[type[npc]].isBoss &&
        prey[npc] === 0 &&
        participant[ship[npc]] === 0 &&
        state[ship[npc]] === AT_POI,
    ),
  )
}

/** For one phase of one tick. */
export function keepLookout(view: WorldView): Lookout {
  return {
    preyAt: once((poi) => findPrey(view, poi)),
    stalkedIn: once((system) => {
      const { prey } = view.read(Npc)
      const numbers = npcsOf(view, system).map((npc) => prey[npc])
      return new Set(numbers.filter((number) => number !== 0))
    }),
    raidersIn: once((system) => findRaiders(view, system)),
    hauntsIn: once((system) => hauntsOf(view, system)),
  }
}
