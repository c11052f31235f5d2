/**
 * What a scan reveals: a contest of scanner against cloak, then tier by tier by how much it was
 * won. The figures are fixed, so equal ships see the same. Source: travel.md section 8.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { contentsOf } from '../../core/goods.ts'
import { SCANS_TOLD_PER_TICK_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { isBound, playerId, usernameOf } from '../account/rules.ts'
import { isCreature } from '../creature/rules.ts'
import { describeCreature } from '../creature/views.ts'
import { droneId, droneOf } from '../drone/hull-rules.ts'
import { shownFaction } from '../faction/rules.ts'
import { helmName } from '../npc/rules.ts'
import { prizeId, prizeOf } from '../prize/rules.ts'
import { Ship } from '../ship/columns.ts'
import {
  hasSpecial,
  modulesOf,
  moduleTypeOf,
  shipClassOf,
  shipId,
  shipName,
} from '../ship/rules.ts'
import { scanDetected } from './events.ts'
import {
  aliasOf,
  cloakOf,
  feelsSignature,
  gatheringAt,
  knownAs,
  makeOut,
  scanPowerOf,
  seePlayer,
  sightOf,
} from './rules.ts'
import type { contactSchema } from './schemas.ts'

interface Tier {
  readonly field: string
  /** Margin of power over cloak from which it shows. */
  readonly margin: number
  /** Part of who it is: the anonymous give it away to twice the power only. */
  readonly isIdentity?: true
}

const TIERS: readonly Tier[] = [
  { field: 'ship_class', margin: 0 },
  { field: 'cloaked', margin: 0 },
  { field: 'username', margin: 0, isIdentity: true },
  { field: 'faction_id', margin: 10, isIdentity: true },
  { field: 'hull', margin: 10 },
  { field: 'shield', margin: 10 },
  { field: 'ship_name', margin: 20, isIdentity: true },
  { field: 'description', margin: 20 },
  { field: 'cargo_types', margin: 40 },
]
/** Margin from which a cargo scanner shows what is in the hold. */
const CARGO_SCANNER_MARGIN = 10
/** The least that counts of a tier where twice the power is asked for. */
const IDENTITY_LEAST = 5

export interface Contest {
  /** Scanner power P. */
  readonly power: number
  /** Cloak C; 0 while it is off. */
  readonly cloak: number
  readonly isAnonymous: boolean
  readonly hasCargoScanner: boolean
}

/** Names of the fields that a scan reveals, in their order; none where the cloak wins. */
export function revealedBy(contest: Contest): string[] {
  const { power, cloak, isAnonymous, hasCargoScanner } = contest
  const shows = ({ field, margin, isIdentity }: Tier): boolean => {
    const least = field === 'cargo_types' && hasCargoScanner ? CARGO_SCANNER_MARGIN : margin
    if (power - cloak < least) return false
    if (!isIdentity || !isAnonymous) return true
    return power >= 2 * (cloak + Math.max(IDENTITY_LEAST, least))
  }
  return TIERS.filter(shows).map(({ field }) => field)
}

/** True if a scanner is fitted or built in: without one nothing is swept. */
export function hasScanner(view: WorldView, ship: Eid): boolean {
  const byHull = shipClassOf(view, ship).inherent_capabilities.some(
    ({ type }) => type === 'integrated_scanner',
  )
  return byHull || modulesOf(view, ship).some((row) => moduleTypeOf(view, row).scanner_power)
}

/** A ship that is scanned: `player` is its pilot, 0 for what the server flies. */
export interface Subject {
  readonly ship: Eid
  readonly player: Eid
}

/** What the scanner goes by for a subject once it is revealed, or as he knows it already. */
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
      return player === 0 ? helmName(view, ship) : usernameOf(view, player)
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

export interface Reading {
  readonly target_id: string
  readonly success: boolean
  readonly revealed_info: string[]
  readonly [field: string]: unknown
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

/** Fields that lists of contacts leave out: they are for one target at a time. */
const LEFT_OUT = ['description', 'cargo_types']

/** A reading as a contact in a list. */
export function contactOf({ success: _, ...reading }: Reading): Static<typeof contactSchema> {
  const kept = Object.entries(reading).filter(([field]) => !LEFT_OUT.includes(field))
  const shown = reading.revealed_info.filter((field) => !LEFT_OUT.includes(field))
  return { ...Object.fromEntries(kept), revealed_info: shown } as Static<typeof contactSchema>
}

/** A cloaked ship that was made out, as a contact in a list. */
export const renderContact = (
  view: WorldView,
  observer: Eid,
  player: Eid,
): Static<typeof contactSchema> =>
  contactOf(readShip(view, observer, { ship: view.read(Player).ship[player], player }))

/* Sweeps */

export interface Sweep {
  /** Cloaked players who were made out, in the order of their ships. */
  readonly found: readonly Eid[]
  /** There is another that is felt, but not made out. */
  readonly isSignature: boolean
}

/** Tests every cloaked ship at the place against the observer's scanner. Writes nothing. */
export function sweepPlace(view: WorldView, observer: Eid, poi: Eid): Sweep {
  const power = scanPowerOf(view, observer)
  const { cloaked } = gatheringAt(view, poi)
  const others = cloaked.filter((player) => player !== observer)
  return {
    found: others.filter((player) => power > cloakOf(view, player)),
    isSignature: feelsSignature(view, observer, others),
  }
}

/* Being scanned */

const TOLD = defineIndex('sensing.scans-told', () => ({ tick: -1, counts: new Map<Eid, number>() }))

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

/** Tells a player that he was scanned, and by whom as far as he can see him. */
export function tellScanned(
  world: World,
  scanner: Eid,
  player: Eid,
  revealed: readonly string[],
): void {
  if (!isBound(world, player) || !mayTell(world, player)) return
  const { id, name } = knownAs(world, player, scanner)
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

/** A scan of a player's ship: he hears of it, and under a cloak he is in the sights from now on. */
export function afterScan(world: World, scanner: Eid, player: Eid, reading: Reading): void {
  const isCloaked = seePlayer(world, 0, player) === 'nothing'
  if (isCloaked && scanPowerOf(world, scanner) > cloakOf(world, player)) {
    makeOut(world, scanner, [player])
  }
  tellScanned(world, scanner, player, reading.revealed_info)
}
