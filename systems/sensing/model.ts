/**
 * Decides what a viewer may see; no other file does (DESIGN 2, Seeing). Views of other domains call
 * it before they show a player, a ship or a hidden place, and refusals treat what is not seen as
 * unknown.
 */
import { seqOfWireId, wireId } from '../../core/entity.ts'
import type { Static } from '../../core/params.ts'
import { oncePerRow } from '../../core/rows.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { followedTargets, followersIn, playerById, playerId, usernameOf } from '../account/model.ts'
import { Cloaked, Player } from '../account/state.ts'
import { ShipMatch } from '../arena/state.ts'
import { Battle, PlayerCombat } from '../combat/state.ts'
import { modulesOf, moduleTypeOf, shipClassOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { shipsAt } from '../travel/model.ts'
import { Poi, REVEALED } from '../travel/state.ts'
import { CHANGED, CONTACTS, type Contacts, type contactSchema, WATCHERS, Watch } from './state.ts'

/**
 * Returns whether a player is in a match that the viewer is not in. Viewer 0 is the public, which
 * may watch every match.
 */
export function isAbsentFor(view: WorldView, viewer: Eid, player: Eid): boolean {
  const { ship } = view.read(Player)
  const { match } = view.read(ShipMatch)
  return match[ship[player]] !== 0 && viewer !== 0 && match[ship[player]] !== match[ship[viewer]]
}

/* Cloak */

export interface CloakParams {
  readonly enable?: boolean
  readonly quantity?: number
}

export const isCloakOn = (view: WorldView, player: Eid): boolean =>
  view.read(Player).cloaked[player] === 1

/** Returns the state requested for the cloak; without a parameter it toggles. */
export const requestedCloak = (
  view: WorldView,
  player: Eid,
  { enable, quantity }: CloakParams,
): boolean => enable ?? (quantity === undefined ? !isCloakOn(view, player) : quantity !== 0)

/** `nothing`: as if absent; `anonymous`: a ship, but not whose; `full`: everything public. */
type Sight = 'nothing' | 'anonymous' | 'full'

/** Strength of an emergency cloak, which needs no device. ours: that of a good fitted cloak. */
const EMERGENCY_CLOAK = 35

/* Players */

/**
 * Returns what a viewer sees of a player in lists and feeds; viewer 0 is the public. Source:
 * travel.md section 8.
 */
export function seePlayer(view: WorldView, viewer: Eid, player: Eid): Sight {
  if (viewer === player) return 'full'
  if (isAbsentFor(view, viewer, player)) return 'nothing'
  const { cloaked, anonymous } = view.read(Player)
  if (cloaked[player] === 1) return 'nothing'
  return anonymous[player] === 1 ? 'anonymous' : 'full'
}

/**
 * Returns what a viewer can target: what `seePlayer` shows, and cloaked ships they have detected.
 * Source: travel.md section 8, trade-storage.md section 2.
 */
export function sightOf(view: WorldView, viewer: Eid, player: Eid): Sight {
  const seen = seePlayer(view, viewer, player)
  if (seen !== 'nothing' || !hasDetected(view, viewer, player)) return seen
  return view.read(Player).anonymous[player] === 1 ? 'anonymous' : 'full'
}

const ALIAS = 'contact'

/**
 * Returns the alias that serves as the id of an anonymous player. It reveals neither them nor their
 * ship, and lasts as long as they fly it.
 */
export const aliasOf = (view: WorldView, player: Eid): string =>
  wireId(view.seed, ALIAS, view.read(Ship).seq[view.read(Player).ship[player]])

function playerByAlias(view: WorldView, id: string): Eid {
  const ship = view.rowOf(Ship, seqOfWireId(view.seed, ALIAS, id))
  const player = ship === 0 ? 0 : view.read(Ship).owner[ship]
  return player !== 0 && view.read(Player).ship[player] === ship ? player : 0
}

/**
 * Returns the player whom a viewer means by an id or name; 0 none. Anonymous players are found by
 * their alias alone: otherwise a name would reveal who is there.
 */
export function playerMeant(view: WorldView, viewer: Eid, id: string): Eid {
  const { anonymous } = view.read(Player)
  const byAlias = playerByAlias(view, id)
  if (byAlias !== 0) return anonymous[byAlias] === 1 ? byAlias : 0
  const player = playerById(view, id)
  return player !== 0 && anonymous[player] === 1 && player !== viewer ? 0 : player
}

/**
 * Returns the id and name of a player as a viewer sees them: for an anonymous player the alias and
 * no name, for one who is not seen empty texts.
 */
export function visibleIdentity(
  view: WorldView,
  viewer: Eid,
  player: Eid,
): { id: string; name: string } {
  const sight = sightOf(view, viewer, player)
  if (sight === 'full') return { id: playerId(view, player), name: usernameOf(view, player) }
  return { id: sight === 'nothing' ? '' : aliasOf(view, player), name: '' }
}

/**
 * Returns the id and name that a player shows to those they deal with, cloaked or not: for an
 * anonymous player the alias and no name.
 */
export function counterpartyIdentity(view: WorldView, player: Eid): { id: string; name: string } {
  if (view.read(Player).anonymous[player] === 1) return { id: aliasOf(view, player), name: '' }
  return { id: playerId(view, player), name: usernameOf(view, player) }
}

/* Places */

/** Returns whether a place is charted for all, or revealed to the viewer. travel.md section 8. */
export function seesPoi(view: WorldView, viewer: Eid, poi: Eid): boolean {
  const { hidden, seq } = view.read(Poi)
  return hidden[poi] === 0 || (viewer !== 0 && revealedTo(view, viewer).includes(seq[poi]))
}

/*
 * Strangers: readers of the public frame without a login. They see what the public sees, and
 * less: nobody in a match, nobody off the chart. Source: WEB 3.
 */

/** Returns what a stranger sees of a player, wherever they are. */
export const strangerSightOf = (view: WorldView, player: Eid): Sight =>
  strangerSightReader(view)(player)

/** Returns a function that does what `strangerSightOf` does, but looks up its columns only once. */
export function strangerSightReader(view: WorldView): (player: Eid) => Sight {
  const { match } = view.read(ShipMatch)
  const { ship, cloaked, anonymous } = view.read(Player)
  return (player) => {
    if (match[ship[player]] !== 0 || cloaked[player] === 1) return 'nothing'
    return anonymous[player] === 1 ? 'anonymous' : 'full'
  }
}

/** Returns whether a place is on the chart of strangers. */
export const strangerSeesPlace = (view: WorldView, poi: Eid): boolean =>
  poi !== 0 && seesPoi(view, 0, poi)

/** Returns a function that does what `strangerSeesPlace` does, but looks at each place only once. */
export const shownPlaces = (view: WorldView): ((poi: Eid) => boolean) =>
  oncePerRow(view.highOf(Poi), (poi) => strangerSeesPlace(view, poi))

/**
 * Returns whether strangers know of a battle: it began at a place on their chart. ours: not of one
 * that began in transit, since that has no place.
 */
export const strangerSeesBattle = (view: WorldView, battle: Row): boolean =>
  strangerSeesPlace(view, view.read(Battle).origin[battle])

/** Returns the sequence numbers of the hidden places revealed to a player. */
export const revealedTo = (view: WorldView, player: Eid): readonly number[] =>
  view.records(REVEALED).get(String(view.read(Player).seq[player])) ?? []

/** Players at a place, in the order of their ships. */
export interface Gathering {
  /** Not cloaked. */
  readonly online: readonly Eid[]
  readonly offline: readonly Eid[]
  /** Counted, but never listed. */
  readonly cloaked: readonly Eid[]
}

/**
 * Sorts the players at a place. O(ships there), and called for everyone in a crowd: columns are
 * read once, and no list is made in between.
 */
export function gatheringAt(view: WorldView, poi: Eid): Gathering {
  const { cloaked: isCloaked, bound, ship: flown } = view.read(Player)
  const { owner } = view.read(Ship)
  const online: Eid[] = []
  const offline: Eid[] = []
  const cloaked: Eid[] = []
  for (const ship of shipsAt(view, poi)) {
    const player = owner[ship]
    if (player === 0 || flown[player] !== ship) continue
    if (isCloaked[player] === 1) cloaked.push(player)
    else if (bound[player] !== 0) online.push(player)
    else offline.push(player)
  }
  return { online, offline, cloaked }
}

/** Returns the players under a cloak, in durable-id order. */
export const cloakedPlayers = (view: WorldView): Eid[] => view.byId(Player, [Cloaked])

/** Returns the strength C of a player's cloak; 0 while it is off. Source: travel.md section 8. */
export function cloakOf(view: WorldView, player: Eid): number {
  const { cloaked, ship } = view.read(Player)
  if (cloaked[player] === 0) return 0
  const own = view.read(Ship).cloakPower[ship[player]]
  return view.read(PlayerCombat).cloakUntil[player] === 0 ? own : Math.max(own, EMERGENCY_CLOAK)
}

/** Returns the scanner power P of a player's ship. */
export const scanPowerOf = (view: WorldView, player: Eid): number =>
  view.read(Ship).scanPower[view.read(Player).ship[player]]

/** Returns whether a scanner senses a cloak without detecting the ship. travel.md 8, ours. */
export const isSensed = (power: number, cloak: number): boolean =>
  3 * cloak <= 4 * power && power <= cloak

/** Returns whether the viewer senses one of these cloaked ships without detecting it. */
export function sensesSignature(view: WorldView, viewer: Eid, cloaked: readonly Eid[]): boolean {
  const power = scanPowerOf(view, viewer)
  return cloaked.some((other) => other !== viewer && isSensed(power, cloakOf(view, other)))
}

/* Contacts */

const NO_CONTACTS: Contacts = { seen: [], locked: [] }
export const keyOf = (view: WorldView, player: Eid): string => String(view.read(Player).seq[player])

export const contactsOf = (view: WorldView, observer: Eid): Contacts =>
  view.records(CONTACTS).get(keyOf(view, observer)) ?? NO_CONTACTS

/** Returns whether the observer can target a player's cloaked ship. */
export function hasDetected(view: WorldView, observer: Eid, player: Eid): boolean {
  if (observer === 0) return false
  const number = view.read(Player).seq[player]
  return contactsOf(view, observer).seen.some(
    ([other, until]) => other === number && until >= view.tick,
  )
}

/** Marks a ship for watchers when it has moved or what is shown of it has changed. O(1). */
export function markMoved(world: World, ship: Eid): void {
  if (ship !== 0 && world.index(WATCHERS).size > 0) world.index(CHANGED).add(ship)
}

/** Marks the ship of a player when what is shown of the player has changed. */
export const markAppearance = (world: World, player: Eid): void =>
  markMoved(world, world.read(Player).ship[player])

/* Watches */

/** Returns the place a player watches; 0 none. */
export const watchedPlace = (view: WorldView, player: Eid): Eid => view.read(Watch).poi[player]

/** Returns the places with watchers in the order of their rows, which a restore keeps. */
export const watchedPlaces = (view: WorldView): Eid[] => followedTargets(view.index(WATCHERS))

/** Returns the watchers of a place, in durable-id order. */
export const watchersOf = (view: WorldView, poi: Eid): Eid[] =>
  followersIn(view, view.index(WATCHERS), poi)

/* Scans */

interface Tier {
  readonly field: string
  /** Margin of power over cloak from which it shows. */
  readonly margin: number
  /** Whether the field identifies the pilot: for an anonymous one that takes twice the power. */
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
/** Smallest margin that applies where a field takes twice the power. */
const IDENTITY_MIN = 5

export interface Contest {
  /** Scanner power P. */
  readonly power: number
  /** Cloak C; 0 while it is off. */
  readonly cloak: number
  readonly isAnonymous: boolean
  readonly hasCargoScanner: boolean
}

/**
 * Returns the names of the fields that a scan reveals, in their order; none where the cloak wins.
 */
export function revealedBy(contest: Contest): string[] {
  const { power, cloak, isAnonymous, hasCargoScanner } = contest
  const shows = ({ field, margin, isIdentity }: Tier): boolean => {
    const min = field === 'cargo_types' && hasCargoScanner ? CARGO_SCANNER_MARGIN : margin
    if (power - cloak < min) return false
    if (!isIdentity || !isAnonymous) return true
    return power >= 2 * (cloak + Math.max(IDENTITY_MIN, min))
  }
  return TIERS.filter(shows).map(({ field }) => field)
}

/** Returns whether a scanner is fitted or built in. */
export function hasScanner(view: WorldView, ship: Eid): boolean {
  const isBuiltIn = shipClassOf(view, ship).inherent_capabilities.some(
    ({ type }) => type === 'integrated_scanner',
  )
  return isBuiltIn || modulesOf(view, ship).some((row) => moduleTypeOf(view, row).scanner_power)
}

export interface Reading {
  readonly target_id: string
  readonly success: boolean
  readonly revealed_info: string[]
  readonly [field: string]: unknown
}

/** Fields that only the scan of one target shows. */
const TARGET_FIELDS = ['description', 'cargo_types']

/** Renders a reading as a contact in a list. */
export function contactOf({ success: _, ...reading }: Reading): Static<typeof contactSchema> {
  const kept = Object.entries(reading).filter(([field]) => !TARGET_FIELDS.includes(field))
  const shown = reading.revealed_info.filter((field) => !TARGET_FIELDS.includes(field))
  return { ...Object.fromEntries(kept), revealed_info: shown } as Static<typeof contactSchema>
}

interface Sweep {
  /** Cloaked players whose ships are detected, in the order of the ships. */
  readonly detected: readonly Eid[]
  /** Whether another cloaked ship is sensed, but not detected. */
  readonly hasSignature: boolean
}

/** Tests every cloaked ship at the place against the observer's scanner. Writes nothing. */
export function sweepPlace(view: WorldView, observer: Eid, poi: Eid): Sweep {
  const power = scanPowerOf(view, observer)
  const { cloaked } = gatheringAt(view, poi)
  const others = cloaked.filter((player) => player !== observer)
  return {
    detected: others.filter((player) => power > cloakOf(view, player)),
    hasSignature: sensesSignature(view, observer, others),
  }
}
