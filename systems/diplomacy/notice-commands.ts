/** Telling both sides of what changed between them: events, and a line in either log. */
import type { Eid, World } from '../../core/types.ts'
import { mayPush } from '../chat/model.ts'
import { factionIdOf, factionName, factionTag, membersOf, membersWith } from '../faction/model.ts'
import { type FactionNews, notifyFaction } from '../faction/rules.ts'
import type { Sides } from './model.ts'

export interface SidesNews {
  readonly event: FactionNews['event']
  readonly actor: Eid
  readonly message: string
  /** Proposals are for those who may answer them, changes for every member. */
  readonly to: 'diplomats' | 'members'
  readonly more?: FactionNews['more']
}

/**
 * Tells both factions. Strangers reach nobody more often than the budget of strangers has it: who
 * turns a flag on and off all day fills no queue. Source: factions.md section 14; social.md 6.
 */
export function notifySides(world: World, { own, other }: Sides, news: SidesNews): void {
  const { event, actor, message, more = {} } = news
  const here = { event, actor, message }
  const receivers = (faction: number): readonly Eid[] =>
    news.to === 'members'
      ? membersOf(world, faction)
      : membersWith(world, faction, 'manage_diplomacy')
  const of = (faction: number) => ({
    ...more,
    other_faction_id: factionIdOf(world, faction),
    other_faction_name: factionName(world, faction),
    other_faction_tag: factionTag(world, faction),
  })
  notifyFaction(world, own, { ...here, to: receivers(own), more: of(other) })
  const to = receivers(other).filter((member) => mayPush(world, member, actor))
  notifyFaction(world, other, { ...here, to, more: of(own) })
}
