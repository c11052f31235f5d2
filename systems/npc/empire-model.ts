/** Ships of the empires: which a system should have, where they are made, and who defends them. */
import { EMPIRE_NPCS, empireNpcIndex } from '../../core/catalog/index.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { ShipCombat } from '../combat/state.ts'
import { Ship } from '../ship/state.ts'
import { lanesFrom, poisOf } from '../travel/model.ts'
import { AT_POI, Location, Poi, StarSystem } from '../travel/state.ts'
import { EMPIRE_SHIP, npcsOf } from './model.ts'
import { Npc } from './state.ts'

const PATROL = empireNpcIndex('patrol')

const CUSTOMS = empireNpcIndex('customs')

const TRADER = empireNpcIndex('trader')

/** Returns the place of a system with a station of its empire; 0 none. */
function portOf(view: WorldView, system: Eid): Eid {
  const { empire } = view.read(StarSystem)
  const { base } = view.read(Poi)
  const of = view.read(Base).empire
  return (
    poisOf(view, system).find((poi) => base[poi] !== 0 && of[base[poi]] === empire[system]) ?? 0
  )
}

/** Returns whether a system of an empire has a lane out of the empire. */
export function isBorder(view: WorldView, system: Eid): boolean {
  const { empire } = view.read(StarSystem)
  if (empire[system] === 0) return false
  return lanesFrom(view, system).some((to) => empire[to] !== empire[system])
}

/** Lists the types of ships that a system should have, as indices into EMPIRE_NPCS, one a ship. */
export function shipTypesWanted(view: WorldView, system: Eid): number[] {
  if (view.read(StarSystem).empire[system] === 0) return []
  const port = portOf(view, system)
  const isCapital = port !== 0 && view.read(Base).capital[view.read(Poi).base[port]] === 1
  const customs = isBorder(view, system) ? [CUSTOMS] : []
  if (port === 0) return customs
  return isCapital ? [PATROL, TRADER, ...customs, PATROL, TRADER] : [PATROL, TRADER, ...customs]
}

/** Returns the type of empire ship that a system is short of; -1 if it has all. */
export function missingShipType(view: WorldView, system: Eid): number {
  const wanted = shipTypesWanted(view, system)
  if (wanted.length === 0) return -1
  const { kind, type } = view.read(Npc)
  const there = EMPIRE_NPCS.map(() => 0)
  for (const npc of npcsOf(view, system)) if (kind[npc] === EMPIRE_SHIP) there[type[npc]]++
  return EMPIRE_NPCS.findIndex(
    (_, type_) => there[type_] < wanted.filter((office) => office === type_).length,
  )
}

/** Returns the place where a new ship of a type is made, and its hull. */
export function empireSpawnOf(view: WorldView, system: Eid, type: number) {
  const entry = view.read(StarSystem).entryPoi[system]
  const poi = type === CUSTOMS ? entry : portOf(view, system) || entry
  return { poi, shipClass: EMPIRE_NPCS[type].shipClass }
}

/**
 * Lists the empire ships that join one that is attacked: free patrols and customs of its system.
 * Those of a convoy keep to their freighter.
 */
export function empireDefenders(view: WorldView, system: Eid): Eid[] {
  const { kind, type, ship, convoy } = view.read(Npc)
  const { participant } = view.read(ShipCombat)
  const { state } = view.read(Location)
  const { seq } = view.read(Ship)
  return npcsOf(view, system)
    .filter((npc) => kind[npc] === EMPIRE_SHIP && type[npc] !== TRADER && convoy[npc] === 0)
    .map((npc) => ship[npc])
    .filter((at) => participant[at] === 0 && state[at] === AT_POI)
    .sort((a, b) => seq[a] - seq[b])
}
