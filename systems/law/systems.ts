/** Systems of the law: offences expire, police hunt, detained players are released. */
import { assert } from '../../core/assert.ts'
import {
  EMPIRES,
  POLICE_SHIP_CLASS,
  policeStrength,
  shipClassIndex,
} from '../../core/catalog/index.ts'
import { Stack } from '../../core/goods.ts'
import { addToList } from '../../core/groups.ts'
import { Account } from '../../core/ledger.ts'
import { BOUNTY_CREDITS_MAX, POLICE_PER_BATTLE_MAX } from '../../core/limits.ts'
import { clamp } from '../../core/math.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { reputationBaseline, reputationOf } from '../account/model.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import { ShipMatch } from '../arena/state.ts'
import { Link } from '../boarding/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { BATTLE_WRITES, recallFromBattle } from '../combat/battles-rules.ts'
import { aggress } from '../combat/engage-rules.ts'
import {
  areHostile,
  battleIn,
  kindOf,
  participantOf,
  participantsOf,
  pilotOf,
} from '../combat/model.ts'
import { BATTLE_KINDS, Battle, DamageClaim, Participant, ShipCombat } from '../combat/state.ts'
import { BUFF_WRITES } from '../consumable/rules.ts'
import { npcsOf, POLICE } from '../npc/model.ts'
import { addNpc, removeNpc } from '../npc/rules.ts'
import { Npc, NpcPilot, Outlaw, SystemNpcs } from '../npc/state.ts'
import { seePlayer } from '../sensing/model.ts'
import { createShip, releaseShip, SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { Siege, StationHull } from '../siege/state.ts'
import { dockedBase } from '../travel/location-model.ts'
import { PLACE_WRITES, placeInSpace, removeFromMap } from '../travel/rules.ts'
import { AT_POI, Location, StarSystem, TRAVELLING } from '../travel/state.ts'
import { CHARGE_WRITES, expireOffences } from './crimes-rules.ts'
import { isWanted, responseTicks, warrantOf } from './model.ts'
import { changeReputation, closeWarrant, reviewDetention } from './rules.ts'
import { CriminalRecord, Jailed, Offence, Warrant } from './state.ts'

/* Invariants of the law. */

/** Checks every player with a few reads per row. */
export const recordsAreSound: CheckDef = {
  name: 'law: bounties are bounded, detained players are docked and have a bounty',
  run(view, full) {
    if (!full) return
    const record = view.read(CriminalRecord)
    const { alive } = view.read(Player)
    for (let row = 1; row <= view.highOf(Player); row++) {
      if (alive[row] === 0) continue
      for (let empire = 0; empire < EMPIRES.length; empire++) {
        const owed = record.bounty[row * EMPIRES_WIDTH + empire]
        if (owed > BOUNTY_CREDITS_MAX) assert(false, `player ${row} owes ${owed}`)
      }
      const jail = record.jailEmpire[row]
      const isDocked = dockedBase(view, row) !== 0
      const owes = jail === 0 || record.bounty[row * EMPIRES_WIDTH + jail - 1] > 0
      if (jail !== 0 && !isDocked) assert(false, `player ${row} is detained in space`)
      if (!owes) assert(false, `player ${row} is detained without a bounty`)
      if ((jail !== 0) !== view.has(Player, row, Jailed)) assert(false, `player ${row}: wrong tag`)
    }
  },
}

/*
 * Police drones: launching, pursuing and recalling them. Drones hunt one player at one place;
 * leaving it, docking or cloaking ends the pursuit, and being seen elsewhere in the system begins
 * another one. Source: combat.md section 12.
 */

/** Returns the warrants in the order of their players, then of their systems. */
function sortedWarrants(view: WorldView): Row[] {
  const { alive, player, system } = view.read(Warrant)
  const { seq } = view.read(Player)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Warrant); row++) if (alive[row] === 1) rows.push(row)
  return rows.sort((a, b) => seq[player[a]] - seq[player[b]] || system[a] - system[b])
}

const quarryOf = (view: WorldView, warrant: Row): Eid =>
  view.read(Player).ship[view.read(Warrant).player[warrant]]

/**
 * Returns whether a participant is in an arena match, where police cannot find it. Source:
 * combat.md section 14.
 */
const isInArena = (view: WorldView, row: Row): boolean =>
  BATTLE_KINDS[view.read(Battle).kind[view.read(Participant).battle[row]]] === 'arena'

/** Returns the place at which a wanted player is visible or fighting; 0 for none. */
function placeOfQuarry(view: WorldView, warrant: Row): Eid {
  const ship = quarryOf(view, warrant)
  const { state, system, poi, fromPoi } = view.read(Location)
  const { player, system: jurisdiction } = view.read(Warrant)
  if (ship === 0 || system[ship] !== jurisdiction[warrant]) return 0
  const row = participantOf(view, ship)
  const isFighting = row !== 0
  if (isFighting && isInArena(view, row)) return 0
  if (isFighting && state[ship] === TRAVELLING) return fromPoi[ship]
  if (state[ship] !== AT_POI) return 0
  return isFighting || seePlayer(view, 0, player[warrant]) !== 'nothing' ? poi[ship] : 0
}

/** Police drones by home system, then by the number of the ship they pursue. */
type Drones = ReadonlyMap<Eid, ReadonlyMap<number, readonly Eid[]>>

/** Returns the police drones of these systems by their quarry. O(NPCs of the systems). */
function dronesIn(view: WorldView, systems: Iterable<Eid>): Drones {
  const { kind, prey, ship } = view.read(Npc)
  const found = new Map<Eid, Map<number, Eid[]>>()
  for (const system of systems) {
    const byQuarry = new Map<number, Eid[]>()
    for (const npc of npcsOf(view, system)) {
      if (kind[npc] !== POLICE) continue
      addToList(byQuarry, prey[npc], ship[npc])
    }
    found.set(system, byQuarry)
  }
  return found
}

/** Returns the drones that pursue the player of a warrant, in the order of their ships. */
function pursuersOf(view: WorldView, warrant: Row, drones: Drones): Eid[] {
  const { seq } = view.read(Ship)
  const quarry = seq[quarryOf(view, warrant)]
  const pursuers = drones.get(view.read(Warrant).system[warrant])?.get(quarry) ?? []
  return [...pursuers].sort((a, b) => seq[a] - seq[b])
}

/* Recall */

/**
 * Moves a pursuit to the place where the wanted player is seen, or ends it: police do not wait at a
 * place that the player has left. New drones are called when the player is visible again.
 */
function updatePursuit(world: World, warrant: Row): void {
  const { until, poi, respondTick, system } = world.write(Warrant)
  const level = world.read(StarSystem).police[system[warrant]]
  const seen = until[warrant] < world.tick ? 0 : placeOfQuarry(world, warrant)
  const isCalled = poi[warrant] === 0 && respondTick[warrant] !== 0
  if (seen === 0) respondTick[warrant] = 0
  else if (seen !== poi[warrant] && !isCalled) {
    respondTick[warrant] = world.tick + responseTicks(level)
  }
  poi[warrant] = seen
}

/** Returns police drones of these systems without a pursuit at their place, by ship number. */
function idleDrones(view: WorldView, systems: Iterable<Eid>): Eid[] {
  const { kind, prey, ship } = view.read(Npc)
  const { seq, owner } = view.read(Ship)
  const { poi } = view.read(Location)
  const idle: Eid[] = []
  for (const system of systems) {
    for (const npc of npcsOf(view, system)) {
      if (kind[npc] !== POLICE) continue
      const quarry = view.rowOf(Ship, prey[npc])
      const player = quarry === 0 ? 0 : owner[quarry]
      const isFlown = player !== 0 && view.read(Player).ship[player] === quarry
      const warrant = isFlown ? warrantOf(view, player, system) : 0
      const isHunting = warrant !== 0 && view.read(Warrant).poi[warrant] === poi[ship[npc]]
      if (!isHunting) idle.push(ship[npc])
    }
  }
  return idle.sort((a, b) => seq[a] - seq[b])
}

function sendHome(world: World, drone: Eid): void {
  const row = participantOf(world, drone)
  if (row !== 0) recallFromBattle(world, row)
  removeNpc(world, drone)
  removeFromMap(world, drone)
  releaseShip(world, drone)
}

/* Response */

const policeCount = (view: WorldView, battle: Row): number =>
  battle === 0
    ? 0
    : participantsOf(view, battle).filter((row) => kindOf(view, row) === 'police').length

/** Launches a drone at the place of the pursuit; returns undefined if there is no room for it. */
function launchDrone(world: World, warrant: Row): Eid | undefined {
  const { system: jurisdiction, poi } = world.read(Warrant)
  const system = jurisdiction[warrant]
  if (isNearlyFull(world, Ship) || isNearlyFull(world, Participant)) return undefined
  if (world.roomIn(Npc) === 0) return undefined
  if (policeCount(world, battleIn(world, system)) >= POLICE_PER_BATTLE_MAX) return undefined
  const shipClass = shipClassIndex(POLICE_SHIP_CLASS)
  const ship = createShip(world, { owner: 0, shipClass, modules: [] })
  const type = world.read(StarSystem).police[system]
  const npc = addNpc(world, ship, { kind: POLICE, type, system })
  world.write(Npc).prey[npc] = world.read(Ship).seq[quarryOf(world, warrant)]
  const { hull, shield, hullMax, shieldMax } = world.write(Ship)
  hull[ship] = hullMax[ship]
  shield[ship] = shieldMax[ship]
  placeInSpace(world, ship, poi[warrant])
  return ship
}

/**
 * Returns the side that police join against a player in a battle: that of the player's latest
 * victim there, if nobody on it is wanted; 0 for a side of their own.
 */
function sideAgainst(view: WorldView, player: Eid, battle: Row): number {
  const row = participantOf(view, view.read(Player).ship[player])
  const { side, battle: battleOf } = view.read(Participant)
  // A quarry in a hunt is attacked there: sides of the general battle mean nothing in it.
  if (battle === 0 || row === 0 || battleOf[row] !== battle) return 0
  const { player: hurt, next } = view.read(Offence)
  const system = view.read(Location).system[view.read(Player).ship[player]]
  let offence = view.read(CriminalRecord).firstOffence[player]
  for (; offence !== 0; offence = next[offence]) {
    const ship = hurt[offence] === 0 ? 0 : view.read(Player).ship[hurt[offence]]
    const victim = participantOf(view, ship)
    const isThere = victim !== 0 && view.read(Participant).battle[victim] === battle
    if (!isThere || !areHostile(view, battle, side[row], side[victim])) continue
    const members = participantsOf(view, battle).filter((other) => side[other] === side[victim])
    const pilots = members.map((other) => pilotOf(view, other)).filter((pilot) => pilot !== 0)
    if (!pilots.some((pilot) => isWanted(view, pilot, system))) return side[victim]
  }
  return 0
}

/** Launches the drones that are due, and lets all drones at the place attack. */
function respond(world: World, warrant: Row, allDrones: Drones): void {
  const { poi, respondTick, system, player } = world.write(Warrant)
  if (poi[warrant] === 0) return
  const drones = pursuersOf(world, warrant, allDrones)
  const isDue = respondTick[warrant] !== 0 && respondTick[warrant] <= world.tick
  const strength = policeStrength(world.read(StarSystem).police[system[warrant]])
  if (isDue) respondTick[warrant] = 0
  for (let sent = drones.length; isDue && sent < strength; sent++) {
    const drone = launchDrone(world, warrant)
    if (drone !== undefined) drones.push(drone)
  }
  const quarry = quarryOf(world, warrant)
  const { participant } = world.read(ShipCombat)
  for (const drone of drones) {
    if (participant[drone] !== 0) continue
    const side = sideAgainst(world, player[warrant], battleIn(world, system[warrant]))
    aggress(world, drone, quarry, { kind: 'general', side })
  }
}

/**
 * Runs a tick of the police: recalls drones without a quarry in the order of their ships, closes
 * warrants that have expired, launches drones and attacks. O(warrants + NPCs of their systems).
 */
function runPolice(world: World): void {
  if (world.countOf(Warrant) === 0) return
  const rows = sortedWarrants(world)
  const { system, until } = world.read(Warrant)
  for (const row of rows) updatePursuit(world, row)
  const systems = new Set(rows.map((row) => system[row]))
  for (const drone of idleDrones(world, systems)) sendHome(world, drone)
  const allDrones = dronesIn(world, systems)
  for (const row of rows) {
    if (until[row] < world.tick) closeWarrant(world, row)
    else respond(world, row, allDrones)
  }
}

/** Removes expired offences; releases detained players who can pay or whose term is over. */
export const review: SystemDef = {
  name: 'law.review',
  phase: 'arrive',
  writes: [...CHARGE_WRITES, Account],
  run(world) {
    expireOffences(world)
    for (const player of world.byId(Player, [Jailed])) reviewDetention(world, player)
  },
}

/** Runs the police after the attacks of the tick, so that they respond to the latest crimes. */
export const hunt: SystemDef = {
  name: 'law.police',
  phase: 'engage',
  writes: [
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    ...BATTLE_WRITES,
    ...CHARGE_WRITES,
    ...BUFF_WRITES,
    DamageClaim,
    NpcPilot,
    Link,
    Npc,
    Outlaw,
    ShipMatch,
    Siege,
    Stack,
    StationHull,
    SystemNpcs,
  ],
  run: runPolice,
}

/** Moves the reputation of a player with each empire a day's step towards its baseline. */
function decayReputation(world: World, player: Eid): void {
  for (const [empire, { policy }] of EMPIRES.entries()) {
    const away = reputationBaseline(world, player, empire) - reputationOf(world, player, empire)
    const step = clamp(away, -policy.rep_decay_amount, policy.rep_decay_amount)
    if (step !== 0) changeReputation(world, player, empire, step)
  }
}

/** Moves reputations towards their baseline: each player once a day, spread over all ticks. */
export const forgive: SystemDef = {
  name: 'law.forgive',
  phase: 'produce',
  writes: [CriminalRecord, Player],
  run(world) {
    const { alive } = world.read(Player)
    const first = DAY_TICKS - (world.tick % DAY_TICKS)
    for (let player = first; player <= world.highOf(Player); player += DAY_TICKS) {
      if (alive[player] === 1) decayReputation(world, player)
    }
  },
}
