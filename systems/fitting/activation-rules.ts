/**
 * Leaving a ship at a base and flying another that is parked there: switch_ship, and a purchase
 * that becomes the ship flown. Source: ships.md section 8.
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

/** Returns whether drones, people or cargo depend on a module: those are taken off last. */
const isLoadBearing = (row: ModuleRow): boolean =>
  [row.drone_capacity, row.crew_capacity_bonus, row.marine_capacity_bonus, row.cargo_bonus].some(
    (bonus) => (bonus ?? 0) > 0,
  ) || row.special === 'hazard_handling'

/** Returns the module to take off a ship that lacks CPU or power; 0 when it lacks neither. */
function moduleToShed(view: WorldView, ship: Eid): Row {
  const { cpuUsed, cpuCap, powerUsed, powerCap } = view.read(Ship)
  const lacksCpu = cpuUsed[ship] > cpuCap[ship]
  if (!lacksCpu && powerUsed[ship] <= powerCap[ship]) return 0
  const { type } = view.read(Module)
  const rowOf = (module: Row) => GOODS[type[module]] as ModuleRow
  const usageOf = (row: ModuleRow) => (lacksCpu ? row.cpu_usage : row.power_usage)
  const addsCapacity = (row: ModuleRow) => ((lacksCpu ? row.cpu_bonus : row.power_bonus) ?? 0) > 0
  const users = modulesOf(view, ship)
    .reverse()
    .filter((module) => usageOf(rowOf(module)) > 0 && !addsCapacity(rowOf(module)))
  const found = users.find((module) => !isLoadBearing(rowOf(module))) ?? users[0]
  assert(found !== undefined, `ship ${ship} lacks CPU or power, and no module uses any`)
  return found
}

/**
 * Stores the modules for which a hull lacks CPU or power, the last fitted first, and whatever then
 * has no room aboard: a better engineer may have fitted it. ours: a refusal would leave it unusable
 * for good, for only the ship flown can be refitted.
 */
function shedExcess(world: World, ship: Eid, base: Eid): void {
  let module = moduleToShed(world, ship)
  for (; module !== 0; module = moduleToShed(world, ship)) {
    storeModules(world, ship, base, [module])
  }
  if (!canCarryHold(world, ship)) storeHold(world, ship, base)
  const { crewCap, marineCap } = world.read(Ship)
  const { fitCrew, injuredCrew, fitMarines, injuredMarines } = peopleOf(world, ship)
  const crew = Math.max(0, fitCrew + injuredCrew - crewCap[ship])
  const marines = Math.max(0, fitMarines + injuredMarines - marineCap[ship])
  if (crew === 0 && marines === 0) return
  const [crewHurt, marinesHurt] = [Math.min(crew, injuredCrew), Math.min(marines, injuredMarines)]
  changePeople(world, ship, {
    injuredCrew: -crewHurt,
    fitCrew: crewHurt - crew,
    injuredMarines: -marinesHurt,
    fitMarines: marinesHurt - marines,
  })
  assert(berthsOf(world, ship).crew >= 0, `ship ${ship} has too few berths`)
}

/** Carries the mark of an aggressor over to the next ship, so that switching does not clear it. */
function carryAggression(world: World, from: Eid, to: Eid): void {
  const { aggressiveUntil } = world.write(ShipCombat)
  aggressiveUntil[to] = Math.max(aggressiveUntil[to], aggressiveUntil[from])
}

/**
 * Switches a docked player from the ship flown to another of theirs that is parked there. Returns
 * what was in the hold and is now in their locker. Modules, people and policies stay with their
 * ships; the tow, buffs and the cloak end; drones come along. Drones without room become goods in
 * the locker: the caller refuses by `switchRefusal` first.
 */
export function activateShip(world: World, player: Eid, ship: Eid): HoldContents {
  const from = activeShip(world, player)
  const base = dockedBase(world, player)
  assert(base !== 0 && isParked(world, ship), `ship ${ship} is activated, and not parked`)
  assert(world.read(Ship).owner[ship] === player, `ship ${ship} is another's`)
  const stored = from === 0 ? { goods: [], packages: [] } : emptyShip(world, player, from, base)
  recompute(world, ship)
  shedExcess(world, ship, base)
  if (from === 0) endRide(world, player)
  else moveDrones(world, player, from, ship)
  world.write(Player).ship[player] = ship
  if (from !== 0) markMoved(world, from)
  markAppearance(world, player)
  return stored
}

/** Empties a ship before it is parked: hold, tow, buffs and cloak. Returns what was in the hold. */
function emptyShip(world: World, player: Eid, from: Eid, base: Eid): HoldContents {
  assert(world.read(ShipCombat).participant[from] === 0, `ship ${from} is left in a battle`)
  dropTow(world, from)
  const stored = storeHold(world, from, base)
  dropBuffs(world, from)
  recompute(world, from)
  setCloak(world, player, false)
  return stored
}

/** Moves drones and the mark of an aggressor to the next ship of the pilot. */
function moveDrones(world: World, player: Eid, from: Eid, to: Eid): void {
  const base = dockedBase(world, player)
  if (switchRefusal(world, from, to)) stowBays(world, from, () => openLocker(world, player, base))
  moveBays(world, from, to)
  carryAggression(world, from, to)
}

/**
 * Parks the ship of a docked player, who flies none from now on. Returns what was in the hold and
 * is now in their locker. The caller places the player, and has refused by `storingRefusal` and
 * for drones.
 */
export function storeShip(world: World, player: Eid): HoldContents {
  const from = activeShip(world, player)
  const base = dockedBase(world, player)
  assert(from !== 0 && base !== 0, `player ${player} flies no ship, or is not docked`)
  const stored = emptyShip(world, player, from, base)
  world.write(Player).ship[player] = 0
  markMoved(world, from)
  markAppearance(world, player)
  return stored
}
