/** Wire forms of NPC ships. They hide from nobody. */
import { EMPIRES, PIRATES } from '../../core/catalog/index.ts'
import { NEARBY_EMPIRE_SHIPS_MAX, NEARBY_PIRATES_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Fighting } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { shipClassOf, shipId } from '../ship/rules.ts'
import { Location, Poi, StarSystem } from '../travel/columns.ts'
import { shipsAt } from '../travel/rules.ts'
import { Helm, Npc } from './columns.ts'
import { crewRowIn } from './crew-rules.ts'
import { EMPIRE_SHIP, empireNpcOf, npcName, npcOf, npcsOf, PIRATE, POLICE } from './rules.ts'
import type { empireNpcSchema, pirateSchema } from './schemas.ts'

export { empireNpcSchema, pirateSchema } from './schemas.ts'

/** Pirates at a place, in the order of their ships. O(NPCs at home in the system). */
export const piratesHere = (view: WorldView, poi: Eid): Eid[] => npcsHere(view, poi, PIRATE)

/**
 * Ships of the empires at a place, in their order, then police. O(NPCs at home in the system).
 */
export const empireShipsHere = (view: WorldView, poi: Eid): Eid[] => [
  ...npcsHere(view, poi, EMPIRE_SHIP),
  ...npcsHere(view, poi, POLICE),
]

function npcsHere(view: WorldView, poi: Eid, of: number): Eid[] {
  const { kind, ship } = view.read(Npc)
  const at = view.read(Location).poi
  const { seq } = view.read(Ship)
  return npcsOf(view, view.read(Poi).system[poi])
    .filter((npc) => kind[npc] === of && at[ship[npc]] === poi)
    .map((npc) => ship[npc])
    .sort((a, b) => seq[a] - seq[b])
}

/** Ships that NPCs of any kind steer at a place, in the order of their numbers. */
export const npcsAt = (view: WorldView, poi: Eid): Eid[] =>
  shipsAt(view, poi).filter((ship) => npcOf(view, ship) !== 0)

/** Where nobody is. */
export const NO_NPCS = { pirates: [], pirate_count: 0, empire_npcs: [], empire_npc_count: 0 }

/** Who of the server's is at a place, as far as a list reaches, with how many there are. */
export function npcLists(view: WorldView, poi: Eid) {
  const pirates = piratesHere(view, poi)
  const ships = empireShipsHere(view, poi)
  return {
    pirates: pirates.slice(0, NEARBY_PIRATES_MAX).map((ship) => renderPirate(view, ship)),
    pirate_count: pirates.length,
    empire_npcs: ships
      .slice(0, NEARBY_EMPIRE_SHIPS_MAX)
      .map((ship) => renderEmpireShip(view, ship)),
    empire_npc_count: ships.length,
  }
}

export function renderPirate(view: WorldView, ship: Eid): Static<typeof pirateSchema> {
  const npc = view.read(Helm).npc[ship]
  const { type, prey, system } = view.read(Npc)
  const { hull, hullMax, shield, shieldMax } = view.read(Ship)
  const crew = crewRowIn(view, system[npc])
  const isFighting = view.read(Fighting).participant[ship] !== 0
  return {
    pirate_id: shipId(view, ship),
    name: npcName(view, ship),
    tier: PIRATES[type[npc]].tier,
    is_boss: PIRATES[type[npc]].isBoss,
    status: isFighting ? 'in_combat' : prey[npc] !== 0 ? 'stalking' : 'patrolling',
    hull: hull[ship],
    max_hull: hullMax[ship],
    shield: shield[ship],
    max_shield: shieldMax[ship],
    // The livery, under the names of pirate_radio. Source: newer.md section 4.
    ...{ faction_key: crew.key, faction_name: crew.name },
    ...{ primary_color: crew.primaryColor, secondary_color: crew.secondaryColor },
  }
}

export function renderEmpireShip(view: WorldView, ship: Eid): Static<typeof empireNpcSchema> {
  const home = view.read(Npc).system[npcOf(view, ship)]
  const empire = EMPIRES[view.read(StarSystem).empire[home] - 1]
  const role = empireNpcOf(view, ship)?.role ?? 'police'
  const name = npcName(view, ship)
  return {
    npc_id: shipId(view, ship),
    name: role === 'police' ? name : `${empire.name} ${role} ${name}`,
    empire: empire.id,
    role,
    ship_class: shipClassOf(view, ship).id,
    ship_name: name,
    in_combat: view.read(Fighting).participant[ship] !== 0,
  }
}
