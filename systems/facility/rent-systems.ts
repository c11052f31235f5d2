/**
 * Rent: billing owners, repossessing facilities whose rent is not paid, and giving them back. A
 * base bills every CYCLE_TICKS, in a tick that depends on its row. Source: crafting.md section 6,
 * rent.
 */
import { type EventDef, emit } from '../../core/event.ts'
import { closeContainer, contentsOf, moveItems, namedContainer } from '../../core/goods.ts'
import { balanceOf, canReceive, post } from '../../core/ledger.ts'
import type { Static, TObject } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { baseId, baseName, baseTreasury, forBasesDue } from '../base/model.ts'
import { cancelJobsOf } from '../craft/rules.ts'
import { factionIdOf } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { creditMove } from '../log/rules.ts'
import { awardXp } from '../skill/rules.ts'
import { ownerOfBase } from '../station/model.ts'
import { recordCorporateExpense } from '../tax/rules.ts'
import { duplicateRefusal } from './build-model.ts'
import { changeOwner, changeState, removeFacility } from './lifecycle-rules.ts'
import {
  facilitiesAt,
  facilityTypeAt,
  factionOwner,
  graceCycles,
  type Owner,
  ownerOf,
  playerOwner,
  STATION_OWNER,
} from './model.ts'
import { accountOf, cancelWork, playersOf } from './rules.ts'
import { removeListing } from './sale-commands.ts'
import { facilityReclaimed, facilityRentWarning } from './schemas.ts'
import {
  DISMANTLING,
  Facility,
  OF_FACTION,
  OF_PLAYER,
  OF_STATION,
  ONLINE,
  PUBLIC,
  REPOSSESSED,
  UNDER_CONSTRUCTION,
} from './state.ts'
import { rentOf } from './types-model.ts'
import { maintain } from './upkeep-systems.ts'
import { notifyOwner } from './works-systems.ts'

/** Ticks between two rounds in which a base gives repossessed facilities back. */
export const RETURN_TICKS = 600
const CYCLES_PER_RETURN = RETURN_TICKS / CYCLE_TICKS
/** Maximum cycles of rent due for the return of a facility. Source: crafting.md section 6. */
const RETURN_CYCLES_MAX = 86

/** Cycles before repossession at which an owner is warned, besides the first and the middle one. */
const LAST_WARNINGS = [86, 3] as const

/** Returns true for a number of missed cycles at which the owner is warned. */
export const isWarned = (missed: number, grace: number): boolean =>
  missed === 1 ||
  missed === Math.trunc(grace / 2) ||
  LAST_WARNINGS.some((before) => missed === grace - before)

/** An owner and their facilities at a base. */
interface Tenancy {
  readonly owner: Owner
  readonly rows: Row[]
}

/** Returns the owners with facilities at a base, in order of their oldest one there. */
function tenants(view: WorldView, base: Row): Tenancy[] {
  const { ownerKind, player, faction } = view.read(Facility)
  const found = new Map<number, Tenancy>()
  for (const row of facilitiesAt(view, base)) {
    if (ownerKind[row] === OF_STATION) continue
    const key = ownerKind[row] === OF_PLAYER ? player[row] * 2 : faction[row] * 2 + 1
    const tenancy = found.get(key)
    if (tenancy) tenancy.rows.push(row)
    else found.set(key, { owner: ownerOf(view, row), rows: [row] })
  }
  return [...found.values()]
}

/** Bills the owners at every base whose cycle ends in this tick, bases in order of their rows. */
export function billBases(world: World): void {
  forBasesDue(world, CYCLE_TICKS, (base) => {
    if (ownerOfBase(world, base) !== 0) {
      maintainStation(world, base)
      return
    }
    for (const tenancy of tenants(world, base)) bill(world, base, tenancy)
    if (isReturnTick(world, base)) returnFacilities(world, base)
  })
}

/** Maintains a faction's station, which charges no rent; tenants gain XP all the same. */
function maintainStation(world: World, base: Row): void {
  maintain(world, base)
  for (const { owner, rows } of tenants(world, base)) awardManagementXp(world, owner, rows.length)
}

/** Returns true in every RETURN_TICKS-th tick of a base; it bills in all of those. */
const isReturnTick = (view: WorldView, base: Row): boolean =>
  (view.tick + base) % RETURN_TICKS === 0

/** Bills an owner for all their facilities at a base, the oldest first. */
function bill(world: World, base: Row, { owner, rows }: Tenancy): void {
  const { status, arrears, missed } = world.write(Facility)
  const grace = graceCycles(world, base)
  const account = accountOf(world, owner, base)
  let left = balanceOf(world, account)
  let paid = 0
  let mustWarn = false
  const lost: Row[] = []
  for (const row of rows) {
    if (status[row] === UNDER_CONSTRUCTION || status[row] === DISMANTLING) continue
    const rent = rentOf(facilityTypeAt(world, row))
    const due = rent + arrears[row]
    if (due <= left && canReceive(world, baseTreasury(world, base), paid + due)) {
      left -= due
      paid += due
      arrears[row] = 0
      missed[row] = 0
      continue
    }
    arrears[row] = Math.min(grace * rent, due)
    missed[row] = Math.min(0xffff, missed[row] + 1)
    if (missed[row] >= grace) lost.push(row)
    else if (isWarned(missed[row], grace)) mustWarn = true
  }
  payRent(world, base, owner, paid)
  awardManagementXp(world, owner, rows.length)
  if (lost.length > 0) repossess(world, base, owner, lost)
  else if (mustWarn) warn(world, base, owner, rows)
}

function payRent(world: World, base: Row, owner: Owner, credits: number): void {
  if (credits === 0) return
  const from = accountOf(world, owner, base)
  const to = baseTreasury(world, base)
  if (owner.kind !== OF_PLAYER) {
    post(world, from, to, credits)
    if (owner.kind === OF_FACTION) recordCorporateExpense(world, owner.faction, base, credits)
    return
  }
  const summary = `Rent at ${baseName(world, base)}.`
  creditMove(world, owner.player, from, to, credits, 'other', 'facility.rent', summary)
}

/** Awards XP for running facilities, even to players offline; for a faction's to its leader. */
function awardManagementXp(world: World, owner: Owner, facilities: number): void {
  const player =
    owner.kind === OF_FACTION ? world.read(Faction).leader[owner.faction] : owner.player
  if (player !== 0) awardXp(world, player, 'corporation_management', facilities)
}

/* Missed rent */

const tenancyFields = (world: World, base: Row, owner: Owner) => ({
  base_id: baseId(world, base),
  base_name: baseName(world, base),
  ...(owner.kind === OF_FACTION ? { faction_id: factionIdOf(world, owner.faction) } : {}),
})

function warn(world: World, base: Row, owner: Owner, rows: readonly Row[]): void {
  const { arrears, missed } = world.read(Facility)
  const behind = rows.filter((row) => missed[row] > 0)
  const owed = behind.reduce((sum, row) => sum + arrears[row], 0)
  const worst = Math.max(...behind.map((row) => missed[row]))
  const grace = graceCycles(world, base)
  const message =
    `Rent at ${baseName(world, base)} is ${worst} cycles behind: ${counted(owed, 'credit')}. ` +
    `After ${grace} cycles the station takes the facilities that are not paid for.`
  const payload = {
    ...tenancyFields(world, base, owner),
    message,
    missed_cycles: worst,
    grace_cycles: grace,
    credits_owed: owed,
    facilities_behind: behind.length,
  }
  emitToOwner(world, owner, facilityRentWarning, payload)
  notifyOwner(world, owner, { verb: 'rent_warning', base, message })
}

function emitToOwner<S extends TObject>(
  world: World,
  owner: Owner,
  event: EventDef<S>,
  payload: Static<S>,
): void {
  const rows = [...playersOf(world, owner)]
  if (rows.length > 0) emit(world, event, payload, { kind: 'players', rows })
}

/** Notifies an owner that facilities were taken from them, or given back. */
function notifyReclaimed(
  world: World,
  base: Row,
  owner: Owner,
  change: {
    readonly facilities: number
    readonly verb: 'reclaimed' | 'returned'
    readonly message: string
  },
): void {
  const { facilities, verb, message } = change
  const payload = { ...tenancyFields(world, base, owner), facilities, message }
  emitToOwner(world, owner, facilityReclaimed, payload)
  notifyOwner(world, owner, { verb, base, message })
}

/** Returns true for a facility that the station runs itself; others stay locked until paid for. */
const isTakenOver = (world: World, row: Row): boolean =>
  facilityTypeAt(world, row).category === 'production'

/** Makes a facility the station's own and opens it to everybody. */
function takeOver(world: World, row: Row): void {
  changeOwner(world, row, STATION_OWNER)
  changeState(world, row, { status: ONLINE })
  world.write(Facility).access[row] = PUBLIC
}

/** Repossesses facilities whose rent was not paid. */
export function repossess(world: World, base: Row, owner: Owner, rows: readonly Row[]): void {
  const { missed, arrears } = world.write(Facility)
  for (const row of rows) {
    cancelJobsOf(world, row, 'all')
    removeListing(world, row)
    cancelWork(world, row)
    changeOwner(world, row, { ...owner, kind: OF_STATION })
    missed[row] = 0
    if (isTakenOver(world, row)) {
      takeOver(world, row)
      arrears[row] = 0
    } else changeState(world, row, { status: REPOSSESSED })
  }
  const message = `${baseName(world, base)} took ${rows.length} of your facilities for unpaid rent.`
  notifyReclaimed(world, base, owner, { facilities: rows.length, verb: 'reclaimed', message })
}

/* Returns */

/** Returns the owner that a repossessed facility had. */
function formerOwner(view: WorldView, row: Row): Owner {
  const { player, faction } = view.read(Facility)
  return player[row] !== 0 ? playerOwner(player[row]) : factionOwner(faction[row])
}

/**
 * Gives repossessed facilities back to owners who can pay for them now; removes those that their
 * owner has rebuilt, or has not paid for within another grace period.
 */
function returnFacilities(world: World, base: Row): void {
  const { status, missed, arrears, type } = world.write(Facility)
  const grace = graceCycles(world, base)
  for (const row of [...facilitiesAt(world, base)]) {
    if (status[row] !== REPOSSESSED) continue
    missed[row] += CYCLES_PER_RETURN
    const owner = formerOwner(world, row)
    if (missed[row] >= grace || duplicateRefusal(world, owner, base, type[row])) {
      cancelJobsOf(world, row, 'all')
      removeFacility(world, row)
      continue
    }
    const rent = rentOf(facilityTypeAt(world, row))
    const due = Math.min(arrears[row], RETURN_CYCLES_MAX * rent)
    if (balanceOf(world, accountOf(world, owner, base)) < due) continue
    if (!canReceive(world, baseTreasury(world, base), due)) continue
    payRent(world, base, owner, due)
    returnToOwner(world, base, row, owner)
  }
}

function returnToOwner(world: World, base: Row, row: Row, owner: Owner): void {
  const { missed, arrears } = world.write(Facility)
  missed[row] = 0
  arrears[row] = 0
  changeOwner(world, row, owner)
  changeState(world, row, { status: ONLINE })
  const message = `${baseName(world, base)} gave one of your facilities back: its rent is paid.`
  notifyReclaimed(world, base, owner, { facilities: 1, verb: 'returned', message })
}

/** Destroys the materials that a dismantling has not packed yet. */
function burnUnpackedMaterials(world: World, row: Row): void {
  const { store } = world.write(Facility)
  if (store[row] === 0) return
  for (const { item, units } of contentsOf(world, store[row])) {
    moveItems(world, store[row], namedContainer('burned'), item, units)
  }
  closeContainer(world, store[row])
  store[row] = 0
}

/** Leaves facilities to their stations, which take them over or remove them. */
export function leaveToStations(world: World, rows: readonly Row[]): void {
  const { arrears, missed } = world.write(Facility)
  for (const row of [...rows]) {
    cancelJobsOf(world, row, 'all')
    removeListing(world, row)
    arrears[row] = 0
    missed[row] = 0
    cancelWork(world, row)
    burnUnpackedMaterials(world, row)
    if (isTakenOver(world, row)) {
      takeOver(world, row)
    } else removeFacility(world, row)
  }
}
