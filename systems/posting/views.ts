/** Wire forms of postings. Source: contract, FactionListMissionsResponse. */
import { GOODS } from '../../core/catalog/index.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { factionIdOf, factionName } from '../faction/model.ts'
import { postingId, postingText } from './model.ts'
import { Posting } from './state.ts'

/** Renders goods in escrow as units by id; no field if there are none. */
export const renderEscrow = (
  goods: readonly { readonly item: number; readonly units: number }[],
): { items?: Record<string, number> } =>
  goods.length === 0
    ? {}
    : { items: Object.fromEntries(goods.map(({ item, units }) => [GOODS[item].id, units])) }

/** Renders a posting for the list of its faction. */
export function renderListed(view: WorldView, posting: Row) {
  const { mission, credits, poster } = view.read(Posting)
  const { title, type, difficulty } = postingText(view, posting)
  return {
    template_id: postingId(view, posting),
    title,
    type,
    difficulty,
    reward_credits: credits[posting],
    active_instances: mission[posting] === 0 ? 0 : 1,
    posted_by: usernameOf(view, poster[posting]),
  }
}

/** Renders the faction that posted a mission. */
export function renderPoster(view: WorldView, posting: Row) {
  const { faction } = view.read(Posting)
  return {
    faction_id: factionIdOf(view, faction[posting]),
    faction_name: factionName(view, faction[posting]),
  }
}
