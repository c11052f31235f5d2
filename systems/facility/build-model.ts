/**
 * Refusals of building: what may be built where, and by whom. Source: crafting.md sections 6, 7,
 * 14.
 */
import { FACILITIES, type FacilityCategory, SKILLS } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import {
  FACILITIES_PER_FACTION_AND_BASE_MAX,
  FACILITIES_PER_PLAYER_AND_BASE_MAX,
} from '../../core/limits.ts'
import { marked, say } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { levelOf, skillIndex } from '../skill/model.ts'
import { isHost, isOutpost, ownerOfBase } from '../station/model.ts'
import { Station } from '../station/state.ts'
import {
  activeFacility,
  activePersonalFacility,
  activeStore,
  airDraw,
  airSupply,
  facilitiesAt,
  isSameOwner,
  type Owner,
  ownerOf,
  shelfOf,
} from './model.ts'
import { Facility, OF_FACTION, OF_PLAYER } from './state.ts'
import {
  type Builder,
  isQuarters,
  isRanch,
  isStationFacility,
  isStorage,
  mayBuild,
  rootOf,
  skillNeeded,
} from './types-model.ts'

/** Returns the facilities of an owner at a base, in order of their numbers. */
export const ownedAt = (view: WorldView, owner: Owner, base: Row): Row[] =>
  facilitiesAt(view, base).filter((row) => isSameOwner(ownerOf(view, row), owner))

/** Refuses a type above the player's skill: skill_too_low. */
export function skillRefusal(
  view: WorldView,
  player: Eid,
  type: number,
): Failure<'skill_too_low'> | undefined {
  const skills = isRanch(FACILITIES[type])
    ? ['corporation_management', 'xenobiology']
    : ['corporation_management']
  const required = skillNeeded(FACILITIES[type])
  for (const skill of skills) {
    const level = levelOf(view, player, skill)
    if (level < required) {
      const trained_by = SKILLS[skillIndex(skill)].training_source
      return fail('skill_too_low', { skill, required, level, trained_by })
    }
  }
  return undefined
}

/** Refuses to draw more air than the base produces: no_life_support. */
export function lifeSupportRefusal(
  view: WorldView,
  base: Row,
  draw: number,
): Failure<'no_life_support'> | undefined {
  const supply = airSupply(view, base)
  const demand = airDraw(view, base) + draw
  return draw > 0 && supply < demand ? fail('no_life_support', { demand, supply }) : undefined
}

/** Refuses a facility beyond the limit of an owner at a base: limit_reached. */
export function ownerLimitRefusal(
  view: WorldView,
  owner: Owner,
  base: Row,
): Failure<'limit_reached'> | undefined {
  const limit =
    owner.kind === OF_FACTION
      ? FACILITIES_PER_FACTION_AND_BASE_MAX
      : FACILITIES_PER_PLAYER_AND_BASE_MAX
  if (ownedAt(view, owner, base).length >= limit)
    return fail('limit_reached', { limit, of: 'facilities of an owner at a base' })
  return undefined
}

/** Refuses a second shelf, or one at a base where the faction has a store: already_exists. */
function shelfRefusal(
  view: WorldView,
  { faction }: Owner,
  base: Row,
): Failure<'already_exists'> | undefined {
  const store = activeFacility(view, faction, base, 'faction_storage')
  const isTaken = shelfOf(view, faction) !== 0 || store !== 0
  return isTaken ? fail('already_exists', { have: 1, max: 1 }) : undefined
}

/** Refuses a second facility of what an owner, or a base, may have only one of: already_exists. */
export function duplicateRefusal(
  view: WorldView,
  owner: Owner,
  base: Row,
  type: number,
): Failure<'already_exists'> | undefined {
  const { unique, faction_cap = 1, category } = FACILITIES[type]
  if (FACILITIES[type].is_shelf) return shelfRefusal(view, owner, base)
  const root = rootOf(type)
  const same = facilitiesAt(view, base).filter(
    (row) => rootOf(view.read(Facility).type[row]) === root,
  )
  if (unique && same.length > 0) return fail('already_exists', { unique: true })
  const own = same.filter((row) => isSameOwner(ownerOf(view, row), owner)).length
  // A player may have several production lines; ours: but only one ranch per base.
  const mayHaveSeveral =
    owner.kind === OF_PLAYER && category === 'production' && !isRanch(FACILITIES[type])
  const max = mayHaveSeveral ? own + 1 : faction_cap
  return own >= max ? fail('already_exists', { have: own, max }) : undefined
}

/** Refuses a type that needs another facility first: no_quarters, no_faction_storage. */
export function prerequisiteRefusal(
  view: WorldView,
  owner: Owner,
  base: Row,
  type: number,
): Failure<'no_faction_storage' | 'no_quarters'> | undefined {
  const facilityType = FACILITIES[type]
  if (facilityType.category === 'personal' && !isQuarters(facilityType)) {
    const quarters = activePersonalFacility(view, owner.player, base, 'quarters')
    return quarters === 0 ? fail('no_quarters') : undefined
  }
  if (owner.kind !== OF_FACTION || isStorage(facilityType)) return undefined
  if (activeStore(view, owner.faction, base) !== 0) return undefined
  const shelf = shelfOf(view, owner.faction)
  const isHere = shelf !== 0 && view.read(Facility).base[shelf] === base
  const message = say`A shelf supports no other facility: {facility faction_build} a faction_lockbox here, which replaces it.`
  return fail('no_faction_storage', undefined, isHere ? message : undefined)
}

/** ours: services of a faction that may be added to an outpost. */
const OUTPOST_SERVICES: readonly (string | undefined)[] = ['storage_extension', 'faction_garage']

/** Why a type may not be built at a base, by the reason that clients know. */
const PLACE_DENIALS = {
  outpost:
    'An outpost has room only for the storage extension and the garage of the faction that owns it; build this at a station.',
  station: 'This service belongs to empire stations; a station of a faction cannot have it.',
  members_only:
    'This station lets only its own members build here; ask its owners to allow outsiders, or build elsewhere.',
}

/** Tells who builds a type of a category, for those who asked for another owner. */
const CATEGORY_DENIALS: Readonly<Record<FacilityCategory, string>> = {
  infrastructure: marked(
    'Only the owner of a station builds its infrastructure: found one with {build_base}.',
  ),
  service: marked('Only the owner of a station builds its services: found one with {build_base}.'),
  production: marked(
    '{facility build} builds this for yourself, {facility faction_build} for your faction.',
  ),
  faction: marked('This belongs to a faction: {facility faction_build} builds it.'),
  personal: marked('This is a room of your own: {facility personal_build} builds it.'),
  sales: marked('{facility build} builds this for yourself.'),
}

/**
 * Refuses a type that this builder may not have here: build_not_allowed. At a faction's station its
 * members may build, and outsiders if the faction allows it; facilities of the station itself only
 * its owner may build. Source: crafting.md sections 8, 14.
 */
export function placementRefusal(
  view: WorldView,
  player: Eid,
  plan: BuildPlan,
): Failure<'build_not_allowed'> | undefined {
  const { type, base, owner, builder } = plan
  const facilityType = FACILITIES[type]
  const { category } = facilityType
  const denied = (reason: keyof typeof PLACE_DENIALS) =>
    fail('build_not_allowed', { category, reason }, PLACE_DENIALS[reason])
  const host = ownerOfBase(view, base)
  const isHosts = host !== 0 && owner.kind === OF_FACTION && owner.faction === host
  if (host !== 0 && isOutpost(view, base)) {
    const fits = isHosts && OUTPOST_SERVICES.includes(facilityType.faction_service_type)
    return fits ? undefined : denied('outpost')
  }
  if (isHosts && isStationFacility(facilityType)) {
    return facilityType.player_station_buildable === true ? undefined : denied('station')
  }
  const isClosed = host !== 0 && view.read(Station).outsidersBuild[base] === 0
  if (isClosed && !isHost(view, player, base)) return denied('members_only')
  if (mayBuild(facilityType, builder)) return undefined
  return fail('build_not_allowed', { category, reason: 'category' }, CATEGORY_DENIALS[category])
}

/** A facility that a player wants to build: its type, its base, and for whom. */
export interface BuildPlan {
  readonly type: number
  readonly base: Row
  readonly owner: Owner
  readonly builder: Builder
}

/** Refuses a facility that owes rent: arrears_due. */
export function arrearsRefusal(view: WorldView, row: Row): Failure<'arrears_due'> | undefined {
  const owed = view.read(Facility).arrears[row]
  return owed > 0 ? fail('arrears_due', { owed }) : undefined
}
