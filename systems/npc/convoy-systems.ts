/**
 * What convoys do in a tick: wait while they are loaded, fly from system to system with a stop in
 * each, stand by each other, deliver. Pirates of the systems on the way lie in wait for the stops.
 */
import { assert } from '../../core/assert.ts'
import { PIRATES } from '../../core/catalog/index.ts'
import { contentsOf } from '../../core/goods.ts'
import { raise } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { BATTLE_WRITES, scheduleEngagement } from '../combat/battles-rules.ts'
import { Battle, Participant, ShipCombat } from '../combat/state.ts'
import { BUFF_WRITES } from '../consumable/rules.ts'
import { Managed } from '../market/state.ts'
import { escortsOf } from '../mission/escort-model.ts'
import { countEscorts, failEscorts } from '../mission/escort-rules.ts'
import { systemOfBase } from '../mission/model.ts'
import { Mission } from '../mission/state.ts'
import { Ship } from '../ship/state.ts'
import { distanceMilliAu, flightOf, jumpTicks, travelTicks } from '../travel/flight-model.ts'
import { startFlight, undockShip } from '../travel/rules.ts'
import { AT_POI, JUMPING, Location, Poi, StarSystem } from '../travel/state.ts'
import {
  allConvoys,
  guardsOf,
  isLoading,
  nextOnWay,
  openConvoys,
  placeOfBase,
  unitsAboard,
} from './convoy-model.ts'
import { announceConvoy, CONVOY_WRITES } from './convoy-rules.ts'
import { Convoy, convoyArrived } from './convoy-state.ts'
import { npcOf, npcsOf, PIRATE } from './model.ts'
import { follow } from './patrol-systems.ts'
import { removeNpcShip } from './rules.ts'
import { NPCS_OF, Npc } from './state.ts'

/** Ticks of a stop: those who escort catch up, and so do pirates. */
const STOP_TICKS = 12
/** Arrivals in a system with pirates of which some come for the convoy, %. */
const RAID_PCT = 40
/** Pirates who come for a freighter alone; one more for each ship that goes along. */
const RAIDERS_MIN = 2
/** Highest rank of those: what is above it leaves a system to its own. */
const RAIDER_RANK_MAX = 2
const RAID_SEED = hashText('npc.convoy_raid')

const isFree = (view: WorldView, ship: Eid): boolean =>
  view.read(ShipCombat).participant[ship] === 0

/** Returns the place where a ship is, or that it flies to. */
function whereTo(view: WorldView, ship: Eid): Eid {
  const { poi, toPoi } = view.read(Location)
  return poi[ship] || toPoi[ship]
}

/* Ships of one convoy */

/** Moves the home of an NPC to where its ship is: NPCs of a convoy travel with it. */
function rehome(world: World, ship: Eid): void {
  const npc = npcOf(world, ship)
  const system = world.read(Location).system[ship]
  if (world.read(Npc).system[npc] === system) return
  NPCS_OF.unlink(world, npc)
  NPCS_OF.link(world, npc, system)
}

/** Sends home who was left behind, once they are free, and keeps the homes of all up to date. */
function keepTogether(world: World, convoy: Row, ship: Eid): void {
  rehome(world, ship)
  for (const guard of guardsOf(world, convoy)) {
    const isLeft = whereTo(world, guard) !== whereTo(world, ship)
    if (isLeft && isFree(world, guard)) removeNpcShip(world, guard)
    else rehome(world, guard)
  }
}

/** Makes escorts join the battle of their freighter on its side, each only once. */
function standBy(world: World, convoy: Row, ship: Eid): void {
  const { battle, side } = world.read(Participant)
  const { state, system } = world.read(Location)
  const { participant, lastBattle } = world.read(ShipCombat)
  const row = participant[ship]
  const number = world.read(Battle).seq[battle[row]]
  for (const guard of guardsOf(world, convoy)) {
    const isHere = system[guard] === system[ship] && state[guard] < JUMPING
    const hasFled = lastBattle[guard] === number
    if (isHere && !hasFled && isFree(world, guard)) {
      scheduleEngagement(world, guard, battle[row], side[row])
    }
  }
}

/* Flight */

/** Makes all free ships at the freighter's place fly on with it. */
function flyOn(world: World, convoy: Row, to: Eid, ticks: number): void {
  const ship = world.read(Convoy).ship[convoy]
  const { poi, base } = world.read(Location)
  const here = poi[ship]
  for (const member of [ship, ...guardsOf(world, convoy)]) {
    if (poi[member] !== here || !isFree(world, member)) continue
    if (base[member] !== 0) undockShip(world, member)
    startFlight(world, member, to, ticks)
  }
}

/** Flies on: to the next system of the way, or within the last one to the capital. */
function depart(world: World, convoy: Row, ship: Eid): void {
  const { to } = world.read(Convoy)
  const { system, poi } = world.read(Location)
  const here = system[ship]
  const flight = flightOf(world, ship)
  if (here !== systemOfBase(world, to[convoy])) {
    const next = nextOnWay(world, here, to[convoy])
    flyOn(world, convoy, world.read(StarSystem).entryPoi[next], jumpTicks(flight))
    return
  }
  const { x, y } = world.read(Poi)
  const [from, goal] = [poi[ship], placeOfBase(world, to[convoy])]
  const distance = distanceMilliAu(x[from], y[from], x[goal], y[goal])
  flyOn(world, convoy, goal, travelTicks(flight, distance))
}

/** Sends pirates of a system after a convoy that has come out of a jump. */
function raid(world: World, convoy: Row, ship: Eid): void {
  const { seq } = world.read(Ship)
  const system = world.read(Location).system[ship]
  const lot = hash32(world.seed, world.tick, RAID_SEED, seq[ship])
  if (drawBelow(100, lot) >= RAID_PCT) return
  const { kind, type, prey, call, guestUntil, ship: shipOf } = world.read(Npc)
  const { state } = world.read(Location)
  const free = npcsOf(world, system).filter(
    (npc) =>
      kind[npc] === PIRATE &&
      PIRATES[type[npc]].rank <= RAIDER_RANK_MAX &&
      prey[npc] === 0 &&
      call[npc] === 0 &&
      guestUntil[npc] === 0 &&
      state[shipOf[npc]] === AT_POI &&
      isFree(world, shipOf[npc]),
  )
  free.sort((a, b) => seq[shipOf[a]] - seq[shipOf[b]])
  const raiders = RAIDERS_MIN + guardsOf(world, convoy).length
  for (const npc of free.slice(0, raiders)) follow(world, npc, ship)
}

/** Ends a jump: the convoy stops where it came out. */
function stop(world: World, convoy: Row, ship: Eid): void {
  const { system, nextTick } = world.write(Convoy)
  system[convoy] = world.read(Location).system[ship]
  nextTick[convoy] = world.tick + STOP_TICKS
  raid(world, convoy, ship)
}

/* The end */

/** Hands over what is left, and ends the convoy. */
function deliver(world: World, convoy: Row, ship: Eid): void {
  const columns = world.write(Convoy)
  const system = columns.system[convoy]
  const number = columns.seq[convoy]
  const isRobbed = unitsAboard(world, convoy) === 0
  if (!isRobbed) countEscorts(world, { convoy: number, system, isLast: true })
  failEscorts(
    world,
    number,
    isRobbed
      ? 'is over: the convoy was robbed of all it carried'
      : 'is over: you were not with the convoy at enough stops',
  )
  announceConvoy(world, convoy, 'arrived', { kind: 'system', row: system })
  raise(world, convoyArrived, { ship, base: columns.to[convoy] })
  columns.closed[convoy] = 1
  removeNpcShip(world, ship)
}

/** Notifies those who escorted a convoy, and those who were near, that it was lost. */
function mourn(world: World, convoy: Row): void {
  const { seq, system } = world.read(Convoy)
  announceConvoy(world, convoy, 'lost', { kind: 'system', row: system[convoy] })
  const { player } = world.read(Mission)
  const { system: systemAt, state } = world.read(Location)
  const { ship } = world.read(Player)
  const isAfar = (row: Eid): boolean =>
    systemAt[ship[row]] !== system[convoy] || state[ship[row]] >= JUMPING
  const afar = escortsOf(world, seq[convoy])
    .map((mission) => player[mission])
    .filter(isAfar)
  if (afar.length > 0) announceConvoy(world, convoy, 'lost', { kind: 'players', rows: afar })
  failEscorts(world, seq[convoy], 'is over: the convoy was lost')
}

/** Takes a convoy without a freighter out of the world, as its ships become free. */
function disband(world: World, convoy: Row): void {
  const columns = world.write(Convoy)
  if (columns.closed[convoy] === 0) mourn(world, convoy)
  columns.closed[convoy] = 1
  for (const guard of guardsOf(world, convoy)) {
    if (isFree(world, guard)) removeNpcShip(world, guard)
  }
  if (guardsOf(world, convoy).length === 0) world.release(Convoy, convoy)
}

/* In a tick */

function leave(world: World, convoy: Row, ship: Eid): void {
  const { seq, system, to } = world.read(Convoy)
  if (system[convoy] !== systemOfBase(world, to[convoy])) {
    countEscorts(world, { convoy: seq[convoy], system: system[convoy], isLast: false })
  }
  if (isLoading(world, convoy)) {
    announceConvoy(world, convoy, 'departed', { kind: 'system', row: system[convoy] })
  }
  depart(world, convoy, ship)
}

/**
 * Returns the convoys with which something happens, in the order in which they were formed: those
 * in a battle, those that have come somewhere or are to leave, and those that are over.
 */
function dueConvoys(view: WorldView): Row[] {
  if (view.countOf(Convoy) === 0) return []
  const { alive, ship: shipOf, to, system, nextTick, seq } = view.read(Convoy)
  const { participant } = view.read(ShipCombat)
  const { poi, system: systemAt } = view.read(Location)
  const due: Row[] = []
  for (let convoy = 1; convoy <= view.highOf(Convoy); convoy++) {
    const ship = shipOf[convoy]
    if (alive[convoy] === 0) continue
    const isBusy = ship === 0 || participant[ship] !== 0
    const hasCome =
      poi[ship] !== 0 &&
      (systemAt[ship] !== system[convoy] ||
        view.tick >= nextTick[convoy] ||
        poi[ship] === placeOfBase(view, to[convoy]))
    if (isBusy || hasCome) due.push(convoy)
  }
  return due.sort((a, b) => seq[a] - seq[b])
}

function advance(world: World, convoy: Row): void {
  const { ship: shipOf, to, system, nextTick } = world.read(Convoy)
  const ship = shipOf[convoy]
  if (ship === 0) {
    disband(world, convoy)
    return
  }
  keepTogether(world, convoy, ship)
  const { poi, system: systemAt } = world.read(Location)
  // It may have been attacked as it came out of the jump.
  if (poi[ship] !== 0 && systemAt[ship] !== system[convoy]) stop(world, convoy, ship)
  if (!isFree(world, ship)) {
    standBy(world, convoy, ship)
    return
  }
  if (poi[ship] === placeOfBase(world, to[convoy])) {
    deliver(world, convoy, ship)
    disband(world, convoy)
  } else if (world.tick >= nextTick[convoy]) leave(world, convoy, ship)
}

/** Moves convoys on. O(convoys), a few reads each where nothing happens. */
export const convoys: SystemDef = {
  name: 'npc.convoys',
  phase: 'decide',
  writes: [...CONVOY_WRITES, ...BATTLE_WRITES, ...BUFF_WRITES, Managed, Mission],
  run(world) {
    for (const convoy of dueConvoys(world)) advance(world, convoy)
  },
}

/** Checks every convoy: a handful of reads each. */
export const convoysHold: CheckDef = {
  name: 'convoys: each has its ships, and they it; its freighter carries its good alone',
  run(view, full) {
    if (!full) return
    const { alive, ship, convoy: convoyOf } = view.read(Npc)
    const { ship: freighter, item, alive: isOpen } = view.read(Convoy)
    const { hold } = view.read(Ship)
    let members = 0
    for (const convoy of openConvoys(view)) {
      const aboard = contentsOf(view, hold[freighter[convoy]])
      const isOwn = aboard.every((held) => held.item === item[convoy])
      assert(isOwn, `convoy ${convoy} carries what nobody has loaded`)
    }
    for (const convoy of allConvoys(view)) {
      for (const member of [freighter[convoy], ...guardsOf(view, convoy)]) {
        if (member === 0) continue
        members++
        assert(convoyOf[npcOf(view, member)] === convoy, `ship ${member} is in no convoy`)
      }
    }
    for (let npc = 1; npc <= view.highOf(Npc); npc++) {
      if (alive[npc] === 0 || convoyOf[npc] === 0) continue
      members--
      assert(isOpen[convoyOf[npc]] === 1, `the convoy of ship ${ship[npc]} is over`)
    }
    assert(members === 0, `${members} ships of convoys are missing`)
  },
}
