/** Queries of `facility`: what is here, what is owned, what can be upgraded, what is for sale. */
import { FACILITIES, RECIPES } from '../../core/catalog/index.ts'
import { fail, ok } from '../../core/errors.ts'
import { contentsOf } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import { FACILITIES_LISTED_MAX, LIST_ROWS_MAX } from '../../core/limits.ts'
import { say } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { factionIdOf, factionOf, hasPermission, treasuryOf } from '../faction/model.ts'
import { factionStore } from '../faction/store-model.ts'
import { levelOf } from '../skill/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { ownedAt, skillRefusal } from './build-model.ts'
import { renderCosts } from './catalogue-model.ts'
import {
  activeFacility,
  type FacilityRequest,
  facilitiesAt,
  facilitiesOf,
  facilityId,
  facilityName,
  facilityTypeAt,
  factionFacilities,
  factionOwner,
  ownerOf,
  playerOwner,
} from './model.ts'
import { ownerNameOf } from './rules.ts'
import { buyerRefusal, listingId } from './sale-commands.ts'
import { Facility, FacilityListing, OF_FACTION } from './state.ts'
import { nextType, skillNeeded } from './types-model.ts'
import { listedMs, renderFactionFacility, renderList, renderOwned, renderRent } from './views.ts'

/** Answers list: all facilities at the base where the player is docked. */
export const listAll = (view: WorldView, player: Eid) =>
  ok(renderList(view, dockedBase(view, player), player, factionOf(view, player)))

/** Answers owned: the player's facilities at all bases. */
export function listOwned(view: WorldView, player: Eid) {
  const rows = facilitiesOf(view, player)
  return ok({
    action: 'owned',
    facilities: rows.slice(0, FACILITIES_LISTED_MAX).map((row) => renderOwned(view, row)),
    rent: renderRent(view, rows),
    ...(rows.length === 0
      ? {
          hint: say`Start with quarters: {facility personal_build} with facility_type crew_quarters.`,
        }
      : {}),
  })
}

/** Answers faction_owned. Refusal: not_in_faction. */
export function listFactionOwned(view: WorldView, player: Eid) {
  const faction = factionOf(view, player)
  if (faction === 0) return fail('not_in_faction')
  const rows = factionFacilities(view, faction)
  const faction_rent = renderRent(view, rows)
  const { total_rent_per_cycle, arrears_owed, grace_cycles, note } = faction_rent
  return ok({
    action: 'faction_owned',
    faction_id: factionIdOf(view, faction),
    facilities: rows.slice(0, FACILITIES_LISTED_MAX).map((row) => renderOwned(view, row)),
    faction_rent,
    // Repeated here for clients written before `faction_rent` existed: newer.md section 7.
    total_rent_per_cycle,
    arrears_owed,
    grace_cycles,
    ...(note === undefined ? {} : { note }),
    ...(rows.length === 0
      ? { hint: say`Start with a faction_shelf or a faction_lockbox: {facility faction_build}.` }
      : {}),
  })
}

/** Answers faction_list. Refusal: not_in_faction. */
export function listFactionFacilities(view: WorldView, player: Eid) {
  const faction = factionOf(view, player)
  if (faction === 0) return fail('not_in_faction')
  const base = dockedBase(view, player)
  const rows = ownedAt(view, factionOwner(faction), base)
  return ok({
    action: 'faction_list',
    base_id: baseId(view, base),
    faction_id: factionIdOf(view, faction),
    faction_facilities: rows.map((row) => renderFactionFacility(view, row)),
    ...(rows.length === 0 ? {} : { faction_rent: renderRent(view, rows) }),
    ...renderFactionStorage(view, faction, base),
    hint:
      rows.length === 0
        ? say`Your faction has no facility here; {facility faction_build} builds one.`
        : say`{facility upgrades} shows the next tiers.`,
  })
}

function renderFactionStorage(view: WorldView, faction: Row, base: Row) {
  if (activeFacility(view, faction, base, 'faction_storage') === 0) return {}
  const store = factionStore(view, faction, base)
  const items = typeof store === 'number' && store !== 0 ? contentsOf(view, store).length : 0
  const rooms = ownedAt(view, factionOwner(faction), base).filter(
    (row) => facilityTypeAt(view, row).faction_service_type === 'storage_extension',
  )
  const credits = balanceOf(view, treasuryOf(view, faction))
  return { faction_storage: { credits, item_types: items, rooms: rooms.length } }
}

/* Upgrades */

function renderUpgrade(view: WorldView, player: Eid, row: Row) {
  const type = facilityTypeAt(view, row)
  const next = nextType(view.read(Facility).type[row])
  const lacks = skillRefusal(view, player, next)
  return {
    your_facility_id: facilityId(view, row),
    your_facility_name: facilityName(view, row),
    your_facility_type: type.id,
    current_level: type.level,
    upgrade_to: renderCosts(FACILITIES[next]),
    ...(lacks ? { requires: `corporation_management ${skillNeeded(FACILITIES[next])}` } : {}),
  }
}

/** Answers upgrades: what the facilities of the player and their faction here can become. */
export function listUpgrades(view: WorldView, player: Eid) {
  const base = dockedBase(view, player)
  const faction = factionOf(view, player)
  const entriesOf = (rows: readonly Row[]) =>
    rows
      .filter((row) => nextType(view.read(Facility).type[row]) >= 0)
      .map((row) => renderUpgrade(view, player, row))
  const own = entriesOf(ownedAt(view, playerOwner(player), base))
  const shared = faction === 0 ? [] : entriesOf(ownedAt(view, factionOwner(faction), base))
  const isOpen = (entry: { requires?: string }) => entry.requires === undefined
  const isManager = faction !== 0 && hasPermission(view, player, 'manage_facilities')
  return ok({
    action: 'upgrades',
    base_id: baseId(view, base),
    upgrades: own.filter(isOpen),
    locked_upgrades: own.filter((entry) => !isOpen(entry)),
    ...(faction === 0
      ? {}
      : {
          faction_upgrades: shared.filter(isOpen),
          faction_locked_upgrades: shared.filter((entry) => !isOpen(entry)),
          faction_upgrade_hint: isManager
            ? 'The action faction_upgrade takes credits and materials from your faction.'
            : 'Only members who manage the facilities of your faction may upgrade them.',
        }),
    hint: 'The action upgrade needs facility_id and the facility_type that it becomes.',
  })
}

/* Offers */

function renderListing(view: WorldView, player: Eid, row: Row) {
  const offer = view.read(Facility).listing[row]
  const type = facilityTypeAt(view, row)
  const owner = ownerOf(view, row)
  const refusal = buyerRefusal(view, player, row)
  const level = levelOf(view, player, 'corporation_management')
  return {
    listing_id: listingId(view, offer),
    facility_id: facilityId(view, row),
    definition_id: type.id,
    facility_name: facilityName(view, row),
    category: type.category,
    level: type.level,
    price: view.read(FacilityListing).price[offer],
    build_cost: type.build_cost,
    build_time: type.build_time,
    listed_at: isoTime(listedMs(view, offer)),
    seller_type: owner.kind === OF_FACTION ? 'faction' : 'player',
    seller_name: ownerNameOf(view, owner),
    required_skill_level: skillNeeded(type),
    skill_met: level >= skillNeeded(type),
    fuel_output: RECIPES.some(
      ({ fuel_output, category }) =>
        fuel_output === true && (type.recipe_categories ?? []).includes(category),
    ),
    ...(refusal ? { compatibility_note: `You cannot buy this now: ${refusal.code}.` } : {}),
  }
}

/** Answers browse_for_sale: offers at the base, the cheapest first, at most LIST_ROWS_MAX. */
export function browse(view: WorldView, player: Eid, request: FacilityRequest) {
  const { facility_type, max_price = Number.MAX_SAFE_INTEGER } = request
  const base = dockedBase(view, player)
  const { listing } = view.read(Facility)
  const { price } = view.read(FacilityListing)
  const rows = facilitiesAt(view, base).filter(
    (row) =>
      listing[row] !== 0 &&
      price[listing[row]] <= max_price &&
      (facility_type === undefined || facilityTypeAt(view, row).id === facility_type),
  )
  const cheap = rows.toSorted((a, b) => price[listing[a]] - price[listing[b]])
  return ok({
    action: 'browse_for_sale',
    base_id: baseId(view, base),
    base_name: baseName(view, base),
    count: rows.length,
    listings: cheap.slice(0, LIST_ROWS_MAX).map((row) => renderListing(view, player, row)),
  })
}
