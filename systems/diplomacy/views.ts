/** Wire forms of relations between factions. Source: contract, FactionInfoResponse. */
import { FACTION_PROPOSALS_SHOWN_MAX } from '../../core/limits-diplomacy.ts'
import { ints, list, obj, opt, strings } from '../../core/params.ts'
import { isoTime } from '../../core/time.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Faction } from '../faction/columns.ts'
import { factionIdOf, factionName, factionTag } from '../faction/rules.ts'
import type { Pact, Proposal } from './columns.ts'
import { ENEMY_BOOK, numberOf, otherOf, PROPOSAL_BOOK, pactNow, pactsOf } from './rules.ts'

export const warSchema = obj({
  ...strings('target_faction_id', 'target_faction_name', 'target_faction_tag', 'declared_by'),
  ...strings('started_at'),
  ...ints('our_kills', 'their_kills', 'law_from_tick'),
  ...opt(strings('reason')),
})

export const allianceProposalSchema = obj(
  strings('from_faction_id', 'from_faction_name', 'from_faction_tag', 'proposed_at'),
)

export const peaceProposalSchema = obj({
  ...strings('from_faction_id', 'from_faction_name', 'proposed_at'),
  ...opt(strings('terms')),
})

/** What members see of whom their faction fights, and who asks it what. */
export const diplomacyFields = {
  wars: list(warSchema),
  alliance_proposals: list(allianceProposalSchema),
  peace_proposals: list(peaceProposalSchema),
}

function renderWar(view: WorldView, faction: Row, pact: Pact) {
  const { war, from, sinceMs } = pact
  const number = numberOf(view, faction)
  const other = view.rowOf(Faction, otherOf(pact, number))
  const [fromKills, toKills] = [war?.fromKills ?? 0, war?.toKills ?? 0]
  const declarer = view.rowOf(Faction, war?.declaredBy ?? 0)
  return {
    target_faction_id: factionIdOf(view, other),
    target_faction_name: factionName(view, other),
    target_faction_tag: factionTag(view, other),
    declared_by: factionIdOf(view, declarer),
    started_at: isoTime(sinceMs),
    our_kills: from === number ? fromKills : toKills,
    their_kills: from === number ? toKills : fromKills,
    law_from_tick: war?.lawFromTick ?? 0,
    ...(war?.reason ? { reason: war.reason } : {}),
  }
}

function renderProposal(view: WorldView, { from, atMs, kind, terms }: Proposal) {
  const faction = view.rowOf(Faction, from)
  return {
    from_faction_id: factionIdOf(view, faction),
    from_faction_name: factionName(view, faction),
    proposed_at: isoTime(atMs),
    ...(kind === 'ally' ? { from_faction_tag: factionTag(view, faction) } : {}),
    ...(terms === '' ? {} : { terms }),
  }
}

/** Wars of a faction, and proposals that wait for its answer: the latest of them first. */
export function renderDiplomacy(view: WorldView, faction: Row) {
  const incoming = PROPOSAL_BOOK.incoming(view, numberOf(view, faction))
  const latest = (kind: Proposal['kind']) =>
    incoming
      .filter((proposal) => proposal.kind === kind)
      .slice(-FACTION_PROPOSALS_SHOWN_MAX)
      .reverse()
      .map((proposal) => renderProposal(view, proposal))
  return {
    wars: pactsOf(view, faction, 'war').map((pact) => renderWar(view, faction, pact)),
    alliance_proposals: latest('ally'),
    peace_proposals: latest('peace'),
  }
}

/** Whom a faction calls its enemies, in the order in which it did. */
export const enemiesOf = (view: WorldView, faction: Row): Row[] =>
  ENEMY_BOOK.outgoing(view, numberOf(view, faction)).map(({ to }) => view.rowOf(Faction, to))

/** How the faction of a viewer, 0 none, stands to another. */
export function renderStanding(view: WorldView, own: Row, other: Row) {
  if (own === 0 || own === other) return { is_ally: false, is_enemy: false, at_war: false }
  const [from, to] = [numberOf(view, own), numberOf(view, other)]
  const pact = pactNow(view, from, to)
  return {
    is_ally: pact !== undefined && !pact.war,
    is_enemy: ENEMY_BOOK.get(view, { from, to }) !== undefined,
    at_war: pact?.war !== undefined,
  }
}
