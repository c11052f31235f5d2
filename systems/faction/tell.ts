/** Telling of what happened in a faction: an event to those it is for, and a line in its log. */
import type { Static } from 'typebox'
import { emit } from '../../core/event.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/rules.ts'
import { type FactionEventName, factionEvent } from './events.ts'
import { factionIdOf, factionName, factionTag, membersOf, noteFactionLog } from './rules.ts'

export interface FactionNews {
  readonly event: FactionEventName
  /** Who did it, and to whom. */
  readonly actor: Eid
  readonly target?: Eid
  readonly message: string
  /** Whom to tell; all members unless said. */
  readonly to?: readonly Eid[]
  readonly more?: Partial<
    Pick<
      Static<typeof factionEvent.fields>,
      | ('role_id' | 'role' | 'base_id' | 'item_id' | 'quantity' | 'credits')
      | ('other_faction_id' | 'other_faction_name' | 'other_faction_tag')
      | ('reason' | 'terms' | 'law_from_tick')
    >
  >
}

/** Tells an event and logs it. Every event of a faction goes through here. */
export function tellFaction(world: World, faction: Row, news: FactionNews): void {
  const { event, actor, target = 0, message, to = membersOf(world, faction), more = {} } = news
  const who = {
    actor_id: playerId(world, actor),
    actor: usernameOf(world, actor),
    ...(target === 0
      ? {}
      : { target_id: playerId(world, target), target: usernameOf(world, target) }),
  }
  const payload = {
    event,
    faction_id: factionIdOf(world, faction),
    faction_name: factionName(world, faction),
    faction_tag: factionTag(world, faction),
    message,
    ...who,
    ...more,
  }
  if (to.length > 0) emit(world, factionEvent, payload, { kind: 'players', rows: [...to] })
  const data = { ...who, ...more }
  noteFactionLog(world, faction, actor, { verb: event, summary: message, data })
}
