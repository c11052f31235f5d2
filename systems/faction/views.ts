/** Wire forms of factions and their stores. */
import { EMPIRES } from '../../core/catalog/index.ts'
import { fail, ok } from '../../core/errors.ts'
import { balanceOf } from '../../core/ledger.ts'
import { type OffsetRequest, rowsFrom } from '../../core/paging.ts'
import { say } from '../../core/say.ts'
import { colorText } from '../../core/text-rules.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { isBound, playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { emblemOf } from '../achievement/model.ts'
import { baseById, baseId, baseName } from '../base/model.ts'
import { packageAllowance } from '../cargo/model.ts'
import { renderStacks } from '../cargo/views.ts'
import { alliesOf, enemiesOf, renderDiplomacy, renderStanding } from '../diplomacy/model.ts'
import {
  facilityId,
  facilityName,
  facilityTypeAt,
  factionFacilities,
  isRunning,
} from '../facility/model.ts'
import { Facility, UNDER_CONSTRUCTION } from '../facility/state.ts'
import { basesOf } from '../station/model.ts'
import { dockedBase, notDocked } from '../travel/location-model.ts'
import {
  factionIdOf,
  factionKey,
  factionName,
  factionOf,
  factionTag,
  memberRefusal,
  membersOf,
  roleIdOf,
  roleOf,
  rolesOf,
  treasuryOf,
} from './model.ts'
import { renderPermissions } from './role-model.ts'
import { ACTIVITY, FACTION_PAGE, Faction, Membership, type Role } from './state.ts'
import {
  bucketNumber,
  bucketsAt,
  bunkerCapacity,
  bunkerFuel,
  capOfStore,
  findStore,
  type StorePlace,
  storeContainer,
} from './store-model.ts'

/**
 * Returns the store of the player's faction at a base, or one of its buckets there, for both
 * versions. Refusals: not_in_faction, station_not_found, not_docked, no_faction_storage,
 * bucket_not_found.
 */
export function viewFactionStorageAt(
  view: WorldView,
  player: Eid,
  stationId?: string,
  bucket?: string,
) {
  const refused = memberRefusal(view, player)
  if (refused) return refused
  const base = stationId === undefined ? dockedBase(view, player) : baseById(view, stationId)
  if (base === 0) {
    if (stationId !== undefined) return fail('station_not_found', { station_id: stationId })
    return notDocked(view, player)
  }
  const found = findStore(view, factionOf(view, player), base, bucket)
  return found.ok ? ok(renderStorage(view, found.result)) : found
}

/** Renders a faction as lists show it. */
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

const renderRole = (view: WorldView, role: Role) => ({
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

/** Renders what every player may see of a faction. */
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

/** Renders the working bunkers of a faction, by base. */
function bunkersOf(view: WorldView, faction: Row) {
  const { base: locations } = view.read(Facility)
  const bases = factionFacilities(view, faction)
    .filter(
      (row) =>
        facilityTypeAt(view, row).faction_service_type === 'faction_fuel_bunker' &&
        isRunning(view, row),
    )
    .map((row) => locations[row])
  return [...new Set(bases)].map((base) => ({
    base_id: baseId(view, base),
    base_name: baseName(view, base),
    fuel_capacity: bunkerCapacity(view, faction, base),
    fuel_reserve: bunkerFuel(view, faction, base),
  }))
}

/** Renders what only members may see. */
export function renderForMembers(view: WorldView, faction: Row, page: OffsetRequest) {
  const { allyIntelOptOut, allyFuelAccess, allyFacilityAccess } = view.read(Faction)
  const members = membersOf(view, faction)
  const { items, limit, offset } = rowsFrom(members, page, FACTION_PAGE)
  return {
    treasury: balanceOf(view, treasuryOf(view, faction)),
    ally_intel_opt_out: allyIntelOptOut[faction] === 1,
    ally_fuel_access: allyFuelAccess[faction] === 1,
    ally_facility_access: allyFacilityAccess[faction] === 1,
    allies: alliesOf(view, faction).map((row) => renderFactionRow(view, row)),
    enemies: enemiesOf(view, faction).map((row) => renderFactionRow(view, row)),
    ...renderDiplomacy(view, faction),
    members: items.map((player) => renderMember(view, player)),
    members_limit: limit,
    members_offset: offset,
    members_truncated: offset + items.length < members.length,
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

/** Renders the buckets at a base, or the one that the place names. */
function renderBuckets(view: WorldView, { faction, base, bucket: requested }: StorePlace) {
  const facilities = bucketsAt(view, faction, base).filter(
    (facility) => requested === 0 || bucketNumber(view, facility) === requested,
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
 * Renders a store of a faction with its fuel bunker at the base and its latest moves. The main
 * store comes with all buckets there, a bucket only with itself.
 */
function renderStorage(view: WorldView, place: StorePlace) {
  const { faction, base } = place
  const activity = view.records(ACTIVITY).get(factionKey(view, faction)) ?? []
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
    recent_activity: activity.map(({ player, action, atMs, ...figures }) => ({
      action,
      player: usernameOf(view, view.rowOf(Player, player)),
      timestamp: isoTime(atMs),
      ...figures,
    })),
    hint: say`Dock at ${baseName(view, base)}: {faction_deposit_items} and {faction_withdraw_items}.`,
  }
}
