/** Lookups and routes of convoys, which ships belong to them, and their wire forms. */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { idOf } from '../../core/entity.ts'
import { unitsIn } from '../../core/goods.ts'
import type { Static } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { jumpsTo, systemOfBase } from '../mission/model.ts'
import { Ship } from '../ship/state.ts'
import { lanesFrom, systemId, systemName } from '../travel/model.ts'
import { Location, Poi, StarSystem } from '../travel/state.ts'
import {
  CONVOY_JUMPS_MAX,
  CONVOYS_MAX,
  CONVOYS_OF_CAPITAL_MAX,
  Convoy,
  GUARDS_MAX,
} from './convoy-state.ts'
import { hasRoom } from './model.ts'
import type { convoyUpdate } from './schemas.ts'
import { Npc } from './state.ts'

/** Returns all convoys, in the order in which they were formed. */
export function allConvoys(view: WorldView): Row[] {
  if (view.countOf(Convoy) === 0) return []
  const { alive, seq } = view.read(Convoy)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Convoy); row++) if (alive[row] === 1) rows.push(row)
  return rows.sort((a, b) => seq[a] - seq[b])
}

/** Returns the convoys that still have a freighter. */
export const openConvoys = (view: WorldView): Row[] =>
  allConvoys(view).filter((convoy) => view.read(Convoy).ship[convoy] !== 0)

/** Returns whether a convoy is still being loaded. */
export const isLoading = (view: WorldView, convoy: Row): boolean =>
  view.read(Location).base[view.read(Convoy).ship[convoy]] !== 0

/** Returns how many units of its good a convoy still has. */
export const unitsAboard = (view: WorldView, convoy: Row): number => {
  const { ship, item } = view.read(Convoy)
  return unitsIn(view, view.read(Ship).hold[ship[convoy]], item[convoy])
}

/** Returns the place where a base is. */
export const placeOfBase = (view: WorldView, base: Eid): Eid => view.read(Base).poi[base]

/** Returns the guards that a convoy still has. */
export const guardsOf = (view: WorldView, convoy: Row): Eid[] => {
  const { guards } = view.read(Convoy)
  const ships = Array.from({ length: GUARDS_MAX }, (_, i) => guards[convoy * GUARDS_MAX + i])
  return ships.filter((ship) => ship !== 0)
}

/** Returns the next system of a convoy to a base: the first neighbour that is one jump nearer. */
export function nextOnRoute(view: WorldView, system: Eid, to: Eid): Eid {
  const jumps = jumpsTo(view, to, system)
  const next = lanesFrom(view, system).find((neighbour) => jumpsTo(view, to, neighbour) < jumps)
  assert(next !== undefined, `no lane leads from system ${system} to base ${to}`)
  return next
}

/**
 * Returns the systems on the route from a base to a capital; undefined if no convoy can be formed:
 * there is no route, it is too long, or the limit of convoys is reached.
 */
export function convoyRoute(view: WorldView, from: Eid, to: Eid): readonly Eid[] | undefined {
  if (view.countOf(Convoy) >= CONVOYS_MAX || !hasRoom(view)) return undefined
  const { to: destination } = view.read(Convoy)
  const inbound = allConvoys(view).filter((convoy) => destination[convoy] === to)
  if (inbound.length >= CONVOYS_OF_CAPITAL_MAX) return undefined
  const route = [systemOfBase(view, from)]
  const jumps = jumpsTo(view, to, route[0])
  if (jumps < 1 || jumps > CONVOY_JUMPS_MAX) return undefined
  while (route.length <= jumps) route.push(nextOnRoute(view, route[route.length - 1], to))
  return route
}

/** Counts the systems of a route that belong to no empire. */
export const countLawless = (view: WorldView, route: readonly Eid[]): number =>
  route.filter((system) => view.read(StarSystem).empire[system] === 0).length

/** Returns the convoy of a durable number that still has its freighter; 0 if there is none. */
export const convoyOfNumber = (view: WorldView, number: number): Row =>
  openConvoys(view).find((convoy) => view.read(Convoy).seq[convoy] === number) ?? 0

/** Returns the system in which a freighter is; during a jump, that in which it will arrive. */
export function convoySystem(view: WorldView, convoy: Row): Eid {
  const { poi, toPoi } = view.read(Location)
  const ship = view.read(Convoy).ship[convoy]
  return view.read(Poi).system[poi[ship] || toPoi[ship]]
}

/** Describes where a convoy is and when it goes on, so that its escorts can keep up with it. */
export function whereaboutsOf(view: WorldView, convoy: Row): string {
  const { ship, to, nextTick, system } = view.read(Convoy)
  const here = convoySystem(view, convoy)
  const name = systemName(view, here)
  const isHere = view.read(Location).poi[ship[convoy]] !== 0
  if (here === systemOfBase(view, to[convoy]) && (isHere || system[convoy] === here)) {
    return `It is in ${name}, on its last way to ${baseName(view, to[convoy])}.`
  }
  if (!isHere) return `It is on its way to ${name}.`
  const next = systemName(view, nextOnRoute(view, here, to[convoy]))
  const wait = counted(Math.max(0, nextTick[convoy] - view.tick), 'tick')
  return `It is in ${name} and leaves for ${next} in ${wait}.`
}

/** Removes an NPC from its convoy; a convoy that loses its freighter has ended. */
export function leaveConvoy(world: World, npc: Row): void {
  const { convoy: convoyOf, ship: shipOf } = world.write(Npc)
  const convoy = convoyOf[npc]
  if (convoy === 0) return
  convoyOf[npc] = 0
  const { ship, guards } = world.write(Convoy)
  if (ship[convoy] === shipOf[npc]) {
    ship[convoy] = 0
    return
  }
  const slot = guards.indexOf(shipOf[npc], convoy * GUARDS_MAX)
  assert(slot >= 0 && slot < (convoy + 1) * GUARDS_MAX, `NPC ${npc} is not in its convoy`)
  guards[slot] = 0
}

/* Wire forms */

/** The events of a convoy that players are notified of. */
export type ConvoyEvent = 'loading' | 'departed' | 'arrived' | 'lost'

/** Renders the fields of a convoy that never change: its id, route and good. */
export function routeFields(view: WorldView, convoy: Row) {
  const { from, to, item } = view.read(Convoy)
  const { id, name } = GOODS[item[convoy]]
  return {
    convoy_id: idOf(view, Convoy, convoy),
    from_base_id: baseId(view, from[convoy]),
    from_base: baseName(view, from[convoy]),
    to_base_id: baseId(view, to[convoy]),
    to_base: baseName(view, to[convoy]),
    item_id: id,
    item_name: name,
  }
}

/** Renders an event of a convoy; it may have lost its freighter already. */
export function renderConvoyEvent(
  view: WorldView,
  convoy: Row,
  event: ConvoyEvent,
): Static<typeof convoyUpdate.fields> {
  const { ship, system, nextTick } = view.read(Convoy)
  const fields = routeFields(view, convoy)
  const quantity = ship[convoy] === 0 ? 0 : unitsAboard(view, convoy)
  const systemNow = systemName(view, system[convoy])
  const subject = `The convoy of ${fields.item_name} from ${fields.from_base} to ${fields.to_base}`
  const wait = counted(Math.max(0, nextTick[convoy] - view.tick), 'tick')
  const predicates = {
    loading: `is being loaded and leaves in ${wait}.`,
    departed: 'has left.',
    arrived: 'has arrived.',
    lost: `was lost in ${systemNow}.`,
  }
  return {
    event,
    ...fields,
    quantity,
    system_id: systemId(view, system[convoy]),
    system_name: systemNow,
    message: `${subject} ${predicates[event]}`,
  }
}
