/** Lookups of convoys, and the places of their ships in them. */
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
import { Location, StarSystem } from '../travel/state.ts'
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

/** Returns all convoys, in the order of their departure. */
export function allConvoys(view: WorldView): Row[] {
  if (view.countOf(Convoy) === 0) return []
  const { alive, seq } = view.read(Convoy)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Convoy); row++) if (alive[row] === 1) rows.push(row)
  return rows.sort((a, b) => seq[a] - seq[b])
}

/** Returns the convoys that have not ended. */
export const openConvoys = (view: WorldView): Row[] =>
  allConvoys(view).filter((convoy) => view.read(Convoy).ship[convoy] !== 0)

/** Returns whether a convoy is still being loaded. */
export const isLoading = (view: WorldView, convoy: Row): boolean =>
  view.read(Location).base[view.read(Convoy).ship[convoy]] !== 0

/** Returns the units of its good that a convoy has left. */
export const unitsAboard = (view: WorldView, convoy: Row): number => {
  const { ship, item } = view.read(Convoy)
  return unitsIn(view, view.read(Ship).hold[ship[convoy]], item[convoy])
}

/** Returns the place of a base. */
export const placeOfBase = (view: WorldView, base: Eid): Eid => view.read(Base).poi[base]

/** Returns the ships that go along, those that are left. */
export const guardsOf = (view: WorldView, convoy: Row): Eid[] => {
  const { guards } = view.read(Convoy)
  const ships = Array.from({ length: GUARDS_MAX }, (_, i) => guards[convoy * GUARDS_MAX + i])
  return ships.filter((ship) => ship !== 0)
}

/** Returns the system that a convoy to a base comes to next: the first that is a jump nearer. */
export function nextOnWay(view: WorldView, system: Eid, to: Eid): Eid {
  const jumps = jumpsTo(view, to, system)
  const next = lanesFrom(view, system).find((one) => jumpsTo(view, to, one) < jumps)
  assert(next !== undefined, `no lane leads from system ${system} to base ${to}`)
  return next
}

/**
 * Returns the systems from a base to a capital; undefined where no convoy goes: the way is too
 * long, there is none, or there are convoys enough.
 */
export function convoyWay(view: WorldView, from: Eid, to: Eid): readonly Eid[] | undefined {
  if (view.countOf(Convoy) >= CONVOYS_MAX || !hasRoom(view)) return undefined
  const { to: toOf } = view.read(Convoy)
  const coming = allConvoys(view).filter((convoy) => toOf[convoy] === to)
  if (coming.length >= CONVOYS_OF_CAPITAL_MAX) return undefined
  const way = [systemOfBase(view, from)]
  const jumps = jumpsTo(view, to, way[0])
  if (jumps < 1 || jumps > CONVOY_JUMPS_MAX) return undefined
  while (way.length <= jumps) way.push(nextOnWay(view, way[way.length - 1], to))
  return way
}

/** Counts the systems of a way that belong to no empire. */
export const lawlessOf = (view: WorldView, way: readonly Eid[]): number =>
  way.filter((system) => view.read(StarSystem).empire[system] === 0).length

/** Takes an NPC out of its convoy, which is over once that has no freighter. */
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

/** Events of a convoy that are announced. */
export type ConvoyNews = 'loading' | 'departed' | 'arrived' | 'lost'

/** Renders the fields of a convoy that never change. */
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

/** Renders news of a convoy, which may have lost its freighter. */
export function renderConvoyNews(
  view: WorldView,
  convoy: Row,
  news: ConvoyNews,
): Static<typeof convoyUpdate.fields> {
  const { ship, system, nextTick } = view.read(Convoy)
  const fields = routeFields(view, convoy)
  const quantity = ship[convoy] === 0 ? 0 : unitsAboard(view, convoy)
  const where = systemName(view, system[convoy])
  const what = `The convoy of ${fields.item_name} from ${fields.from_base} to ${fields.to_base}`
  const wait = counted(Math.max(0, nextTick[convoy] - view.tick), 'tick')
  const texts = {
    loading: `is being loaded and leaves in ${wait}.`,
    departed: 'has left.',
    arrived: 'has arrived.',
    lost: `was lost in ${where}.`,
  }
  return {
    event: news,
    ...fields,
    quantity,
    system_id: systemId(view, system[convoy]),
    system_name: where,
    message: `${what} ${texts[news]}`,
  }
}
