/** Open invitations into fleets, and who declined one of late. Source: factions.md section 8. */
import {
  FLEET_DECLINE_TICKS,
  FLEET_DECLINES_MAX,
  FLEET_INVITE_TICKS,
  FLEET_INVITES_INCOMING_MAX,
} from '../../core/limits-fleet.ts'
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
import { DECLINES, Fleet, INVITES, type Invite } from './columns.ts'

const BOOK = inviteBook<Invite>('fleet.invites', INVITES, ({ fleet }) => fleet)

const RULE: DeclineRule = {
  records: DECLINES,
  ticks: FLEET_DECLINE_TICKS,
  most: FLEET_DECLINES_MAX,
}

const numberOf = (view: WorldView, player: Eid): number => view.read(Player).seq[player]

/** Invitations a player has, the oldest first. */
export const invitesTo = (view: WorldView, player: Eid): Invite[] =>
  BOOK.to(view, numberOf(view, player))

/** Invitations into a fleet, the oldest first. */
export const invitesInto = (view: WorldView, fleet: Row): Invite[] =>
  BOOK.from(view, view.read(Fleet).seq[fleet])

export const dropInvite = BOOK.drop
export const rebuildInvites = BOOK.rebuild

/**
 * Opens an invitation, in place of one that waits; beyond what a player may have the oldest is
 * dropped.
 */
export function openInvite(world: World, fleet: Row, by: Eid, player: Eid): Invite {
  const invite: Invite = {
    fleet: world.read(Fleet).seq[fleet],
    player: numberOf(world, player),
    by: numberOf(world, by),
    expiresTick: world.tick + FLEET_INVITE_TICKS,
  }
  const before = invitesTo(world, player)
  const isAgain = before.some((open) => open.fleet === invite.fleet)
  if (!isAgain && before.length >= FLEET_INVITES_INCOMING_MAX) dropInvite(world, before[0])
  BOOK.open(world, invite)
  return invite
}

/** Ticks until a leader may ask a player again who has declined often; 0 at once. */
export const declineWait = (view: WorldView, leader: Eid, player: Eid): number =>
  declineWaitOf(view, RULE, pairOf(numberOf(view, leader), numberOf(view, player)))

/** Notes that a player declined. */
export const noteDecline = (world: World, { by, player }: Invite): void =>
  recordDecline(world, RULE, pairOf(by, player))

/** Invitations lapse, and old refusals are forgotten. */
export function expireInvites(world: World): void {
  BOOK.expire(world)
  forgetDeclines(world, RULE)
}
