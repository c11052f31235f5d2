/** Invariants of factions, expiry and reviews. Source: factions.md sections 1, 3, 11 and 12. */
import { assert } from '../../core/assert.ts'
import { GOODS_WRITES, isBare } from '../../core/goods.ts'
import { grant } from '../../core/guard.ts'
import { Account } from '../../core/ledger.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound, usernameOf } from '../account/model.ts'
import { allied, Player } from '../account/state.ts'
import { Locker, Package } from '../cargo/state.ts'
import { Ship } from '../ship/state.ts'
import { releaseNames } from './member-rules.ts'
import {
  areFactionmates,
  directoryOf,
  factionName,
  factionNameKey,
  factionTag,
  membersOf,
  rolesOf,
} from './model.ts'
import { assignRole, successorOf } from './role-commands.ts'
import { LEADER } from './role-model.ts'
import { expireInvites, notifyFaction } from './rules.ts'
import {
  ACTIVITY,
  FACTION_LEADER_AWAY_TICKS,
  FACTION_REVIEW_TICKS,
  Faction,
  FactionStore,
  INVITES,
  Membership,
  ROLES,
} from './state.ts'
import { isListed } from './store-model.ts'
import { foldLostBuckets } from './store-rules.ts'

/* Invariants of factions. Source: factions.md section 12. */

function checkMembers(view: WorldView): void {
  const { alive } = view.read(Player)
  const { alive: isFaction, members, leader } = view.read(Faction)
  const { faction, role } = view.read(Membership)
  const counted = new Map<number, number>()
  for (let player = 1; player <= view.highOf(Player); player++) {
    const own = faction[player]
    if (alive[player] === 0 || own === 0) continue
    if (isFaction[own] === 0) assert(false, `player ${player} is in a disbanded faction`)
    counted.set(own, (counted.get(own) ?? 0) + 1)
    const isKnown = rolesOf(view, own).some(({ number }) => number === role[player])
    if (!isKnown) assert(false, `player ${player} has no known role`)
    const isLeader = role[player] === LEADER
    const isListedLeader = leader[own] === player
    if (isLeader !== isListedLeader) assert(false, `player ${player}: role and leader disagree`)
  }
  for (let row = 1; row <= view.highOf(Faction); row++) {
    if (isFaction[row] === 0) continue
    const listed = membersOf(view, row)
    const count = counted.get(row) ?? 0
    assert(count > 0 && count === members[row], `faction ${row} counts ${members[row]} members`)
    assert(listed.length === count, `faction ${row} lists ${listed.length} of ${count} members`)
    assert(new Set(listed).size === count, `faction ${row} lists a member twice`)
    assert(
      listed.every((player) => faction[player] === row),
      `faction ${row} lists a stranger`,
    )
  }
}

function checkNames(view: WorldView): void {
  const { alive, treasury } = view.read(Faction)
  const { alive: isAccount } = view.read(Account)
  const { names, tags } = directoryOf(view)
  const count = view.countOf(Faction)
  assert(names.size === count && tags.size === count, 'two factions share a name or a tag')
  for (let row = 1; row <= view.highOf(Faction); row++) {
    if (alive[row] === 0) continue
    assert(isAccount[treasury[row]] === 1, `faction ${row} has no treasury`)
    assert(
      names.get(factionNameKey(factionName(view, row))) === row,
      `faction ${row} is not found by its name`,
    )
    assert(tags.get(factionTag(view, row)) === row, `faction ${row} is not found by its tag`)
  }
}

export const factionsHold: CheckDef = {
  name: 'factions: members point back, one leads, names and tags differ, the treasury is there',
  run(view, full) {
    if (!full || view.countOf(Faction) === 0) return
    checkMembers(view)
    checkNames(view)
  },
}

export const factionRecordsHold: CheckDef = {
  name: 'factions: invitations, roles and moves belong to factions that exist',
  run(view, full) {
    if (!full) return
    for (const [key, { faction, player }] of view.records(INVITES).entries()) {
      assert(view.rowOf(Faction, faction) !== 0, `invitation ${key} has no faction`)
      assert(view.rowOf(Player, player) !== 0, `invitation ${key} is to nobody`)
    }
    for (const [key] of view.records(ROLES).entries()) {
      assert(view.rowOf(Faction, Number(key)) !== 0, `roles of faction ${key}, which is disbanded`)
    }
    for (const [key] of view.records(ACTIVITY).entries()) {
      assert(view.rowOf(Faction, Number(key)) !== 0, `moves of faction ${key}, which is disbanded`)
    }
  },
}

export const factionStoresHold: CheckDef = {
  name: 'faction stores: of a faction that exists, in the index, and never empty',
  run(view, full) {
    if (!full || view.countOf(FactionStore) === 0) return
    const { alive, bucket, container, fuel } = view.read(FactionStore)
    for (let row = 1; row <= view.highOf(FactionStore); row++) {
      if (alive[row] === 0) continue
      if (!isListed(view, row)) assert(false, `store ${row} is not found`)
      const isUsed = !isBare(view, container[row]) || fuel[row] > 0
      if (!isUsed) assert(false, `store ${row} holds nothing`)
      if (fuel[row] > 0 && bucket[row] !== 0) assert(false, `bucket ${row} holds fuel`)
    }
  },
}

/* Members of a faction are allied. */

export const factionmatesAllied = grant(allied, (view, { player, other }) =>
  areFactionmates(view, player, other),
)

/** Returns whether a member has been offline for thirty days since joining. */
function isAway(view: WorldView, player: Eid): boolean {
  if (isBound(view, player)) return false
  const since = Math.max(
    view.read(Player).goneTick[player],
    view.read(Membership).joinedTick[player],
  )
  return view.tick - since >= FACTION_LEADER_AWAY_TICKS
}

/** Replaces a leader who is away; ours: only by a member who is not away. */
function reviewLeader(world: World, faction: Row): void {
  const leader = world.read(Faction).leader[faction]
  if (!isAway(world, leader)) return
  const next = successorOf(world, faction, (member) => !isAway(world, member))
  if (next === 0) return
  assignRole(world, faction, next, LEADER)
  const [successorName, leaderName] = [usernameOf(world, next), usernameOf(world, leader)]
  notifyFaction(world, faction, {
    event: 'leader_changed',
    actor: next,
    target: leader,
    message: `${successorName} leads ${factionName(world, faction)} now: ${leaderName} was away for too long.`,
  })
}

/** Removes expired invitations, declines and reserved names. */
export const expireFactionRecords: SystemDef = {
  name: 'faction.lapse',
  phase: 'arrive',
  writes: [],
  run(world) {
    expireInvites(world)
    releaseNames(world)
  },
}

/** Reviews every faction and every bucket once in FACTION_REVIEW_TICKS. */
export const reviewFactions: SystemDef = {
  name: 'faction.review',
  phase: 'produce',
  writes: [...GOODS_WRITES, Faction, FactionStore, Locker, Membership, Package, Ship],
  run(world) {
    const { alive } = world.read(Faction)
    const high = world.highOf(Faction)
    const first = 1 + (world.tick % FACTION_REVIEW_TICKS)
    for (let row = first; row <= high; row += FACTION_REVIEW_TICKS) {
      if (alive[row] === 1) reviewLeader(world, row)
    }
    foldLostBuckets(world)
  },
}
