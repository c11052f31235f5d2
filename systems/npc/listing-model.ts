/**
 * NPC ships as lists show them, and finding them by the names in these lists. They are visible to
 * everybody, so no viewer is needed.
 */
import { EMPIRES, PIRATES } from '../../core/catalog/index.ts'
import { isWireId } from '../../core/entity.ts'
import { NEARBY_EMPIRE_SHIPS_MAX, NEARBY_PIRATES_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { baseName } from '../base/model.ts'
import { ShipCombat } from '../combat/state.ts'
import { creatureOf } from '../creature/model.ts'
import { isDrone } from '../drone/model.ts'
import { prizeOf } from '../prize/model.ts'
import { shipClassOf, shipId } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { shipsAt } from '../travel/model.ts'
import { StarSystem } from '../travel/state.ts'
import { Convoy } from './convoy-state.ts'
import {
  convoyOf,
  crewRowIn,
  empireNpcOf,
  empireOfNpc,
  empireShipsHere,
  npcName,
  npcOf,
  pilotName,
  piratesHere,
} from './model.ts'
import { type empireNpcSchema, Npc, NpcPilot, type pirateSchema } from './state.ts'

/** Returns the name under which get_nearby lists a ship that no player flies. */
function listedName(view: WorldView, ship: Eid): string {
  const name = creatureOf(view, ship)?.name ?? pilotName(view, ship)
  const role = empireNpcOf(view, ship)?.role
  const empire = empireOfNpc(view, ship)
  return role === undefined || empire < 0 ? name : `${EMPIRES[empire].name} ${role} ${name}`
}

/**
 * Finds the first ship of the server or creature at a place by its own name or as get_nearby lists
 * it, ignoring case; returns 0 if there is none. Drones and prizes are not found: they are of
 * players, share the name of their kind or have one that a player chose. O(ships there) for a name,
 * O(1) for an id, which large battles use.
 */
export function shipByName(view: WorldView, poi: Eid, name: string): Eid {
  if (isWireId(name)) return 0
  const wanted = name.toLowerCase()
  const { owner } = view.read(Ship)
  for (const ship of shipsAt(view, poi)) {
    if (owner[ship] !== 0 || isDrone(view, ship) || prizeOf(view, ship) !== 0) continue
    if (pilotName(view, ship).toLowerCase() === wanted) return ship
    if (listedName(view, ship).toLowerCase() === wanted) return ship
  }
  return 0
}

/** The value of `npcLists` for a place without NPCs. */
export const NO_NPCS = { pirates: [], pirate_count: 0, empire_npcs: [], empire_npc_count: 0 }

/** Renders the NPCs at a place: lists of limited length, and how many there are in all. */
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
  const npc = view.read(NpcPilot).npc[ship]
  const { type, prey, system } = view.read(Npc)
  const { hull, hullMax, shield, shieldMax } = view.read(Ship)
  const crew = crewRowIn(view, system[npc])
  const isFighting = view.read(ShipCombat).participant[ship] !== 0
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
    // The crew's livery, in the same fields as in pirate_radio. Source: newer.md section 4.
    faction_key: crew.key,
    faction_name: crew.name,
    primary_color: crew.primaryColor,
    secondary_color: crew.secondaryColor,
  }
}

export function renderEmpireShip(view: WorldView, ship: Eid): Static<typeof empireNpcSchema> {
  const home = view.read(Npc).system[npcOf(view, ship)]
  const role = empireNpcOf(view, ship)?.role ?? 'police'
  const owner = role === 'police' ? view.read(StarSystem).empire[home] - 1 : empireOfNpc(view, ship)
  const empire = EMPIRES[owner]
  const convoy = convoyOf(view, ship)
  const name = npcName(view, ship)
  return {
    npc_id: shipId(view, ship),
    name: listedName(view, ship),
    empire: empire.id,
    role,
    ...(convoy !== 0 && {
      fleet_name: `Convoy to ${baseName(view, view.read(Convoy).to[convoy])}`,
    }),
    ship_class: shipClassOf(view, ship).id,
    ship_name: name,
    in_combat: view.read(ShipCombat).participant[ship] !== 0,
  }
}
