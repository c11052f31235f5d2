/** Rules of facilities that reach other domains. */

import { assert } from '../../core/assert.ts'
import { FACILITIES, facilityTypeIndex } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { append, drop } from '../../core/groups.ts'
import { openAccount } from '../../core/ledger.ts'
import { FACILITIES_PER_BASE_MAX } from '../../core/limits.ts'
import { hash32 } from '../../core/rng.ts'
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
import {
  batteryMax,
  citizenPool,
  facilitiesAt,
  facilityById,
  facilityTypeAt,
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
import { activeGrids, addFacility, changeState, rebuildFacilities } from './store-rules.ts'
import { serviceNeeded } from './types-model.ts'

function roomRefusal(view: WorldView, base: Row): Failure<'limit_reached'> | undefined {
  const limit = FACILITIES_PER_BASE_MAX
  if (facilitiesAt(view, base).length >= limit)
    return fail('limit_reached', { limit, of: 'facilities at a base' })
  return isNearlyFull(view, Facility) ? fail('limit_reached', { full: 'facilities' }) : undefined
}

/**
 * Refuses to build a type from nothing. Refusals: build_not_allowed, upgrade_only, skill_too_low,
 * requires_service, no_quarters, no_faction_storage, already_exists, limit_reached,
 * no_life_support.
 */
export function buildingRefusal(view: WorldView, player: Eid, plan: BuildPlan) {
  const { type, base, owner } = plan
  const of = FACILITIES[type]
  const misplaced = placementRefusal(view, player, plan)
  if (misplaced) return misplaced
  if (of.upgrades_from !== undefined) {
    return fail('upgrade_only', { upgrades_from: of.upgrades_from })
  }
  const service = serviceNeeded(of)
  if (service !== '' && !hasService(view, base, service)) {
    return fail('requires_service', { service })
  }
  return (
    skillRefusal(view, player, type) ??
    prerequisiteRefusal(view, owner, base, type) ??
    duplicateRefusal(view, owner, base, type) ??
    ownerLimitRefusal(view, owner, base) ??
    roomRefusal(view, base) ??
    lifeSupportRefusal(view, base, of.life_support_draw)
  )
}

/**
 * Refuses to touch what is being worked on. Refusals: facility_damaged, facility_busy,
 * facility_offline.
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

/** Steps every grid that is not at rest, bases in order of their rows. */
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

export function rebuild(world: World): void {
  rebuildFacilities(world)
  rebuildWorks(world)
}

const OUTPOST_TYPES = ['faction_lockbox', 'faction_fuel_bunker'].map((id) => {
  const type = facilityTypeIndex(id)
  assert(type >= 0, `there is no facility type ${id}`)
  return type
})

/** Gives an outpost its store and its bunker. The caller has made sure of room for the rows. */
export function furnishOutpost(world: World, base: Row, faction: Row): void {
  const owner = { kind: OF_FACTION, player: 0, faction }
  for (const type of OUTPOST_TYPES) addFacility(world, { type, base, owner, status: ONLINE })
}

/** Ledger account that pays for what an owner has at a base. */
export function accountOf(view: WorldView, owner: Owner, base: Row): Row {
  if (owner.kind === OF_PLAYER) return walletOf(view, owner.player)
  return owner.kind === OF_FACTION ? treasuryOf(view, owner.faction) : baseTreasury(view, base)
}

/** Players an owner stands for: themselves, or all members. */
export function playersOf(view: WorldView, owner: Owner): readonly Eid[] {
  if (owner.kind === OF_PLAYER) return [owner.player]
  return owner.kind === OF_FACTION ? membersOf(view, owner.faction) : []
}

/** Wire id of an owner; empty for the station. */
export function ownerIdOf(view: WorldView, owner: Owner): string {
  if (owner.kind === OF_PLAYER) return playerId(view, owner.player)
  return owner.kind === OF_FACTION ? factionIdOf(view, owner.faction) : ''
}

export function ownerNameOf(view: WorldView, owner: Owner): string {
  if (owner.kind === OF_PLAYER) return usernameOf(view, owner.player)
  return owner.kind === OF_FACTION ? factionName(view, owner.faction) : ''
}

/** True for the owner, and for every member of the faction that owns it. */
export function isOwn(view: WorldView, player: Eid, row: Row): boolean {
  const owner = ownerOf(view, row)
  if (owner.kind === OF_PLAYER) return owner.player === player
  return owner.kind === OF_FACTION && factionOf(view, player) === owner.faction
}

/** True for whoever may change it: the owner, or a member who manages the faction's facilities. */
export const mayManage = (view: WorldView, player: Eid, row: Row): boolean =>
  isOwn(view, player, row) &&
  (ownerOf(view, row).kind === OF_PLAYER || hasPermission(view, player, 'manage_facilities'))

/** Refusals: not_owner, no_permission. */
export function managingRefusal(
  view: WorldView,
  player: Eid,
  row: Row,
): Failure<'no_permission' | 'not_in_faction' | 'not_owner'> | undefined {
  if (!isOwn(view, player, row)) return fail('not_owner')
  if (ownerOf(view, row).kind === OF_PLAYER) return undefined
  return permissionRefusal(view, player, 'manage_facilities')
}

/** A facility at the base where the player is docked. Refusal: facility_not_found. */
export function facilityHere(
  view: WorldView,
  player: Eid,
  id: string,
): Row | Failure<'facility_not_found'> {
  const row = facilityById(view, id)
  const isHere = row !== 0 && view.read(Facility).base[row] === dockedBase(view, player)
  return isHere ? row : fail('facility_not_found', { facility_id: id })
}

/** A facility at this base that the player may change. */
export function managedHere(view: WorldView, player: Eid, id: string) {
  const row = facilityHere(view, player, id)
  if (typeof row !== 'number') return row
  return managingRefusal(view, player, row) ?? row
}

/** A facility anywhere that the player may change. */
export function managedAnywhere(view: WorldView, player: Eid, id: string) {
  const row = facilityById(view, id)
  if (row === 0) return fail('facility_not_found', { facility_id: id })
  return managingRefusal(view, player, row) ?? row
}

/** Notes that a facility begins or ends to work at jobs: only then some of them draw power. */
export function setBusy(world: World, row: Row, isBusy: boolean): void {
  if ((world.read(Facility).busy[row] === 1) !== isBusy) changeState(world, row, { busy: isBusy })
}

/** As citizenPool, opening the account where a world of before has none. */
export function openCitizenPool(world: World, base: Row): Row {
  const found = citizenPool(world, base)
  if (found !== 0) return found
  const account = openAccount(world)
  world.write(Grid).pool[base] = account
  return account
}

export function scheduleWork(world: World, row: Row): void {
  const due = world.index(WORK_DUE)
  const tick = world.read(Facility).dueTick[row]
  append(due, tick, row)
}

/** Gives up the work on a facility: its owner has lost it. */
export function cancelWork(world: World, row: Row): void {
  const { dueTick, becomes } = world.write(Facility)
  if (dueTick[row] === 0) return
  const due = world.index(WORK_DUE)
  drop(due, dueTick[row], row)
  dueTick[row] = 0
  becomes[row] = 0
}

/** Fills the wheel from the columns, after a restore. */
function rebuildWorks(world: World): void {
  world.index(WORK_DUE).clear()
  const { alive, dueTick } = world.read(Facility)
  for (let row = 1; row <= world.highOf(Facility); row++) {
    if (alive[row] === 1 && dueTick[row] !== 0) scheduleWork(world, row)
  }
}

/** Puts a facility out of order: then it has to be repaired. */
export function damageFacility(world: World, row: Row): void {
  if (world.read(Facility).status[row] !== ONLINE) return
  cancelWork(world, row)
  changeState(world, row, { status: DAMAGED })
}

/**
 * Half the works at a station are damaged when it is wrecked; homes, stores and offices are not.
 * ours: the sheet knows damage and repair, and leaves open what causes it.
 */
export function damageProduction(world: World, base: Row): void {
  const { seq } = world.read(Facility)
  for (const row of [...facilitiesAt(world, base)]) {
    const isHit = hash32(world.seed, world.tick, seq[row]) % 2 === 0
    if (isHit && facilityTypeAt(world, row).category === 'production') damageFacility(world, row)
  }
}

/** With the station its own works are whole again; those of others are theirs to repair. */
export function restoreStationFacilities(world: World, base: Row): void {
  const { status, ownerKind } = world.read(Facility)
  for (const row of [...facilitiesAt(world, base)]) {
    if (ownerKind[row] !== OF_STATION || status[row] !== DAMAGED) continue
    changeState(world, row, { status: ONLINE })
  }
}
