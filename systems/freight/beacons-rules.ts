/**
 * Bookkeeping of freight: the index of contracts, the beacons of their packages, and the records
 * and debts of carriers. Source: crafting.md section 10.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { addToList, addToSet, removeFromSet } from '../../core/groups.ts'
import { MAX_SAFE } from '../../core/math.ts'
import { hashText } from '../../core/rng.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { manifestOf, packageOwner, packagePlace } from '../cargo/model.ts'
import { Package } from '../cargo/state.ts'
import { storeContainer } from '../faction/store-model.ts'
import { Location, Poi, StarSystem } from '../travel/state.ts'
import { type Actor, actorAt, failureDebt, keyOf, TIER_TERMS } from './actor-model.ts'
import {
  contractIndex,
  holderOf,
  isLive,
  oldestFirst,
  shipmentOf,
  trackKey,
  trackOf,
} from './model.ts'
import { debtsOf, profileOf } from './plan-model.ts'
import { setActor } from './rules.ts'
import {
  ACTOR_KINDS,
  type Beacon,
  type BeaconClass,
  BONDS,
  DEBTS,
  type Debt,
  FATES,
  IN_TRANSIT,
  POSTED,
  PROFILES,
  type Profile,
  SHIPMENT_BEACONS_MAX,
  SHIPMENT_DELIVERIES_REMEMBERED,
  Shipment,
  TIERS,
  TRACKS,
} from './state.ts'

/*
 * Beacons report where a package under contract is when it changes hands. ours: they report nothing
 * between two moves, so that a shipper cannot hunt their carrier.
 */

/** Returns eight hex digits that identify a sealed package with its contents. */
function fingerprintOf(view: WorldView, pkg: Row): string {
  const goods = manifestOf(view, pkg).map(({ item, units }) => `${GOODS[item].id}:${units}`)
  const hash = hashText(`${view.read(Package).seq[pkg]} ${goods.join(' ')}`)
  return hash.toString(16).padStart(8, '0')
}

function storeClass(view: WorldView, pkg: Row): BeaconClass {
  const { holder, base } = view.read(Package)
  const { faction } = packageOwner(view, pkg)
  const main = storeContainer(view, { faction, base: base[pkg], bucket: 0 })
  return main === holder[pkg] ? 'faction_storage' : 'faction_bucket'
}

function classOf(view: WorldView, pkg: Row): BeaconClass {
  const place = packagePlace(view, pkg)
  switch (place) {
    case 'cargo':
      return 'ship'
    case 'locker':
      return 'player_storage'
    case 'store':
      return storeClass(view, pkg)
    case 'escrow':
      return 'unpack_job_escrow'
    case 'wreck':
      return 'wreck'
    case 'shipment':
      return 'shipping_house_escrow'
    default:
      return 'unknown'
  }
}

/** Returns base, POI and system of a package; 0 for each that is none or unknown. */
function locate(view: WorldView, row: Row, pkg: Row): { base: Eid; poi: Eid; system: Eid } {
  const { ship, base: stored } = view.read(Package)
  const carrier = ship[pkg]
  if (carrier !== 0) {
    const { base, poi, system } = view.read(Location)
    return { base: base[carrier], poi: poi[carrier], system: system[carrier] }
  }
  const isAtHouse = packagePlace(view, pkg) === 'shipment'
  const base = isAtHouse ? view.rowOf(Base, view.read(Shipment).origin[row]) : stored[pkg]
  if (base === 0) return { base, poi: 0, system: 0 }
  const poi = view.read(Base).poi[base]
  return { base, poi, system: view.read(Poi).system[poi] }
}

function recordBeacon(world: World, row: Row, pkg: Row, kind: BeaconClass): void {
  const { base, poi, system } = locate(world, row, pkg)
  const holder = holderOf(world, pkg)
  const beacon: Beacon = {
    number: world.nextNumber('shipment_event'),
    class: kind,
    kind: ACTOR_KINDS.indexOf(holder.kind),
    holder: holder.number,
    base: base === 0 ? 0 : world.read(Base).seq[base],
    poi: poi === 0 ? 0 : world.read(Poi).seq[poi],
    system: system === 0 ? 0 : world.read(StarSystem).seq[system],
    tick: world.tick,
    atMs: world.wallMs,
  }
  const track = trackOf(world, row)
  const print = track.print === '' ? fingerprintOf(world, pkg) : track.print
  const beacons = [...track.beacons.slice(1 - SHIPMENT_BEACONS_MAX), beacon]
  world.records(TRACKS).set(trackKey(world, row), { print, beacons })
}

/** Deletes the track of a contract that is deleted. */
export const dropTrack = (world: World, row: Row): void => {
  world.records(TRACKS).delete(trackKey(world, row))
}

/** Returns the live contract on a package; 0 for none. */
function liveContractOn(world: World, pkg: Row): Row {
  const row = shipmentOf(world, pkg)
  return row !== 0 && isLive(world, row) ? row : 0
}

/** Records where the package of a live contract has been moved. */
export function trackMoved(world: World, pkg: Row): void {
  const row = liveContractOn(world, pkg)
  if (row !== 0) recordBeacon(world, row, pkg, classOf(world, pkg))
}

/** Records that the package of a live contract is gone; the contract ends with the tick. */
export function trackGone(world: World, pkg: Row, how: 'opened' | 'destroyed'): void {
  const row = liveContractOn(world, pkg)
  if (row === 0) return
  world.write(Shipment).fate[row] = FATES.indexOf(how)
  setActor(world, row, 'holder', holderOf(world, pkg))
  recordBeacon(world, row, pkg, how === 'destroyed' ? 'destroyed' : classOf(world, pkg))
  contractIndex(world).fated.add(row)
}

/* Carriers */

function saveProfile(world: World, carrier: Actor, profile: Profile): void {
  assert(TIERS[profile.tier] !== undefined, `there is no tier ${profile.tier}`)
  world.records(PROFILES).set(keyOf(carrier), { ...profile, updatedMs: world.wallMs })
}

const cappedSum = (sum: number, more: number): number => Math.min(MAX_SAFE, sum + more)

/** Stores the debts of a carrier; an empty list removes the record. */
export function saveDebts(world: World, carrier: Actor, debts: readonly Debt[]): void {
  if (debts.length === 0) world.records(DEBTS).delete(keyOf(carrier))
  else world.records(DEBTS).set(keyOf(carrier), debts)
}

/** Records that a carrier has paid all debts. */
export const recordRecovery = (world: World, carrier: Actor): void =>
  saveProfile(world, carrier, { ...profileOf(world, carrier), recoveryMs: world.wallMs })

/** Deliveries for the same shipper that count per day. ours, as the sheet notes. */
const COUNTED_PER_SHIPPER_AND_DAY = 3

const recentDeliveries = (view: WorldView, { latest }: Profile) =>
  latest.filter(([, tick]) => tick > view.tick - DAY_TICKS)

/** Returns whether a delivery counts towards the next tier: a fourth for a shipper does not. */
function mayCount(view: WorldView, profile: Profile, shipper: string): boolean {
  const today = recentDeliveries(view, profile)
  // ours: deliveries of a day beyond those remembered do not count
  if (today.length >= SHIPMENT_DELIVERIES_REMEMBERED) return false
  return today.filter(([key]) => key === shipper).length < COUNTED_PER_SHIPPER_AND_DAY
}

/** Raises the tier as far as the counted deliveries allow. */
function promote(profile: Profile): Profile {
  const next = TIER_TERMS[profile.tier + 1]
  if (next === undefined) return profile
  const isEarned = profile.counted >= next.deliveries && profile.countedValue >= next.value
  return isEarned ? promote({ ...profile, tier: profile.tier + 1 }) : profile
}

/** Records a delivery; only one between strangers counts towards the next tier. */
export function recordDelivery(world: World, row: Row): void {
  const { bond, appraised, service } = world.read(Shipment)
  const carrier = actorAt(world, row, 'carrier')
  const before = profileOf(world, carrier)
  if (BONDS[bond[row]] === 'self') return
  const sum: Profile = {
    ...before,
    deliveries: before.deliveries + 1,
    value: cappedSum(before.value, appraised[row]),
    priority: before.priority + service[row],
  }
  const shipper = keyOf(actorAt(world, row, 'shipper'))
  if (BONDS[bond[row]] !== 'strangers' || !mayCount(world, before, shipper)) {
    saveProfile(world, carrier, sum)
    return
  }
  const profile: Profile = {
    ...sum,
    counted: sum.counted + 1,
    countedValue: cappedSum(sum.countedValue, appraised[row]),
    latest: [...recentDeliveries(world, sum), [shipper, world.tick]],
  }
  saveProfile(world, carrier, promote(profile))
}

/** Records that a carrier returned a package. */
export function recordReturn(world: World, row: Row): void {
  const carrier = actorAt(world, row, 'carrier')
  const before = profileOf(world, carrier)
  if (BONDS[world.read(Shipment).bond[row]] === 'self') return
  saveProfile(world, carrier, { ...before, returns: before.returns + 1 })
}

/**
 * Records a lost or opened package: the tier falls by one. ours: counted deliveries are cut to what
 * the lower tier requires, since otherwise the next delivery would raise the tier again.
 */
export function recordFailure(
  world: World,
  carrier: Actor,
  counter: 'breaches' | 'defaults',
): void {
  const before = profileOf(world, carrier)
  const tier = Math.max(0, before.tier - 1)
  const { deliveries, value } = TIER_TERMS[tier]
  saveProfile(world, carrier, {
    ...before,
    tier,
    counted: Math.min(before.counted, deliveries),
    countedValue: Math.min(before.countedValue, value),
    [counter]: before[counter] + 1,
    consequenceMs: world.wallMs,
  })
}

/** Adds the carrier's debt for a lost package; returns the credits. */
export function recordDebt(world: World, row: Row, covered: number): number {
  const carrier = actorAt(world, row, 'carrier')
  const { seq, origin } = world.read(Shipment)
  const original = failureDebt(covered)
  const debt: Debt = {
    number: world.nextNumber('freight_debt'),
    shipment: seq[row],
    base: origin[row],
    original,
    outstanding: original,
    atMs: world.wallMs,
  }
  saveDebts(world, carrier, [...debtsOf(world, carrier), debt])
  return original
}

/* The index of contracts */

/** Adds a contract to the lists of the index that match its state. */
export function indexContract(world: World, row: Row): void {
  const { pkg, status, origin, dueTick, fate } = world.read(Shipment)
  const index = contractIndex(world)
  index.byPackage.set(pkg[row], row)
  const shipper = keyOf(actorAt(world, row, 'shipper'))
  if (isLive(world, row)) {
    addToSet(index.shipped, shipper, row)
    addToSet(index.expected, keyOf(actorAt(world, row, 'recipient')), row)
  } else addToSet(index.ended, shipper, row)
  if (status[row] === POSTED) addToSet(index.posted, origin[row], row)
  if (status[row] === IN_TRANSIT)
    addToSet(index.carried, keyOf(actorAt(world, row, 'carrier')), row)
  if (fate[row] !== 0) index.fated.add(row)
  scheduleReview(world, row, dueTick[row])
}

/** Removes a contract from the index, except by package; called before its state changes. */
export function unindexContract(world: World, row: Row): void {
  const { origin } = world.read(Shipment)
  const index = contractIndex(world)
  const shipper = keyOf(actorAt(world, row, 'shipper'))
  removeFromSet(index.shipped, shipper, row)
  removeFromSet(index.ended, shipper, row)
  removeFromSet(index.expected, keyOf(actorAt(world, row, 'recipient')), row)
  removeFromSet(index.carried, keyOf(actorAt(world, row, 'carrier')), row)
  removeFromSet(index.posted, origin[row], row)
  index.fated.delete(row)
}

/** Removes a contract from the index by package, unless the package has a later one. */
export function forgetPackage(world: World, row: Row): void {
  const { byPackage } = contractIndex(world)
  const { pkg } = world.read(Shipment)
  if (byPackage.get(pkg[row]) === row) byPackage.delete(pkg[row])
}

const scheduleReview = (world: World, row: Row, tick: number): void =>
  addToList(contractIndex(world).due, tick, row)

/** Sets the next timer of a contract. */
export function setDue(world: World, row: Row, tick: number): void {
  world.write(Shipment).dueTick[row] = tick
  scheduleReview(world, row, tick)
}

/** Takes the contracts whose timer is due in this tick, the oldest first. */
export function takeDue(world: World): Row[] {
  const { due } = contractIndex(world)
  const rows = due.get(world.tick)
  if (!rows) return []
  due.delete(world.tick)
  const { alive, dueTick } = world.read(Shipment)
  const live = rows.filter((row) => alive[row] === 1 && dueTick[row] === world.tick)
  return oldestFirst(world, new Set(live))
}

/** Takes the contracts whose package is gone, the oldest first. */
export function takeFated(world: World): Row[] {
  const { fated } = contractIndex(world)
  if (fated.size === 0) return []
  const rows = oldestFirst(world, fated)
  fated.clear()
  return rows
}

/** Fills the index from the table, after a restore. */
export function rebuildContracts(world: World): void {
  const index = contractIndex(world)
  for (const map of Object.values(index)) map.clear()
  const { alive } = world.read(Shipment)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Shipment); row++) if (alive[row] === 1) rows.push(row)
  for (const row of oldestFirst(world, rows)) indexContract(world, row)
}
