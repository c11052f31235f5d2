/**
 * Building and upgrading facilities of players and factions, and rooms of quarters: each command
 * checks everything, then takes the payment, then begins the work. Source: crafting.md sections 6
 * and 7.
 */
import { FACILITIES, facilityTypeIndex } from '../../core/catalog/index.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { counted, say, withArticle } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { raiseFaction } from '../achievement/rules.ts'
import { baseId, baseName, hasService } from '../base/model.ts'
import { factionOf, permissionRefusal } from '../faction/model.ts'
import { recordFact } from '../intel/rules.ts'
import { awardXp } from '../skill/rules.ts'
import { isHost } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { lifeSupportRefusal, skillRefusal } from './build-model.ts'
import { onlyRecipeOf } from './catalogue-model.ts'
import { addFacility, removeFacility } from './lifecycle-rules.ts'
import {
  type FacilityRequest,
  facilitiesOf,
  facilityId,
  facilityName,
  facilityTypeAt,
  factionOwner,
  type Owner,
  ownerOf,
  playerOwner,
  rentAt,
  shelfOf,
  shownType,
} from './model.ts'
import {
  isPackaged,
  type Payer,
  payCredits,
  payerOf,
  payingRefusal,
  type Supply,
  supplyOf,
  takeSupply,
} from './payment-commands.ts'
import {
  buildingRefusal,
  busyRefusal,
  facilityHere,
  listedRefusal,
  managingRefusal,
} from './rules.ts'
import { numberStore } from './settings-commands.ts'
import { Facility, OF_FACTION, OF_PLAYER, PUBLIC, UNDER_CONSTRUCTION } from './state.ts'
import {
  type Builder,
  isQuarters,
  isStationFacility,
  isStorage,
  nextType,
  speciesFor,
} from './types-model.ts'
import { beginWork, logFacilityAction } from './works-systems.ts'

/** XP for building or upgrading, per tier. Source: crafting.md section 6. */
const XP_PER_TIER = 10

/** Returns the owner a builder builds for. Refusals: not_in_faction, no_permission. */
function ownerFor(
  view: WorldView,
  player: Eid,
  builder: Builder,
): Owner | Failure<'no_permission' | 'not_in_faction'> {
  if (builder !== 'faction') return playerOwner(player)
  const refused = permissionRefusal(view, player, 'manage_facilities')
  return refused ?? factionOwner(factionOf(view, player))
}

const renderOnlyRecipe = (type: number): { recipe_id?: string } => {
  const recipe = onlyRecipeOf(FACILITIES[type])
  return recipe === undefined ? {} : { recipe_id: recipe.id }
}

interface Cost {
  readonly payer: Payer
  readonly supply: Supply
  readonly credits: number
}

/** Returns the faction's shelf at the base that a new lockbox replaces; 0 if there is none. */
function shelfTakenOver(
  view: WorldView,
  { owner, base, type }: { readonly owner: Owner; readonly base: Row; readonly type: number },
): Row {
  if (owner.kind !== OF_FACTION || !isStorage(FACILITIES[type])) return 0
  const shelf = shelfOf(view, owner.faction)
  return shelf !== 0 && view.read(Facility).base[shelf] === base ? shelf : 0
}

/**
 * Returns what a type costs this owner now. Refusals: those of payerOf, supplyOf and payingRefusal.
 */
function costFor(
  view: WorldView,
  player: Eid,
  request: FacilityRequest,
  plan: { readonly owner: Owner; readonly base: Row; readonly type: number },
) {
  const { owner, base, type } = plan
  const { build_cost, build_materials } = FACILITIES[type]
  const shelf = shelfTakenOver(view, plan)
  const credits = build_cost - (shelf === 0 ? 0 : facilityTypeAt(view, shelf).build_cost)
  const payer = payerOf(view, player, owner, { base, bucket: request.bucket })
  if ('code' in payer) return payer
  const supply = supplyOf(view, payer, build_materials, request.package_ids)
  if ('code' in supply) return supply
  const loose = isPackaged(supply) ? [] : build_materials
  const refused = payingRefusal(view, payer, credits, loose)
  return refused ?? { payer, supply, credits }
}

function pay(world: World, { payer, supply, credits }: Cost, verb: string, summary: string): void {
  payCredits(world, payer, credits, { verb: `facility.${verb}`, summary })
  takeSupply(world, payer, supply)
}

/** Awards XP to the builder; returns it by skill, as the answer shows it. */
function awardBuildXp(
  world: World,
  player: Eid,
  type: number,
): { skill_xp: Record<string, number> } {
  const xp = awardXp(world, player, 'corporation_management', XP_PER_TIER * FACILITIES[type].level)
  return { skill_xp: { corporation_management: xp } }
}

/** Returns the fields that all answers about building share. */
const renderCommon = (world: World, row: Row, type: number) => ({
  base_id: baseId(world, world.read(Facility).base[row]),
  facility_id: facilityId(world, row),
  facility_name: facilityName(world, row),
  facility_type: FACILITIES[type].id,
})

/** Records the work for spies at the base, under the type that outsiders see. */
function recordConstruction(world: World, player: Eid, row: Row, credits: number): void {
  const what = shownType(world, row, 0).name
  const base = world.read(Facility).base[row]
  recordFact(world, { base, kind: 'construction', player, what, credits })
}

/** Returns true if these are the first quarters of a player, at a base where they can respawn. */
function isFirstHome(world: World, player: Eid, base: Row, type: number): boolean {
  if (!isQuarters(FACILITIES[type]) || !hasService(world, base, 'cloning')) return false
  const { type: types } = world.read(Facility)
  return (
    facilitiesOf(world, player).filter((row) => isQuarters(FACILITIES[types[row]])).length === 1
  )
}

/** Builds a new facility. */
export function build(
  world: World,
  player: Eid,
  request: FacilityRequest,
  requestedBuilder: Builder,
) {
  const type = facilityTypeIndex(request.facility_type ?? '')
  if (type < 0) return fail('unknown_facility_type', { facility_type: request.facility_type })
  const base = dockedBase(world, player)
  const isOwnStation = isStationFacility(FACILITIES[type]) && isHost(world, player, base)
  const isForFaction =
    requestedBuilder === 'player' && (FACILITIES[type].category === 'faction' || isOwnStation)
  const builder = isForFaction ? 'faction' : requestedBuilder
  const owner = ownerFor(world, player, builder)
  if ('code' in owner) return owner
  const refused = buildingRefusal(world, player, { type, base, owner, builder })
  if (refused) return refused
  const species = speciesFor(FACILITIES[type], request.species)
  if (typeof species !== 'number') return species
  const shelf = shelfTakenOver(world, { owner, base, type })
  const busy = shelf === 0 ? undefined : busyRefusal(world, shelf)
  if (busy) return busy
  const cost = costFor(world, player, request, { owner, base, type })
  if ('code' in cost) return cost
  const { name, build_time } = FACILITIES[type]
  const summary = `Building ${name} at ${baseName(world, base)}.`
  pay(world, cost, 'build', summary)
  if (shelf !== 0) removeFacility(world, shelf)
  const row = addFacility(world, { type, base, owner, status: UNDER_CONSTRUCTION })
  world.write(Facility).species[row] = species
  numberStore(world, row)
  // A shop is open from the start; anything else is private until its owner opens it.
  if (FACILITIES[type].category === 'sales') world.write(Facility).access[row] = PUBLIC
  const doneTick = beginWork(world, row, build_time)
  const isHome = isFirstHome(world, player, base, type)
  if (isHome) world.write(Player).homeBase[player] = base
  addStat(world, player, 'facilities_built', 1)
  if (owner.kind === OF_FACTION) raiseFaction(world, owner.faction, 'facilities', 1)
  logFacilityAction(world, row, player, 'facility_build', summary)
  recordConstruction(world, player, row, cost.credits)
  const wait = counted(doneTick - world.tick, 'tick')
  const hint = say`It will be finished in ${wait}, in tick ${doneTick}; until then {facility list} shows it as under construction.`
  return ok({
    ...renderBuilt(world, row, builder, isHome),
    ...awardBuildXp(world, player, type),
    hint,
  })
}

function renderBuilt(world: World, row: Row, builder: Builder, isHome: boolean) {
  const { type } = world.read(Facility)
  const built = FACILITIES[type[row]]
  const shared = {
    ...renderCommon(world, row, type[row]),
    rent_per_cycle: rentAt(world, row, built),
  }
  if (builder === 'personal') {
    return {
      action: 'personal_build',
      ...shared,
      personal_service: built.personal_service_type ?? '',
      under_construction: true,
      ...(isHome ? { home_base_set: true } : {}),
    }
  }
  if (builder === 'player') return { action: 'build', ...shared, ...renderOnlyRecipe(type[row]) }
  return {
    action: 'faction_build',
    ...shared,
    faction_service: built.faction_service_type ?? '',
    under_construction: true,
    members_awarded_xp: 1,
    ...(built.capacity === undefined ? {} : { capacity: built.capacity }),
    ...renderOnlyRecipe(type[row]),
  }
}

/**
 * Returns the next type of a facility, if that is the requested one. Refusals:
 * unknown_facility_type, already_max, upgrade_only.
 */
function requestedUpgrade(
  view: WorldView,
  row: Row,
  request: FacilityRequest,
): number | Failure<'already_max' | 'unknown_facility_type' | 'upgrade_only'> {
  const type = facilityTypeIndex(request.facility_type ?? '')
  if (type < 0) return fail('unknown_facility_type', { facility_type: request.facility_type })
  const next = nextType(view.read(Facility).type[row])
  if (next < 0) return fail('already_max')
  return next === type ? type : fail('upgrade_only', { next: FACILITIES[next].id })
}

/** Upgrades a facility to its next tier in place; it keeps working meanwhile. */
export function upgrade(
  world: World,
  player: Eid,
  request: FacilityRequest,
  isFactionAction: boolean,
) {
  const row = facilityHere(world, player, request.facility_id ?? '')
  if (typeof row !== 'number') return row
  const refused = managingRefusal(world, player, row)
  if (refused) return refused
  const owner = ownerOf(world, row)
  if (isFactionAction && owner.kind === OF_PLAYER) return fail('not_owner')
  const type = requestedUpgrade(world, row, request)
  if (typeof type !== 'number') return type
  const { base, type: types } = world.read(Facility)
  const from = FACILITIES[types[row]]
  const air = FACILITIES[type].life_support_draw - from.life_support_draw
  const notReady =
    listedRefusal(world, row) ??
    busyRefusal(world, row) ??
    skillRefusal(world, player, type) ??
    lifeSupportRefusal(world, base[row], air)
  if (notReady) return notReady
  const cost = costFor(world, player, request, { owner, base: base[row], type })
  if ('code' in cost) return cost
  const summary = `Upgrading ${facilityName(world, row)} to ${withArticle(FACILITIES[type].name)}.`
  pay(world, cost, 'upgrade', summary)
  world.write(Facility).becomes[row] = type + 1
  const doneTick = beginWork(world, row, FACILITIES[type].build_time)
  logFacilityAction(world, row, player, 'facility_upgrade', summary)
  recordConstruction(world, player, row, cost.credits)
  const hint = `It works as before until tick ${doneTick}.`
  const { skill_xp } = awardBuildXp(world, player, type)
  return ok({ ...renderUpgraded(world, row, type), skill_xp, hint })
}

function renderUpgraded(world: World, row: Row, type: number) {
  const { level, personal_service_type, faction_service_type, capacity } = FACILITIES[type]
  const shared = { ...renderCommon(world, row, type), level }
  if (ownerOf(world, row).kind === OF_FACTION) {
    return {
      action: 'faction_upgrade',
      ...shared,
      faction_service: faction_service_type ?? '',
      members_awarded_xp: 1,
      ...(capacity === undefined ? {} : { capacity }),
    }
  }
  return {
    action: 'upgrade',
    ...shared,
    rent_per_cycle: rentAt(world, row, FACILITIES[type]),
    ...(personal_service_type === undefined ? {} : { personal_service: personal_service_type }),
    ...renderOnlyRecipe(type),
  }
}
