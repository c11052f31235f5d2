/** Wire shapes of diplomacy. */
import { bools, ints, list, obj, opt, strings } from '../../core/params.ts'

export const resultSchema = obj(strings('message', 'target_faction_id', 'target_name'))

export const removalSchema = obj({ ...resultSchema.properties, ...bools('removed') })

const warSchema = obj({
  ...strings('target_faction_id', 'target_faction_name', 'target_faction_tag', 'declared_by'),
  ...strings('started_at'),
  ...ints('our_kills', 'their_kills', 'law_from_tick'),
  ...opt(strings('reason')),
})

const allianceProposalSchema = obj(
  strings('from_faction_id', 'from_faction_name', 'from_faction_tag', 'proposed_at'),
)

const peaceProposalSchema = obj({
  ...strings('from_faction_id', 'from_faction_name', 'from_faction_tag', 'proposed_at'),
  ...opt(strings('terms')),
})

/** Wars of a faction and the proposals to it, as members see them. */
export const diplomacyFields = {
  wars: list(warSchema),
  alliance_proposals: list(allianceProposalSchema),
  peace_proposals: list(peaceProposalSchema),
}
