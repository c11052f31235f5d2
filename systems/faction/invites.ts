/** Open invitations, and who declined one of late. Source: factions.md sections 1 and 3. */
import {
  FACTION_DECLINE_TICKS,
  FACTION_DECLINES_MAX,
  FACTION_INVITE_TICKS,
  FACTION_INVITES_INCOMING_MAX,
} from '../../core/limits-faction.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import {
  type DeclineRule,
  declineWaitOf,
  forgetDeclines,
  pairOf,
  recordDecline,
} from '../account/decline-rules.ts'
import { inviteBook } from '../account/invite-rules.ts'
import { DECLINES, Faction, INVITES, type Invite } from './columns.ts'

const BOOK = inviteBook<Invite>('faction.invites', INVITES, ({ faction }) => faction)

const RULE: DeclineRule = {
  records: DECLINES,
  ticks: FACTION_DECLINE_TICKS,
  most: FACTION_DECLINES_MAX,
}

const numberOf = (view: WorldView, faction: Row): number => view.read(Faction).seq[faction]
const playerNumber = (view: WorldView, player: Eid): number => view.read(Player).seq[player]

/** The open invitation of a player to a faction; undefined for none. */
export const inviteOf = (view: WorldView, faction: Row, player: Eid): Invite | undefined =>
  faction === 0 ? undefined : BOOK.of(view, numberOf(view, faction), playerNumber(view, player))

/** Invitations a player has, the oldest first. */
export const invitesTo = (view: WorldView, player: Eid): Invite[] =>
  BOOK.to(view, playerNumber(view, player))

/** Invitations a faction has made, the oldest first. */
export const invitesBy = (view: WorldView, faction: Row): Invite[] =>
  BOOK.from(view, numberOf(view, faction))

export const dropInvite = BOOK.drop
export const rebuildInvites = BOOK.rebuild

/** Opens an invitation; beyond what a player may have the oldest one is dropped. */
export function invite(world: World, faction: Row, player: Eid, by: Eid): void {
  const mine = invitesTo(world, player)
  if (mine.length >= FACTION_INVITES_INCOMING_MAX) dropInvite(world, mine[0])
  BOOK.open(world, {
    faction: numberOf(world, faction),
    player: playerNumber(world, player),
    by: playerNumber(world, by),
    atMs: world.wallMs,
    expiresTick: world.tick + FACTION_INVITE_TICKS,
  })
}

/** Ticks until a faction may ask a player again who has declined often; 0 at once. */
export const declineWait = (view: WorldView, faction: Row, player: Eid): number =>
  declineWaitOf(view, RULE, pairOf(numberOf(view, faction), playerNumber(view, player)))

/** Notes that a player declined. */
export const noteDecline = (world: World, { faction, player }: Invite): void =>
  recordDecline(world, RULE, pairOf(faction, player))

/** Invitations lapse, and old refusals are forgotten. */
export function expireInvites(world: World): void {
  BOOK.expire(world)
  forgetDeclines(world, RULE)
}
