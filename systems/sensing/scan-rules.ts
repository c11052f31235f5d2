/**
 * What a scan reveals: a contest of scanner against cloak, then tier by tier by how much it was
 * won. The figures are fixed, so equal ships see the same. Source: travel.md section 8.
 *
 * What a sensor that stands somewhere reads of a place far away: the contest of a scan with its
 * power. Nobody there hears of it, for no ship has scanned them. Source: factions.md section 6.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { contentsOf } from '../../core/goods.ts'
import { SCANS_TOLD_PER_TICK_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { isBound, playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { describeCreature, isCreature } from '../creature/model.ts'
import { droneId, droneOf } from '../drone/model.ts'
import { shownFaction } from '../faction/model.ts'
import { pilotName } from '../npc/model.ts'
import { prizeId, prizeOf } from '../prize/model.ts'
import { hasSpecial, shipClassOf, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { Location } from '../travel/state.ts'
import {
  aliasOf,
  cloakOf,
  displayNameFor,
  gatheringAt,
  isAbsentFor,
  isFelt,
  scanPowerOf,
  seePlayer,
  sightOf,
} from './model.ts'
import { makeOut } from './rules.ts'
import { type Contest, contactOf, type Reading, revealedBy } from './scan-model.ts'
import { scanDetected } from './schemas.ts'
import { type contactSchema, TOLD } from './state.ts'

/** A ship that is scanned: `player` is its pilot, 0 for what the server flies. */
export interface Subject {
  readonly ship: Eid
  readonly player: Eid
}

/** What the scanner goes by for a subject once it is revealed, or as they know it already. */
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
      return shownFaction(view, player).faction_id
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

/** A creature hides nothing of what it is. */
function readCreature(view: WorldView, ship: Eid): Reading {
  const { name: username, species, role, danger, hull } = describeCreature(view, ship)
  const seen = { username, species, role, danger, hull }
  return {
    target_id: shipId(view, ship),
    success: true,
    revealed_info: Object.keys(seen),
    ...seen,
  }
}

/** What looks: the power of a scanner, and whether it looks into holds. */
export type Scanner = Pick<Contest, 'power' | 'hasCargoScanner'>

/** What a scanner reads of a subject within its reach. Writes nothing. */
export function readBy(view: WorldView, scanner: Scanner, subject: Subject): Reading {
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

/** What the scanner's ship reads of a subject within its reach. Writes nothing. */
export const readShip = (view: WorldView, scanner: Eid, subject: Subject): Reading =>
  readBy(
    view,
    {
      power: scanPowerOf(view, scanner),
      hasCargoScanner: hasSpecial(view, view.read(Player).ship[scanner], 'cargo_scanner'),
    },
    subject,
  )

/** A cloaked ship that was made out, as a contact in a list. */
export const renderContact = (
  view: WorldView,
  observer: Eid,
  player: Eid,
): Static<typeof contactSchema> =>
  contactOf(readShip(view, observer, { ship: view.read(Player).ship[player], player }))

/** True while a player may be told of another scan in this tick. */
function mayTell(world: World, player: Eid): boolean {
  const told = world.index(TOLD)
  if (told.tick !== world.tick) {
    told.tick = world.tick
    told.counts.clear()
  }
  const count = told.counts.get(player) ?? 0
  told.counts.set(player, count + 1)
  return count < SCANS_TOLD_PER_TICK_MAX
}

/** Tells a player that they were scanned, and by whom as far as they can see them. */
export function notifyScanned(
  world: World,
  scanner: Eid,
  player: Eid,
  revealed: readonly string[],
): void {
  if (!isBound(world, player) || !mayTell(world, player)) return
  const { id, name } = displayNameFor(world, player, scanner)
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
 * A scan of a player's ship: they hear of it, and under a cloak they are in the sights from now on.
 */
export function afterScan(world: World, scanner: Eid, player: Eid, reading: Reading): void {
  const isCloaked = seePlayer(world, 0, player) === 'nothing'
  if (isCloaked && scanPowerOf(world, scanner) > cloakOf(world, player)) {
    makeOut(world, scanner, [player])
  }
  notifyScanned(world, scanner, player, reading.revealed_info)
}

export interface Sensed {
  /** Players' ships in space there that were read, in the order of their ships. */
  readonly contacts: readonly Static<typeof contactSchema>[]
  /** There is a cloaked one that is felt, but not made out. */
  readonly isSignature: boolean
}

/** Reads every player's ship in space at a place, but for the viewer's; at most `most` of them. */
export function sensePlace(
  view: WorldView,
  viewer: Eid,
  { poi, power, most }: { readonly poi: Eid; readonly power: number; readonly most: number },
): Sensed {
  const { ship } = view.read(Player)
  const { base } = view.read(Location)
  const { online, offline, cloaked } = gatheringAt(view, poi)
  const there = [...online, ...offline, ...cloaked].filter(
    (player) => player !== viewer && base[ship[player]] === 0 && !isAbsentFor(view, viewer, player),
  )
  const contacts = there
    .sort((a, b) => ship[a] - ship[b])
    .map((player) => {
      const subject = { ship: ship[player], player }
      return readBy(view, { power, hasCargoScanner: false }, subject)
    })
    .filter(({ success }) => success)
    .slice(0, most)
    .map(contactOf)
  const isSignature = there.some(
    (player) => cloaked.includes(player) && isFelt(power, cloakOf(view, player)),
  )
  return { contacts, isSignature }
}
