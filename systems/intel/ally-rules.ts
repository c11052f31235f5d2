/**
 * Who may read what a faction knows besides its members: allies, unless it keeps it from them.
 * Source: factions.md sections 5 and 6.
 */
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { areFactionsAllied } from '../diplomacy/rules.ts'
import { Faction } from '../faction/columns.ts'
import { factionByText, factionOf } from '../faction/rules.ts'

/**
 * The faction whose knowledge a member asks for: his own unless he names another. Refusals:
 * not_in_faction, faction_not_found, not_allied, intel_withheld.
 */
export function sourceOf(view: WorldView, player: Eid, named: string | undefined): Row | Failure {
  const own = factionOf(view, player)
  if (own === 0) return fail('not_in_faction')
  if (named === undefined) return own
  const source = factionByText(view, named.trim())
  if (source === 0) return fail('faction_not_found', { faction_id: named })
  if (source === own) return own
  if (!areFactionsAllied(view, own, source)) {
    return fail('not_allied', undefined, 'Only allies share what they know; propose an alliance.')
  }
  return view.read(Faction).allyIntelOptOut[source] === 1 ? fail('intel_withheld') : source
}
