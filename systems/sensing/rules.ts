/**
 * What a viewer may see: the one room where it is decided (DESIGN 2, Seeing). Views of other
 * domains ask here before they show a player, a ship or a hidden place, and refusals treat what is
 * not seen as unknown. Cloaks go on and off here, and here it stands who has made out whom.
 */
import { seqOfWireId, wireId } from '../../core/entity.ts'
import { SENSED_CONTACTS_MAX } from '../../core/limits.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Cloaked, Player } from '../account/columns.ts'
import { playerById, playerId, usernameOf } from '../account/rules.ts'
import { isAbsentFor } from '../arena/rules.ts'
import { Lives } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Poi, REVEALED } from '../travel/columns.ts'
import { shipsAt } from '../travel/rules.ts'
import { CONTACTS, type Contacts } from './columns.ts'
import { noteChange } from './watch-rules.ts'

/**
 * nothing: as if it were not there; anonymous: a ship, but not whose; full: everything that is
 * public.
 */
export type Sight = 'nothing' | 'anonymous' | 'full'

/** Ticks for which a cloaked ship that was made out stays in the sights. travel.md section 8. */
export const CONTACT_TICKS = 6
/** Cloak of an emergency device, which needs no other. Source: ours: as a good fitted cloak. */
const EMERGENCY_CLOAK = 35

/* Players */

/** What a viewer sees of a player in lists and feeds; viewer 0 is anybody. travel.md section 8. */
export function seePlayer(view: WorldView, viewer: Eid, player: Eid): Sight {
  if (viewer === player) return 'full'
  if (isAbsentFor(view, viewer, player)) return 'nothing'
  const { cloaked, anonymous } = view.read(Player)
  if (cloaked[player] === 1) return 'nothing'
  return anonymous[player] === 1 ? 'anonymous' : 'full'
}

/**
 * What a viewer can point something at: as `seePlayer`, and cloaked ships he has made out. Source:
 * travel.md section 8, trade-storage.md section 2.
 */
export function sightOf(view: WorldView, viewer: Eid, player: Eid): Sight {
  const seen = seePlayer(view, viewer, player)
  if (seen !== 'nothing' || !isMadeOut(view, viewer, player)) return seen
  return view.read(Player).anonymous[player] === 1 ? 'anonymous' : 'full'
}

const ALIAS = 'contact'

/**
 * What an anonymous player goes by: an id that names neither him nor his ship, and lasts as long
 * as he flies it.
 */
export function aliasOf(view: WorldView, player: Eid): string {
  return wireId(view.seed, ALIAS, view.read(Ship).seq[view.read(Player).ship[player]])
}

function playerByAlias(view: WorldView, id: string): Eid {
  const ship = view.rowOf(Ship, seqOfWireId(view.seed, ALIAS, id))
  const player = ship === 0 ? 0 : view.read(Ship).owner[ship]
  return player !== 0 && view.read(Player).ship[player] === ship ? player : 0
}

/**
 * The player whom a viewer means by an id or name; 0 none. The anonymous answer to their alias
 * alone: otherwise a name would find out who stands there.
 */
export function playerMeant(view: WorldView, viewer: Eid, id: string): Eid {
  const isNameless = (player: Eid) => view.read(Player).anonymous[player] === 1
  const alias = playerByAlias(view, id)
  if (alias !== 0) return isNameless(alias) ? alias : 0
  const player = playerById(view, id)
  return player !== 0 && isNameless(player) && player !== viewer ? 0 : player
}

/** Id and name as a viewer knows them: of the anonymous the alias, of the unseen nothing. */
export function knownAs(view: WorldView, viewer: Eid, player: Eid): { id: string; name: string } {
  const sight = sightOf(view, viewer, player)
  if (sight === 'full') return { id: playerId(view, player), name: usernameOf(view, player) }
  return { id: sight === 'nothing' ? '' : aliasOf(view, player), name: '' }
}

/** A player as those he deals with know him: cloaked or not, but the anonymous by their alias. */
export function partyOf(view: WorldView, player: Eid): { id: string; name: string } {
  if (view.read(Player).anonymous[player] === 1) return { id: aliasOf(view, player), name: '' }
  return { id: playerId(view, player), name: usernameOf(view, player) }
}

/* Places */

/**
 * True for places on everybody's chart, and for hidden ones revealed to the viewer. Source:
 * travel.md section 8.
 */
export function seesPoi(view: WorldView, viewer: Eid, poi: Eid): boolean {
  const { hidden, seq } = view.read(Poi)
  if (hidden[poi] === 0) return true
  if (viewer === 0) return false
  return revealedTo(view, viewer).includes(seq[poi])
}

/** Numbers of the hidden places revealed to a player. */
export const revealedTo = (view: WorldView, player: Eid): readonly number[] =>
  view.records(REVEALED).get(String(view.read(Player).seq[player])) ?? []

/** Reveals hidden places to a player, for ever. */
export function reveal(world: World, player: Eid, pois: readonly Eid[]): void {
  const { seq, hidden } = world.read(Poi)
  const known = revealedTo(world, player)
  const found = pois.filter((poi) => hidden[poi] === 1).map((poi) => seq[poi])
  const all = [...known, ...found.filter((number) => !known.includes(number))]
  if (all.length > known.length) {
    world.records(REVEALED).set(String(world.read(Player).seq[player]), all)
  }
}

/** Players at a place, in the order of their ships. */
export interface Gathering {
  /** Those whom anybody sees. */
  readonly online: readonly Eid[]
  readonly offline: readonly Eid[]
  /** Those whom nobody sees: to be asked after, never shown. */
  readonly cloaked: readonly Eid[]
}

/**
 * Sorts whom anybody sees at a place by presence. O(ships there), and asked for by everyone in a
 * crowd: columns are read once, and no list is made in between.
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

/* Cloaks */

/** Puts a player's cloak on or takes it off. The only writer of `cloaked`. */
export function setCloak(world: World, player: Eid, isOn: boolean): void {
  const { cloaked, ship } = world.write(Player)
  if (!isOn) world.write(Lives).cloakUntil[player] = 0
  if ((cloaked[player] === 1) === isOn) return
  cloaked[player] = isOn ? 1 : 0
  if (isOn) world.tag(Player, player, Cloaked)
  else world.untag(Player, player, Cloaked)
  noteChange(world, ship[player])
}

/** Players under a cloak, in durable-id order. */
export const cloakedPlayers = (view: WorldView): Eid[] => view.byId(Player, [Cloaked])

export function rebuildCloaks(world: World): void {
  const { alive, cloaked } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && cloaked[player] === 1) world.tag(Player, player, Cloaked)
  }
}

/** Strength C of a player's cloak; 0 while it is off. Source: travel.md section 8. */
export function cloakOf(view: WorldView, player: Eid): number {
  const { cloaked, ship } = view.read(Player)
  if (cloaked[player] === 0) return 0
  const own = view.read(Ship).cloakPower[ship[player]]
  return view.read(Lives).cloakUntil[player] === 0 ? own : Math.max(own, EMERGENCY_CLOAK)
}

/** Scanner power P of a player's ship. */
export const scanPowerOf = (view: WorldView, player: Eid): number =>
  view.read(Ship).scanPower[view.read(Player).ship[player]]

/** True where a cloak is felt, but not what it hides. Source: travel.md section 8, ours. */
export const isFelt = (power: number, cloak: number): boolean =>
  3 * cloak <= 4 * power && power <= cloak

/** True if the viewer feels a cloaked ship among these that he cannot make out. */
export function feelsSignature(view: WorldView, viewer: Eid, cloaked: readonly Eid[]): boolean {
  const power = scanPowerOf(view, viewer)
  return cloaked.some((other) => other !== viewer && isFelt(power, cloakOf(view, other)))
}

/* Contacts */

const NOBODY: Contacts = { seen: [], locked: [] }
const keyOf = (view: WorldView, player: Eid): string => String(view.read(Player).seq[player])

export const contactsOf = (view: WorldView, observer: Eid): Contacts =>
  view.records(CONTACTS).get(keyOf(view, observer)) ?? NOBODY

/** True while the observer can target a player's cloaked ship. */
export function isMadeOut(view: WorldView, observer: Eid, player: Eid): boolean {
  if (observer === 0) return false
  const number = view.read(Player).seq[player]
  return contactsOf(view, observer).seen.some(
    ([seen, until]) => seen === number && until >= view.tick,
  )
}

/**
 * The observer has made these cloaked players out; of too many the first ones. `locked` replaces
 * those an active watch holds.
 */
export function makeOut(
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
  const after = {
    seen: seen.slice(0, SENSED_CONTACTS_MAX),
    locked: locked ?? before.locked,
  }
  if (after.seen.length + after.locked.length === 0) {
    world.records(CONTACTS).delete(keyOf(world, observer))
  } else world.records(CONTACTS).set(keyOf(world, observer), after)
}

/** Forgets contacts that are out of the sights. O(observers who had any). */
export function forgetContacts(world: World): void {
  for (const [key, { seen, locked }] of [...world.records(CONTACTS).entries()]) {
    if (locked.length === 0 && seen.every(([, until]) => until < world.tick)) {
      world.records(CONTACTS).delete(key)
    }
  }
}
