/**
 * Founding, joining, leaving, disbanding. What a command refuses is decided before anything here is
 * called.
 */
import { assert } from '../../core/assert.ts'
import { openAccount } from '../../core/ledger.ts'
import {
  FACTION_FOUNDING_TICKS,
  FACTION_NAME_KEPT_TICKS,
  FACTIONS_FOUNDED_MAX,
} from '../../core/limits-faction.ts'
import { raise } from '../../core/occurrence.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { notePeak, raiseCounter } from '../achievement/counter-rules.ts'
import { noteLook } from '../sensing/watch-rules.ts'
import { Faction, KEPT_NAMES, leaving, Membership } from './columns.ts'
import { LEADER, RECRUIT } from './permissions.ts'
import { directoryOf, factionName, factionNameKey, factionOf, factionTag } from './rules.ts'

/** Keys of what is kept for a while: names and tags do not meet. */
const keptName = (name: string): string => `name:${factionNameKey(name)}`
const keptTag = (tag: string): string => `tag:${tag}`

const isKept = (view: WorldView, key: string): boolean =>
  (view.records(KEPT_NAMES).get(key) ?? 0) > view.tick

export const isNameTaken = (view: WorldView, name: string): boolean =>
  directoryOf(view).names.has(factionNameKey(name)) || isKept(view, keptName(name))

export const isTagTaken = (view: WorldView, tag: string): boolean =>
  directoryOf(view).tags.has(tag) || isKept(view, keptTag(tag))

/** Ticks until the player may found another faction; 0 at once. */
export function foundingWait(view: WorldView, player: Eid): number {
  const { foundedTicks } = view.read(Membership)
  let first = view.tick + 1
  for (let i = 0; i < FACTIONS_FOUNDED_MAX; i++) {
    const founded = foundedTicks[player * FACTIONS_FOUNDED_MAX + i]
    if (founded === 0) return 0
    first = Math.min(first, founded)
  }
  return Math.max(0, first - 1 + FACTION_FOUNDING_TICKS - view.tick)
}

function noteFounding(world: World, player: Eid): void {
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
  noteFounding(world, player)
  enlist(world, player, faction, LEADER)
  raiseCounter(world, player, 'factions_founded')
  return faction
}

/** Makes a player a member in this role. */
export function enlist(world: World, player: Eid, faction: Row, role: number = RECRUIT): void {
  assert(factionOf(world, player) === 0, `player ${player} is in a faction already`)
  const columns = world.write(Membership)
  columns.faction[player] = faction
  columns.role[player] = role
  columns.joinNumber[player] = world.nextNumber('faction_member')
  columns.joinedMs[player] = world.wallMs
  columns.joinedTick[player] = world.tick
  const { members } = world.write(Faction)
  members[faction]++
  notePeak(world, faction, 'members', members[faction])
  directoryOf(world).members.get(faction)?.push(player)
  noteLook(world, player)
}

/** Ends a membership. The leader goes only with the faction itself. */
export function dismiss(world: World, player: Eid): void {
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
  noteLook(world, player)
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
