/**
 * The beacon of a package under contract: it tells where the package came to stand whenever it
 * changes hands. ours: between two moves it is silent, else a shipper could hunt his carrier.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { SHIPMENT_BEACONS_MAX } from '../../core/limits-freight.ts'
import { hashText } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { storeContainer } from '../faction/store-rules.ts'
import { Package } from '../package/columns.ts'
import { manifestOf, packageOwner, placeOf } from '../package/rules.ts'
import { Location, Poi, StarSystem } from '../travel/columns.ts'
import { type Actor, factionActor, NOBODY, playerActor, setActor } from './actor-rules.ts'
import {
  ACTOR_KINDS,
  type Beacon,
  type BeaconClass,
  FATES,
  Shipment,
  TRACKS,
  type Track,
} from './columns.ts'
import { isLive, noteFated, shipmentOf } from './store.ts'

const trackKey = (view: WorldView, row: Row): string => String(view.read(Shipment).seq[row])

const SILENT: Track = { print: '', beacons: [] }

export const trackOf = (view: WorldView, row: Row): Track =>
  view.records(TRACKS).get(trackKey(view, row)) ?? SILENT

/** Eight digits that are the same for the same contents under the same seal. */
function printOf(view: WorldView, pkg: Row): string {
  const goods = manifestOf(view, pkg).map(({ item, units }) => `${GOODS[item].id}:${units}`)
  const hash = hashText(`${view.read(Package).seq[pkg]} ${goods.join(' ')}`)
  return hash.toString(16).padStart(8, '0')
}

/** Who has a package in hand. */
export function holderOf(view: WorldView, pkg: Row): Actor {
  const { player, faction } = packageOwner(view, pkg)
  const place = placeOf(view, pkg)
  const isHeld = place === 'cargo' || place === 'locker' || place === 'store' || place === 'escrow'
  if (!isHeld) return NOBODY
  if (faction !== 0) return factionActor(view, faction)
  return player === 0 ? NOBODY : playerActor(view, player)
}

function storeClass(view: WorldView, pkg: Row): BeaconClass {
  const { holder, base } = view.read(Package)
  const { faction } = packageOwner(view, pkg)
  const main = storeContainer(view, { faction, base: base[pkg], bucket: 0 })
  return main === holder[pkg] ? 'faction_storage' : 'faction_bucket'
}

function classOf(view: WorldView, pkg: Row): BeaconClass {
  const place = placeOf(view, pkg)
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

/** Base, place and system of a package, as rows; 0 where it is at none, or that is not known. */
function whereIs(view: WorldView, row: Row, pkg: Row): { base: Eid; poi: Eid; system: Eid } {
  const { ship, base: stored } = view.read(Package)
  const at = view.read(Location)
  const aboard = ship[pkg]
  if (aboard !== 0) return { base: at.base[aboard], poi: at.poi[aboard], system: at.system[aboard] }
  const isAtHouse = placeOf(view, pkg) === 'shipment'
  const base = isAtHouse ? view.rowOf(Base, view.read(Shipment).origin[row]) : stored[pkg]
  if (base === 0) return { base, poi: 0, system: 0 }
  const poi = view.read(Base).poi[base]
  return { base, poi, system: view.read(Poi).system[poi] }
}

function observe(world: World, row: Row, pkg: Row, seen: BeaconClass): void {
  const { base, poi, system } = whereIs(world, row, pkg)
  const holder = holderOf(world, pkg)
  const beacon: Beacon = {
    number: world.nextNumber('shipment_event'),
    class: seen,
    kind: ACTOR_KINDS.indexOf(holder.kind),
    holder: holder.number,
    base: base === 0 ? 0 : world.read(Base).seq[base],
    poi: poi === 0 ? 0 : world.read(Poi).seq[poi],
    system: system === 0 ? 0 : world.read(StarSystem).seq[system],
    tick: world.tick,
    atMs: world.wallMs,
  }
  const track = trackOf(world, row)
  const print = track.print === '' ? printOf(world, pkg) : track.print
  const beacons = [...track.beacons.slice(1 - SHIPMENT_BEACONS_MAX), beacon]
  world.records(TRACKS).set(trackKey(world, row), { print, beacons })
}

/** Forgets the moves of a package whose contract is forgotten. */
export const dropTrack = (world: World, row: Row): void => {
  world.records(TRACKS).delete(trackKey(world, row))
}

/** The contract that runs on a package; 0 none. */
function liveOn(world: World, pkg: Row): Row {
  const row = shipmentOf(world, pkg)
  return row !== 0 && isLive(world, row) ? row : 0
}

/** Observes the package of a live contract where it stands now. */
export function trackMoved(world: World, pkg: Row): void {
  const row = liveOn(world, pkg)
  if (row !== 0) observe(world, row, pkg, classOf(world, pkg))
}

/** Keeps how the package of a live contract ended; it still stands where it stood. */
export function trackGone(world: World, pkg: Row, how: 'opened' | 'destroyed'): void {
  const row = liveOn(world, pkg)
  if (row === 0) return
  world.write(Shipment).fate[row] = FATES.indexOf(how)
  setActor(world, row, 'holder', holderOf(world, pkg))
  observe(world, row, pkg, how === 'destroyed' ? 'destroyed' : classOf(world, pkg))
  noteFated(world, row)
}
