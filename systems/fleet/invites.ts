/** Open invitations into fleets, and who declined one of late. Source: factions.md section 8. */
import {
  FLEET_DECLINE_TICKS,
  FLEET_DECLINES_MAX,
  FLEET_INVITE_TICKS,
  FLEET_INVITES_INCOMING_MAX,
} from '../../core/limits-fleet.ts'
import { defineIndex, type Eid, type Row, type World, type WorldView } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { DECLINES, Fleet, INVITES, type Invite } from './columns.ts'

interface Open {
  /** Keys of invitations by number of the player, and of the fleet; the oldest first. */
  readonly incoming: Map<number, Set<string>>
  readonly outgoing: Map<number, Set<string>>
}

const OPEN = defineIndex<Open>('fleet.invites', () => ({
  incoming: new Map(),
  outgoing: new Map(),
}))

const keyOf = ({ fleet, player }: Pick<Invite, 'fleet' | 'player'>): string => `${fleet}:${player}`

function list(keys: Map<number, Set<string>>, number: number, key: string): void {
  const found = keys.get(number) ?? new Set()
  found.add(key)
  keys.set(number, found)
}

function unlist(keys: Map<number, Set<string>>, number: number, key: string): void {
  const found = keys.get(number)
  found?.delete(key)
  if (found?.size === 0) keys.delete(number)
}

const shown = (view: WorldView, keys: ReadonlySet<string> | undefined): Invite[] =>
  [...(keys ?? [])].flatMap((key) => view.records(INVITES).get(key) ?? [])

/** Invitations a player has, the oldest first. */
export const invitesTo = (view: WorldView, player: Eid): Invite[] =>
  shown(view, view.index(OPEN).incoming.get(view.read(Player).seq[player]))

/** Invitations into a fleet, the oldest first. */
export const invitesInto = (view: WorldView, fleet: Row): Invite[] =>
  shown(view, view.index(OPEN).outgoing.get(view.read(Fleet).seq[fleet]))

export function dropInvite(world: World, invite: Invite): void {
  const key = keyOf(invite)
  world.records(INVITES).delete(key)
  const { incoming, outgoing } = world.index(OPEN)
  unlist(incoming, invite.player, key)
  unlist(outgoing, invite.fleet, key)
}

/**
 * Opens an invitation, in place of one that waits; beyond what a player may have the oldest is
 * dropped.
 */
export function openInvite(world: World, fleet: Row, by: Eid, player: Eid): Invite {
  const { seq } = world.read(Player)
  const invite: Invite = {
    fleet: world.read(Fleet).seq[fleet],
    player: seq[player],
    by: seq[by],
    expiresTick: world.tick + FLEET_INVITE_TICKS,
  }
  const before = invitesTo(world, player)
  const again = before.find((open) => open.fleet === invite.fleet)
  if (again) dropInvite(world, again)
  else if (before.length >= FLEET_INVITES_INCOMING_MAX) dropInvite(world, before[0])
  const key = keyOf(invite)
  world.records(INVITES).set(key, invite)
  const { incoming, outgoing } = world.index(OPEN)
  list(incoming, invite.player, key)
  list(outgoing, invite.fleet, key)
  return invite
}

const recent = (view: WorldView, ticks: readonly number[] = []): number[] =>
  ticks.filter((tick) => view.tick - tick < FLEET_DECLINE_TICKS)

const pairOf = (leader: number, player: number): string => `${leader}:${player}`

/** Ticks until a leader may ask a player again who has declined often; 0 at once. */
export function declineWait(view: WorldView, leader: Eid, player: Eid): number {
  const { seq } = view.read(Player)
  const kept = view.records(DECLINES).get(pairOf(seq[leader], seq[player]))
  const declines = recent(view, kept)
  if (declines.length < FLEET_DECLINES_MAX) return 0
  return FLEET_DECLINE_TICKS - (view.tick - declines[0])
}

/** Notes that a player declined. The newest stand last. */
export function noteDecline(world: World, { by, player }: Invite): void {
  const declines = world.records(DECLINES)
  const key = pairOf(by, player)
  const ticks = recent(world, declines.get(key))
  declines.delete(key)
  // ours: with no room for another pair, this one may go on asking
  if (declines.size >= DECLINES.rowsMax) return
  declines.set(key, [...ticks, world.tick].slice(-FLEET_DECLINES_MAX))
}

/** Invitations lapse, and old refusals are forgotten: of both the oldest stand first. */
export function expireInvites(world: World): void {
  const due: Invite[] = []
  for (const [, open] of world.records(INVITES).entries()) {
    if (open.expiresTick > world.tick) break
    due.push(open)
  }
  for (const open of due) dropInvite(world, open)
  const old: string[] = []
  for (const [key, ticks] of world.records(DECLINES).entries()) {
    if (recent(world, ticks).length > 0) break
    old.push(key)
  }
  for (const key of old) world.records(DECLINES).delete(key)
}

/** Fills the index from the records. */
export function rebuildInvites(world: World): void {
  const { incoming, outgoing } = world.index(OPEN)
  incoming.clear()
  outgoing.clear()
  for (const [key, { fleet, player }] of world.records(INVITES).entries()) {
    list(incoming, player, key)
    list(outgoing, fleet, key)
  }
}
