/**
 * Rows of facilities: adding, changing and removing them, together with the lists by base and owner
 * and the sums of the grid. What may be built, and what it costs, is decided in build-model.ts and
 * build-commands.ts.
 */
import { assert } from '../../core/assert.ts'
import { FACILITIES } from '../../core/catalog/index.ts'
import type { Row, World } from '../../core/types.ts'
import { Base, SERVICES, type Service } from '../base/state.ts'
import { closeLounge } from '../passenger/model.ts'
import { ownerOfBase } from '../station/model.ts'
import { facilitiesAt, type Owner } from './model.ts'
import { ACTIVE_GRIDS, FACILITY_LISTS, Facility, OF_FACTION, OF_PLAYER, ONLINE } from './state.ts'
import { takesJobs } from './types-model.ts'

/** Returns the bases whose grid may change in the next tick. */
export const activeGrids = (world: World): Set<Row> => world.index(ACTIVE_GRIDS)

/** Adds a facility's supply and draw to the sums of its base, or subtracts them if `sign` is -1. */
function addToSums(world: World, row: Row, sign: 1 | -1): void {
  const { base, type, status, busy } = world.read(Facility)
  const { sums } = world.index(FACILITY_LISTS)
  world.index(ACTIVE_GRIDS).add(base[row])
  let sum = sums.get(base[row])
  if (!sum) {
    sum = { supply: 0, batteryMax: 0, steadyDraw: 0, jobDraw: 0, lifeSupply: 0, lifeDraw: 0 }
    sums.set(base[row], sum)
  }
  const facilityType = FACILITIES[type[row]]
  // Air is drawn from the start of construction; all else counts only while the facility runs.
  sum.lifeDraw += sign * facilityType.life_support_draw
  if (status[row] !== ONLINE) return
  sum.supply += sign * facilityType.power_supply
  sum.batteryMax += sign * facilityType.battery_capacity
  sum.lifeSupply += sign * facilityType.life_support_supply
  if (!takesJobs(facilityType)) sum.steadyDraw += sign * facilityType.power_draw
  else if (busy[row] === 1) sum.jobDraw += sign * facilityType.power_draw
}

function insertBySeq(map: Map<Row, Row[]>, key: Row, row: Row, world: World): void {
  const rows = map.get(key)
  if (!rows) {
    map.set(key, [row])
    return
  }
  const { seq } = world.read(Facility)
  let position = rows.length
  while (position > 0 && seq[rows[position - 1]] > seq[row]) position--
  rows.splice(position, 0, row)
}

function unlist(map: Map<Row, Row[]>, key: Row, row: Row): void {
  const rows = map.get(key)
  const position = rows?.indexOf(row) ?? -1
  assert(rows && position >= 0, `facility ${row} is not listed`)
  rows.splice(position, 1)
  if (rows.length === 0) map.delete(key)
}

function listOwner(world: World, row: Row): void {
  const { ownerKind, player, faction } = world.read(Facility)
  const { byPlayer, byFaction } = world.index(FACILITY_LISTS)
  if (ownerKind[row] === OF_PLAYER) insertBySeq(byPlayer, player[row], row, world)
  if (ownerKind[row] === OF_FACTION) insertBySeq(byFaction, faction[row], row, world)
}

function unlistOwner(world: World, row: Row): void {
  const { ownerKind, player, faction } = world.read(Facility)
  const { byPlayer, byFaction } = world.index(FACILITY_LISTS)
  if (ownerKind[row] === OF_PLAYER) unlist(byPlayer, player[row], row)
  if (ownerKind[row] === OF_FACTION) unlist(byFaction, faction[row], row)
}

interface NewFacility {
  readonly type: number
  readonly base: Row
  readonly owner: Owner
  readonly status: number
}

/** Adds a facility and returns its row; the caller has checked that there is room for it. */
export function addFacility(world: World, { type, base, owner, status }: NewFacility): Row {
  assert(FACILITIES[type], `facility type ${type} is unknown`)
  const row = world.take(Facility)
  const facility = world.write(Facility)
  facility.type[row] = type
  facility.base[row] = base
  facility.ownerKind[row] = owner.kind
  facility.player[row] = owner.player
  facility.faction[row] = owner.faction
  facility.status[row] = status
  facility.builtTick[row] = world.tick
  indexFacility(world, row)
  recordServices(world, base, type)
  return row
}

function indexFacility(world: World, row: Row): void {
  insertBySeq(world.index(FACILITY_LISTS).byBase, world.read(Facility).base[row], row, world)
  listOwner(world, row)
  addToSums(world, row, 1)
}

/**
 * Records which services a faction's station offers: those of its running facilities. Called
 * wherever they may change. Source: crafting.md section 8. ours: a shipyard builds up to its tier.
 */
function recordServices(world: World, base: Row, type: number): void {
  if (FACILITIES[type].service === undefined || ownerOfBase(world, base) === 0) return
  const { type: types, status } = world.read(Facility)
  let bits = 0
  let yard = 0
  for (const row of facilitiesAt(world, base)) {
    const { service, level } = FACILITIES[types[row]]
    const i = SERVICES.indexOf(service as Service)
    if (i < 0 || status[row] !== ONLINE) continue
    bits |= 1 << i
    if (service === 'shipyard') yard = Math.max(yard, level)
  }
  const columns = world.write(Base)
  columns.services[base] = bits
  columns.shipyardTier[base] = yard
}

/** Removes a facility for good. */
export function removeFacility(world: World, row: Row): void {
  closeLounge(world, row)
  addToSums(world, row, -1)
  unlistOwner(world, row)
  const { base, type } = world.read(Facility)
  const [atBase, formerType] = [base[row], type[row]]
  unlist(world.index(FACILITY_LISTS).byBase, atBase, row)
  world.release(Facility, row)
  recordServices(world, atBase, formerType)
}

/** Changes type, status or busy flag of a facility, and updates the sums of its base. */
export function changeState(
  world: World,
  row: Row,
  change: { readonly type?: number; readonly status?: number; readonly busy?: boolean },
): void {
  addToSums(world, row, -1)
  const { type, status, busy } = world.write(Facility)
  if (change.type !== undefined) type[row] = change.type
  if (change.status !== undefined) status[row] = change.status
  if (change.busy !== undefined) busy[row] = change.busy ? 1 : 0
  addToSums(world, row, 1)
  recordServices(world, world.read(Facility).base[row], type[row])
}

/** Gives a facility to another owner. */
export function changeOwner(world: World, row: Row, owner: Owner): void {
  unlistOwner(world, row)
  const facility = world.write(Facility)
  facility.ownerKind[row] = owner.kind
  facility.player[row] = owner.player
  facility.faction[row] = owner.faction
  listOwner(world, row)
}

/** Fills the lists from the table, after a restore. */
export function rebuildFacilities(world: World): void {
  const { byBase, byPlayer, byFaction, sums } = world.index(FACILITY_LISTS)
  for (const map of [byBase, byPlayer, byFaction, sums, world.index(ACTIVE_GRIDS)]) map.clear()
  const { alive, seq } = world.read(Facility)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Facility); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) indexFacility(world, row)
}
