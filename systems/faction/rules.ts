/** The end of a faction: with its last member. Source: factions.md section 3. */

import type { Static } from 'typebox'
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { emit } from '../../core/event.ts'
import { contentsOf, moveItems } from '../../core/goods.ts'
import { Account, balanceOf } from '../../core/ledger.ts'
import { raise } from '../../core/occurrence.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import {
  forgetDeclines,
  pairOf,
  playerId,
  recordDecline,
  usernameOf,
  walletOf,
} from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull, lockerOf, openLocker, packagesIn } from '../cargo/model.ts'
import { movePackage } from '../cargo/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { fuelRefusal } from '../market/model.ts'
import { Ship } from '../ship/state.ts'
import {
  directoryOf,
  factionIdOf,
  factionName,
  factionNameKey,
  factionOf,
  factionTag,
  membersOf,
  membersWith,
  recordFactionLog,
  treasuryOf,
} from './model.ts'
import { type FactionEventName, factionEvent } from './schemas.ts'
import {
  ACTIVITY,
  disbanded,
  FACTION_ACTIVITY_ROWS_MAX,
  FACTION_INVITE_TICKS,
  FACTION_INVITES_INCOMING_MAX,
  FACTION_WITHDRAWAL_TOLD_CREDITS,
  Faction,
  FactionStore,
  type Invite,
  Membership,
  ROLES,
} from './state.ts'
import {
  BOOK,
  bunkerCapacity,
  bunkerFuel,
  closeEmptyStore,
  findStore,
  invitesBy,
  invitesTo,
  numberOf,
  playerNumber,
  RULE,
  storeContainer,
  storesOf,
} from './store-model.ts'
import { changeBunker, keepNames, removeMember } from './store-rules.ts'

/* The latest moves of a faction's goods and credits; its log keeps them all for a while. */

interface StoreMove {
  readonly faction: Row
  readonly player: Eid
  /** What was done, as the list shows it: deposit_items, withdraw_credits … */
  readonly action: string
  readonly summary: string
  /** Index of the item. */
  readonly item?: number
  readonly quantity?: number
  readonly credits?: number
  /** Where; 0 nowhere. */
  readonly base?: Row
}

/** Notes a move of goods or credits of a faction: in the list of the latest and in its log. */
export function recordStoreMove(world: World, move: StoreMove): void {
  const { faction, player, action, item, quantity, credits, base = 0 } = move
  const what = {
    ...(item === undefined ? {} : { item: GOODS[item].id }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(credits === undefined ? {} : { credits }),
  }
  const number = world.read(Player).seq[player]
  const key = String(world.read(Faction).seq[faction])
  const latest = world.records(ACTIVITY).get(key) ?? []
  const entry = { player: number, action, atMs: world.wallMs, ...what }
  world.records(ACTIVITY).set(key, [entry, ...latest.slice(0, FACTION_ACTIVITY_ROWS_MAX - 1)])
  recordFactionLog(world, faction, player, {
    verb: action,
    summary: `${usernameOf(world, player)}: ${move.summary}`,
    data: { ...what, ...(base === 0 ? {} : { base_id: baseId(world, base) }) },
  })
}

/**
 * Tells those who look after the treasury of a withdrawal that is worth something. Source:
 * trade-storage.md section 9.
 */
export function notifyWithdrawal(world: World, move: StoreMove): void {
  const { faction, player, item, quantity = 0, credits = 0, base = 0 } = move
  const value = credits + (item === undefined ? 0 : quantity * GOODS[item].base_value)
  if (value <= FACTION_WITHDRAWAL_TOLD_CREDITS || factionOf(world, player) !== faction) return
  notifyFaction(world, faction, {
    event: 'withdrawal',
    actor: player,
    message: `${usernameOf(world, player)}: ${move.summary}`,
    to: membersWith(world, faction, 'manage_treasury'),
    more: {
      ...(item === undefined ? {} : { item_id: GOODS[item].id, quantity }),
      ...(credits === 0 ? {} : { credits }),
      ...(base === 0 ? {} : { base_id: baseId(world, base) }),
    },
  })
}

/** Puts what stores hold into the heir's lockers where they are; fuel goes to the station. */
function emptyStores(world: World, faction: Row, heir: Eid): void {
  for (const place of storesOf(world, faction)) {
    const { base } = place
    const from = storeContainer(world, place)
    const held = contentsOf(world, from)
    const packages = packagesIn(world, from)
    if (held.length + packages.length > 0) openLocker(world, heir, base)
    for (const { item, units } of held) {
      moveItems(world, from, lockerOf(world, heir, base), item, units)
    }
    for (const pkg of packages) movePackage(world, pkg, { kind: 'locker', player: heir, base })
    const fuel = place.bucket === 0 ? bunkerFuel(world, faction, base) : 0
    if (fuel === 0) {
      closeEmptyStore(world, place)
      continue
    }
    const tank = world.write(Base)
    tank.fuel[base] = Math.min(tank.fuelMax[base], tank.fuel[base] + fuel)
    changeBunker(world, faction, base, -fuel)
  }
}

/** Ends a faction whose only member is the heir. */
export function disband(world: World, faction: Row, heir: Eid): void {
  assert(world.read(Faction).members[faction] === 1, 'a faction ends with its last member')
  raise(world, disbanded, { faction, heir })
  emptyStores(world, faction, heir)
  const treasury = treasuryOf(world, faction)
  const credits = balanceOf(world, treasury)
  const name = factionName(world, faction)
  const said = `Got the treasury of ${name}, which is no more: ${counted(credits, 'credit')}.`
  creditMove(world, heir, treasury, walletOf(world, heir), credits, 'faction', 'disbanded', said)
  for (const open of invitesBy(world, faction)) dropInvite(world, open)
  keepNames(world, faction)
  removeMember(world, heir)
  const { names, tags, members } = directoryOf(world)
  names.delete(factionNameKey(name))
  tags.delete(factionTag(world, faction))
  members.delete(faction)
  const key = String(world.read(Faction).seq[faction])
  world.records(ROLES).delete(key)
  world.records(ACTIVITY).delete(key)
  world.release(Account, treasury)
  world.release(Faction, faction)
}

/* Fuel from tanks into the bunkers of factions. Source: trade-storage.md section 4. */

interface FuelDeposit {
  readonly player: Eid
  readonly base: Row
  readonly faction: Row
  readonly units: number
}

/**
 * Pumps fuel from the tank of the ship flown into the bunker of a faction here. Refusals:
 * no_faction_storage, issue_item, insufficient_items, storage_full.
 */
export function depositFuel(world: World, move: FuelDeposit) {
  const { player, base, faction, units } = move
  const store = findStore(world, faction, base)
  if (!store.ok) return store
  if (bunkerCapacity(world, faction, base) === 0) {
    return fail('no_faction_storage', undefined, 'The faction has no fuel bunker here.')
  }
  const ship = world.read(Player).ship[player]
  const { fuel, issueFuel } = world.read(Ship)
  const have = fuel[ship] - issueFuel[ship]
  if (have < 1 && issueFuel[ship] > 0) return fail('issue_item')
  if (have < units) return fail('insufficient_items', { need: units, have })
  const full = fuelRefusal(world, { faction, base }, units)
  if (full) return full
  if (isNearlyFull(world, FactionStore)) return fail('storage_full')
  world.write(Ship).fuel[ship] -= units
  changeBunker(world, faction, base, units)
  const where = `the bunker of ${factionName(world, faction)} at ${baseName(world, base)}`
  const summary = `Pumped ${units} fuel into ${where}.`
  const noted = { faction, player, action: 'deposit_fuel', summary, quantity: units, base }
  recordStoreMove(world, noted)
  logAction(world, player, 'storage', 'faction_deposit_fuel', summary, { quantity: units })
  const stored = bunkerFuel(world, faction, base)
  return ok({
    action: 'faction_deposit_fuel',
    fuel: units,
    fuel_capacity: bunkerCapacity(world, faction, base),
    ship_fuel: world.read(Ship).fuel[ship],
    storage_fuel: stored,
  }) satisfies Outcome<unknown>
}

/**
 * Draws fuel for a tank from the bunker of a faction here that can be reached; returns the units.
 * Source: travel.md section 7.
 */
export function drawBunker(world: World, faction: Row, base: Row, wanted: number): number {
  if (faction === 0 || bunkerCapacity(world, faction, base) === 0) return 0
  const units = Math.min(wanted, bunkerFuel(world, faction, base))
  if (units > 0) changeBunker(world, faction, base, -units)
  return units
}

export const dropInvite = BOOK.remove
export const rebuildInvites = BOOK.rebuild

/** Opens an invitation; beyond what a player may have the oldest one is dropped. */
export function invite(world: World, faction: Row, player: Eid, by: Eid): void {
  const mine = invitesTo(world, player)
  if (mine.length >= FACTION_INVITES_INCOMING_MAX) dropInvite(world, mine[0])
  BOOK.add(world, {
    faction: numberOf(world, faction),
    player: playerNumber(world, player),
    by: playerNumber(world, by),
    atMs: world.wallMs,
    expiresTick: world.tick + FACTION_INVITE_TICKS,
  })
}

/** Notes that a player declined. */
export const recordInviteDecline = (world: World, { faction, player }: Invite): void =>
  recordDecline(world, RULE, pairOf(faction, player))

/** Invitations lapse, and old refusals are forgotten. */
export function expireInvites(world: World): void {
  BOOK.expire(world)
  forgetDeclines(world, RULE)
}

/* Indexes */

/** Fills the directory from the tables, and says who stands by whom. */
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

/* Telling of what happened in a faction: an event to those it is for, and a line in its log. */

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
export function notifyFaction(world: World, faction: Row, news: FactionNews): void {
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
  recordFactionLog(world, faction, actor, { verb: event, summary: message, data })
}
