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
import { bearsCargo, isParked } from './model.ts'
import { type Hold, storeHold, storeModules } from './rules.ts'

/** True for modules that others aboard stand on: they are taken off last. */
const isLoadBearing = (row: ModuleRow): boolean =>
  [row.drone_capacity, row.crew_capacity_bonus, row.marine_capacity_bonus, row.cargo_bonus].some(
    (bonus) => (bonus ?? 0) > 0,
  ) || row.special === 'hazard_handling'

/** The module to take off a ship that lacks CPU or power; 0 when it lacks neither. */
function superfluous(view: WorldView, ship: Eid): Row {
  const { cpuUsed, cpuCap, powerUsed, powerCap } = view.read(Ship)
  const lacksCpu = cpuUsed[ship] > cpuCap[ship]
  if (!lacksCpu && powerUsed[ship] <= powerCap[ship]) return 0
  const { type } = view.read(Module)
  const rowOf = (module: Row) => GOODS[type[module]] as ModuleRow
  const asks = (row: ModuleRow) => (lacksCpu ? row.cpu_usage : row.power_usage)
  const gives = (row: ModuleRow) => ((lacksCpu ? row.cpu_bonus : row.power_bonus) ?? 0) > 0
  const users = modulesOf(view, ship)
    .reverse()
    .filter((module) => asks(rowOf(module)) > 0 && !gives(rowOf(module)))
  const found = users.find((module) => !isLoadBearing(rowOf(module))) ?? users[0]
  assert(found !== undefined, `ship ${ship} lacks what no module takes`)
  return found
}

/**
 * A hull fitted by a better engineer than who takes it up: what its CPU and power do not bear goes
 * into the locker, the last fitted first, and with it what then has no place aboard. ours: refused,
 * it could never be refitted, for that is done to the ship flown.
 */
function shedExcess(world: World, ship: Eid, base: Eid): void {
  let module = superfluous(world, ship)
  for (; module !== 0; module = superfluous(world, ship)) {
    storeModules(world, ship, base, [module])
  }
  if (!bearsCargo(world, ship)) storeHold(world, ship, base)
  const { crewCap, marineCap } = world.read(Ship)
  const { fitCrew, injuredCrew, fitMarines, injuredMarines } = peopleOf(world, ship)
  const crew = Math.max(0, fitCrew + injuredCrew - crewCap[ship])
  const marines = Math.max(0, fitMarines + injuredMarines - marineCap[ship])
  if (crew === 0 && marines === 0) return
  const [hurt, hurtMarines] = [Math.min(crew, injuredCrew), Math.min(marines, injuredMarines)]
  changePeople(world, ship, {
    injuredCrew: -hurt,
    fitCrew: hurt - crew,
    injuredMarines: -hurtMarines,
    fitMarines: hurtMarines - marines,
  })
  assert(berthsOf(world, ship).crew >= 0, `ship ${ship} has too few berths`)
}

/** Who attacked is known by the ship: another does not hide it. */
function carryFlags(world: World, from: Eid, to: Eid): void {
  const { aggressiveUntil } = world.write(ShipCombat)
  aggressiveUntil[to] = Math.max(aggressiveUntil[to], aggressiveUntil[from])
}

/**
 * A docked player leaves the ship flown and flies another of theirs that is parked there. What was
 * in the hold goes into their locker, which is returned; modules, people and policies stay with
 * their ships; the line is let go of, buffs and the cloak end, drones come along. Drones that find
 * no room become goods in the locker: refuse by `switchRefusal` before.
 */
export function activateShip(world: World, player: Eid, ship: Eid): Hold {
  const from = activeShip(world, player)
  const base = dockedBase(world, player)
  assert(base !== 0 && isParked(world, ship), `ship ${ship} is taken up where it is not`)
  assert(world.read(Ship).owner[ship] === player, `ship ${ship} is another's`)
  const stored = from === 0 ? { goods: [], packages: [] } : empty(world, player, from, base)
  recompute(world, ship)
  shedExcess(world, ship, base)
  if (from === 0) endRide(world, player)
  else moveDrones(world, player, from, ship)
  world.write(Player).ship[player] = ship
  if (from !== 0) markMoved(world, from)
  markAppearance(world, player)
  return stored
}

/** Leaves nothing in a ship, on its line or about it that is not of the hull. */
function empty(world: World, player: Eid, from: Eid, base: Eid): Hold {
  assert(world.read(ShipCombat).participant[from] === 0, `ship ${from} is left in a battle`)
  dropTow(world, from)
  const stored = storeHold(world, from, base)
  dropBuffs(world, from)
  recompute(world, from)
  setCloak(world, player, false)
  return stored
}

/** Drones and flags of a ship go with the pilot to the next. */
function moveDrones(world: World, player: Eid, from: Eid, to: Eid): void {
  const base = dockedBase(world, player)
  if (switchRefusal(world, from, to)) stowBays(world, from, () => openLocker(world, player, base))
  moveBays(world, from, to)
  carryFlags(world, from, to)
}

/**
 * A docked player leaves the ship flown and flies none; it stays parked. The hold goes into their
 * locker. The caller says where they are from now on, and has asked `refusesStoring` and for
 * drones.
 */
export function storeShip(world: World, player: Eid): Hold {
  const from = activeShip(world, player)
  const base = dockedBase(world, player)
  assert(from !== 0 && base !== 0, `player ${player} lays up no ship, or nowhere`)
  const stored = empty(world, player, from, base)
  world.write(Player).ship[player] = 0
  markMoved(world, from)
  markAppearance(world, player)
  return stored
}
