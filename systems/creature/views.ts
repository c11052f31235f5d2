/** Wire forms of creatures. They hide from nobody, but for where they are. */
import { CREATURES } from '../../core/catalog/index.ts'
import { NEARBY_CREATURES_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Fighting } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { shipId } from '../ship/rules.ts'
import { shipsAt } from '../travel/rules.ts'
import { Creature, Herd, Wild } from './columns.ts'
import { creatureIn } from './rules.ts'
import type { creatureSchema, wildlifeSchema } from './schemas.ts'

export { creatureSchema, wildlifeSchema } from './schemas.ts'

/** Bodies of the creatures at a place, in the order of their numbers. O(ships there). */
export function creaturesHere(view: WorldView, poi: Eid): Eid[] {
  const { creature } = view.read(Wild)
  return shipsAt(view, poi).filter((ship) => creature[ship] !== 0)
}

/** What a creature is, for a look or a scan. */
export function describeCreature(view: WorldView, ship: Eid) {
  const kind = CREATURES[view.read(Creature).kind[creatureIn(view, ship)]]
  const { hull, hullMax } = view.read(Ship)
  return {
    name: kind.name,
    species: kind.id,
    role: kind.role,
    /** 1-5. */
    danger: kind.tier,
    hull: hull[ship],
    max_hull: hullMax[ship],
  }
}

export function renderCreature(view: WorldView, ship: Eid): Static<typeof creatureSchema> {
  const { danger: _, ...seen } = describeCreature(view, ship)
  return {
    creature_id: shipId(view, ship),
    ...seen,
    in_combat: view.read(Fighting).participant[ship] !== 0,
  }
}

export const NO_CREATURES = { creatures: [], creature_count: 0 }

/** The creatures of a place as get_nearby lists them. */
export function creatureLists(view: WorldView, poi: Eid) {
  const here = creaturesHere(view, poi)
  const creatures = here.slice(0, NEARBY_CREATURES_MAX).map((ship) => renderCreature(view, ship))
  return { creatures, creature_count: here.length }
}

const abundanceOf = (count: number): string =>
  count >= 10 ? 'abundant' : count >= 4 ? 'common' : count > 0 ? 'scarce' : 'gone'

/** What lives in a system, a row a species, in the order of the catalogue. */
export function renderWildlife(view: WorldView, system: Eid): Static<typeof wildlifeSchema>[] {
  const { system: home, kind, count } = view.read(Herd)
  const counts = new Map<number, number>()
  for (let herd = 1; herd <= view.highOf(Herd); herd++) {
    if (home[herd] !== system) continue
    counts.set(kind[herd], (counts.get(kind[herd]) ?? 0) + count[herd])
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([index, estimate]) => {
      const { id, name, role } = CREATURES[index]
      return { species: id, name, role, abundance: abundanceOf(estimate), estimate }
    })
}
