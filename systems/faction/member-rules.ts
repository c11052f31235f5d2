/** Founding, joining, leaving, disbanding. Commands check all refusals before they call these. */
import { assert } from '../../core/assert.ts'
import { contentsOf, moveItems } from '../../core/goods.ts'
import { Account, balanceOf, openAccount } from '../../core/ledger.ts'
import { raise } from '../../core/occurrence.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { raiseCounter, recordPeak } from '../achievement/rules.ts'
import { Base } from '../base/state.ts'
import { lockerOf, openLocker, packagesIn } from '../cargo/model.ts'
import { movePackage } from '../cargo/rules.ts'
import { creditMove } from '../log/rules.ts'
import { markAppearance } from '../sensing/model.ts'
import { invitesBy } from './invite-model.ts'
import {
  directoryOf,
  factionKey,
  factionName,
  factionNameKey,
  factionOf,
  factionTag,
  isNameTaken,
  isTagTaken,
  reservedName,
  reservedTag,
  treasuryOf,
} from './model.ts'
import { LEADER, RECRUIT } from './role-model.ts'
import { dropInvite } from './rules.ts'
import {
  ACTIVITY,
  disbanded,
  FACTION_NAME_RESERVED_TICKS,
  FACTIONS_FOUNDED_MAX,
  Faction,
  Membership,
  memberLeaving,
  RESERVED_NAMES,
  ROLES,
} from './state.ts'
import { bunkerFuel, closeEmptyStore, storeContainer, storesOf } from './store-model.ts'
import { changeBunker } from './store-rules.ts'

function recordFoundingTick(world: World, player: Eid): void {
  const { foundedTicks } = world.write(Membership)
  const from = player * FACTIONS_FOUNDED_MAX
  foundedTicks.copyWithin(from + 1, from, from + FACTIONS_FOUNDED_MAX - 1)
  foundedTicks[from] = world.tick + 1
}

/** Founds a faction led by this player; the caller has checked its name and tag. */
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
  recordFoundingTick(world, player)
  addMember(world, player, faction, LEADER)
  raiseCounter(world, player, 'factions_founded')
  return faction
}

/** Adds a player who is in no faction as a member with this role. */
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

/** Ends a membership. A leader's ends only when the faction is disbanded. */
export function removeMember(world: World, player: Eid): void {
  const faction = factionOf(world, player)
  assert(faction !== 0, `player ${player} is in no faction`)
  raise(world, memberLeaving, { player, faction })
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

/** Reserves the name and the tag of a faction for FACTION_NAME_RESERVED_TICKS. */
function reserveNames(world: World, faction: Row): void {
  const reserved = world.records(RESERVED_NAMES)
  const [name, tag] = [factionName(world, faction), factionTag(world, faction)]
  for (const key of [reservedName(name), reservedTag(tag)]) {
    if (reserved.size < RESERVED_NAMES.rowsMax) {
      reserved.set(key, world.tick + FACTION_NAME_RESERVED_TICKS)
    }
  }
}

/** Releases names and tags whose reservation has expired; the records are in order of expiry. */
export function releaseNames(world: World): void {
  const reserved = world.records(RESERVED_NAMES)
  const due: string[] = []
  for (const [key, tick] of reserved.entries()) {
    if (tick > world.tick) break
    due.push(key)
  }
  for (const key of due) reserved.delete(key)
}

/** Moves the contents of all stores into the heir's lockers there; fuel goes to the station. */
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
  const summary = `Got the treasury of ${name}, now disbanded: ${counted(credits, 'credit')}.`
  creditMove(world, heir, treasury, walletOf(world, heir), credits, 'faction', 'disbanded', summary)
  for (const invite of invitesBy(world, faction)) dropInvite(world, invite)
  reserveNames(world, faction)
  removeMember(world, heir)
  const { names, tags, members } = directoryOf(world)
  names.delete(factionNameKey(name))
  tags.delete(factionTag(world, faction))
  members.delete(faction)
  const key = factionKey(world, faction)
  world.records(ROLES).delete(key)
  world.records(ACTIVITY).delete(key)
  world.release(Account, treasury)
  world.release(Faction, faction)
}
