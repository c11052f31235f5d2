/** Invitations and events of a faction, and its list of moves. Source: factions.md section 3. */
import type { Static } from 'typebox'
import { GOODS } from '../../core/catalog/index.ts'
import { emit } from '../../core/event.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { forgetDeclines, pairOf, playerId, recordDecline, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseId } from '../base/model.ts'
import { DECLINE_RULE, INVITE_BOOK, invitesTo, playerNumber } from './invite-model.ts'
import {
  directoryOf,
  factionIdOf,
  factionKey,
  factionName,
  factionNameKey,
  factionNumber,
  factionOf,
  factionTag,
  membersOf,
  membersWith,
  recordFactionLog,
} from './model.ts'
import { type FactionEventName, factionEvent } from './schemas.ts'
import {
  ACTIVITY,
  FACTION_ACTIVITY_ROWS_MAX,
  FACTION_INVITE_TICKS,
  FACTION_INVITES_INCOMING_MAX,
  FACTION_WITHDRAWAL_NOTICE_CREDITS,
  Faction,
  type Invite,
  Membership,
} from './state.ts'

/** An event of a faction. */
export interface FactionNotice {
  readonly event: FactionEventName
  /** Player who caused it. */
  readonly actor: Eid
  /** Player whom it affects. */
  readonly target?: Eid
  readonly message: string
  /** Recipients; all members if absent. */
  readonly to?: readonly Eid[]
  readonly details?: Partial<
    Pick<
      Static<typeof factionEvent.fields>,
      | ('role_id' | 'role' | 'base_id' | 'item_id' | 'quantity' | 'credits')
      | ('other_faction_id' | 'other_faction_name' | 'other_faction_tag')
      | ('reason' | 'terms' | 'law_from_tick')
    >
  >
}

/** Sends an event and logs it. Every event of a faction goes through here. */
export function notifyFaction(world: World, faction: Row, notice: FactionNotice): void {
  const { event, actor, target = 0, message, to = membersOf(world, faction), details } = notice
  const parties = {
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
    ...parties,
    ...details,
  }
  if (to.length > 0) emit(world, factionEvent, payload, { kind: 'players', rows: [...to] })
  const data = { ...parties, ...details }
  recordFactionLog(world, faction, actor, { verb: event, summary: message, data })
}

/* The latest moves of a faction's goods and credits; its log keeps all of them for a while. */

interface StoreMove {
  readonly faction: Row
  readonly player: Eid
  /** Kind of move, as the list shows it: deposit_items, withdraw_credits … */
  readonly action: string
  readonly summary: string
  /** Index of the item. */
  readonly item?: number
  readonly quantity?: number
  readonly credits?: number
  /** Base at which it happened; 0 for none. */
  readonly base?: Row
}

/** Records a move of goods or credits, in the faction's list of latest moves and in its log. */
export function recordStoreMove(world: World, move: StoreMove): void {
  const { faction, player, action, item, quantity, credits, base = 0 } = move
  const figures = {
    ...(item === undefined ? {} : { item: GOODS[item].id }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(credits === undefined ? {} : { credits }),
  }
  const key = factionKey(world, faction)
  const latest = world.records(ACTIVITY).get(key) ?? []
  const entry = { player: playerNumber(world, player), action, atMs: world.wallMs, ...figures }
  world.records(ACTIVITY).set(key, [entry, ...latest.slice(0, FACTION_ACTIVITY_ROWS_MAX - 1)])
  recordFactionLog(world, faction, player, {
    verb: action,
    summary: `${usernameOf(world, player)}: ${move.summary}`,
    data: { ...figures, ...(base === 0 ? {} : { base_id: baseId(world, base) }) },
  })
}

/**
 * Notifies the members who manage the treasury of a withdrawal worth more than
 * FACTION_WITHDRAWAL_NOTICE_CREDITS. Source: trade-storage.md section 9.
 */
export function notifyWithdrawal(world: World, move: StoreMove): void {
  const { faction, player, item, quantity = 0, credits = 0, base = 0 } = move
  const value = credits + (item === undefined ? 0 : quantity * GOODS[item].base_value)
  if (value <= FACTION_WITHDRAWAL_NOTICE_CREDITS || factionOf(world, player) !== faction) return
  notifyFaction(world, faction, {
    event: 'withdrawal',
    actor: player,
    message: `${usernameOf(world, player)}: ${move.summary}`,
    to: membersWith(world, faction, 'manage_treasury'),
    details: {
      ...(item === undefined ? {} : { item_id: GOODS[item].id, quantity }),
      ...(credits === 0 ? {} : { credits }),
      ...(base === 0 ? {} : { base_id: baseId(world, base) }),
    },
  })
}

/* Invitations */

export const dropInvite = INVITE_BOOK.remove
export const rebuildInvites = INVITE_BOOK.rebuild

/** Opens an invitation; a player who already has the maximum loses their oldest one. */
export function invite(world: World, faction: Row, player: Eid, by: Eid): void {
  const open = invitesTo(world, player)
  if (open.length >= FACTION_INVITES_INCOMING_MAX) dropInvite(world, open[0])
  INVITE_BOOK.add(world, {
    faction: factionNumber(world, faction),
    player: playerNumber(world, player),
    by: playerNumber(world, by),
    atMs: world.wallMs,
    expiresTick: world.tick + FACTION_INVITE_TICKS,
  })
}

/** Records a decline; after FACTION_DECLINES_MAX the faction must wait to invite again. */
export const recordInviteDecline = (world: World, { faction, player }: Invite): void =>
  recordDecline(world, DECLINE_RULE, pairOf(faction, player))

/** Removes expired invitations and old declines. */
export function expireInvites(world: World): void {
  INVITE_BOOK.expire(world)
  forgetDeclines(world, DECLINE_RULE)
}

/* Indexes */

/** Fills the directory from the tables, after a restore. */
export function rebuildFactions(world: World): void {
  const { names, tags, members } = directoryOf(world)
  for (const map of [names, tags, members]) map.clear()
  const { alive, seq } = world.read(Faction)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Faction); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) {
    names.set(factionNameKey(factionName(world, row)), row)
    tags.set(factionTag(world, row), row)
    members.set(row, [])
  }
  const players = world.read(Player)
  const { faction, joinNumber } = world.read(Membership)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (players.alive[player] === 1 && faction[player] !== 0) {
      members.get(faction[player])?.push(player)
    }
  }
  for (const rows of members.values()) rows.sort((a, b) => joinNumber[a] - joinNumber[b])
}
