/**
 * Parking the active ship at a base and activating another one there: for switch_ship, and for a
 * purchased ship that becomes active. Source: ships.md section 8.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, type ModuleRow } from '../../core/catalog/index.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { openLocker } from '../cargo/model.ts'
import { ShipCombat } from '../combat/state.ts'
import { dropBuffs } from '../consumable/rules.ts'
import { moveBays, stowBays } from '../drone/lifecycle-rules.ts'
import { switchRefusal } from '../drone/model.ts'
import { endRide } from '../fleet/rules.ts'
import { berthsOf, peopleOf } from '../personnel/model.ts'
import { changePeople } from '../personnel/rules.ts'
import { dropTow } from '../salvage/tow-rules.ts'
import { markAppearance, markMoved } from '../sensing/model.ts'
import { setCloak } from '../sensing/rules.ts'
import { activeShip, modulesOf } from '../ship/model.ts'
import { recompute } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { dockedBase } from '../travel/location-model.ts'
import { canCarryHold, isParked } from './model.ts'
import { type HoldContents, storeHold, storeModules } from './rules.ts'

/** Returns whether drones, people or cargo depend on a module; such modules are shed last. */
const hasDependents = (row: ModuleRow): boolean =>
  [row.drone_capacity, row.crew_capacity_bonus, row.marine_capacity_bonus, row.cargo_bonus].some(
    (bonus) => (bonus ?? 0) > 0,
  ) || row.special === 'hazard_handling'

/** Returns the next module to shed from a ship that lacks CPU or power; 0 if it lacks neither. */
function moduleToShed(view: WorldView, ship: Eid): Row {
  const { cpuUsed, cpuCap, powerUsed, powerCap } = view.read(Ship)
  const lacksCpu = cpuUsed[ship] > cpuCap[ship]
  if (!lacksCpu && powerUsed[ship] <= powerCap[ship]) return 0
  const { type } = view.read(Module)
  const rowOf = (module: Row) => GOODS[type[module]] as ModuleRow
  const usageOf = (row: ModuleRow) => (lacksCpu ? row.cpu_usage : row.power_usage)
  const addsCapacity = (row: ModuleRow) => ((lacksCpu ? row.cpu_bonus : row.power_bonus) ?? 0) > 0
  const consumers = modulesOf(view, ship)
    .reverse()
    .filter((module) => usageOf(rowOf(module)) > 0 && !addsCapacity(rowOf(module)))
  const found = consumers.find((module) => !hasDependents(rowOf(module))) ?? consumers[0]
  assert(found !== undefined, `ship ${ship} lacks CPU or power, and no module uses any`)
  return found
}

/**
 * Stores modules, the last fitted first, until CPU and power suffice; then stores a hold that no
 * longer fits. People without a berth leave, the injured first. This happens because a former owner
 * may have had the skill to fit more. ours: activation is not refused, since only the active ship
 * can be refitted and the ship would stay unusable.
 */
function shedExcess(world: World, ship: Eid, base: Eid): void {
  let module = moduleToShed(world, ship)
  for (; module !== 0; module = moduleToShed(world, ship)) {
    storeModules(world, ship, base, [module])
  }
  if (!canCarryHold(world, ship)) storeHold(world, ship, base)
  const { crewCap, marineCap } = world.read(Ship)
  const { fitCrew, injuredCrew, fitMarines, injuredMarines } = peopleOf(world, ship)
  const surplusCrew = Math.max(0, fitCrew + injuredCrew - crewCap[ship])
  const surplusMarines = Math.max(0, fitMarines + injuredMarines - marineCap[ship])
  if (surplusCrew === 0 && surplusMarines === 0) return
  const leavingInjuredCrew = Math.min(surplusCrew, injuredCrew)
  const leavingInjuredMarines = Math.min(surplusMarines, injuredMarines)
  changePeople(world, ship, {
    injuredCrew: -leavingInjuredCrew,
    fitCrew: leavingInjuredCrew - surplusCrew,
    injuredMarines: -leavingInjuredMarines,
    fitMarines: leavingInjuredMarines - surplusMarines,
  })
  assert(berthsOf(world, ship).crew >= 0, `ship ${ship} has too few berths`)
}

/** Copies the aggressor mark to the next ship, so that switching does not clear it. */
function carryAggression(world: World, from: Eid, to: Eid): void {
  const { aggressiveUntil } = world.write(ShipCombat)
  aggressiveUntil[to] = Math.max(aggressiveUntil[to], aggressiveUntil[from])
}

/**
 * Activates another ship of a docked player that is parked there; their active one, if any, is
 * parked. Returns the contents of its hold, which are now in their locker. Modules, people and
 * policies stay with their ships; the tow, buffs and the cloak end; drones come along. Drones
 * without room become goods in the locker; a caller that does not want that checks `switchRefusal`
 * first.
 */
export function activateShip(world: World, player: Eid, ship: Eid): HoldContents {
  const from = activeShip(world, player)
  const base = dockedBase(world, player)
  assert(
    base !== 0 && isParked(world, ship),
    `ship ${ship} is not parked where the player is docked`,
  )
  assert(world.read(Ship).owner[ship] === player, `ship ${ship} belongs to another player`)
  const stored = from === 0 ? { goods: [], packages: [] } : emptyShip(world, player, from, base)
  recompute(world, ship)
  shedExcess(world, ship, base)
  if (from === 0) endRide(world, player)
  else carryOver(world, player, from, ship)
  world.write(Player).ship[player] = ship
  if (from !== 0) markMoved(world, from)
  markAppearance(world, player)
  return stored
}

/** Clears hold, tow, buffs and cloak before a ship is parked. Returns the contents of the hold. */
function emptyShip(world: World, player: Eid, from: Eid, base: Eid): HoldContents {
  assert(
    world.read(ShipCombat).participant[from] === 0,
    `ship ${from} is in a battle: its pilot may not leave it`,
  )
  dropTow(world, from)
  const stored = storeHold(world, from, base)
  dropBuffs(world, from)
  recompute(world, from)
  setCloak(world, player, false)
  return stored
}

/** Moves drones and the aggressor mark to the pilot's next ship. */
function carryOver(world: World, player: Eid, from: Eid, to: Eid): void {
  const base = dockedBase(world, player)
  const lacksRoom = switchRefusal(world, from, to) !== undefined
  if (lacksRoom) stowBays(world, from, () => openLocker(world, player, base))
  moveBays(world, from, to)
  carryAggression(world, from, to)
}

/**
 * Parks the ship of a docked player, who then has no active ship. Returns the contents of the hold,
 * which are now in their locker. The caller puts the player elsewhere, and has checked
 * `storingRefusal` and that no drones are in the bays.
 */
export function storeShip(world: World, player: Eid): HoldContents {
  const from = activeShip(world, player)
  const base = dockedBase(world, player)
  assert(from !== 0 && base !== 0, `player ${player} has no active ship or is not docked`)
  const stored = emptyShip(world, player, from, base)
  world.write(Player).ship[player] = 0
  markMoved(world, from)
  markAppearance(world, player)
  return stored
}
