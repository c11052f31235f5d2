/**
 * Rules of facilities that reach other domains: owners and managers, refusals while a facility is
 * being worked on, the power grids, scheduled work, and damage.
 */
import { assert } from '../../core/assert.ts'
import { FACILITIES, facilityTypeIndex } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { addToList, removeFromList } from '../../core/groups.ts'
import { openAccount } from '../../core/ledger.ts'
import { FACILITIES_PER_BASE_MAX } from '../../core/limits.ts'
import { hash32 } from '../../core/rng.ts'
import { say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerId, usernameOf, walletOf } from '../account/model.ts'
import { baseTreasury, hasService } from '../base/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { liveJobsOf } from '../craft/venue-model.ts'
import {
  factionIdOf,
  factionName,
  factionOf,
  hasPermission,
  membersOf,
  permissionRefusal,
  treasuryOf,
} from '../faction/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import {
  type BuildPlan,
  duplicateRefusal,
  lifeSupportRefusal,
  ownerLimitRefusal,
  placementRefusal,
  prerequisiteRefusal,
  skillRefusal,
} from './build-model.ts'
import { activeGrids, addFacility, changeState, rebuildFacilities } from './lifecycle-rules.ts'
import {
  batteryMax,
  citizenPool,
  facilitiesAt,
  facilityById,
  facilityTypeAt,
  factionOwner,
  type Owner,
  ownerOf,
  powerDraw,
  powerStep,
  powerSupply,
} from './model.ts'
import {
  DAMAGED,
  Facility,
  Grid,
  OF_FACTION,
  OF_PLAYER,
  OF_STATION,
  OFFLINE,
  ONLINE,
  WORK_DUE,
} from './state.ts'
import { serviceNeeded } from './types-model.ts'

function roomRefusal(view: WorldView, base: Row): Failure<'limit_reached'> | undefined {
  const limit = FACILITIES_PER_BASE_MAX
  if (facilitiesAt(view, base).length >= limit)
    return fail('limit_reached', { limit, of: 'facilities at a base' })
  return isNearlyFull(view, Facility) ? fail('limit_reached', { full: 'facilities' }) : undefined
}

/**
 * Refuses to build a new facility: build_not_allowed, upgrade_only, requires_service,
 * skill_too_low, no_quarters, no_faction_storage, already_exists, limit_reached, no_life_support.
 */
export function buildingRefusal(view: WorldView, player: Eid, plan: BuildPlan) {
  const { type, base, owner } = plan
  const facilityType = FACILITIES[type]
  const misplaced = placementRefusal(view, player, plan)
  if (misplaced) return misplaced
  if (facilityType.upgrades_from !== undefined) {
    return fail('upgrade_only', { upgrades_from: facilityType.upgrades_from })
  }
  const service = serviceNeeded(facilityType)
  if (service !== '' && !hasService(view, base, service)) {
    return fail('requires_service', { service })
  }
  return (
    skillRefusal(view, player, type) ??
    prerequisiteRefusal(view, owner, base, type) ??
    duplicateRefusal(view, owner, base, type) ??
    ownerLimitRefusal(view, owner, base) ??
    roomRefusal(view, base) ??
    lifeSupportRefusal(view, base, facilityType.life_support_draw)
  )
}

/**
 * Refuses to change a facility that is being worked on, runs a job or is out of order:
 * facility_busy, facility_offline, facility_damaged.
 */
export function busyRefusal(
  view: WorldView,
  row: Row,
): Failure<'facility_busy' | 'facility_damaged' | 'facility_offline'> | undefined {
  const { status, dueTick, busy } = view.read(Facility)
  if (dueTick[row] !== 0) return fail('facility_busy', { complete_tick: dueTick[row] })
  if (status[row] === OFFLINE) return fail('facility_offline')
  if (status[row] !== ONLINE) return fail('facility_damaged')
  const isAtWork = busy[row] === 1 || liveJobsOf(view, row) > 0
  return isAtWork ? fail('facility_busy') : undefined
}

const FOR_SALE = say`That facility is for sale; {facility cancel_listing} takes it off the market.`

/** Refuses a facility that is for sale: the price on offer was judged by its present worth. */
export const listedRefusal = (view: WorldView, row: Row): Failure<'already_listed'> | undefined =>
  view.read(Facility).listing[row] === 0 ? undefined : fail('already_listed', {}, FOR_SALE)

/** Runs a tick of every grid that may change, bases in order of their rows. */
export function runGrids(world: World): void {
  const active = activeGrids(world)
  if (active.size === 0) return
  const { battery, lack } = world.write(Grid)
  for (const base of [...active].sort((a, b) => a - b)) {
    const after = powerStep({
      supply: powerSupply(world, base),
      draw: powerDraw(world, base),
      battery: battery[base],
      batteryMax: batteryMax(world, base),
    })
    const isSteady = after.battery === battery[base] && 1000 - after.efficiency === lack[base]
    battery[base] = after.battery
    lack[base] = 1000 - after.efficiency
    if (isSteady) active.delete(base)
  }
}

/** Rebuilds the indexes of facilities and their work, after a restore. */
export function rebuild(world: World): void {
  rebuildFacilities(world)
  rebuildWorks(world)
}

const OUTPOST_TYPES = ['faction_lockbox', 'faction_fuel_bunker'].map((id) => {
  const type = facilityTypeIndex(id)
  assert(type >= 0, `there is no facility type ${id}`)
  return type
})

/** Adds a lockbox and a bunker to a new outpost; the caller has checked that there are rows. */
export function furnishOutpost(world: World, base: Row, faction: Row): void {
  const owner = factionOwner(faction)
  for (const type of OUTPOST_TYPES) addFacility(world, { type, base, owner, status: ONLINE })
}

/** Returns the ledger account from which an owner pays at a base. */
export function accountOf(view: WorldView, owner: Owner, base: Row): Row {
  if (owner.kind === OF_PLAYER) return walletOf(view, owner.player)
  return owner.kind === OF_FACTION ? treasuryOf(view, owner.faction) : baseTreasury(view, base)
}

/** Returns the players behind an owner: the player, or all members; none for a station. */
export function playersOf(view: WorldView, owner: Owner): readonly Eid[] {
  if (owner.kind === OF_PLAYER) return [owner.player]
  return owner.kind === OF_FACTION ? membersOf(view, owner.faction) : []
}

/** Returns the wire id of an owner; empty for the station. */
export function ownerIdOf(view: WorldView, owner: Owner): string {
  if (owner.kind === OF_PLAYER) return playerId(view, owner.player)
  return owner.kind === OF_FACTION ? factionIdOf(view, owner.faction) : ''
}

/** Returns the name of an owner; empty for the station. */
export function ownerNameOf(view: WorldView, owner: Owner): string {
  if (owner.kind === OF_PLAYER) return usernameOf(view, owner.player)
  return owner.kind === OF_FACTION ? factionName(view, owner.faction) : ''
}

/**
 * Returns true for the player who owns a facility, and for every member of the faction that owns
 * it.
 */
export function isOwn(view: WorldView, player: Eid, row: Row): boolean {
  const owner = ownerOf(view, row)
  if (owner.kind === OF_PLAYER) return owner.player === player
  return owner.kind === OF_FACTION && factionOf(view, player) === owner.faction
}

/** Returns true for a player who may change a facility: its owner, or a manager of its faction. */
export const mayManage = (view: WorldView, player: Eid, row: Row): boolean =>
  isOwn(view, player, row) &&
  (ownerOf(view, row).kind === OF_PLAYER || hasPermission(view, player, 'manage_facilities'))

/** Refuses a player who may not change a facility: not_owner, not_in_faction, no_permission. */
export function managingRefusal(
  view: WorldView,
  player: Eid,
  row: Row,
): Failure<'no_permission' | 'not_in_faction' | 'not_owner'> | undefined {
  if (!isOwn(view, player, row)) return fail('not_owner')
  if (ownerOf(view, row).kind === OF_PLAYER) return undefined
  return permissionRefusal(view, player, 'manage_facilities')
}

/** Finds a facility at the base where the player is docked. Refusal: facility_not_found. */
export function facilityHere(
  view: WorldView,
  player: Eid,
  id: string,
): Row | Failure<'facility_not_found'> {
  const row = facilityById(view, id)
  const isHere = row !== 0 && view.read(Facility).base[row] === dockedBase(view, player)
  return isHere ? row : fail('facility_not_found', { facility_id: id })
}

/** Finds a facility here that the player may change. Refusals: facilityHere, managingRefusal. */
export function managedHere(view: WorldView, player: Eid, id: string) {
  const row = facilityHere(view, player, id)
  if (typeof row !== 'number') return row
  return managingRefusal(view, player, row) ?? row
}

/** Finds a facility at any base that the player may change. Refusals as of managedHere. */
export function managedAnywhere(view: WorldView, player: Eid, id: string) {
  const row = facilityById(view, id)
  if (row === 0) return fail('facility_not_found', { facility_id: id })
  return managingRefusal(view, player, row) ?? row
}

/** Records whether a facility runs a job: some draw power only then. */
export function setBusy(world: World, row: Row, isBusy: boolean): void {
  if ((world.read(Facility).busy[row] === 1) !== isBusy) changeState(world, row, { busy: isBusy })
}

/** Returns the ledger account of a base's citizens, opening it if needed. */
export function openCitizenPool(world: World, base: Row): Row {
  const found = citizenPool(world, base)
  if (found !== 0) return found
  const account = openAccount(world)
  world.write(Grid).pool[base] = account
  return account
}

/** Lists a facility under the tick in which the work on it ends. */
export const scheduleWork = (world: World, row: Row): void =>
  addToList(world.index(WORK_DUE), world.read(Facility).dueTick[row], row)

/** Cancels the work on a facility that its owner loses. */
export function cancelWork(world: World, row: Row): void {
  const { dueTick, becomes } = world.write(Facility)
  if (dueTick[row] === 0) return
  removeFromList(world.index(WORK_DUE), dueTick[row], row)
  dueTick[row] = 0
  becomes[row] = 0
}

/** Schedules all work from the columns, after a restore. */
function rebuildWorks(world: World): void {
  world.index(WORK_DUE).clear()
  const { alive, dueTick } = world.read(Facility)
  for (let row = 1; row <= world.highOf(Facility); row++) {
    if (alive[row] === 1 && dueTick[row] !== 0) scheduleWork(world, row)
  }
}

/** Damages a running facility and cancels the work on it; it stops until it is repaired. */
export function damageFacility(world: World, row: Row): void {
  if (world.read(Facility).status[row] !== ONLINE) return
  cancelWork(world, row)
  changeState(world, row, { status: DAMAGED })
}

/**
 * Damages about half the production facilities of a wrecked station, drawn at random; quarters,
 * stores and offices stay intact. ours: the sheet names damage and repair, but no cause of damage.
 */
export function damageProduction(world: World, base: Row): void {
  const { seq } = world.read(Facility)
  for (const row of [...facilitiesAt(world, base)]) {
    const isHit = hash32(world.seed, world.tick, seq[row]) % 2 === 0
    if (isHit && facilityTypeAt(world, row).category === 'production') damageFacility(world, row)
  }
}

/** Repairs the station's own facilities when it is restored; other owners repair their own. */
export function restoreStationFacilities(world: World, base: Row): void {
  const { status, ownerKind } = world.read(Facility)
  for (const row of [...facilitiesAt(world, base)]) {
    if (ownerKind[row] !== OF_STATION || status[row] !== DAMAGED) continue
    changeState(world, row, { status: ONLINE })
  }
}
