/**
 * Founding, joining, leaving, disbanding. What a command refuses is decided before anything here is
 * called.
 */
import { assert } from '../../core/assert.ts'
import { fail } from '../../core/errors.ts'
import { contentsOf, moveItems } from '../../core/goods.ts'
import { openAccount } from '../../core/ledger.ts'
import { raise } from '../../core/occurrence.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { raiseCounter, recordPeak } from '../achievement/rules.ts'
import { closeEmptyLocker, isNearlyFull, lockerOf, openLocker, packagesIn } from '../cargo/model.ts'
import { movePackage } from '../cargo/rules.ts'
import { Facility, REPOSSESSED } from '../facility/state.ts'
import { markAppearance } from '../sensing/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import {
  bucketIn,
  directoryOf,
  factionName,
  factionNameKey,
  factionOf,
  factionTag,
  isNameTaken,
  isTagTaken,
  keptName,
  keptTag,
  namesFaction,
  permissionRefusal,
  treasuryOf,
} from './model.ts'
import {
  FACTION_NAME_KEPT_TICKS,
  FACTION_REVIEW_TICKS,
  FACTIONS_FOUNDED_MAX,
  Faction,
  FactionStore,
  KEPT_NAMES,
  leaving,
  Membership,
  STORES,
} from './state.ts'
import {
  closeEmptyStore,
  facilityOfStore,
  findStore,
  LEADER,
  list,
  openRow,
  openStore,
  RECRUIT,
  type StorePlace,
  storeContainer,
} from './store-model.ts'

function recordFounding(world: World, player: Eid): void {
  const { foundedTicks } = world.write(Membership)
  const from = player * FACTIONS_FOUNDED_MAX
  foundedTicks.copyWithin(from + 1, from, from + FACTIONS_FOUNDED_MAX - 1)
  foundedTicks[from] = world.tick + 1
}

/** Makes a faction that this player leads. The name and the tag are free and well formed. */
export function foundFaction(world: World, player: Eid, name: string, tag: string): Row {
  assert(!isNameTaken(world, name) && !isTagTaken(world, tag), 'a name or a tag is taken')
  const faction = world.take(Faction)
  world.setText(Faction, 'name', faction, name)
  world.setText(Faction, 'tag', faction, tag)
  const columns = world.write(Faction)
  const { empire, primaryColor, secondaryColor } = world.read(Player)
  columns.domicile[faction] = empire[player]
  columns.treasury[faction] = openAccount(world)
  columns.primaryColor[faction] = primaryColor[player]
  columns.secondaryColor[faction] = secondaryColor[player]
  columns.createdMs[faction] = world.wallMs
  columns.leader[faction] = player
  const { names, tags, members } = directoryOf(world)
  names.set(factionNameKey(name), faction)
  tags.set(tag, faction)
  members.set(faction, [])
  recordFounding(world, player)
  addMember(world, player, faction, LEADER)
  raiseCounter(world, player, 'factions_founded')
  return faction
}

/** Makes a player a member in this role. */
export function addMember(world: World, player: Eid, faction: Row, role: number = RECRUIT): void {
  assert(factionOf(world, player) === 0, `player ${player} is in a faction already`)
  const columns = world.write(Membership)
  columns.faction[player] = faction
  columns.role[player] = role
  columns.joinNumber[player] = world.nextNumber('faction_member')
  columns.joinedMs[player] = world.wallMs
  columns.joinedTick[player] = world.tick
  const { members } = world.write(Faction)
  members[faction]++
  recordPeak(world, faction, 'members', members[faction])
  directoryOf(world).members.get(faction)?.push(player)
  markAppearance(world, player)
}

/** Ends a membership. The leader goes only with the faction itself. */
export function removeMember(world: World, player: Eid): void {
  const faction = factionOf(world, player)
  assert(faction !== 0, `player ${player} is in no faction`)
  raise(world, leaving, { player, faction })
  const columns = world.write(Membership)
  columns.faction[player] = 0
  columns.role[player] = 0
  columns.joinNumber[player] = 0
  columns.joinedMs[player] = 0
  columns.joinedTick[player] = 0
  world.write(Faction).members[faction]--
  const members = directoryOf(world).members.get(faction)
  assert(members, `faction ${faction} is in no directory`)
  assert(members.includes(player), `player ${player} is in no list of members`)
  members.splice(members.indexOf(player), 1)
  markAppearance(world, player)
}

/** Keeps a name and a tag from being taken for a while. */
export function keepNames(world: World, faction: Row): void {
  const kept = world.records(KEPT_NAMES)
  const [name, tag] = [factionName(world, faction), factionTag(world, faction)]
  for (const key of [keptName(name), keptTag(tag)]) {
    if (kept.size < KEPT_NAMES.rowsMax) kept.set(key, world.tick + FACTION_NAME_KEPT_TICKS)
  }
}

/** Forgets names whose time is over: the oldest stand first. */
export function freeNames(world: World): void {
  const kept = world.records(KEPT_NAMES)
  const due: string[] = []
  for (const [key, tick] of kept.entries()) {
    if (tick > world.tick) break
    due.push(key)
  }
  for (const key of due) kept.delete(key)
}

/*
 * Who pays, and where goods come from and go to: a player's own locker and wallet here, or those of
 * their faction. Source: factions.md section 2, manage_treasury; crafting.md, source and target.
 */

export interface Payer {
  /** Container of the goods; 0 where nothing is in it. */
  readonly goods: Row
  /** Ledger account. */
  readonly credits: Row
  /** 0: the player themselves. */
  readonly faction: Row
  readonly player: Eid
  readonly base: Row
  /** Of a faction. */
  readonly store?: StorePlace
}

/**
 * Resolves `storage` (or `self`), `faction`, `faction:<bucket>` at the base a player is docked at,
 * or at one given. Refusals: not_in_faction, no_permission, no_faction_storage, bucket_not_found,
 * invalid_target. Asked when the command runs.
 */
export function payerOf(
  view: WorldView,
  player: Eid,
  source: string,
  base: Row = dockedBase(view, player),
) {
  if (!namesFaction(source)) {
    const word = source.trim().toLowerCase()
    if (word !== 'storage' && word !== 'self') return fail('invalid_target', { source })
    const goods = base === 0 ? 0 : lockerOf(view, player, base)
    return { goods, credits: walletOf(view, player), faction: 0, player, base }
  }
  const refused = permissionRefusal(view, player, 'manage_treasury')
  if (refused) return refused
  const faction = factionOf(view, player)
  const found = findStore(view, faction, base, bucketIn(source))
  if (!found.ok) return found
  return {
    goods: storeContainer(view, found.result),
    credits: treasuryOf(view, faction),
    faction,
    player,
    base,
    store: found.result,
  }
}

/** Container of a payer's goods, opened where nothing is in it. */
export const openGoods = (world: World, payer: Payer): Row =>
  payer.store ? openStore(world, payer.store) : openLocker(world, payer.player, payer.base)

/** Gives the container of a payer back if it is empty. */
export function closeGoods(world: World, payer: Payer): void {
  if (payer.store) closeEmptyStore(world, payer.store)
  else closeEmptyLocker(world, payer.player, payer.base)
}

/** Adds fuel to the bunker, or takes it out: `units` below 0. */
export function changeBunker(world: World, faction: Row, base: Row, units: number): void {
  const place = { faction, base, bucket: 0 }
  const row = openRow(world, place)
  const { fuel } = world.write(FactionStore)
  assert(fuel[row] + units >= 0, `the bunker lacks ${-units} units`)
  fuel[row] += units
  closeEmptyStore(world, place)
}

/**
 * Puts what a bucket holds into the main store, over its cap if need be: its facility is lost. Call
 * it before the facility goes; nothing where it is none of a faction. trade-storage.md section 1.
 */
export function foldBucket(world: World, facility: Row): void {
  const { faction, base, seq } = world.read(Facility)
  const place = { faction: faction[facility], base: base[facility], bucket: seq[facility] }
  if (place.faction !== 0) foldPlace(world, place)
}

/**
 * Folds buckets whose facility is lost, whoever took it: every one is looked at once in
 * FACTION_REVIEW_TICKS.
 */
export function foldLostBuckets(world: World): void {
  const { alive, faction, base, bucket } = world.read(FactionStore)
  const high = world.highOf(FactionStore)
  const first = 1 + (world.tick % FACTION_REVIEW_TICKS)
  for (let row = first; row <= high; row += FACTION_REVIEW_TICKS) {
    if (alive[row] === 0 || bucket[row] === 0) continue
    const place = { faction: faction[row], base: base[row], bucket: bucket[row] }
    const facility = facilityOfStore(world, place)
    const status = facility === 0 ? REPOSSESSED : world.read(Facility).status[facility]
    if (status === REPOSSESSED && !isNearlyFull(world, FactionStore)) foldPlace(world, place)
  }
}

function foldPlace(world: World, place: StorePlace): void {
  const from = storeContainer(world, place)
  if (from === 0) return
  const { faction, base } = place
  const container = openStore(world, { ...place, bucket: 0 })
  for (const { item, units } of contentsOf(world, from)) {
    moveItems(world, from, container, item, units)
  }
  for (const pkg of packagesIn(world, from)) {
    movePackage(world, pkg, { kind: 'store', faction, base, container })
  }
  closeEmptyStore(world, place)
}

/** Fills the index from the table, after a restore. */
export function rebuildStores(world: World): void {
  world.index(STORES).clear()
  const { alive } = world.read(FactionStore)
  for (let row = 1; row <= world.highOf(FactionStore); row++) if (alive[row] === 1) list(world, row)
}
