/**
 * Factions as other domains see them: whose member somebody is, what the role allows, treasury and
 * domicile. Joining and leaving are in membership.ts, goods in store.ts.
 */
import { assert } from '../../core/assert.ts'
import type { Need } from '../../core/command.ts'
import { idOf, rowOfId, seqOfWireId, wireId } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { type LogData, logFactionAction } from '../log/rules.ts'
import { Faction, Membership, ROLES } from './columns.ts'
import {
  DEFAULT_ROLES,
  isDefaultRole,
  LEADER,
  type Permission,
  permissionBit,
  type Role,
} from './permissions.ts'

export { PERMISSIONS, type Permission } from './permissions.ts'

/* Finding factions */

interface Directory {
  /** Rows by key of the name, and by tag. */
  readonly names: Map<string, Row>
  readonly tags: Map<string, Row>
  /** Members in the order in which they joined. */
  readonly members: Map<Row, Eid[]>
}

const DIRECTORY = defineIndex<Directory>('faction.directory', () => ({
  names: new Map(),
  tags: new Map(),
  members: new Map(),
}))

export const directoryOf = (view: WorldView): Directory => view.index(DIRECTORY)

export const factionName = (view: WorldView, faction: Row): string =>
  view.texts.get(view.read(Faction).name[faction])

export const factionTag = (view: WorldView, faction: Row): string =>
  view.texts.get(view.read(Faction).tag[faction])

/** The UUID of a faction on the wire. */
export const factionIdOf = (view: WorldView, faction: Row): string => idOf(view, Faction, faction)

/** A faction by wire id or by tag, in any case; 0 none. Source: factions.md, head. */
export const factionByText = (view: WorldView, idOrTag: string): Row =>
  rowOfId(view, Faction, idOrTag) || (directoryOf(view).tags.get(idOrTag.toUpperCase()) ?? 0)

/** All factions, the oldest first: the directory holds them in the order of their founding. */
export const factionsByAge = (view: WorldView): Row[] => [...directoryOf(view).members.keys()]

/** As two equal names have it in common. */
export const factionNameKey = (name: string): string => usernameKey(name)

/* Members */

/** The faction a player is in; 0 none. */
export const factionOf = (view: WorldView, player: Eid): Row =>
  view.read(Membership).faction[player]

/** Members in the order in which they joined. */
export const membersOf = (view: WorldView, faction: Row): readonly Eid[] =>
  directoryOf(view).members.get(faction) ?? []

/** Roles of a faction: the four of the beginning, then its own. */
export const rolesOf = (view: WorldView, faction: Row): readonly Role[] => [
  ...DEFAULT_ROLES,
  ...(view.records(ROLES).get(String(view.read(Faction).seq[faction])) ?? []),
]

/** The role of a member. */
export function roleOf(view: WorldView, player: Eid): Role {
  const { faction, role: number } = view.read(Membership)
  assert(faction[player] !== 0, `player ${player} is in no faction`)
  if (isDefaultRole(number[player])) return DEFAULT_ROLES[number[player] - 1]
  const role = rolesOf(view, faction[player]).find((row) => row.number === number[player])
  assert(role, `player ${player} has the unknown role ${number[player]}`)
  return role
}

const ROLE_KIND = 'faction_role'

/** Wire id of a role: the name of one of the four, else a UUID. */
export const roleIdOf = (view: WorldView, role: number): string =>
  isDefaultRole(role) ? DEFAULT_ROLES[role - 1].name : wireId(view.seed, ROLE_KIND, role)

/** A role of a faction by id or, failing that, by name in any case; undefined for none. */
export function roleByText(view: WorldView, faction: Row, idOrName: string): Role | undefined {
  const number = seqOfWireId(view.seed, ROLE_KIND, idOrName)
  const name = idOrName.trim().toLowerCase()
  return rolesOf(view, faction).find(
    (role) => role.number === number || role.name.toLowerCase() === name,
  )
}

export const isLeader = (view: WorldView, player: Eid): boolean =>
  view.read(Membership).role[player] === LEADER

/** True for a member whose role allows it; the leader's allows everything. */
export function hasPermission(view: WorldView, player: Eid, permission: Permission): boolean {
  if (factionOf(view, player) === 0) return false
  return (roleOf(view, player).permissions & permissionBit(permission)) !== 0
}

/** Members whose role allows something, in the order in which they joined. */
export const membersWith = (view: WorldView, faction: Row, permission: Permission): Eid[] =>
  membersOf(view, faction).filter((member) => hasPermission(view, member, permission))

/** Why a player may not act for a faction; nothing where he may. */
export function refusesMember(view: WorldView, player: Eid): Failure | undefined {
  return factionOf(view, player) === 0 ? fail('not_in_faction') : undefined
}

/** Refusals: not_in_faction, no_permission. Asked when a command runs. factions.md section 2. */
export function refusesPermission(
  view: WorldView,
  player: Eid,
  permission: Permission,
): Failure | undefined {
  const outside = refusesMember(view, player)
  if (outside) return outside
  return hasPermission(view, player, permission)
    ? undefined
    : fail('no_permission', { required: permission })
}

/** In a faction. */
export const IN_FACTION: Need = {
  name: 'in_faction',
  errors: ['not_in_faction'],
  check: refusesMember,
  ensure: refusesMember,
}

/** In a faction, in a role that allows this. */
export const needPermission = (permission: Permission): Need => ({
  name: `permission_${permission}`,
  errors: ['not_in_faction', 'no_permission'],
  check: (view, player) => refusesPermission(view, player, permission),
  ensure: (world, player) => refusesPermission(world, player, permission),
})

/* Money */

/** Ledger account of the faction's credits. */
export const treasuryOf = (view: WorldView, faction: Row): Row =>
  view.read(Faction).treasury[faction]

/** Index into EMPIRES of where the faction is at home: the origin of its founder. */
export const domicileOf = (view: WorldView, faction: Row): number =>
  view.read(Faction).domicile[faction]

/* Its log */

/** Adds an entry to the log of the faction; `actor` is who did it. factions.md section 3. */
export function noteFactionLog(
  world: World,
  faction: Row,
  actor: Eid,
  entry: { readonly verb: string; readonly summary: string; readonly data?: LogData },
): void {
  const factionId = factionIdOf(world, faction)
  const eventType = `faction.${entry.verb}`
  const { summary, data } = entry
  logFactionAction(world, { player: actor, factionId, eventType, summary }, data)
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

/** True for two players of one faction. */
export function areFellows(view: WorldView, player: Eid, other: Eid): boolean {
  const own = factionOf(view, player)
  return own !== 0 && own === factionOf(view, other)
}

/* As others see a player */

/** Faction and tag of a player, as lists of players show them; nothing of one who is in none. */
export function shownFaction(view: WorldView, player: Eid) {
  const faction = player === 0 ? 0 : factionOf(view, player)
  if (faction === 0) return {}
  return { faction_id: factionIdOf(view, faction), faction_tag: factionTag(view, faction) }
}
