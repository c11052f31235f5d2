/** What becomes of relations when members leave and factions end. */
import { grant } from '../../core/guard.ts'
import { observe } from '../../core/occurrence.ts'
import { allied } from '../account/columns.ts'
import { disbanded, leaving } from '../faction/columns.ts'
import { factionOf } from '../faction/rules.ts'
import { forgetFaction } from './relations.ts'
import { areFactionsAllied, keepOldWars } from './rules.ts'

export const alliesStandTogether = grant(allied, (view, { player, other }) =>
  areFactionsAllied(view, factionOf(view, player), factionOf(view, other)),
)

export const keepWarsOnLeaving = observe(leaving, (world, { player, faction }) =>
  keepOldWars(world, player, faction),
)

export const endRelations = observe(disbanded, (world, { faction, heir }) => {
  keepOldWars(world, heir, faction)
  forgetFaction(world, faction)
})
