/**
 * What watchers have been sent of watched places and their systems, and the changes since. It
 * is made for the first watcher, shared by all, and costs nothing while nothing changes.
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

/** A kind of lists: where a ship is, and how it looks there. */
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

/** A ship, and the place or system where watchers know it. */
interface At {
  readonly place: Eid
  readonly ship: Eid
}

function markSent(view: WorldView, state: SentState, { place, ship }: At, entry: Seen): void {
  const { list, id } = entry
  state.sent.get(place)?.set(ship, { list, id })
  state.placeOf.set(ship, place)
  if (entry.list !== 'arena_npcs') return
  const match = matchKey(view, matchOf(view, ship))
  state.fighters.set(ship, { row: entry.row, match })
}

/**
 * Returns what is sent of a fighter of an arena whose hull is gone while its match goes on: it lies
 * there, and departs with the match. Undefined for other ships. Source: newer.md section 4.
 */
function fallenFighter(view: WorldView, state: SentState, ship: Eid): Seen | undefined {
  const last = state.fighters.get(ship)
  // What a ship that was released had is there until its row is taken again.
  if (!last || view.read(Ship).hull[ship] > 0) return undefined
  if (!view.records(MATCHES).has(last.match)) return undefined
  const row = { ...last.row, hull: 0, shield: 0, in_combat: false }
  return { list: 'arena_npcs', id: row.npc_id, row }
}

/** Begins the state of a place as it is now, unless there is one. O(ships there). */
function begin(view: WorldView, kind: Kind, place: Eid): void {
  const state = view.index(kind.state)
  if (state.sent.has(place)) return
  state.sent.set(place, new Map())
  for (const ship of kind.shipsIn(view, place)) {
    const entry = kind.render(view, ship)
    if (entry) markSent(view, state, { place, ship }, entry)
  }
}

/** Drops the state of places that are no longer watched. */
function dropOthers(view: WorldView, kind: Kind, watched: ReadonlySet<Eid>): void {
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

/** Keeps what is sent of a place and its system from now on. */
export function beginSentState(view: WorldView, poi: Eid): void {
  begin(view, NEARBY, poi)
  begin(view, AGENTS, view.read(Poi).system[poi])
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

/** Drafts the departure of fallen fighters whose match is over. O(those in watched places). */
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

/** Drafts that a ship is no longer where watchers know it. */
function draftDeparture(
  view: WorldView,
  state: SentState,
  { place, ship, old }: At & { readonly old: SeenKey },
  drafts: Map<Eid, Draft>,
): void {
  const { changed, departed } = draftOf(drafts, place)
  const lying = fallenFighter(view, state, ship)
  if (!lying) {
    departed.set(keyOf(old), old)
    return
  }
  changed.set(keyOf(lying), lying)
  const ids = state.fallen.get(place) ?? new Map<string, string>()
  ids.set(lying.id, state.fighters.get(ship)?.match ?? '')
  state.fallen.set(place, ids)
}

/** Drafts what a changed ship means to the place where it was, and to the one where it is. */
function draftChanges(view: WorldView, kind: Kind, ship: Eid, drafts: Map<Eid, Draft>): void {
  const state = view.index(kind.state)
  const before = state.placeOf.get(ship) ?? 0
  const place = view.read(Ship).alive[ship] === 1 ? kind.placeOf(view, ship) : 0
  const entry = state.sent.has(place) ? kind.render(view, ship) : undefined
  const old = before === 0 ? undefined : state.sent.get(before)?.get(ship)
  if (old) {
    state.sent.get(before)?.delete(ship)
    state.placeOf.delete(ship)
    if (!entry || before !== place || keyOf(old) !== keyOf(entry)) {
      draftDeparture(view, state, { place: before, ship, old }, drafts)
    }
    state.fighters.delete(ship)
  }
  if (!entry) return
  markSent(view, state, { place, ship }, entry)
  draftOf(drafts, place).changed.set(keyOf(entry), entry)
}

/** Bounds a draft. An id that is there again has not departed: a pilot in another hull. */
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
  dropOthers(world, NEARBY, new Set(watched))
  dropOthers(world, AGENTS, new Set(watched.map((poi) => system[poi])))
  // After a restore there is none; then only what changes from now on is sent.
  for (const poi of watched) beginSentState(world, poi)
  const nearby = changesIn(world, NEARBY, ships)
  const agents = changesIn(world, AGENTS, ships)
  return {
    nearby: (poi) => nearby.get(poi) ?? NO_CHANGES,
    agents: (poi) => agents.get(system[poi]) ?? NO_CHANGES,
  }
}

/** Drops all of it, after a restore. */
export function clearSentState(world: World): void {
  for (const index of [SENT_PLACES, SENT_SYSTEMS]) {
    for (const sent of Object.values(world.index(index))) sent.clear()
  }
}
