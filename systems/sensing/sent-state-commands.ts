/**
 * Keeps what watchers have been sent about watched places and their systems, and finds the changes
 * since. The state is made for the first watcher, shared by all, and costs nothing while nothing
 * changes.
 */
import { OBSERVED_ROWS_MAX } from '../../core/limits.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { matchKey, matchOf } from '../arena/model.ts'
import { MATCHES } from '../arena/state.ts'
import { Ship } from '../ship/state.ts'
import { poisOf, shipsAt, travellersOf } from '../travel/model.ts'
import { JUMPING, Location, Poi } from '../travel/state.ts'
import {
  SENT_PLACES,
  SENT_SYSTEMS,
  type Seen,
  type SeenKey,
  type SeenList,
  type SentState,
} from './state.ts'
import { renderAgent, renderSeen } from './views.ts'

/** A kind of list: how to find the place of a ship, and how to render a ship there. */
interface Kind {
  readonly state: typeof SENT_PLACES
  placeOf(view: WorldView, ship: Eid): Eid
  shipsIn(view: WorldView, place: Eid): readonly Eid[]
  render(view: WorldView, ship: Eid): Seen | undefined
}

const NEARBY: Kind = {
  state: SENT_PLACES,
  placeOf: (view, ship) => view.read(Location).poi[ship],
  shipsIn: shipsAt,
  render: renderSeen,
}

const AGENTS: Kind = {
  state: SENT_SYSTEMS,
  placeOf: (view, ship) => {
    const { state, system } = view.read(Location)
    return state[ship] >= JUMPING ? 0 : system[ship]
  },
  shipsIn: (view, system) => [
    ...poisOf(view, system).flatMap((poi) => shipsAt(view, poi)),
    ...travellersOf(view, system),
  ],
  render: renderAgent,
}

/** Changes of a place or system since they were last sent. */
export interface Changes {
  readonly changed: readonly Seen[]
  readonly departed: readonly SeenKey[]
}

/** Returns the ids that left one of the lists. */
export const idsIn = ({ departed }: Changes, list: SeenList): string[] =>
  departed.flatMap((key) => (key.list === list ? [key.id] : []))

const NO_CHANGES: Changes = { changed: [], departed: [] }

/** A ship, and the place or system where watchers were last sent it. */
interface SentShip {
  readonly place: Eid
  readonly ship: Eid
}

function markSent(view: WorldView, state: SentState, { place, ship }: SentShip, entry: Seen): void {
  const { list, id } = entry
  state.sent.get(place)?.set(ship, { list, id })
  state.placeOf.set(ship, place)
  if (entry.list !== 'arena_npcs') return
  const match = matchKey(view, matchOf(view, ship))
  state.fighters.set(ship, { row: entry.row, match })
}

/**
 * Returns the row sent of an arena fighter that was knocked out while its match continues: it stays
 * listed until the match ends. Undefined for other ships. Source: newer.md section 4.
 */
function fallenFighter(view: WorldView, state: SentState, ship: Eid): Seen | undefined {
  const last = state.fighters.get(ship)
  // The columns of a released ship keep their values until its row is reused.
  if (!last || view.read(Ship).hull[ship] > 0) return undefined
  if (!view.records(MATCHES).has(last.match)) return undefined
  const row = { ...last.row, hull: 0, shield: 0, in_combat: false }
  return { list: 'arena_npcs', id: row.npc_id, row }
}

/** Starts the state of a place from what is there now, unless there is one. O(ships there). */
function startState(view: WorldView, kind: Kind, place: Eid): void {
  const state = view.index(kind.state)
  if (state.sent.has(place)) return
  state.sent.set(place, new Map())
  for (const ship of kind.shipsIn(view, place)) {
    const entry = kind.render(view, ship)
    if (entry) markSent(view, state, { place, ship }, entry)
  }
}

/** Drops the state of places that are no longer watched. */
function dropUnwatched(view: WorldView, kind: Kind, watched: ReadonlySet<Eid>): void {
  const { sent, placeOf, fighters, fallen } = view.index(kind.state)
  for (const [place, ships] of sent) {
    if (watched.has(place)) continue
    for (const ship of ships.keys()) {
      placeOf.delete(ship)
      fighters.delete(ship)
    }
    sent.delete(place)
    fallen.delete(place)
  }
}

/** Starts keeping what is sent about a place and about its system. */
export function beginSentState(view: WorldView, poi: Eid): void {
  startState(view, NEARBY, poi)
  startState(view, AGENTS, view.read(Poi).system[poi])
}

/** Changes by list and id. */
interface Draft {
  readonly changed: Map<string, Seen>
  readonly departed: Map<string, SeenKey>
}

const keyOf = ({ list, id }: SeenKey): string => `${list} ${id}`

function draftOf(drafts: Map<Eid, Draft>, place: Eid): Draft {
  const draft = drafts.get(place) ?? { changed: new Map(), departed: new Map() }
  drafts.set(place, draft)
  return draft
}

/** Drafts the departure of fallen fighters whose match is over. O(fallen at watched places). */
function draftFallen(view: WorldView, { fallen }: SentState, drafts: Map<Eid, Draft>): void {
  const matches = view.records(MATCHES)
  for (const [place, ids] of fallen) {
    for (const [id, match] of ids) {
      if (matches.has(match)) continue
      ids.delete(id)
      const key: SeenKey = { list: 'arena_npcs', id }
      draftOf(drafts, place).departed.set(keyOf(key), key)
    }
  }
}

/** Drafts the departure of a ship; a fighter that was knocked out stays, with its hull gone. */
function draftDeparture(
  view: WorldView,
  state: SentState,
  { place, ship, key }: SentShip & { readonly key: SeenKey },
  drafts: Map<Eid, Draft>,
): void {
  const { changed, departed } = draftOf(drafts, place)
  const fighter = fallenFighter(view, state, ship)
  if (!fighter) {
    departed.set(keyOf(key), key)
    return
  }
  changed.set(keyOf(fighter), fighter)
  const ids = state.fallen.get(place) ?? new Map<string, string>()
  ids.set(fighter.id, state.fighters.get(ship)?.match ?? '')
  state.fallen.set(place, ids)
}

/** Drafts the changes by a ship at the place where it was last sent, and at its place now. */
function draftChanges(view: WorldView, kind: Kind, ship: Eid, drafts: Map<Eid, Draft>): void {
  const state = view.index(kind.state)
  const oldPlace = state.placeOf.get(ship) ?? 0
  const place = view.read(Ship).alive[ship] === 1 ? kind.placeOf(view, ship) : 0
  const entry = state.sent.has(place) ? kind.render(view, ship) : undefined
  const oldKey = oldPlace === 0 ? undefined : state.sent.get(oldPlace)?.get(ship)
  if (oldKey) {
    state.sent.get(oldPlace)?.delete(ship)
    state.placeOf.delete(ship)
    if (!entry || oldPlace !== place || keyOf(oldKey) !== keyOf(entry)) {
      draftDeparture(view, state, { place: oldPlace, ship, key: oldKey }, drafts)
    }
    state.fighters.delete(ship)
  }
  if (!entry) return
  markSent(view, state, { place, ship }, entry)
  draftOf(drafts, place).changed.set(keyOf(entry), entry)
}

/** Bounds a draft. An id that is listed again has not departed: its pilot changed ships. */
function finish({ changed, departed }: Draft): Changes {
  return {
    changed: [...changed.values()].slice(0, OBSERVED_ROWS_MAX),
    departed: [...departed]
      .filter(([key]) => !changed.has(key))
      .map(([, left]) => left)
      .slice(0, OBSERVED_ROWS_MAX),
  }
}

function changesIn(view: WorldView, kind: Kind, ships: readonly Eid[]): Map<Eid, Changes> {
  const drafts = new Map<Eid, Draft>()
  draftFallen(view, view.index(kind.state), drafts)
  for (const ship of ships) draftChanges(view, kind, ship, drafts)
  return new Map([...drafts].map(([place, draft]) => [place, finish(draft)]))
}

/** Changes of a watched place, and of the system it lies in. */
interface PlaceChanges {
  nearby(poi: Eid): Changes
  agents(poi: Eid): Changes
}

/** Brings the state of watched places up to date. O(ships that changed). */
export function updateSentState(
  world: World,
  watched: readonly Eid[],
  ships: readonly Eid[],
): PlaceChanges {
  const { system } = world.read(Poi)
  dropUnwatched(world, NEARBY, new Set(watched))
  dropUnwatched(world, AGENTS, new Set(watched.map((poi) => system[poi])))
  // A restore has dropped the state; it starts again, so that only later changes are sent.
  for (const poi of watched) beginSentState(world, poi)
  const nearby = changesIn(world, NEARBY, ships)
  const agents = changesIn(world, AGENTS, ships)
  return {
    nearby: (poi) => nearby.get(poi) ?? NO_CHANGES,
    agents: (poi) => agents.get(system[poi]) ?? NO_CHANGES,
  }
}

/** Drops the state of all places, after a restore. */
export function clearSentState(world: World): void {
  for (const index of [SENT_PLACES, SENT_SYSTEMS]) {
    for (const sent of Object.values(world.index(index))) sent.clear()
  }
}
