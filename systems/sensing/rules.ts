/** Changes of what is seen: cloaks, contacts, watches, and what scans reveal and report. */
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { contentsOf } from '../../core/goods.ts'
import { addToSet, removeFromSet } from '../../core/groups.ts'
import { SCAN_NOTICES_PER_TICK_MAX, SENSED_CONTACTS_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { fillFollowers, isBound, playerId, usernameOf } from '../account/model.ts'
import { Cloaked, Player } from '../account/state.ts'
import { PlayerCombat } from '../combat/state.ts'
import { describeCreature, isCreature } from '../creature/model.ts'
import { droneId, droneOf } from '../drone/model.ts'
import { renderFactionTag } from '../faction/model.ts'
import { pilotName } from '../npc/model.ts'
import { prizeId, prizeOf } from '../prize/model.ts'
import { hasSpecial, shipClassOf, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { Location, Poi, REVEALED } from '../travel/state.ts'
import {
  aliasOf,
  type Contest,
  cloakOf,
  contactOf,
  contactsOf,
  gatheringAt,
  isAbsentFor,
  isSensed,
  keyOf,
  markMoved,
  type Reading,
  revealedBy,
  revealedTo,
  scanPowerOf,
  seePlayer,
  sightOf,
  visibleIdentity,
  watchedPlace,
} from './model.ts'
import { scanDetected } from './schemas.ts'
import {
  CHANGED,
  CHART_EPOCHS,
  CONTACTS,
  type contactSchema,
  SCANS_SENT,
  SURVEYED,
  WATCHERS,
  Watch,
} from './state.ts'
import { chartEpoch } from './survey-model.ts'

/** Ticks for which a detected ship stays a contact. Source: travel.md section 8. */
const CONTACT_TICKS = 6

/** Reveals hidden places to a player, permanently. */
export function reveal(world: World, player: Eid, pois: readonly Eid[]): void {
  const { seq, hidden } = world.read(Poi)
  const before = revealedTo(world, player)
  const fresh = pois.filter((poi) => hidden[poi] === 1 && !before.includes(seq[poi]))
  if (fresh.length === 0) return
  const after = [...before, ...fresh.map((poi) => seq[poi])]
  world.records(REVEALED).set(keyOf(world, player), after)
}

/**
 * Records a survey of a system, given by its number; returns whether it was the player's first
 * survey of it in this chart epoch.
 */
export function recordSurvey(world: World, player: Eid, system: number): boolean {
  const [records, epochs] = [world.records(SURVEYED), world.records(CHART_EPOCHS)]
  const key = keyOf(world, player)
  const epoch = chartEpoch(world.tick)
  const before = epochs.get(key) === epoch ? (records.get(key) ?? []) : []
  if (before.includes(system)) return false
  records.set(key, [...before, system])
  epochs.set(key, epoch)
  return true
}

/* Cloaks and contacts */

/** Switches a player's cloak on or off. The only writer of `cloaked`. */
export function setCloak(world: World, player: Eid, isOn: boolean): void {
  const { cloaked, ship } = world.write(Player)
  if (!isOn) world.write(PlayerCombat).cloakUntil[player] = 0
  if ((cloaked[player] === 1) === isOn) return
  cloaked[player] = isOn ? 1 : 0
  if (isOn) world.tag(Player, player, Cloaked)
  else world.untag(Player, player, Cloaked)
  markMoved(world, ship[player])
}

/** Tags the cloaked players, after a restore. */
export function rebuildCloaks(world: World): void {
  const { alive, cloaked } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && cloaked[player] === 1) world.tag(Player, player, Cloaked)
  }
}

/**
 * Adds cloaked players to the contacts of an observer; of too many, the first ones. `locked`
 * replaces those that an active watch holds.
 */
export function addContacts(
  world: World,
  observer: Eid,
  players: readonly Eid[],
  locked?: readonly number[],
): void {
  const { seq } = world.read(Player)
  const until = world.tick + CONTACT_TICKS
  const before = contactsOf(world, observer)
  const fresh = players.slice(0, SENSED_CONTACTS_MAX).map((player) => seq[player])
  const kept = before.seen.filter(([number, end]) => end >= world.tick && !fresh.includes(number))
  const seen = [...fresh.map((number) => [number, until] as const), ...kept]
  const after = { seen: seen.slice(0, SENSED_CONTACTS_MAX), locked: locked ?? before.locked }
  if (after.seen.length + after.locked.length === 0) {
    world.records(CONTACTS).delete(keyOf(world, observer))
  } else world.records(CONTACTS).set(keyOf(world, observer), after)
}

/** Removes contacts that have expired. O(observers with contacts). */
export function forgetContacts(world: World): void {
  for (const [key, { seen, locked }] of [...world.records(CONTACTS).entries()]) {
    if (locked.length === 0 && seen.every(([, until]) => until < world.tick)) {
      world.records(CONTACTS).delete(key)
    }
  }
}

/* Watches */

/** Takes the ships changed since the last call, in the order of their first change. */
export function takeChanges(world: World): Eid[] {
  const changed = world.index(CHANGED)
  const ships = [...changed]
  changed.clear()
  return ships
}

interface NewWatch {
  readonly poi: Eid
  /** Bit of BOUND. */
  readonly channel: number
  readonly isActive: boolean
  readonly hasSignature: boolean
}

/** Makes a player watch a place, and no other; their other channels that watch it keep on. */
export function startWatch(world: World, player: Eid, watch: NewWatch): void {
  const isSame = watchedPlace(world, player) === watch.poi
  const others = isSame ? world.read(Watch).channel[player] : 0
  endWatch(world, player)
  const columns = world.write(Watch)
  columns.poi[player] = watch.poi
  columns.channel[player] = others | watch.channel
  columns.active[player] = watch.isActive ? 1 : 0
  columns.signature[player] = watch.hasSignature ? 1 : 0
  addToSet(world.index(WATCHERS), watch.poi, player)
}

/** Ends the watch of a player; returns false if there was none. */
export function endWatch(world: World, player: Eid): boolean {
  const poi = watchedPlace(world, player)
  if (poi === 0) return false
  removeFromSet(world.index(WATCHERS), poi, player)
  const columns = world.write(Watch)
  columns.poi[player] = 0
  columns.channel[player] = 0
  columns.signature[player] = 0
  endSweep(world, player)
  return true
}

/** Ends the sweep for cloaked ships; the watch continues. */
export function endSweep(world: World, player: Eid): void {
  world.write(Watch).active[player] = 0
  const contacts = contactsOf(world, player)
  if (contacts.locked.length > 0) {
    world.records(CONTACTS).set(keyOf(world, player), { ...contacts, locked: [] })
  }
}

/** Ends the watch of a player if only the lost channels (bits of BOUND) requested it. */
export function endWatchOn(world: World, player: Eid, channels: number): void {
  const { channel } = world.read(Watch)
  const left = channel[player] & ~channels
  if (left === channel[player]) return
  if (left === 0) endWatch(world, player)
  else world.write(Watch).channel[player] = left
}

/** Rebuilds the index of watchers from the column. */
export function rebuildWatches(world: World): void {
  world.index(CHANGED).clear()
  fillFollowers(world, world.index(WATCHERS), world.read(Watch).poi)
}

/* Scans */

/** A ship that is scanned: `player` is its pilot, 0 for a ship of the server. */
export interface Subject {
  readonly ship: Eid
  readonly player: Eid
}

/** Returns the id of a subject for the scanner; `isNamed` once the scan has revealed who it is. */
function subjectId(view: WorldView, { ship, player }: Subject, isNamed: boolean): string {
  if (player !== 0) return isNamed ? playerId(view, player) : aliasOf(view, player)
  const prize = prizeOf(view, ship)
  if (prize !== 0) return prizeId(view, prize)
  const drone = droneOf(view, ship)
  return drone === 0 ? shipId(view, ship) : droneId(view, drone)
}

function readField(view: WorldView, { ship, player }: Subject, field: string): unknown {
  const { hull, shield, hold } = view.read(Ship)
  switch (field) {
    case 'ship_class':
      return shipClassOf(view, ship).id
    case 'cloaked':
      return player !== 0 && view.read(Player).cloaked[player] === 1
    case 'username':
      return player === 0 ? pilotName(view, ship) : usernameOf(view, player)
    case 'faction_id':
      return renderFactionTag(view, player).faction_id
    case 'hull':
      return hull[ship]
    case 'shield':
      return shield[ship]
    case 'ship_name':
      return shipName(view, ship)
    case 'description':
      return shipClassOf(view, ship).description
    case 'cargo_types':
      return contentsOf(view, hold[ship]).map(({ item }) => GOODS[item].id)
    default:
      return undefined
  }
}

/** Reads a creature, which hides nothing. */
function readCreature(view: WorldView, ship: Eid): Reading {
  const { name: username, species, role, danger, hull } = describeCreature(view, ship)
  const fields = { username, species, role, danger, hull }
  const target_id = shipId(view, ship)
  return { target_id, success: true, revealed_info: Object.keys(fields), ...fields }
}

/** Power of a scanner, and whether it sees into holds. */
type Scanner = Pick<Contest, 'power' | 'hasCargoScanner'>

/** Reads a subject within the reach of a scanner. Writes nothing. */
function readBy(view: WorldView, scanner: Scanner, subject: Subject): Reading {
  if (isCreature(view, subject.ship)) return readCreature(view, subject.ship)
  const { player } = subject
  const revealed = revealedBy({
    ...scanner,
    cloak: player === 0 ? 0 : cloakOf(view, player),
    isAnonymous: player !== 0 && view.read(Player).anonymous[player] === 1,
  })
  const entries = revealed.flatMap((field): [string, unknown][] => {
    const value = readField(view, subject, field)
    return value === undefined ? [] : [[field, value]]
  })
  return {
    target_id: subjectId(view, subject, revealed.includes('username')),
    success: revealed.length > 0,
    revealed_info: entries.map(([field]) => field),
    ...Object.fromEntries(entries),
  }
}

/** Reads a subject within the reach of a player's ship. Writes nothing. */
export const readShip = (view: WorldView, scanner: Eid, subject: Subject): Reading =>
  readBy(
    view,
    {
      power: scanPowerOf(view, scanner),
      hasCargoScanner: hasSpecial(view, view.read(Player).ship[scanner], 'cargo_scanner'),
    },
    subject,
  )

/** Renders a player's ship, which the observer has detected, as a contact. */
export const renderContact = (
  view: WorldView,
  observer: Eid,
  player: Eid,
): Static<typeof contactSchema> =>
  contactOf(readShip(view, observer, { ship: view.read(Player).ship[player], player }))

/** Counts a scan of a player in this tick; returns false once there are too many to report. */
function countScan(world: World, player: Eid): boolean {
  const scans = world.index(SCANS_SENT)
  if (scans.tick !== world.tick) {
    scans.tick = world.tick
    scans.counts.clear()
  }
  const count = scans.counts.get(player) ?? 0
  scans.counts.set(player, count + 1)
  return count < SCAN_NOTICES_PER_TICK_MAX
}

/** Notifies a player that they were scanned, and by whom, as far as they can see the scanner. */
export function notifyScanned(
  world: World,
  scanner: Eid,
  player: Eid,
  revealed: readonly string[],
): void {
  if (!isBound(world, player) || !countScan(world, player)) return
  const { id, name } = visibleIdentity(world, player, scanner)
  const isSeen = sightOf(world, player, scanner) !== 'nothing'
  const ship = world.read(Player).ship[scanner]
  const payload = {
    scanner_id: id,
    scanner_username: name,
    ...(isSeen ? { scanner_ship_class: shipClassOf(world, ship).id } : {}),
    revealed_info: [...revealed],
    message: `${name || 'An unknown ship'} has scanned your ship.`,
  }
  emit(world, scanDetected, payload, toPlayer(player))
}

/**
 * Notifies a player of a scan of their ship; a cloaked ship that was detected becomes a contact.
 */
export function finishScan(world: World, scanner: Eid, player: Eid, reading: Reading): void {
  const isCloaked = seePlayer(world, 0, player) === 'nothing'
  if (isCloaked && scanPowerOf(world, scanner) > cloakOf(world, player)) {
    addContacts(world, scanner, [player])
  }
  notifyScanned(world, scanner, player, reading.revealed_info)
}

interface Sensed {
  /** Readings of players' ships in space there, in the order of their rows. */
  readonly contacts: readonly Static<typeof contactSchema>[]
  /** Whether a cloaked ship is sensed, but not detected. */
  readonly hasSignature: boolean
}

/** Reads up to `max` players' ships in space at a place, except the viewer's. */
export function sensePlace(
  view: WorldView,
  viewer: Eid,
  { poi, power, max }: { readonly poi: Eid; readonly power: number; readonly max: number },
): Sensed {
  const { ship } = view.read(Player)
  const { base } = view.read(Location)
  const { online, offline, cloaked } = gatheringAt(view, poi)
  const players = [...online, ...offline, ...cloaked].filter(
    (player) => player !== viewer && base[ship[player]] === 0 && !isAbsentFor(view, viewer, player),
  )
  const contacts = players
    .sort((a, b) => ship[a] - ship[b])
    .map((player) =>
      readBy(view, { power, hasCargoScanner: false }, { ship: ship[player], player }),
    )
    .filter(({ success }) => success)
    .slice(0, max)
    .map(contactOf)
  const hasSignature = players.some(
    (player) => cloaked.includes(player) && isSensed(power, cloakOf(view, player)),
  )
  return { contacts, hasSignature }
}
