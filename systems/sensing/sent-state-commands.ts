/**
 * What watchers have been told of watched places and their systems, and what of it has changed. A
 * list is made when the first watcher comes, costs nothing while nothing changes, and is shared by
 * all who watch.
 */
import { OBSERVED_ROWS_MAX } from '../../core/limits.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Ship } from '../ship/state.ts'
import { poisOf, shipsAt, travellersOf } from '../travel/model.ts'
import { JUMPING, Location, Poi } from '../travel/state.ts'
import { type Lists, type Name, PLACES, type Seen, type SeenList, SYSTEMS } from './state.ts'
import { renderAgent, renderSeen } from './views.ts'

/** How a kind of list is filled: where a ship stands, and how it looks there. */
interface Kind {
  readonly lists: typeof PLACES
  placeOf(view: WorldView, ship: Eid): Eid
  shipsIn(view: WorldView, place: Eid): readonly Eid[]
  render(view: WorldView, ship: Eid): Seen | undefined
}

const NEARBY: Kind = {
  lists: PLACES,
  placeOf: (view, ship) => view.read(Location).poi[ship],
  shipsIn: shipsAt,
  render: renderSeen,
}

const AGENTS: Kind = {
  lists: SYSTEMS,
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

/** What changed in a list since it was told last. */
export interface Changes {
  readonly changed: readonly Seen[]
  /** Those that are there no more. */
  readonly departed: readonly Name[]
}

/** Ids that left one of the lists. */
export const idsIn = ({ departed }: Changes, wanted: SeenList): string[] =>
  departed.flatMap(({ list, id }) => (list === wanted ? [id] : []))

const NOTHING: Changes = { changed: [], departed: [] }

/** Where a ship is, if it is anywhere at all. */
const standing = (view: WorldView, kind: Kind, ship: Eid): Eid =>
  view.read(Ship).alive[ship] === 1 ? kind.placeOf(view, ship) : 0

function note(lists: Lists, place: Eid, ship: Eid, { list, id }: Name): void {
  lists.told.get(place)?.set(ship, { list, id })
  lists.standsIn.set(ship, place)
}

/** Begins the list of a place as it is now, unless there is one. O(ships there). */
function begin(view: WorldView, kind: Kind, place: Eid): void {
  const lists = view.index(kind.lists)
  if (lists.told.has(place)) return
  lists.told.set(place, new Map())
  for (const ship of kind.shipsIn(view, place)) {
    const entry = kind.render(view, ship)
    if (entry) note(lists, place, ship, entry)
  }
}

/** Ends the lists of places that nobody watches any more. */
function endOthers(view: WorldView, kind: Kind, watched: ReadonlySet<Eid>): void {
  const { told, standsIn } = view.index(kind.lists)
  for (const [place, ships] of told) {
    if (watched.has(place)) continue
    for (const ship of ships.keys()) standsIn.delete(ship)
    told.delete(place)
  }
}

/** Both lists of a place are kept from now on. */
export function beginTelling(view: WorldView, poi: Eid): void {
  begin(view, NEARBY, poi)
  begin(view, AGENTS, view.read(Poi).system[poi])
}

/** Both by list and id. */
interface Draft {
  readonly changed: Map<string, Seen>
  readonly departed: Map<string, Name>
}

const keyOf = ({ list, id }: Name): string => `${list} ${id}`

/** What became of a ship in the list where it stood, and in the one where it stands. */
function follow(view: WorldView, kind: Kind, ship: Eid, drafts: Map<Eid, Draft>): void {
  const lists = view.index(kind.lists)
  const draftOf = (place: Eid): Draft => {
    const draft = drafts.get(place) ?? { changed: new Map(), departed: new Map() }
    drafts.set(place, draft)
    return draft
  }
  const before = lists.standsIn.get(ship) ?? 0
  const at = standing(view, kind, ship)
  const entry = lists.told.has(at) ? kind.render(view, ship) : undefined
  const old = before === 0 ? undefined : lists.told.get(before)?.get(ship)
  if (old) {
    lists.told.get(before)?.delete(ship)
    lists.standsIn.delete(ship)
    if (!entry || before !== at || keyOf(old) !== keyOf(entry)) {
      draftOf(before).departed.set(keyOf(old), old)
    }
  }
  if (!entry) return
  note(lists, at, ship, entry)
  draftOf(at).changed.set(keyOf(entry), entry)
}

/** Whoever is there under the same id has not departed: a pilot in another hull. */
function finish({ changed, departed }: Draft): Changes {
  return {
    changed: [...changed.values()].slice(0, OBSERVED_ROWS_MAX),
    departed: [...departed]
      .filter(([key]) => !changed.has(key))
      .map(([, name]) => name)
      .slice(0, OBSERVED_ROWS_MAX),
  }
}

function changesIn(view: WorldView, kind: Kind, ships: readonly Eid[]): Map<Eid, Changes> {
  const drafts = new Map<Eid, Draft>()
  for (const ship of ships) follow(view, kind, ship, drafts)
  return new Map([...drafts].map(([place, draft]) => [place, finish(draft)]))
}

/** What the changes of these ships mean to those who watch a place, by place. */
export interface News {
  nearby(poi: Eid): Changes
  agents(poi: Eid): Changes
}

/** Brings the lists of watched places up to date. O(ships that changed). */
export function bringUpToDate(world: World, watched: readonly Eid[], ships: readonly Eid[]): News {
  const { system } = world.read(Poi)
  endOthers(world, NEARBY, new Set(watched))
  endOthers(world, AGENTS, new Set(watched.map((poi) => system[poi])))
  // after a restore there are none; then what changes from now on is told
  for (const poi of watched) beginTelling(world, poi)
  const nearby = changesIn(world, NEARBY, ships)
  const agents = changesIn(world, AGENTS, ships)
  return {
    nearby: (poi) => nearby.get(poi) ?? NOTHING,
    agents: (poi) => agents.get(system[poi]) ?? NOTHING,
  }
}

/** Forgets all lists: the world is another. */
export function clearSent(world: World): void {
  for (const key of [PLACES, SYSTEMS]) {
    const { told, standsIn } = world.index(key)
    told.clear()
    standsIn.clear()
  }
}
