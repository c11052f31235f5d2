/** Open invitations, and who declined one of late. Source: factions.md sections 1 and 3. */
import {
  FACTION_DECLINE_TICKS,
  FACTION_DECLINES_MAX,
  FACTION_INVITE_TICKS,
  FACTION_INVITES_INCOMING_MAX,
} from '../../core/limits-faction.ts'
import { defineIndex, type Eid, type Row, type World, type WorldView } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { DECLINES, Faction, INVITES, type Invite } from './columns.ts'

interface Open {
  /** Keys of invitations by number of the player, and of the faction; the oldest first. */
  readonly incoming: Map<number, Set<string>>
  readonly outgoing: Map<number, Set<string>>
}

const OPEN = defineIndex<Open>('faction.invites', () => ({
  incoming: new Map(),
  outgoing: new Map(),
}))

const keyOf = (faction: number, player: number): string => `${faction}:${player}`

const numbersOf = (view: WorldView, faction: Row, player: Eid): [number, number] => [
  view.read(Faction).seq[faction],
  view.read(Player).seq[player],
]

function add(keys: Map<number, Set<string>>, number: number, key: string): void {
  const found = keys.get(number)
  if (found) found.add(key)
  else keys.set(number, new Set([key]))
}

function remove(keys: Map<number, Set<string>>, number: number, key: string): void {
  const found = keys.get(number)
  found?.delete(key)
  if (found?.size === 0) keys.delete(number)
}

/** The open invitation of a player to a faction; undefined for none. */
export function inviteOf(view: WorldView, faction: Row, player: Eid): Invite | undefined {
  if (faction === 0) return undefined
  return view.records(INVITES).get(keyOf(...numbersOf(view, faction, player)))
}

function listed(view: WorldView, keys: ReadonlySet<string> | undefined): Invite[] {
  return [...(keys ?? [])].flatMap((key) => view.records(INVITES).get(key) ?? [])
}

/** Invitations a player has, the oldest first. */
export const invitesTo = (view: WorldView, player: Eid): Invite[] =>
  listed(view, view.index(OPEN).incoming.get(view.read(Player).seq[player]))

/** Invitations a faction has made, the oldest first. */
export const invitesBy = (view: WorldView, faction: Row): Invite[] =>
  listed(view, view.index(OPEN).outgoing.get(view.read(Faction).seq[faction]))

export function dropInvite(world: World, { faction, player }: Invite): void {
  const key = keyOf(faction, player)
  world.records(INVITES).delete(key)
  const { incoming, outgoing } = world.index(OPEN)
  remove(incoming, player, key)
  remove(outgoing, faction, key)
}

/** Opens an invitation; beyond what a player may have the oldest one is dropped. */
export function invite(world: World, faction: Row, player: Eid, by: Eid): void {
  const [factionNumber, playerNumber] = numbersOf(world, faction, player)
  const mine = invitesTo(world, player)
  if (mine.length >= FACTION_INVITES_INCOMING_MAX) dropInvite(world, mine[0])
  const key = keyOf(factionNumber, playerNumber)
  world.records(INVITES).set(key, {
    faction: factionNumber,
    player: playerNumber,
    by: world.read(Player).seq[by],
    atMs: world.wallMs,
    expiresTick: world.tick + FACTION_INVITE_TICKS,
  })
  const { incoming, outgoing } = world.index(OPEN)
  add(incoming, playerNumber, key)
  add(outgoing, factionNumber, key)
}

const recent = (view: WorldView, ticks: readonly number[] = []): number[] =>
  ticks.filter((tick) => view.tick - tick < FACTION_DECLINE_TICKS)

/** Ticks until a faction may ask a player again who has declined often; 0 at once. */
export function declineWait(view: WorldView, faction: Row, player: Eid): number {
  const key = keyOf(...numbersOf(view, faction, player))
  const declines = recent(view, view.records(DECLINES).get(key))
  if (declines.length < FACTION_DECLINES_MAX) return 0
  return FACTION_DECLINE_TICKS - (view.tick - declines[0])
}

/** Notes that a player declined. The newest stand last. */
export function noteDecline(world: World, { faction, player }: Invite): void {
  const declines = world.records(DECLINES)
  const key = keyOf(faction, player)
  const ticks = recent(world, declines.get(key))
  declines.delete(key)
  // ours: with no room for another pair, this one may go on asking
  if (declines.size >= DECLINES.rowsMax) return
  declines.set(key, [...ticks, world.tick].slice(-FACTION_DECLINES_MAX))
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
  for (const [key, { faction, player }] of world.records(INVITES).entries()) {
    add(incoming, player, key)
    add(outgoing, faction, key)
  }
}
