/**
 * What convoys do in a tick: wait while they are loaded, fly from system to system with a stop in
 * each, defend the freighter, deliver. Pirates of the systems on the route attack them at the
 * stops.
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
import { countConvoyStop, failEscorts } from '../mission/escort-rules.ts'
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
  nextOnRoute,
  openConvoys,
  placeOfBase,
  unitsAboard,
} from './convoy-model.ts'
import { announceConvoy, CONVOY_WRITES } from './convoy-rules.ts'
import { Convoy, convoyArrived } from './convoy-state.ts'
import { npcOf, npcsOf, PIRATE } from './model.ts'
import { pursue } from './patrol-systems.ts'
import { removeNpcShip } from './rules.ts'
import { NPCS_OF, Npc } from './state.ts'

/** Ticks of a stop, in which escorts can catch up, and pirates too. */
const STOP_TICKS = 12
/** Chance that pirates attack a convoy that arrives in their system, %. */
const RAID_PCT = 40
/** Pirates who attack a freighter without guards; one more comes for each guard. */
const RAIDERS_MIN = 2
/** Highest rank of pirates who raid convoys. */
const RAIDER_RANK_MAX = 2
const RAID_SEED = hashText('npc.convoy_raid')

const isFree = (view: WorldView, ship: Eid): boolean =>
  view.read(ShipCombat).participant[ship] === 0

/** Returns the place where a ship is; in flight, its destination. */
function placeOrDestination(view: WorldView, ship: Eid): Eid {
  const { poi, toPoi } = view.read(Location)
  return poi[ship] || toPoi[ship]
}

/* Ships of a convoy */

/** Makes the system of its ship the home of a convoy's NPC. */
function updateHome(world: World, ship: Eid): void {
  const npc = npcOf(world, ship)
  const system = world.read(Location).system[ship]
  if (world.read(Npc).system[npc] === system) return
  NPCS_OF.unlink(world, npc)
  NPCS_OF.link(world, npc, system)
}

/** Removes guards that were left behind and fight no more; updates the homes of all others. */
function regroup(world: World, convoy: Row, ship: Eid): void {
  updateHome(world, ship)
  for (const guard of guardsOf(world, convoy)) {
    const isLeft = placeOrDestination(world, guard) !== placeOrDestination(world, ship)
    if (isLeft && isFree(world, guard)) removeNpcShip(world, guard)
    else updateHome(world, guard)
  }
}

/** Makes guards join the battle of their freighter on its side, each only once. */
function defendFreighter(world: World, convoy: Row, ship: Eid): void {
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

/** Starts the flight of the freighter, and of all guards that are free and at its place. */
function flyTogether(world: World, convoy: Row, to: Eid, ticks: number): void {
  const ship = world.read(Convoy).ship[convoy]
  const { poi, base } = world.read(Location)
  const here = poi[ship]
  for (const member of [ship, ...guardsOf(world, convoy)]) {
    if (poi[member] !== here || !isFree(world, member)) continue
    if (base[member] !== 0) undockShip(world, member)
    startFlight(world, member, to, ticks)
  }
}

/** Starts the next leg: to the next system on the route, or to the capital in the last one. */
function depart(world: World, convoy: Row, ship: Eid): void {
  const { to } = world.read(Convoy)
  const { system, poi } = world.read(Location)
  const here = system[ship]
  const flight = flightOf(world, ship)
  if (here !== systemOfBase(world, to[convoy])) {
    const next = nextOnRoute(world, here, to[convoy])
    flyTogether(world, convoy, world.read(StarSystem).entryPoi[next], jumpTicks(flight))
    return
  }
  const { x, y } = world.read(Poi)
  const [from, goal] = [poi[ship], placeOfBase(world, to[convoy])]
  const distance = distanceMilliAu(x[from], y[from], x[goal], y[goal])
  flyTogether(world, convoy, goal, travelTicks(flight, distance))
}

/** Draws whether pirates of a system attack a convoy that has arrived there, and sends them. */
function raid(world: World, convoy: Row, ship: Eid): void {
  const { seq } = world.read(Ship)
  const system = world.read(Location).system[ship]
  const random = hash32(world.seed, world.tick, RAID_SEED, seq[ship])
  if (drawBelow(100, random) >= RAID_PCT) return
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
  for (const npc of free.slice(0, raiders)) pursue(world, npc, ship)
}

/** Ends a jump: the convoy makes a stop where it has arrived. */
function stop(world: World, convoy: Row, ship: Eid): void {
  const { system, nextTick } = world.write(Convoy)
  system[convoy] = world.read(Location).system[ship]
  nextTick[convoy] = world.tick + STOP_TICKS
  raid(world, convoy, ship)
}

/* The end */

/** Delivers the goods that are left, and ends the convoy. */
function deliver(world: World, convoy: Row, ship: Eid): void {
  const columns = world.write(Convoy)
  const system = columns.system[convoy]
  const number = columns.seq[convoy]
  const isRobbed = unitsAboard(world, convoy) === 0
  if (!isRobbed) countConvoyStop(world, { convoy: number, system, isLast: true })
  failEscorts(
    world,
    number,
    isRobbed
      ? 'the convoy was robbed of all its goods'
      : 'you were not with the convoy at enough stops',
  )
  announceConvoy(world, convoy, 'arrived', { kind: 'system', row: system })
  raise(world, convoyArrived, { ship, base: columns.to[convoy] })
  columns.closed[convoy] = 1
  removeNpcShip(world, ship)
}

/** Notifies the escorts of a convoy, and the players in its system, that it was lost. */
function notifyLoss(world: World, convoy: Row): void {
  const { seq, system } = world.read(Convoy)
  announceConvoy(world, convoy, 'lost', { kind: 'system', row: system[convoy] })
  const { player } = world.read(Mission)
  const { system: systemAt, state } = world.read(Location)
  const { ship } = world.read(Player)
  const isElsewhere = (row: Eid): boolean =>
    systemAt[ship[row]] !== system[convoy] || state[ship[row]] >= JUMPING
  const elsewhere = escortsOf(world, seq[convoy])
    .map((mission) => player[mission])
    .filter(isElsewhere)
  if (elsewhere.length > 0) {
    announceConvoy(world, convoy, 'lost', { kind: 'players', rows: elsewhere })
  }
  failEscorts(world, seq[convoy], 'the convoy was lost')
}

/** Ends a convoy that has no freighter any more; guards are removed once they fight no more. */
function disband(world: World, convoy: Row): void {
  const columns = world.write(Convoy)
  if (columns.closed[convoy] === 0) notifyLoss(world, convoy)
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
    countConvoyStop(world, { convoy: seq[convoy], system: system[convoy], isLast: false })
  }
  if (isLoading(world, convoy)) {
    announceConvoy(world, convoy, 'departed', { kind: 'system', row: system[convoy] })
  }
  depart(world, convoy, ship)
}

/**
 * Returns the convoys that need an update in this tick, in the order in which they were formed:
 * those in a battle, those that have arrived or must leave, and those that have ended.
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
    const isGoneOrFighting = ship === 0 || participant[ship] !== 0
    const hasArrivedOrMustLeave =
      poi[ship] !== 0 &&
      (systemAt[ship] !== system[convoy] ||
        view.tick >= nextTick[convoy] ||
        poi[ship] === placeOfBase(view, to[convoy]))
    if (isGoneOrFighting || hasArrivedOrMustLeave) due.push(convoy)
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
  regroup(world, convoy, ship)
  const { poi, system: systemAt } = world.read(Location)
  // A freighter that was attacked right after its jump has arrived too.
  if (poi[ship] !== 0 && systemAt[ship] !== system[convoy]) stop(world, convoy, ship)
  if (!isFree(world, ship)) {
    defendFreighter(world, convoy, ship)
    return
  }
  if (poi[ship] === placeOfBase(world, to[convoy])) {
    deliver(world, convoy, ship)
    disband(world, convoy)
  } else if (world.tick >= nextTick[convoy]) leave(world, convoy, ship)
}

/** Advances convoys. O(convoys), with a few reads for each that needs no update. */
export const convoys: SystemDef = {
  name: 'npc.convoys',
  phase: 'decide',
  writes: [...CONVOY_WRITES, ...BATTLE_WRITES, ...BUFF_WRITES, Managed, Mission],
  run(world) {
    for (const convoy of dueConvoys(world)) advance(world, convoy)
  },
}

/** Checks every convoy, with a few reads each. */
export const convoysHold: CheckDef = {
  name: 'convoys: each refers to its ships and they to it; a freighter carries only its own good',
  run(view, full) {
    if (!full) return
    const { alive, ship, convoy: convoyOf } = view.read(Npc)
    const { ship: freighter, item, alive: isOpen } = view.read(Convoy)
    const { hold } = view.read(Ship)
    let members = 0
    for (const convoy of openConvoys(view)) {
      const aboard = contentsOf(view, hold[freighter[convoy]])
      const hasOwnGoodOnly = aboard.every((held) => held.item === item[convoy])
      assert(hasOwnGoodOnly, `convoy ${convoy} carries what nobody has loaded`)
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
