/** Wire forms of creatures: a player who sees their place sees them. */
import { CREATURES } from '../../core/catalog/index.ts'
import { NEARBY_CREATURES_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { shipsAt } from '../travel/model.ts'
import { isCreature, renderCreature } from './model.ts'
import type { wildlifeSchema } from './schemas.ts'
import { Herd } from './state.ts'

export const NO_CREATURES = { creatures: [], creature_count: 0 }

/** Lists the creatures at a place for get_nearby. O(ships there). */
export function creatureLists(view: WorldView, poi: Eid) {
  const here = shipsAt(view, poi).filter((ship) => isCreature(view, ship))
  const creatures = here.slice(0, NEARBY_CREATURES_MAX).map((ship) => renderCreature(view, ship))
  return { creatures, creature_count: here.length }
}

const abundanceOf = (count: number): string =>
  count >= 10 ? 'abundant' : count >= 4 ? 'common' : count > 0 ? 'scarce' : 'gone'

/** Surveys the herds of a system by species, in the order of the catalogue. */
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
