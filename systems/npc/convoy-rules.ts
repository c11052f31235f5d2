/**
 * How convoys are formed: a freighter loads goods from a stock at the base where it is docked. It
 * gets guards if the load is valuable or the route leads through lawless systems.
 */
import { EMPIRE_NPCS, empireNpcIndex, GOODS } from '../../core/catalog/index.ts'
import type { TableDef } from '../../core/columns.ts'
import { emit } from '../../core/event.ts'
import { GOODS_WRITES } from '../../core/goods.ts'
import type { Audience, Eid, Row, World } from '../../core/types.ts'
import { systemOfBase } from '../mission/model.ts'
import { loadCargo, unitsThatFit } from '../ship/model.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { dockShip, PLACE_WRITES } from '../travel/rules.ts'
import { type ConvoyEvent, convoyRoute, countLawless, renderConvoyEvent } from './convoy-model.ts'
import { Convoy, GUARDS_MAX, LOADING_TICKS } from './convoy-state.ts'
import { EMPIRE_SHIP } from './model.ts'
import { makeNpcShip } from './rules.ts'
import { convoyUpdate } from './schemas.ts'
import { Npc, NpcPilot, SystemNpcs } from './state.ts'

/** What forming a convoy writes. */
export const CONVOY_WRITES: readonly TableDef[] = [
  ...GOODS_WRITES,
  ...SHIP_WRITES,
  ...PLACE_WRITES,
  Convoy,
  Npc,
  NpcPilot,
  SystemNpcs,
]

/** Minimum value of a load that gets a guard, credits. ours: half a hold of plain ore. */
const GUARDED_CREDITS = 5_000

const FREIGHTER = empireNpcIndex('freighter')
const ESCORT = empireNpcIndex('escort')

/** Makes one ship of a convoy, docked at the base where the convoy is loaded. */
function makeShip(world: World, convoy: Row, type: number, base: Eid): Eid {
  const npc = makeNpcShip(world, {
    kind: EMPIRE_SHIP,
    type,
    system: systemOfBase(world, base),
    shipClass: EMPIRE_NPCS[type].shipClass,
  })
  const { ship, convoy: convoyOf } = world.write(Npc)
  convoyOf[npc] = convoy
  dockShip(world, ship[npc], base)
  return ship[npc]
}

interface ConvoyPlan {
  readonly from: Eid
  readonly to: Eid
  readonly item: number
  /** Units to deliver; the freighter takes as many as it has room for. */
  readonly units: number
  /** The container that holds them. */
  readonly stock: Row
}

/**
 * Forms a convoy and loads it; returns the units aboard, 0 if no convoy can be formed. The goods
 * leave the stock and belong to the convoy until it arrives or is lost.
 */
export function formConvoy(world: World, { from, to, item, units, stock }: ConvoyPlan): number {
  const route = units > 0 ? convoyRoute(world, from, to) : undefined
  if (!route) return 0
  const convoy = world.take(Convoy)
  const columns = world.write(Convoy)
  const ship = makeShip(world, convoy, FREIGHTER, from)
  columns.ship[convoy] = ship
  columns.from[convoy] = from
  columns.to[convoy] = to
  columns.item[convoy] = item
  columns.system[convoy] = route[0]
  columns.jumps[convoy] = route.length - 1
  columns.lawless[convoy] = countLawless(world, route)
  columns.nextTick[convoy] = world.tick + LOADING_TICKS
  const aboard = Math.min(units, unitsThatFit(world, ship, item))
  loadCargo(world, ship, stock, item, aboard)
  const isValuable = aboard * GOODS[item].base_value >= GUARDED_CREDITS
  const guards = (isValuable ? 1 : 0) + (columns.lawless[convoy] > 0 ? 1 : 0)
  for (let i = 0; i < guards; i++) {
    columns.guards[convoy * GUARDS_MAX + i] = makeShip(world, convoy, ESCORT, from)
  }
  announceConvoy(world, convoy, 'loading', { kind: 'system', row: route[0] })
  return aboard
}

/** Sends an event of a convoy to an audience. */
export const announceConvoy = (
  world: World,
  convoy: Row,
  event: ConvoyEvent,
  audience: Audience,
): void => emit(world, convoyUpdate, renderConvoyEvent(world, convoy, event), audience)
