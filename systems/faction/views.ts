/** How factions look on the wire. */
import { EMPIRES } from '../../core/catalog/index.ts'
import { balanceOf } from '../../core/ledger.ts'
import { bools, ints, list, obj, opt, optional, strings } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { isBound, playerId, usernameOf } from '../account/rules.ts'
import { emblemOf } from '../achievement/rules.ts'
import { baseId, baseName } from '../base/rules.ts'
import { renderStacks, stackSchema } from '../cargo/views.ts'
import { alliesOf } from '../diplomacy/rules.ts'
import { diplomacyFields, enemiesOf, renderDiplomacy, renderStanding } from '../diplomacy/views.ts'
import { Facility, UNDER_CONSTRUCTION } from '../facility/columns.ts'
import {
  facilityId,
  facilityName,
  facilityTypeAt,
  factionFacilities,
  isRunning,
} from '../facility/rules.ts'
import { packageAllowance } from '../package/rules.ts'
import { basesOf } from '../station/rules.ts'
import { ACTIVITY, Faction, Membership } from './columns.ts'
import { PERMISSIONS, type Role, renderPermissions } from './permissions.ts'
import {
  factionIdOf,
  factionName,
  factionOf,
  factionTag,
  membersOf,
  roleIdOf,
  roleOf,
  rolesOf,
  treasuryOf,
} from './rules.ts'
import {
  bucketNumber,
  bucketsAt,
  bunkerCapacity,
  bunkerFuel,
  capOfStore,
  type StorePlace,
  storeContainer,
} from './store-rules.ts'

const colorText = (rgb: number): string => `#${rgb.toString(16).toUpperCase().padStart(6, '0')}`

/* A bucket in an answer */

type BucketFields<P extends string> = { [K in `${P}bucket` | `${P}bucket_id`]?: string }

/** Name and id of a bucket; nothing of the main store. */
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

/* Lists of factions */

export const factionRowSchema = obj({
  ...strings('id', 'name', 'tag', 'leader_username', 'primary_color', 'secondary_color'),
  ...ints('member_count', 'owned_bases'),
})

/** A faction as lists show it. */
export function renderFactionRow(view: WorldView, faction: Row) {
  const { leader, members, primaryColor, secondaryColor } = view.read(Faction)
  return {
    id: factionIdOf(view, faction),
    name: factionName(view, faction),
    tag: factionTag(view, faction),
    leader_username: usernameOf(view, leader[faction]),
    member_count: members[faction],
    owned_bases: basesOf(view, faction).length,
    primary_color: colorText(primaryColor[faction]),
    secondary_color: colorText(secondaryColor[faction]),
  }
}

/* A faction */

const permissionsSchema = obj(bools(...PERMISSIONS))

export const factionInfoSchema = obj({
  ...strings('id', 'name', 'tag', 'leader_id', 'leader_username', 'description', 'charter'),
  ...strings('primary_color', 'secondary_color', 'created_at', 'founder_empire'),
  ...ints('member_count', 'owned_bases', 'total_fuel_capacity', 'total_fuel_reserve'),
  ...bools('is_member', 'is_ally', 'is_enemy', 'at_war'),
  ...opt(strings('emblem')),
  ...opt({ ...diplomacyFields, allies: list(factionRowSchema), enemies: list(factionRowSchema) }),
  ...opt(bools('ally_intel_opt_out', 'ally_fuel_access', 'ally_facility_access')),
  ...opt(ints('treasury', 'members_limit', 'members_offset', 'member_cap')),
  ...opt(bools('members_truncated')),
  members: optional(
    list(
      obj({
        ...strings('player_id', 'username', 'role', 'joined_at', 'last_seen'),
        ...bools('is_online'),
      }),
    ),
  ),
  roles: optional(
    list(obj({ ...strings('id', 'name'), ...ints('priority'), permissions: permissionsSchema })),
  ),
  facilities: optional(
    list(
      obj({
        ...strings('facility_id', 'base_id', 'name', 'type'),
        ...bools('active'),
        ...opt({ ...strings('faction_service'), ...bools('under_construction') }),
      }),
    ),
  ),
  fuel_bunkers: optional(
    list(obj({ ...strings('base_id', 'base_name'), ...ints('fuel_capacity', 'fuel_reserve') })),
  ),
})

export const renderRole = (view: WorldView, role: Role) => ({
  id: roleIdOf(view, role.number),
  name: role.name,
  priority: role.priority,
  permissions: renderPermissions(role.permissions),
})

function renderMember(view: WorldView, player: Eid) {
  const { lastLoginMs, lastCommandMs, createdMs } = view.read(Player)
  const seen = Math.max(createdMs[player], lastLoginMs[player], lastCommandMs[player])
  return {
    player_id: playerId(view, player),
    username: usernameOf(view, player),
    role: roleOf(view, player).name,
    joined_at: isoTime(view.read(Membership).joinedMs[player]),
    is_online: isBound(view, player),
    last_seen: isoTime(seen),
  }
}

/** What anybody sees of a faction. */
export function renderPublic(view: WorldView, faction: Row, viewer: Eid) {
  const { leader, description, charter, createdMs, domicile } = view.read(Faction)
  const bunkers = bunkersOf(view, faction)
  const emblem = emblemOf(view, faction)
  const sum = (key: 'fuel_capacity' | 'fuel_reserve') =>
    bunkers.reduce((total, bunker) => total + bunker[key], 0)
  return {
    ...renderFactionRow(view, faction),
    leader_id: playerId(view, leader[faction]),
    description: view.texts.get(description[faction]),
    charter: view.texts.get(charter[faction]),
    created_at: isoTime(createdMs[faction]),
    founder_empire: EMPIRES[domicile[faction]].id,
    is_member: factionOf(view, viewer) === faction,
    ...renderStanding(view, factionOf(view, viewer), faction),
    total_fuel_capacity: sum('fuel_capacity'),
    total_fuel_reserve: sum('fuel_reserve'),
    ...(emblem === undefined ? {} : { emblem }),
  }
}

/** Bunkers of a faction that work, by base. */
function bunkersOf(view: WorldView, faction: Row) {
  const { base } = view.read(Facility)
  const bases = factionFacilities(view, faction)
    .filter(
      (row) =>
        facilityTypeAt(view, row).faction_service_type === 'faction_fuel_bunker' &&
        isRunning(view, row),
    )
    .map((row) => base[row])
  return [...new Set(bases)].map((at) => ({
    base_id: baseId(view, at),
    base_name: baseName(view, at),
    fuel_capacity: bunkerCapacity(view, faction, at),
    fuel_reserve: bunkerFuel(view, faction, at),
  }))
}

export interface Paging {
  readonly limit: number
  readonly offset: number
}

/** What members see beside that. */
export function renderInner(view: WorldView, faction: Row, { limit, offset }: Paging) {
  const { allyIntelOptOut, allyFuelAccess, allyFacilityAccess } = view.read(Faction)
  const members = membersOf(view, faction)
  const shown = members.slice(offset, offset + limit)
  return {
    treasury: balanceOf(view, treasuryOf(view, faction)),
    ally_intel_opt_out: allyIntelOptOut[faction] === 1,
    ally_fuel_access: allyFuelAccess[faction] === 1,
    ally_facility_access: allyFacilityAccess[faction] === 1,
    allies: alliesOf(view, faction).map((row) => renderFactionRow(view, row)),
    enemies: enemiesOf(view, faction).map((row) => renderFactionRow(view, row)),
    ...renderDiplomacy(view, faction),
    members: shown.map((player) => renderMember(view, player)),
    members_limit: limit,
    members_offset: offset,
    members_truncated: offset + shown.length < members.length,
    roles: rolesOf(view, faction).map((role) => renderRole(view, role)),
    facilities: factionFacilities(view, faction).map((row) => renderFacility(view, row)),
    fuel_bunkers: bunkersOf(view, faction),
  }
}

function renderFacility(view: WorldView, row: Row) {
  const { base, status } = view.read(Facility)
  const { id, faction_service_type } = facilityTypeAt(view, row)
  return {
    facility_id: facilityId(view, row),
    base_id: baseId(view, base[row]),
    name: facilityName(view, row),
    type: id,
    active: isRunning(view, row),
    ...(faction_service_type === undefined ? {} : { faction_service: faction_service_type }),
    ...(status[row] === UNDER_CONSTRUCTION ? { under_construction: true } : {}),
  }
}

/* Its storage */

/** Answer of view_faction_storage. Source: contract, ViewFactionStorageResponse. */
export const factionStorageSchema = obj({
  ...strings('action', 'base_id', 'faction_id', 'faction_name', 'faction_tag', 'hint'),
  ...ints('credits'),
  ...opt(ints('faction_fuel_capacity', 'faction_fuel_reserve')),
  items: list(stackSchema),
  buckets: optional(
    list(
      obj({
        ...strings('id', 'name'),
        ...ints('cap_per_item', 'package_cap'),
        items: list(stackSchema),
      }),
    ),
  ),
  recent_activity: list(
    obj({
      ...strings('action', 'player', 'timestamp'),
      ...opt({ ...ints('credits', 'quantity'), ...strings('item') }),
    }),
  ),
})

/** The buckets at a base, or the one that is asked for. */
function renderBuckets(view: WorldView, { faction, base, bucket: asked }: StorePlace) {
  const facilities = bucketsAt(view, faction, base).filter(
    (facility) => asked === 0 || bucketNumber(view, facility) === asked,
  )
  return facilities.map((facility) => {
    const place = { faction, base, bucket: bucketNumber(view, facility) }
    return {
      id: facilityId(view, facility),
      name: facilityName(view, facility),
      cap_per_item: capOfStore(view, place),
      package_cap: packageAllowance(view, base),
      items: renderStacks(view, storeContainer(view, place)),
    }
  })
}

/**
 * The main store of a faction, its buckets and its bunker at a base, and its latest moves; of a
 * bucket its goods alone.
 */
export function renderStorage(view: WorldView, place: StorePlace) {
  const { faction, base } = place
  const activity = view.records(ACTIVITY).get(String(view.read(Faction).seq[faction])) ?? []
  const capacity = bunkerCapacity(view, faction, base)
  const fuel = {
    faction_fuel_capacity: capacity,
    faction_fuel_reserve: bunkerFuel(view, faction, base),
  }
  return {
    action: 'view_faction_storage',
    base_id: baseId(view, base),
    faction_id: factionIdOf(view, faction),
    faction_name: factionName(view, faction),
    faction_tag: factionTag(view, faction),
    credits: balanceOf(view, treasuryOf(view, faction)),
    ...(capacity === 0 ? {} : fuel),
    items: renderStacks(view, storeContainer(view, place)),
    buckets: renderBuckets(view, place),
    recent_activity: activity.map(({ player, action, atMs, ...what }) => ({
      action,
      player: usernameOf(view, view.rowOf(Player, player)),
      timestamp: isoTime(atMs),
      ...what,
    })),
    hint: say`Dock at ${baseName(view, base)}: {faction_deposit_items} and {faction_withdraw_items}.`,
  }
}
