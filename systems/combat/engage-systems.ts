/** What runs by itself for engage (battles). */

import { type Failure, fail, ok } from '../../core/errors.ts'
import { pendingOf } from '../../core/pending.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { CHARGE_WRITES } from '../law/crimes-rules.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { hasRoomForStation, hullOf, isPirateBase, isWrecked, systemOfBase } from '../siege/model.ts'
import { mobilize } from '../siege/rules.ts'
import { Siege, StationHull } from '../siege/state.ts'
import { isHost, ownerOfBase } from '../station/model.ts'
import { isPlaced } from '../travel/model.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import { AT_POI, Location } from '../travel/state.ts'
import { BATTLE_WRITES, joinBattle, wishToEngage } from './battles-rules.ts'
import { enemiesOf } from './crimes-model.ts'
import { flierOf, IN_GENERAL, planClash } from './engage-model.ts'
import { aggress, collide, flag } from './engage-rules.ts'
import { areHostile, engagingShips, participantOf, participantsOf, pilotOf } from './model.ts'
import { notifyJoins } from './notice-rules.ts'
import { chargeEngagement } from './rules.ts'
import {
  BATTLE_KINDS,
  Battle,
  PARTICIPANT_KINDS,
  Participant,
  ShipCombat,
  UNDOCKED_NOW,
} from './state.ts'
import { matesRefusal, rallyStations } from './systems.ts'

const GENERAL_KIND = BATTLE_KINDS.indexOf('general')

const forgetUndocked = (world: World): void => world.index(UNDOCKED_NOW).clear()

/** Side of those who fight for the crew, the empire or the faction of a station; 0 none. */
function sideOfStation(view: WorldView, battle: Row, base: Eid): number {
  if (ownerOfBase(view, base) !== 0) {
    const host = participantsOf(view, battle).find((row) => {
      const pilot = pilotOf(view, row)
      return pilot !== 0 && isHost(view, pilot, base)
    })
    return host === undefined ? 0 : view.read(Participant).side[host]
  }
  const wanted = PARTICIPANT_KINDS.indexOf(isPirateBase(view, base) ? 'pirate' : 'npc')
  const found = participantsOf(view, battle).find(
    (row) => view.read(Participant).kind[row] === wanted,
  )
  return found === undefined ? 0 : view.read(Participant).side[found]
}

/** Why a ship may not attack a station that is in no battle; nothing where it may. */
function siegeRefusal(
  view: WorldView,
  ship: Eid,
  base: Eid,
): Failure<'invalid_target' | 'limit_reached' | 'target_wrecked'> | undefined {
  const isHere = systemOfBase(view, base) === view.read(Location).system[ship]
  if (!isHere || !isPlaced(view, ship)) return fail('invalid_target')
  if (isWrecked(view, base)) return fail('target_wrecked')
  const row = participantOf(view, ship)
  const { kind } = view.read(Battle)
  // ours: a station has no part in hunts and matches
  const isElsewhere = row !== 0 && kind[view.read(Participant).battle[row]] !== GENERAL_KIND
  if (isElsewhere) return fail('invalid_target')
  return hasRoomForStation(view) ? undefined : fail('limit_reached')
}

/**
 * As `aggress`, on a station: it takes arms with the attack. Refusals: invalid_target,
 * target_wrecked, limit_reached. Source: combat.md section 13.
 */
export function aggressStation(world: World, ship: Eid, base: Eid) {
  const hull = hullOf(world, base)
  if (hull !== 0) return aggress(world, ship, hull)
  const refused = siegeRefusal(world, ship, base)
  if (refused) return refused
  const kinOf = (battle: Row): number => sideOfStation(world, battle, base)
  const clash = planClash(world, ship, 0, { ...IN_GENERAL, kinOf })
  if ('code' in clash) return clash
  return ok(collide(world, ship, mobilize(world, base), clash))
}

/** Why a ship may not join a battle on a side; nothing where it may. */
export function engageRefusal(
  view: WorldView,
  battle: Row,
  player: Eid,
  side: number,
): Failure<'invalid_side' | 'limit_reached'> | undefined {
  const { side: sideOf } = view.read(Participant)
  const rows = participantsOf(view, battle)
  if (!rows.some((row) => sideOf[row] === side)) return fail('invalid_side')
  if (isNearlyFull(view, Participant)) return fail('limit_reached')
  return matesRefusal(view, battle, player, side)
}

/**
 * Takes those into battles who wished to engage, if nothing has come in between. Whoever awaits the
 * outcome of an action of this tick joins in the next: it may need the ship.
 */
export const join: SystemDef = {
  name: 'combat.join',
  phase: 'fight',
  writes: [
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    ...BATTLE_WRITES,
    ...CHARGE_WRITES,
    ...[Siege, StationHull],
  ],
  run(world) {
    forgetUndocked(world)
    for (const ship of engagingShips(world)) engage(world, ship)
    rallyStations(world)
    notifyJoins(world)
  },
}

function engage(world: World, ship: Eid): void {
  const { engageBattle, engageSide } = world.read(ShipCombat)
  const [battle, side] = [engageBattle[ship], engageSide[ship]]
  const { state, system } = world.read(Location)
  if (state[ship] === AT_POI && pendingOf(world, flierOf(world, ship))) return
  wishToEngage(world, ship, 0, 0)
  const isThere = state[ship] === AT_POI && system[ship] === world.read(Battle).system[battle]
  if (!isThere || engageRefusal(world, battle, flierOf(world, ship), side)) return
  const row = joinBattle(world, battle, ship, side)
  flag(world, row, false)
  const isEnemy = (other: number): boolean => areHostile(world, battle, side, other)
  chargeEngagement(world, row, enemiesOf(world, row, isEnemy))
}
