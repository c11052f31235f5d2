/**
 * Factions as other domains see them: members, what their roles allow, treasury and domicile.
 * Joining and leaving are in member-rules.ts, invitations and notices in rules.ts.
 */
import { assert } from '../../core/assert.ts'
import { defineNeed } from '../../core/command.ts'
import { idOf, rowOfId, seqOfWireId, wireId } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { Container, Stack } from '../../core/goods.ts'
import { firstRefusal } from '../../core/guard.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import type { ReferenceDef } from '../../core/reference.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { isStorageNearlyFull } from '../cargo/model.ts'
import { Locker } from '../cargo/state.ts'
import {
  facilityId,
  facilityName,
  facilityTypeAt,
  factionFacilities,
  isRunning,
} from '../facility/model.ts'
import { logFactionAction } from '../log/model.ts'
import type { LogData } from '../log/state.ts'
import {
  DEFAULT_ROLES,
  isDefaultRole,
  LEADER,
  type Permission,
  permissionBit,
} from './role-model.ts'
import {
  DIRECTORY,
  type Directory,
  disbanding,
  FACTION_FOUNDING_TICKS,
  FACTIONS_FOUNDED_MAX,
  Faction,
  Membership,
  RESERVED_NAMES,
  ROLES,
  type Role,
} from './state.ts'
import { storeContainer, storesOf } from './store-model.ts'

/** Refuses to disband a faction that its last member, the heir, leaves. Source: factions.md 3. */
export function disbandingRefusal(
  view: WorldView,
  faction: Row,
  heir: Eid,
): Failure<'amount_too_large' | 'faction_owns_bases' | 'limit_reached'> | undefined {
  const refused = firstRefusal(view, disbanding, { faction, heir })
  if (refused) return refused
  const noRoom = lockerRoomRefusal(view, faction)
  if (noRoom) return noRoom
  const fits = canReceive(view, walletOf(view, heir), balanceOf(view, treasuryOf(view, faction)))
  return fits ? undefined : fail('amount_too_large')
}

/**
 * Refuses while the tables lack rows for the goods of all stores: the heir's lockers take up new
 * rows before the stores release theirs.
 */
function lockerRoomRefusal(view: WorldView, faction: Row): Failure<'limit_reached'> | undefined {
  const { kinds } = view.read(Container)
  const places = storesOf(view, faction)
  const stacks = places.reduce((sum, place) => sum + kinds[storeContainer(view, place)], 0)
  if (stacks === 0) return undefined
  const isFull =
    isStorageNearlyFull(view) ||
    stacks > divFloor(view.roomIn(Stack), 2) ||
    places.length > divFloor(Math.min(view.roomIn(Locker), view.roomIn(Container)), 2)
  return isFull ? fail('limit_reached') : undefined
}

/** Returns the key of a reserved name; the key of a tag has another prefix, so they never clash. */
export const reservedName = (name: string): string => `name:${factionNameKey(name)}`
export const reservedTag = (tag: string): string => `tag:${tag}`

const isReserved = (view: WorldView, key: string): boolean =>
  (view.records(RESERVED_NAMES).get(key) ?? 0) > view.tick

export const isNameTaken = (view: WorldView, name: string): boolean =>
  directoryOf(view).names.has(factionNameKey(name)) || isReserved(view, reservedName(name))

export const isTagTaken = (view: WorldView, tag: string): boolean =>
  directoryOf(view).tags.has(tag) || isReserved(view, reservedTag(tag))

/** Returns the ticks until the player may found another faction; 0 for no wait. */
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

const FACTION_PREFIX = 'faction:'

/** Returns whether a text names a faction or a bucket: `faction`, or `faction:` and a name. */
export const namesFaction = (text: string): boolean => {
  return isOwnFaction(text) || text.trim().toLowerCase().startsWith(FACTION_PREFIX)
}

/** Returns whether a text means the player's own faction as a whole. */
export const isOwnFaction = (text: string): boolean => text.trim().toLowerCase() === 'faction'

/** Returns what follows `faction:`; undefined without it. */
export const factionQualifier = (text: string): string | undefined =>
  text.trim().toLowerCase().startsWith(FACTION_PREFIX)
    ? text.trim().slice(FACTION_PREFIX.length)
    : undefined

/* Factions by id, tag or whole name; not by the beginning of a name, since there are many. */

export const factions: ReferenceDef = {
  kind: 'faction',
  byId(view, _player, text) {
    const named = directoryOf(view).names.get(factionNameKey(text)) ?? 0
    const faction = factionByText(view, text) || named
    return faction === 0 ? undefined : factionIdOf(view, faction)
  },
  names: () => [],
  unknown: ['faction_not_found'],
}

export const directoryOf = (view: WorldView): Directory => view.index(DIRECTORY)

export const factionName = (view: WorldView, faction: Row): string =>
  view.texts.get(view.read(Faction).name[faction])

export const factionTag = (view: WorldView, faction: Row): string =>
  view.texts.get(view.read(Faction).tag[faction])

export const factionNumber = (view: WorldView, faction: Row): number =>
  view.read(Faction).seq[faction]

/** Returns the key of a faction in records. */
export const factionKey = (view: WorldView, faction: Row): string =>
  String(factionNumber(view, faction))

/** Returns the wire id of a faction, a UUID. */
export const factionIdOf = (view: WorldView, faction: Row): string => idOf(view, Faction, faction)

/** Finds a faction by wire id, or by tag ignoring case; 0 for none. Source: factions.md, head. */
export const factionByText = (view: WorldView, idOrTag: string): Row =>
  rowOfId(view, Faction, idOrTag) || (directoryOf(view).tags.get(idOrTag.toUpperCase()) ?? 0)

/** Returns all factions, the oldest first: the directory holds them in the order of founding. */
export const factionsByAge = (view: WorldView): Row[] => [...directoryOf(view).members.keys()]

/** Returns the key of a name; names that count as equal have the same key. */
export const factionNameKey = (name: string): string => usernameKey(name)

/* Members */

/** Returns the faction a player is in; 0 for none. */
export const factionOf = (view: WorldView, player: Eid): Row =>
  view.read(Membership).faction[player]

/** Returns the members in the order in which they joined. */
export const membersOf = (view: WorldView, faction: Row): readonly Eid[] =>
  directoryOf(view).members.get(faction) ?? []

/** Returns the roles of a faction: DEFAULT_ROLES, then its own. */
export const rolesOf = (view: WorldView, faction: Row): readonly Role[] => [
  ...DEFAULT_ROLES,
  ...(view.records(ROLES).get(factionKey(view, faction)) ?? []),
]

/** Returns the role of a member. */
export function roleOf(view: WorldView, player: Eid): Role {
  const { faction, role: number } = view.read(Membership)
  assert(faction[player] !== 0, `player ${player} is in no faction`)
  if (isDefaultRole(number[player])) return DEFAULT_ROLES[number[player] - 1]
  const role = rolesOf(view, faction[player]).find((row) => row.number === number[player])
  assert(role, `player ${player} has the unknown role ${number[player]}`)
  return role
}

const ROLE_KIND = 'faction_role'

/** Returns the wire id of a role: the name of one of DEFAULT_ROLES, else a UUID. */
export const roleIdOf = (view: WorldView, role: number): string =>
  isDefaultRole(role) ? DEFAULT_ROLES[role - 1].name : wireId(view.seed, ROLE_KIND, role)

/** Finds a role of a faction by id, or by name ignoring case; undefined for none. */
export function roleByText(view: WorldView, faction: Row, idOrName: string): Role | undefined {
  const number = seqOfWireId(view.seed, ROLE_KIND, idOrName)
  const name = idOrName.trim().toLowerCase()
  return rolesOf(view, faction).find(
    (role) => role.number === number || role.name.toLowerCase() === name,
  )
}

export const isLeader = (view: WorldView, player: Eid): boolean =>
  view.read(Membership).role[player] === LEADER

/** Returns true for a member whose role allows it; the leader's allows everything. */
export function hasPermission(view: WorldView, player: Eid, permission: Permission): boolean {
  if (factionOf(view, player) === 0) return false
  return (roleOf(view, player).permissions & permissionBit(permission)) !== 0
}

/** Returns the members whose role allows something, in the order in which they joined. */
export const membersWith = (view: WorldView, faction: Row, permission: Permission): Eid[] =>
  membersOf(view, faction).filter((member) => hasPermission(view, member, permission))

/** Refuses a player who is in no faction. */
export function memberRefusal(view: WorldView, player: Eid): Failure<'not_in_faction'> | undefined {
  return factionOf(view, player) === 0 ? fail('not_in_faction') : undefined
}

/** Refuses a player whose role does not allow something. Source: factions.md section 2. */
export function permissionRefusal(
  view: WorldView,
  player: Eid,
  permission: Permission,
): Failure<'no_permission' | 'not_in_faction'> | undefined {
  const outside = memberRefusal(view, player)
  if (outside) return outside
  return hasPermission(view, player, permission)
    ? undefined
    : fail('no_permission', { required: permission })
}

/** Returns the condition of a command: membership in a faction, with a role that allows this. */
export const needPermission = (permission: Permission) =>
  defineNeed({
    name: `permission_${permission}`,
    errors: ['not_in_faction', 'no_permission'],
    check: (view, player) => permissionRefusal(view, player, permission),
    ensure: (world, player) => permissionRefusal(world, player, permission),
  })

/* Money */

/** Returns the ledger account of the faction's credits. */
export const treasuryOf = (view: WorldView, faction: Row): Row =>
  view.read(Faction).treasury[faction]

/** Returns the domicile of a faction as index into EMPIRES: the origin of its founder. */
export const domicileOf = (view: WorldView, faction: Row): number =>
  view.read(Faction).domicile[faction]

/* The log of a faction */

/** Adds an action of `actor` to the log of the faction. Source: factions.md section 3. */
export function recordFactionLog(
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

/** Returns true for two players of one faction. */
export function areFactionmates(view: WorldView, player: Eid, other: Eid): boolean {
  const own = factionOf(view, player)
  return own !== 0 && own === factionOf(view, other)
}

/* The faction of a player in answers */

/** Renders faction and tag of a player for lists of players; nothing without a faction. */
export function renderFactionTag(view: WorldView, player: Eid) {
  const faction = player === 0 ? 0 : factionOf(view, player)
  if (faction === 0) return {}
  return { faction_id: factionIdOf(view, faction), faction_tag: factionTag(view, faction) }
}

/* Effects of a faction's facilities. Source: factions.md sections 1 and 4. */

/** Members a faction may have without a recruitment office. */
const MEMBERS_WITHOUT_OFFICE = 20
/** Share of its cap that each further office adds, percent. */
const FURTHER_OFFICE_PCT = 25

/**
 * Returns the maximum number of members: the cap of the highest office, and a quarter of the cap of
 * each other one. Source: factions.md section 1; ours: an office never lowers the cap.
 */
export function memberCap(view: WorldView, faction: Row): number {
  const caps = factionFacilities(view, faction).flatMap((row) => {
    const type = facilityTypeAt(view, row)
    const isOffice = type.faction_service_type === 'faction_recruitment' && isRunning(view, row)
    return isOffice ? [type.capacity ?? 0] : []
  })
  if (caps.length === 0) return MEMBERS_WITHOUT_OFFICE
  const highest = Math.max(MEMBERS_WITHOUT_OFFICE, ...caps)
  const shareOf = (cap: number): number => divFloor(cap * FURTHER_OFFICE_PCT, 100)
  const shares = caps.reduce((sum, cap) => sum + shareOf(cap), 0)
  return highest + shares - shareOf(Math.max(...caps))
}

/** Returns true while a facility of a faction with this service runs, at any station. */
export const runsService = (view: WorldView, faction: Row, service: string): boolean =>
  factionFacilities(view, faction).some(
    (row) => facilityTypeAt(view, row).faction_service_type === service && isRunning(view, row),
  )

/* Buckets in answers */

type BucketFields<P extends string> = { [K in `${P}bucket` | `${P}bucket_id`]?: string }

/** Returns name and id of a bucket for an answer; nothing for the main store. */
export function renderBucket<P extends '' | 'dest_' = ''>(
  view: WorldView,
  facility: Row,
  prefix: P = '' as P,
): BucketFields<P> {
  if (facility === 0) return {}
  return {
    [`${prefix}bucket`]: facilityName(view, facility),
    [`${prefix}bucket_id`]: facilityId(view, facility),
  } as BucketFields<P>
}
