/** Wire forms of NPC ships. Pirates hide from nobody. */
import { PIRATES } from '../../core/catalog/index.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/world.ts'
import { Fighting } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { shipId } from '../ship/rules.ts'
import { Location, Poi } from '../travel/columns.ts'
import { shipsAt } from '../travel/rules.ts'
import { Helm, Npc } from './columns.ts'
import { npcName, npcOf, npcsOf, PIRATE } from './rules.ts'
import type { pirateSchema } from './schemas.ts'

export { pirateSchema } from './schemas.ts'

/** Pirates at a place, in the order of their ships. O(NPCs at home in the system). */
export function piratesHere(view: WorldView, poi: Eid): Eid[] {
  const { kind, ship } = view.read(Npc)
  const at = view.read(Location).poi
  const { seq } = view.read(Ship)
  return npcsOf(view, view.read(Poi).system[poi])
    .filter((npc) => kind[npc] === PIRATE && at[ship[npc]] === poi)
    .map((npc) => ship[npc])
    .sort((a, b) => seq[a] - seq[b])
}

/** Ships that NPCs of any kind steer at a place, in the order of their numbers. */
export const npcsAt = (view: WorldView, poi: Eid): Eid[] =>
  shipsAt(view, poi).filter((ship) => npcOf(view, ship) !== 0)

export function renderPirate(view: WorldView, ship: Eid): Static<typeof pirateSchema> {
  const npc = view.read(Helm).npc[ship]
  const { type, prey } = view.read(Npc)
  const { hull, hullMax, shield, shieldMax } = view.read(Ship)
  const isFighting = view.read(Fighting).participant[ship] !== 0
  return {
    pirate_id: shipId(view, ship),
    name: npcName(view, ship),
    tier: PIRATES[type[npc]].tier,
    is_boss: false,
    status: isFighting ? 'in_combat' : prey[npc] !== 0 ? 'stalking' : 'patrolling',
    hull: hull[ship],
    max_hull: hullMax[ship],
    shield: shield[ship],
    max_shield: shieldMax[ship],
  }
}
