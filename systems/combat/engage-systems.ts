/** Takes ships into battles as phase fight starts: those scheduled to join, and stations. */
import { pendingOf } from '../../core/pending.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { creatureOf } from '../creature/model.ts'
import { factionOf } from '../faction/model.ts'
import { CHARGE_WRITES } from '../law/crimes-rules.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import {
  gunsOfStation,
  hasRoomForStation,
  isWrecked,
  stationOfFaction,
  stationShipOf,
} from '../siege/model.ts'
import { mobilize } from '../siege/rules.ts'
import { Siege, StationHull } from '../siege/state.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import { AT_POI, Location } from '../travel/state.ts'
import { BATTLE_WRITES, joinBattle, scheduleEngagement } from './battles-rules.ts'
import { chargeEngagement, engageRefusal, flagAttacker } from './engage-rules.ts'
import { areHostile, battleKindOf, engagingShips, participantsOf, pilotOf } from './model.ts'
import { notifyJoins } from './notice-rules.ts'
import { NOTICES } from './report-state.ts'
import { Battle, Participant, ShipCombat, UNDOCKED_NOW } from './state.ts'

/** Returns whether stations may take part: in no match, and in a hunt only of an apex creature. */
function allowsStations(view: WorldView, battle: Row): boolean {
  const kind = battleKindOf(view, battle)
  if (kind === 'general') return true
  const { ship } = view.read(Participant)
  const members = participantsOf(view, battle)
  return kind === 'hunt' && members.some((row) => creatureOf(view, ship[row])?.role === 'apex')
}

/** Returns whether a member of the faction fights on a side hostile to that of the participant. */
function isFightingOwn(view: WorldView, row: Row, faction: Row): boolean {
  const { battle, side } = view.read(Participant)
  return participantsOf(view, battle[row]).some((other) => {
    const pilot = pilotOf(view, other)
    if (pilot === 0 || factionOf(view, pilot) !== faction) return false
    return areHostile(view, battle[row], side[row], side[other])
  })
}

/**
 * Has the armed station of a pilot's faction join at the side of the pilot, who takes part as
 * `row`; while members of the faction fight each other, the station stays out. Source: combat.md
 * section 13, newer.md section 5.
 */
function callFactionStation(world: World, row: Row): void {
  const pilot = pilotOf(world, row)
  const faction = pilot === 0 ? 0 : factionOf(world, pilot)
  if (faction === 0 || !hasRoomForStation(world)) return
  const { battle, side } = world.read(Participant)
  if (!allowsStations(world, battle[row]) || isFightingOwn(world, row, faction)) return
  const base = stationOfFaction(world, world.read(Battle).system[battle[row]], faction)
  if (base === 0 || stationShipOf(world, base) !== 0 || isWrecked(world, base)) return
  if (gunsOfStation(world, base).length === 0) return
  joinBattle(world, battle[row], mobilize(world, base), side[row])
}

/**
 * Takes a ship into the battle it is scheduled to join, if that is still possible. A pilot with an
 * action pending in this tick joins in the next one: the action may need the ship.
 */
function engage(world: World, ship: Eid): void {
  const { engageBattle, engageSide } = world.read(ShipCombat)
  const battle = engageBattle[ship]
  const side = engageSide[ship]
  const { state, system } = world.read(Location)
  const pilot = world.read(Ship).owner[ship]
  if (state[ship] === AT_POI && pendingOf(world, pilot)) return
  scheduleEngagement(world, ship, 0, 0)
  const isThere = state[ship] === AT_POI && system[ship] === world.read(Battle).system[battle]
  if (!isThere || engageRefusal(world, battle, pilot, side)) return
  const row = joinBattle(world, battle, ship, side)
  flagAttacker(world, row, false)
  chargeEngagement(world, row)
}

export const join: SystemDef = {
  name: 'combat.join',
  phase: 'fight',
  writes: [...SHIP_WRITES, ...PLACE_WRITES, ...BATTLE_WRITES, ...CHARGE_WRITES, Siege, StationHull],
  run(world) {
    world.index(UNDOCKED_NOW).clear()
    for (const ship of engagingShips(world)) engage(world, ship)
    const { alive } = world.read(Participant)
    // Copied: a station that joins is added to the notices, but calls no other.
    for (const row of [...world.index(NOTICES).joined]) {
      if (alive[row] === 1) callFactionStation(world, row)
    }
    notifyJoins(world)
  },
}
