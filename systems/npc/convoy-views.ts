/** Wire forms of convoys, as they are announced: without the current place of one under way. */
import type { Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { guardsOf, isLoading, openConvoys, routeFields, unitsAboard } from './convoy-model.ts'
import { Convoy } from './convoy-state.ts'
import type { convoySchema } from './schemas.ts'

function renderConvoy(view: WorldView, convoy: Row): Static<typeof convoySchema> {
  const { jumps, lawless, nextTick } = view.read(Convoy)
  const loads = isLoading(view, convoy)
  return {
    ...routeFields(view, convoy),
    quantity: unitsAboard(view, convoy),
    status: loads ? 'loading' : 'under_way',
    jumps: jumps[convoy],
    lawless_systems: lawless[convoy],
    guards: guardsOf(view, convoy).length,
    ...(loads && { leaves_in_ticks: Math.max(0, nextTick[convoy] - view.tick) }),
  }
}

/** Lists the convoys of the galaxy, in the order in which they were formed. */
export const renderConvoys = (view: WorldView): Static<typeof convoySchema>[] =>
  openConvoys(view).map((convoy) => renderConvoy(view, convoy))

/** Lists the convoys that leave a base or come to it. */
export function convoysAt(view: WorldView, base: Eid): Static<typeof convoySchema>[] {
  const { from, to } = view.read(Convoy)
  return openConvoys(view)
    .filter((convoy) => to[convoy] === base || (from[convoy] === base && isLoading(view, convoy)))
    .map((convoy) => renderConvoy(view, convoy))
}
