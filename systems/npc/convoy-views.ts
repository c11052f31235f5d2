/** Wire forms of convoys, as they are announced: the position of a departed convoy is left out. */
import type { Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { guardsOf, isLoading, openConvoys, routeFields, unitsAboard } from './convoy-model.ts'
import { Convoy } from './convoy-state.ts'
import type { convoySchema } from './schemas.ts'

function renderConvoy(view: WorldView, convoy: Row): Static<typeof convoySchema> {
  const { jumps, lawless, nextTick } = view.read(Convoy)
  const loading = isLoading(view, convoy)
  return {
    ...routeFields(view, convoy),
    quantity: unitsAboard(view, convoy),
    status: loading ? 'loading' : 'under_way',
    jumps: jumps[convoy],
    lawless_systems: lawless[convoy],
    guards: guardsOf(view, convoy).length,
    ...(loading && { leaves_in_ticks: Math.max(0, nextTick[convoy] - view.tick) }),
  }
}

/** Renders all convoys of the galaxy, in the order in which they were formed. */
export const renderConvoys = (view: WorldView): Static<typeof convoySchema>[] =>
  openConvoys(view).map((convoy) => renderConvoy(view, convoy))

/** Renders the convoys that are being loaded at a base or are bound for it. */
export function convoysAt(view: WorldView, base: Eid): Static<typeof convoySchema>[] {
  const { from, to } = view.read(Convoy)
  return openConvoys(view)
    .filter((convoy) => to[convoy] === base || (from[convoy] === base && isLoading(view, convoy)))
    .map((convoy) => renderConvoy(view, convoy))
}
