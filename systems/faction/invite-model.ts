/** Open invitations and recent declines. Source: factions.md sections 1 and 3. */
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { inviteBook } from '../account/invites-model.ts'
import { type DeclineRule, declineWaitOf, pairOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { factionNumber } from './model.ts'
import {
  DECLINES,
  FACTION_DECLINE_TICKS,
  FACTION_DECLINES_MAX,
  INVITES,
  type Invite,
} from './state.ts'

export const INVITE_BOOK = inviteBook<Invite>('faction.invites', INVITES, ({ faction }) => faction)

/** How many declines, within how many ticks, make a faction wait. */
export const DECLINE_RULE: DeclineRule = {
  records: DECLINES,
  ticks: FACTION_DECLINE_TICKS,
  max: FACTION_DECLINES_MAX,
}

export const playerNumber = (view: WorldView, player: Eid): number => view.read(Player).seq[player]

/** Returns the open invitation of a player to a faction; undefined for none. */
export const inviteOf = (view: WorldView, faction: Row, player: Eid): Invite | undefined =>
  faction === 0
    ? undefined
    : INVITE_BOOK.find(view, factionNumber(view, faction), playerNumber(view, player))

/** Returns the invitations a player has, the oldest first. */
export const invitesTo = (view: WorldView, player: Eid): Invite[] =>
  INVITE_BOOK.received(view, playerNumber(view, player))

/** Returns the invitations a faction has made, the oldest first. */
export const invitesBy = (view: WorldView, faction: Row): Invite[] =>
  INVITE_BOOK.sent(view, factionNumber(view, faction))

/**
 * Returns the ticks until a faction may again invite a player who declined often; 0 for no wait.
 */
export const declineWait = (view: WorldView, faction: Row, player: Eid): number =>
  declineWaitOf(
    view,
    DECLINE_RULE,
    pairOf(factionNumber(view, faction), playerNumber(view, player)),
  )
