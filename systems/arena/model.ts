/** Lookups of the arena; writes only to its own columns. */
import { assert } from '../../core/assert.ts'
import type { ChallengeRow } from '../../core/catalog/arena-challenges.ts'
import {
  CHALLENGES,
  challengeById,
  FIGHTERS,
  type FighterRow,
  SHIP_CLASSES,
} from '../../core/catalog/index.ts'
import { wireId } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { Battle } from '../combat/state.ts'
import { systemOfBase } from '../mission/model.ts'
import { counterpartyIdentity } from '../sensing/model.ts'
import { shipId } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { systemOf } from '../travel/location-model.ts'
import { poiId } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import {
  ARENAS,
  DUELS,
  type Duel,
  MATCHES,
  type Match,
  OTHER_SIDE,
  OWN_SIDE,
  ShipMatch,
  WINS,
} from './state.ts'

/** Kind of the durable numbers of challenges between players. */
export const DUEL_KIND = 'arena_duel'

/** Returns the UUID of an open challenge on the wire. */
export const duelId = (view: WorldView, { number }: Duel): string =>
  wireId(view.seed, DUEL_KIND, number)

/** Lists the open challenges, the oldest first. */
export const duelsOf = (view: WorldView): Duel[] =>
  [...view.records(DUELS).entries()].map(([, duel]) => duel)

/** Renders a challenge between players. */
export function renderDuel(view: WorldView, duel: Duel) {
  const [challenger, challenged] = [duel.challenger, duel.challenged].map((number) =>
    counterpartyIdentity(view, view.rowOf(Player, number)),
  )
  return {
    challenge_id: duelId(view, duel),
    challenger_id: challenger.id,
    challenger_name: challenger.name,
    challenged_id: challenged.id,
    challenged_name: challenged.name,
    poi_id: poiId(view, view.rowOf(Poi, duel.poi)),
    max_side_size: duel.maxSideSize,
    expires_tick: duel.expiresTick,
  }
}

/** Returns whether a place is an arena. */
export const isArena = (view: WorldView, poi: Eid): boolean =>
  poi !== 0 && view.texts.get(view.read(Poi).class[poi]) === 'arena'

/** Lists the arenas of a circuit that players can find. */
export function arenasOf(view: WorldView, circuit: ChallengeRow['circuit']): readonly Eid[] {
  const arenas = view.index(ARENAS)
  const found = arenas.get(circuit)
  if (found) return found
  const { system, hidden } = view.read(Poi)
  const { stronghold } = view.read(StarSystem)
  const places: Eid[] = []
  for (let poi = 1; poi <= view.highOf(Poi); poi++) {
    if (hidden[poi] === 1 || !isArena(view, poi)) continue
    if ((stronghold[system[poi]] === 1) === (circuit === 'outlaw')) places.push(poi)
  }
  arenas.set(circuit, places)
  return places
}

/**
 * Returns the arena where a player fights a challenge. For one that all arenas offer that is the
 * arena in their system, else in that of their home, else the usual one; 0 in a world without any.
 */
export function arenaOf(view: WorldView, row: ChallengeRow, player: Eid): Eid {
  const places = arenasOf(view, row.circuit)
  if (places.length === 0) return 0
  const usual = places[CHALLENGES.indexOf(row) % places.length]
  if (!row.everywhere) return usual
  const { system } = view.read(Poi)
  const home = view.read(Player).homeBase[player]
  const near = [systemOf(view, player), home === 0 ? 0 : systemOfBase(view, home)]
  const found = near.map((place) => places.find((poi) => system[poi] === place) ?? 0)
  return found.find((poi) => poi !== 0) ?? usual
}

/** Returns how often a player has won a challenge. */
export const winsOf = (view: WorldView, player: Eid, id: string): number =>
  view.records(WINS).get(String(view.read(Player).seq[player]))?.[id] ?? 0

/** Lists the challenges to be won before this one, and which of them still lock it. */
export const requirementsOf = (view: WorldView, player: Eid, { requires }: ChallengeRow) =>
  requires.map((id) => ({ id, locked: winsOf(view, player, id) === 0 }))

/** Refuses a challenge whose requirements have not been won. Refusal: challenge_locked. */
export function lockedRefusal(
  view: WorldView,
  player: Eid,
  row: ChallengeRow,
): Failure<'challenge_locked'> | undefined {
  const missing = requirementsOf(view, player, row).filter(({ locked }) => locked)
  if (missing.length === 0) return undefined
  return fail('challenge_locked', { requires: missing.map(({ id }) => id) })
}

/** Every match ends after this many ticks. Source: combat.md section 14. */
export const MATCH_TICKS_MAX = 360
/** Ticks without an event after which a match without an objective is a draw. */
const STALEMATE_TICKS = 30
const OWN_BIT = 1 << (OWN_SIDE - 1)
const OTHER_BIT = 1 << (OTHER_SIDE - 1)

/** Returns the key of MATCHES for a battle. */
export const matchKey = (view: WorldView, battle: Row): string =>
  String(view.read(Battle).seq[battle])

/** Returns the match of a battle; undefined for other battles. */
export const matchIn = (view: WorldView, battle: Row): Match | undefined =>
  view.records(MATCHES).get(matchKey(view, battle))

/** Returns whether a wave has not come yet. */
export const isPending = ({ waves }: Match, index: number): boolean => ((waves >>> index) & 1) === 0

/** Counts the waves that have not come yet. */
export const wavesLeft = (match: Match): number =>
  challengeById(match.challenge)?.waves.filter((_, index) => isPending(match, index)).length ?? 0

/** Renders a ship of the house. */
export const renderEnemy = (view: WorldView, ship: Eid) => ({
  npc_id: shipId(view, ship),
  name: view.texts.get(view.read(Ship).name[ship]),
  ship_class: SHIP_CLASSES[view.read(Ship).class[ship]].id,
  flees: view.read(ShipMatch).flees[ship] === 1,
})

/* Decision */

/** How a battle ends, and the side that has won. */
export interface Verdict {
  readonly reason: string
  /** The side that has won; -1 none. */
  readonly winner: number
  /** The objective that was reached or missed, where that decided the match. */
  readonly objective?: 'survive_ticks' | 'time_limit' | 'enemy_escaped'
}

const WON: Verdict = { reason: 'victory', winner: OWN_SIDE }
const LOST: Verdict = { reason: 'victory', winner: OTHER_SIDE }
const DRAW: Verdict = { reason: 'stalemate', winner: -1 }
const BOTH_LOST: Verdict = { reason: 'mutual_destruction', winner: -1 }

/**
 * Decides a match against the house; undefined while it goes on. `remaining`: bits of the sides
 * that still have ships.
 */
function houseVerdict(view: WorldView, match: Match, remaining: number): Verdict | undefined {
  const challenge = challengeById(match.challenge)
  assert(challenge, `there is no challenge ${match.challenge}`)
  const { objective, objectiveTicks } = challenge
  const elapsed = view.tick - match.startTick + 1
  const hasEnemiesLeft = (remaining & OTHER_BIT) !== 0 || wavesLeft(match) > 0
  const hasFled = match.escaped && objective === 'no_enemy_escape'
  if (hasFled) return { ...LOST, objective: 'enemy_escaped' }
  if ((remaining & OWN_BIT) === 0) return hasEnemiesLeft ? LOST : BOTH_LOST
  const isTimeUp = objectiveTicks > 0 && elapsed >= objectiveTicks
  if (objective === 'survive_ticks') {
    return isTimeUp ? { ...WON, objective: 'survive_ticks' } : undefined
  }
  if (!hasEnemiesLeft) return WON
  if (objective === 'time_limit' && isTimeUp) return { ...LOST, objective: 'time_limit' }
  return undefined
}

const duelVerdict = (remaining: number): Verdict | undefined => {
  if (remaining === (OWN_BIT | OTHER_BIT)) return undefined
  if (remaining === 0) return BOTH_LOST
  return remaining === OWN_BIT ? WON : LOST
}

/** Returns whether a match without an objective has gone too long without an event. */
function isStale(view: WorldView, battle: Row, match: Match): boolean {
  const objective = challengeById(match.challenge)?.objective ?? 'eliminate'
  const isQuiet = view.tick - view.read(Battle).eventTick[battle] >= STALEMATE_TICKS
  return isQuiet && objective === 'eliminate' && wavesLeft(match) === 0
}

/**
 * Decides how a match ends now, and who won; undefined while it goes on. `remaining`: bits of the
 * sides that still have ships.
 */
export function verdictOf(view: WorldView, battle: Row, remaining: number): Verdict | undefined {
  const match = matchIn(view, battle)
  assert(match, `battle ${battle} is not a match`)
  const isDuel = match.challenge === ''
  const verdict = isDuel ? duelVerdict(remaining) : houseVerdict(view, match, remaining)
  if (verdict) return verdict
  const isOver = view.tick - match.startTick + 1 >= MATCH_TICKS_MAX
  return isOver || isStale(view, battle, match) ? DRAW : undefined
}

/** Returns the match a ship is in: a row of `Battle`; 0 none. */
export const matchOf = (view: WorldView, ship: Eid): Row => view.read(ShipMatch).match[ship]

/** Returns whether two ships are in different matches, or only one is in a match. */
export function areApart(view: WorldView, ship: Eid, other: Eid): boolean {
  const { match } = view.read(ShipMatch)
  return match[ship] !== match[other]
}

/** Returns the catalogue row of a ship of the house; undefined for others. */
export function fighterOf(view: WorldView, ship: Eid): FighterRow | undefined {
  const fighter = view.read(ShipMatch).fighter[ship]
  return fighter === 0 ? undefined : FIGHTERS[fighter - 1]
}

/** Returns the key of SAVED_SHIPS for a player's ship. */
export const savedShipKey = (view: WorldView, ship: Eid): string =>
  String(view.read(Player).seq[view.read(Ship).owner[ship]])
