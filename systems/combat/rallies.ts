/**
 * Who stands by whom of the server that a player attacks: a crew by its own, the ships of an empire
 * by theirs, and the station of either. Source: combat.md sections 1, 13.
 */
import { PIRATES_PER_BATTLE_MAX } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { empireOfBase } from '../base/rules.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { creatureOf } from '../creature/rules.ts'
import { factionOf } from '../faction/rules.ts'
import { callForHelp, empireOfNpc, isPirate, uncommittedPirates, watchOf } from '../npc/rules.ts'
import {
  callStronghold,
  hasRoomForStation,
  mobilize,
  stationIn,
  stationOfFaction,
} from '../siege/rules.ts'
import {
  gunsOfStation,
  hullOf,
  isPirateBase,
  isWrecked,
  stationOf,
} from '../siege/station-rules.ts'
import { areHostile, battleIn, joinBattle, joinedNow, kindOf } from './battles.ts'
import { BATTLE_KINDS, Battle, Participant } from './columns.ts'
import { battleId, participantsOf, pilotOf } from './views.ts'

/** Whose a ship or a station of the server is: the crew of the system, its empire, or nobody's. */
type Allegiance = 'crew' | 'empire' | 'nobody'

function allegianceOf(view: WorldView, ship: Eid): Allegiance {
  const base = stationOf(view, ship)
  if (base !== 0) {
    if (isPirateBase(view, base)) return 'crew'
    return empireOfBase(view, base) >= 0 ? 'empire' : 'nobody'
  }
  if (isPirate(view, ship)) return 'crew'
  return empireOfNpc(view, ship) >= 0 ? 'empire' : 'nobody'
}

/** Takes free ships of the same flag into the battle, as many as may stand together. */
function joinAll(world: World, victim: Row, ships: readonly Eid[]): void {
  const { battle, side } = world.read(Participant)
  const members = participantsOf(world, battle[victim])
  const kind = kindOf(world, victim)
  const kin = members.filter((row) => kindOf(world, row) === kind).length
  for (const ship of ships.slice(0, Math.max(0, PIRATES_PER_BATTLE_MAX - kin))) {
    if (isNearlyFull(world, Participant)) return
    joinBattle(world, battle[victim], ship, side[victim])
  }
}

/**
 * The station of the system joins a fight of its own crews, never a hunt. ours: that of their own
 * crew or empire, wherever in the system they fight; its guns reach as far as an attack does.
 */
function callStation(world: World, victim: Row, allegiance: Allegiance): void {
  const { battle, side } = world.read(Participant)
  const system = world.read(Battle).system[battle[victim]]
  if (battleIn(world, system) !== battle[victim] || !hasRoomForStation(world)) return
  const base = stationIn(world, system, allegiance === 'crew')
  if (base === 0 || hullOf(world, base) !== 0 || isWrecked(world, base)) return
  joinBattle(world, battle[victim], mobilize(world, base), side[victim])
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

/**
 * Has those join who stand by what a player has attacked; they say so on the radio. Each attack on
 * a pirate costs standing, and calls again. For phase engage, when both are in the battle.
 */
export function rally(world: World, victim: Row, attacker: Eid): void {
  const { battle, ship } = world.read(Participant)
  const hull = ship[victim]
  const allegiance = allegianceOf(world, hull)
  if (allegiance === 'nobody') return
  const system = world.read(Battle).system[battle[victim]]
  const isCrew = allegiance === 'crew'
  joinAll(world, victim, isCrew ? uncommittedPirates(world, system) : watchOf(world, system))
  callStation(world, victim, allegiance)
  const base = stationOf(world, hull)
  if (base !== 0) callStronghold(world, base, attacker)
  else callForHelp(world, hull, attacker, battleId(world, battle[victim]))
}
