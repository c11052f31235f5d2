/**
 * The split systems of a fight: which battles there are to fight, part by part, and where each
 * writes its attacks. Orders of the tick are sampled first, fates are known last; what comes of
 * them is outcomes-systems.ts.
 */

import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { append } from '../../core/groups.ts'
import { ATTACKS_PER_PARTICIPANT } from '../../core/limits.ts'
import { answerLater, pendingOf } from '../../core/pending.ts'
import type { SystemDef, Work } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { isBoardingAhead } from '../boarding/model.ts'
import { creatureOf } from '../creature/model.ts'
import { masterOf } from '../drone/model.ts'
import { factionOf } from '../faction/model.ts'
import { areFleetmates } from '../fleet/model.ts'
import { dropTow } from '../salvage/tow-rules.ts'
import { setCloak } from '../sensing/rules.ts'
import { modulesOf, moduleTypeOf } from '../ship/model.ts'
import { recompute, unfitModule } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import {
  gunsOfStation,
  hasRoomForStation,
  hullOf,
  isWrecked,
  stationOfFaction,
} from '../siege/model.ts'
import { mobilize } from '../siege/rules.ts'
import { joinBattle } from './battles-rules.ts'
import { maulingsOf } from './destruction-model.ts'
import { kernelsFile } from './kernels.ts'
import { areHostile, battles, joinedNow, participantsOf, pilotOf } from './model.ts'
import { ejectPlayer, forgetPilotless } from './rules.ts'
import {
  Attack,
  BATTLE_KINDS,
  Battle,
  CLOAKED,
  DamageClaim,
  MAULERS_MAX,
  PARTICIPANT_KINDS,
  Participant,
  PILOTLESS,
  PlayerCombat,
  ShipCombat,
  Turn,
} from './state.ts'

/*
 * Ways out of a battle that modules know: the warp that saves a ship from its last hit, and the
 * cloak that hides it for a while. Source: combat.md section 8.
 */

const CLOAK_TICKS = 10

/**
 * Throws a ship into a neighbouring system; the device is used up, and a flight it was on is off.
 */
export function warpAway(world: World, ship: Eid): void {
  dropTow(world, ship)
  const device = modulesOf(world, ship).find(
    (module) => moduleTypeOf(world, module).special === 'emergency_warp_stabilizer',
  )
  if (device !== undefined) {
    unfitModule(world, device)
    recompute(world, ship)
  }
  const player = world.read(Ship).owner[ship]
  if (player !== 0 && pendingOf(world, player)) answerLater(world, player, fail('combat_interrupt'))
  ejectPlayer(world, ship)
}

function scheduleUncloak(world: World, player: Eid): void {
  const cloaked = world.index(CLOAKED)
  const tick = world.read(PlayerCombat).cloakUntil[player]
  append(cloaked, tick, player)
}

/** Hides the ship of a player for a while. ours: a line would betray it, so it is let go of. */
export function hideShip(world: World, ship: Eid): void {
  const player = world.read(Ship).owner[ship]
  if (player === 0) return
  dropTow(world, ship)
  setCloak(world, player, true)
  world.write(PlayerCombat).cloakUntil[player] = world.tick + CLOAK_TICKS
  scheduleUncloak(world, player)
}

export const uncloak: SystemDef = {
  name: 'combat.uncloak',
  phase: 'arrive',
  writes: [Player, PlayerCombat],
  run(world) {
    const cloaked = world.index(CLOAKED)
    const due = cloaked.get(world.tick)
    if (!due) return
    cloaked.delete(world.tick)
    const { cloakUntil } = world.write(PlayerCombat)
    for (const player of due) {
      if (cloakUntil[player] !== world.tick) continue
      setCloak(world, player, false)
    }
  },
}

/** Fills the index from the column, after a restore. */
export function rebuildCloaks(world: World): void {
  world.index(CLOAKED).clear()
  const { cloakUntil } = world.read(PlayerCombat)
  const { alive } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && cloakUntil[player] !== 0) scheduleUncloak(world, player)
  }
}

/** Invalid_side for a side that is hostile to one's own fleet. Source: combat.md section 17. */
export function matesRefusal(
  view: WorldView,
  battle: Row,
  player: Eid,
  side: number,
): Failure<'invalid_side'> | undefined {
  const isAgainst = participantsOf(view, battle).some((row) => {
    const pilot = pilotOf(view, row)
    if (pilot === 0 || !areFleetmates(view, player, pilot)) return false
    return areHostile(view, battle, view.read(Participant).side[row], side)
  })
  return isAgainst ? fail('invalid_side') : undefined
}

/*
 * Who did how much to a pirate: the damage of each player in the fight it is in, their drones' with
 * it, so that everybody who had a good part in its end has hunted it. Source: missions.md 2.
 */

const PIRATE = PARTICIPANT_KINDS.indexOf('pirate')

/** The row to count a player's damage in; 0 where there is no room. */
function rowFor(world: World, row: Row, player: Eid, points: number): Row {
  const known = maulingsOf(world, row)
  const columns = world.write(DamageClaim)
  const found = known.find((at) => columns.player[at] === player)
  if (found !== undefined) return found
  if (known.length < MAULERS_MAX) {
    if (world.roomIn(DamageClaim) === 0) return 0
    const made = world.take(DamageClaim)
    const { mauled } = world.write(Participant)
    columns.player[made] = player
    columns.next[made] = mauled[row]
    mauled[row] = made
    return made
  }
  // ours: with eight at it the least gives way, who is far from a fifth of it
  const least = known.reduce((a, b) => (columns.points[b] < columns.points[a] ? b : a))
  if (columns.points[least] >= points) return 0
  columns.player[least] = player
  columns.points[least] = 0
  return least
}

function maul(world: World, row: Row, by: Row, points: number): void {
  const player = pilotOf(world, by) || masterOf(world, world.read(Participant).ship[by])
  const at = player === 0 ? 0 : rowFor(world, row, player, points)
  if (at !== 0) world.write(DamageClaim).points[at] += points
}

/** Counts the attacks of a battle on pirates. O(attacks). */
function count(world: World, battle: Row): void {
  const { firstAttack, attackCount } = world.read(Battle)
  const { attacker, target, shieldHit, hullHit } = world.read(Attack)
  const { kind } = world.read(Participant)
  const end = firstAttack[battle] + attackCount[battle]
  for (let entry = firstAttack[battle]; entry < end; entry++) {
    if (kind[target[entry]] !== PIRATE || attacker[entry] === 0) continue
    const points = shieldHit[entry] + hullHit[entry]
    if (points > 0) maul(world, target[entry], attacker[entry], points)
  }
}

/** After the weapons, before anybody is gone. */
export const mauling: SystemDef = {
  name: 'combat.maul',
  phase: 'fight',
  writes: [DamageClaim, Participant],
  run(world) {
    for (const battle of battles(world)) count(world, battle)
  },
}

/** Time is over: the pilot is offline, and the ship is safe once no battle holds it. */
export const expirePilotless: SystemDef = {
  name: 'combat.pilotless',
  phase: 'arrive',
  writes: [PlayerCombat],
  run(world) {
    const { pilotlessUntil } = world.read(PlayerCombat)
    for (const player of [...world.index(PILOTLESS)]) {
      if (pilotlessUntil[player] < world.tick) forgetPilotless(world, player)
    }
  },
}

/** Fills the index from the column, after a restore. */
export function rebuildPilotless(world: World): void {
  const pilotless = world.index(PILOTLESS)
  pilotless.clear()
  const { pilotlessUntil } = world.read(PlayerCombat)
  const { alive } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && pilotlessUntil[player] !== 0) pilotless.add(player)
  }
}

/** True where a station may take part: never in a match, and in a hunt only of an apex creature. */
function takesStations(view: WorldView, battle: Row): boolean {
  const kind = BATTLE_KINDS[view.read(Battle).kind[battle]]
  if (kind === 'general') return true
  const { ship } = view.read(Participant)
  const members = participantsOf(view, battle)
  return kind === 'hunt' && members.some((row) => creatureOf(view, ship[row])?.role === 'apex')
}

/** True if a member of the faction fights on a side hostile to that of the participant. */
function isAmongOwn(view: WorldView, row: Row, faction: Row): boolean {
  const { battle, side } = view.read(Participant)
  return participantsOf(view, battle[row]).some((other) => {
    const pilot = pilotOf(view, other)
    if (pilot === 0 || factionOf(view, pilot) !== faction) return false
    return areHostile(view, battle[row], side[row], side[other])
  })
}

/** The station of a player's faction joins at the side of whoever of its members fights. */
function callHome(world: World, member: Row): void {
  const pilot = pilotOf(world, member)
  const faction = pilot === 0 ? 0 : factionOf(world, pilot)
  if (faction === 0 || !hasRoomForStation(world)) return
  const { battle, side } = world.read(Participant)
  if (!takesStations(world, battle[member]) || isAmongOwn(world, member, faction)) return
  const base = stationOfFaction(world, world.read(Battle).system[battle[member]], faction)
  if (base === 0 || hullOf(world, base) !== 0 || isWrecked(world, base)) return
  if (gunsOfStation(world, base).length === 0) return
  joinBattle(world, battle[member], mobilize(world, base), side[member])
}

/**
 * Has the armed stations of factions join the fights that their members are in since this tick; in
 * a quarrel among members they stay out. Source: combat.md section 13, newer.md section 5.
 */
export function rallyStations(world: World): void {
  const { alive } = world.read(Participant)
  for (const row of [...joinedNow(world)]) if (alive[row] === 1) callHome(world, row)
}

/*
 * When a battle is given up because nothing comes of it. Source: combat.md section 15; ours: the
 * count stands still while a boarding gets ahead or hulls are being shot up, or else a siege, a
 * pursuit and a fight aboard would be cut off under way.
 */

/** Ticks without kill, capture or escape after which a battle is given up. */
const STALEMATE_TICKS = 30
/** Ticks for which damage to a hull keeps the count from running. */
const HULL_TICKS = 10
/** Ticks for which the count stands still between two events. */
const HELD_TICKS_MAX = 120

/** Counts a tick that was fought, or lets the count stand still in it. */
export function countTick(world: World, battle: Row, isHullHit: boolean): void {
  const { eventTick, hullTick, heldTicks } = world.write(Battle)
  if (isHullHit) hullTick[battle] = world.tick
  if (eventTick[battle] === world.tick || heldTicks[battle] >= HELD_TICKS_MAX) return
  const isShotUp = hullTick[battle] !== 0 && world.tick - hullTick[battle] < HULL_TICKS
  if (isShotUp || isBoardingAhead(world, battle)) heldTicks[battle]++
}

/** True once nothing has come of a battle for too long. */
export function isStale(view: WorldView, battle: Row): boolean {
  const { eventTick, heldTicks } = view.read(Battle)
  return view.tick - eventTick[battle] - heldTicks[battle] >= STALEMATE_TICKS
}

/** Measured cost of a participant in each kernel, nanoseconds, on the slow side. */
const MANEUVER_NS = 60
const FIRE_NS = 220
const MEND_NS = 30

/** Battles by system, then by row; a system is a part. */
function workOf(world: World, participantNs: number): Work | undefined {
  if (world.countOf(Battle) === 0) return undefined
  const { alive, system, count } = world.read(Battle)
  const rows: number[] = []
  let participants = 0
  for (let battle = 1; battle <= world.highOf(Battle); battle++) {
    if (alive[battle] === 0) continue
    rows.push(battle)
    participants += count[battle]
  }
  rows.sort((a, b) => system[a] - system[b] || a - b)
  const ends = rows.flatMap((row, i) => (system[row] === system[rows[i + 1]] ? [] : [i + 1]))
  return {
    rows: Uint32Array.from(rows),
    partEnds: Uint32Array.from(ends),
    estimateNs: participants * participantNs,
  }
}

/** Gives each battle its range of attacks. */
function assignAttacks(world: World): Work | undefined {
  const work = workOf(world, FIRE_NS)
  const { count } = world.read(Battle)
  const { firstAttack, attackCount } = world.write(Battle)
  let next = 1
  for (const battle of work?.rows ?? []) {
    firstAttack[battle] = next
    attackCount[battle] = 0
    next += count[battle] * ATTACKS_PER_PARTICIPANT
  }
  assert(next <= world.read(Attack).alive.length, 'battles have more attacks than there is room')
  return work
}

export const maneuvering: SystemDef = {
  name: 'combat.maneuver',
  phase: 'fight',
  writes: [Participant, Ship, Turn],
  split: {
    writes: [Participant, Ship, Turn],
    file: kernelsFile,
    kernel: 'maneuver',
    prepare: (world) => workOf(world, MANEUVER_NS),
    apply: () => {},
  },
}

export const firing: SystemDef = {
  name: 'combat.fire',
  phase: 'fight',
  writes: [Attack, Battle, Module, Participant, Ship, ShipCombat, Turn],
  split: {
    writes: [Battle, Participant, ShipCombat, Ship, Module, Turn, Attack],
    file: kernelsFile,
    kernel: 'fire',
    prepare: assignAttacks,
    apply: () => {},
  },
}

export const mending: SystemDef = {
  name: 'combat.mend',
  phase: 'fight',
  writes: [Participant, Ship, ShipCombat, Turn],
  split: {
    writes: [Participant, ShipCombat, Ship, Turn],
    file: kernelsFile,
    kernel: 'mend',
    prepare: (world) => workOf(world, MEND_NS),
    apply: () => {},
  },
}
