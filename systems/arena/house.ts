/** The challenges of the house: where each is fought, and who may take it up. */
import type { ChallengeRow } from '../../core/catalog/arena-challenges.ts'
import { CHALLENGES } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { Poi, StarSystem } from '../travel/columns.ts'
import { WINS } from './columns.ts'

/** Arenas by circuit, in the order of the map, which never changes. */
const ARENAS = defineIndex('arena.places', () => new Map<string, readonly Eid[]>())

export const isArena = (view: WorldView, poi: Eid): boolean =>
  poi !== 0 && view.texts.get(view.read(Poi).class[poi]) === 'arena'

/** The arenas of a circuit; those that players can find. */
export function arenasOf(view: WorldView, circuit: ChallengeRow['circuit']): readonly Eid[] {
  const known = view.index(ARENAS)
  const found = known.get(circuit)
  if (found) return found
  const { system, hidden } = view.read(Poi)
  const { stronghold } = view.read(StarSystem)
  const places: Eid[] = []
  for (let poi = 1; poi <= view.highOf(Poi); poi++) {
    if (hidden[poi] === 1 || !isArena(view, poi)) continue
    if ((stronghold[system[poi]] === 1) === (circuit === 'outlaw')) places.push(poi)
  }
  known.set(circuit, places)
  return places
}

/** The one arena where a challenge is fought; 0 in a world without any. */
export function arenaOf(view: WorldView, row: ChallengeRow): Eid {
  const places = arenasOf(view, row.circuit)
  return places.length === 0 ? 0 : places[CHALLENGES.indexOf(row) % places.length]
}

/** How often a player has won a challenge. */
export const winsOf = (view: WorldView, player: Eid, id: string): number =>
  view.records(WINS).get(String(view.read(Player).seq[player]))?.[id] ?? 0

/** What a challenge requires, and whether that still locks it. */
export const requirementsOf = (view: WorldView, player: Eid, { requires }: ChallengeRow) =>
  requires.map((id) => ({ id, locked: winsOf(view, player, id) === 0 }))

export function refusesLocked(
  view: WorldView,
  player: Eid,
  row: ChallengeRow,
): Failure | undefined {
  const missing = requirementsOf(view, player, row).filter(({ locked }) => locked)
  if (missing.length === 0) return undefined
  return fail('challenge_locked', { requires: missing.map(({ id }) => id) })
}
