/** Ships of the empires: which ones a system should have, where they are made, who defends them. */
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

/** Returns the place of a system with a station of its empire; 0 if none. */
function portOf(view: WorldView, system: Eid): Eid {
  const { empire } = view.read(StarSystem)
  const { base } = view.read(Poi)
  const { empire: empireOf } = view.read(Base)
  const isOfEmpire = (poi: Eid): boolean =>
    base[poi] !== 0 && empireOf[base[poi]] === empire[system]
  return poisOf(view, system).find(isOfEmpire) ?? 0
}

/** Returns whether a system belongs to an empire and has a lane that leads out of it. */
export function isBorder(view: WorldView, system: Eid): boolean {
  const { empire } = view.read(StarSystem)
  if (empire[system] === 0) return false
  return lanesFrom(view, system).some((to) => empire[to] !== empire[system])
}

/** Lists the ships that a system should have: for each the index of its type in EMPIRE_NPCS. */
export function shipTypesWanted(view: WorldView, system: Eid): number[] {
  if (view.read(StarSystem).empire[system] === 0) return []
  const port = portOf(view, system)
  const isCapital = port !== 0 && view.read(Base).capital[view.read(Poi).base[port]] === 1
  const customs = isBorder(view, system) ? [CUSTOMS] : []
  if (port === 0) return customs
  return isCapital ? [PATROL, TRADER, ...customs, PATROL, TRADER] : [PATROL, TRADER, ...customs]
}

/** Returns the type of empire ship that a system lacks; -1 if it has all. */
export function missingShipType(view: WorldView, system: Eid): number {
  const wanted = shipTypesWanted(view, system)
  if (wanted.length === 0) return -1
  const { kind, type } = view.read(Npc)
  const present = EMPIRE_NPCS.map(() => 0)
  for (const npc of npcsOf(view, system)) if (kind[npc] === EMPIRE_SHIP) present[type[npc]]++
  return EMPIRE_NPCS.findIndex(
    (_, index) => present[index] < wanted.filter((shipType) => shipType === index).length,
  )
}

/** Returns the place where a new ship of a type is made, and its hull. */
export function empireSpawnOf(view: WorldView, system: Eid, type: number) {
  const entry = view.read(StarSystem).entryPoi[system]
  const poi = type === CUSTOMS ? entry : portOf(view, system) || entry
  return { poi, shipClass: EMPIRE_NPCS[type].shipClass }
}

/**
 * Lists the empire ships that defend one that is attacked: free patrols and customs ships of its
 * system. Guards of a convoy are not among them: they defend their freighter alone.
 */
export function empireDefenders(view: WorldView, system: Eid): Eid[] {
  const { kind, type, ship, convoy } = view.read(Npc)
  const { participant } = view.read(ShipCombat)
  const { state } = view.read(Location)
  const { seq } = view.read(Ship)
  return npcsOf(view, system)
    .filter((npc) => kind[npc] === EMPIRE_SHIP && type[npc] !== TRADER && convoy[npc] === 0)
    .map((npc) => ship[npc])
    .filter((hull) => participant[hull] === 0 && state[hull] === AT_POI)
    .sort((a, b) => seq[a] - seq[b])
}
