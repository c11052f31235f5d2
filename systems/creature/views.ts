/** Wire forms of creatures. They hide from nobody, but for where they are. */
import { CREATURES } from '../../core/catalog/index.ts'
import { NEARBY_CREATURES_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { shipsAt } from '../travel/model.ts'
import { renderCreature } from './model.ts'
import type { wildlifeSchema } from './schemas.ts'
import { Herd, Wild } from './state.ts'

/** Bodies of the creatures at a place, in the order of their numbers. O(ships there). */
function creaturesHere(view: WorldView, poi: Eid): Eid[] {
  const { creature } = view.read(Wild)
  return shipsAt(view, poi).filter((ship) => creature[ship] !== 0)
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
