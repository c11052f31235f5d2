/**
 * Challenges between players: made, answered, lapsed. Each is told to the other party. Source:
 * spec, States and transitions; combat.md section 14.
 */
import { seqOfWireId, wireId } from '../../core/entity.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { emit } from '../../core/event.ts'
import {
  DUEL_TICKS,
  DUELS_INCOMING_MAX,
  MATCHES_PER_ARENA_MAX,
  REBUFF_TICKS,
  REBUFFS_MAX,
} from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { isBound, playerId, usernameOf } from '../account/rules.ts'
import { inBattle } from '../combat/rules.ts'
import { battleId } from '../combat/views.ts'
import { areMates, matesOf } from '../fleet/rules.ts'
import { activeShip } from '../ship/rules.ts'
import { AT_POI, Location, Poi } from '../travel/columns.ts'
import { poiId } from '../travel/rules.ts'
import { DUELS, type Duel, MATCHES, REBUFFS } from './columns.ts'
import { arenaChallenge } from './events.ts'
import { beginMatch, hasRoomFor } from './matches.ts'

const KIND = 'arena_duel'

/** The UUID of an open challenge on the wire. */
export const duelId = (view: WorldView, { number }: Duel): string => wireId(view.seed, KIND, number)

/** Open challenges, the oldest first. */
export const duelsOf = (view: WorldView): Duel[] =>
  [...view.records(DUELS).entries()].map(([, duel]) => duel)

/** An open challenge by its id; undefined for none. */
export function duelById(view: WorldView, id: string): Duel | undefined {
  const number = seqOfWireId(view.seed, KIND, id)
  return number === 0 ? undefined : view.records(DUELS).get(String(number))
}

const numberOf = (view: WorldView, player: Eid): number => view.read(Player).seq[player]

/** In the open at an arena, online, and in no battle. */
export function isReady(view: WorldView, player: Eid, poi: Eid): boolean {
  const ship = activeShip(view, player)
  const { state, poi: at } = view.read(Location)
  return (
    isBound(view, player) && state[ship] === AT_POI && at[ship] === poi && !inBattle(view, player)
  )
}

/**
 * Ships that fight beside a leader, himself first: those of his fleet at the place who are ready,
 * as far as the side may be large. ours: where his rival is of the fleet, he fights alone.
 */
export function sideOf(view: WorldView, leader: Eid, maxSideSize: number, rival: Eid = 0): Eid[] {
  const poi = view.read(Location).poi[activeShip(view, leader)]
  const mates = areMates(view, leader, rival)
    ? []
    : matesOf(view, leader).filter((mate) => mate !== rival && isReady(view, mate, poi))
  return [leader, ...mates].slice(0, maxSideSize).map((pilot) => activeShip(view, pilot))
}

/** Why no further match may begin at an arena; undefined where one may. */
export function refusesMatch(view: WorldView, poi: Eid, fighters: number): Failure | undefined {
  const number = view.read(Poi).seq[poi]
  let here = 0
  for (const [, match] of view.records(MATCHES).entries()) if (match.poi === number) here++
  const isFull = here >= MATCHES_PER_ARENA_MAX || !hasRoomFor(view, fighters)
  return isFull
    ? fail('limit_reached', { max: MATCHES_PER_ARENA_MAX, of: 'matches in an arena' })
    : undefined
}

const pairOf = (challenger: number, challenged: number): string => `${challenger}:${challenged}`

const recent = (view: WorldView, ticks: readonly number[] = []): number[] =>
  ticks.filter((tick) => view.tick - tick < REBUFF_TICKS)

/** Why a challenge may not be made; undefined where it may. */
export function refusesChallenge(
  view: WorldView,
  player: Eid,
  other: Eid,
  poi: Eid,
): Failure | undefined {
  if (other === 0 || other === player || !isReady(view, other, poi)) return fail('invalid_target')
  const [own, theirs] = [numberOf(view, player), numberOf(view, other)]
  const open = duelsOf(view)
  if (open.some(({ challenger }) => challenger === own))
    return fail('limit_reached', { max: 1, of: 'open challenge of yours' })
  const incoming = open.filter(({ challenged }) => challenged === theirs).length
  if (incoming >= DUELS_INCOMING_MAX)
    return fail('limit_reached', { max: DUELS_INCOMING_MAX, of: 'challenges waiting for a player' })
  const rebuffs = recent(view, view.records(REBUFFS).get(pairOf(own, theirs)))
  if (rebuffs.length < REBUFFS_MAX) return undefined
  const ticks = REBUFF_TICKS - (view.tick - rebuffs[0])
  return fail('rate_limited', { wait_seconds: Math.ceil((ticks * view.tickMs) / 1000) })
}

/** Makes a challenge, and tells the other. */
export function challenge(
  world: World,
  player: Eid,
  other: Eid,
  { poi, maxSideSize }: { readonly poi: Eid; readonly maxSideSize: number },
): Duel {
  const duel: Duel = {
    number: world.nextNumber(KIND),
    challenger: numberOf(world, player),
    challenged: numberOf(world, other),
    poi: world.read(Poi).seq[poi],
    maxSideSize,
    expiresTick: world.tick + DUEL_TICKS,
  }
  world.records(DUELS).set(String(duel.number), duel)
  tell(world, duel, 'received', [other])
  return duel
}

/** As the wire shows a challenge. */
export function renderDuel(view: WorldView, duel: Duel) {
  const [challenger, challenged] = [duel.challenger, duel.challenged].map((number) =>
    view.rowOf(Player, number),
  )
  return {
    challenge_id: duelId(view, duel),
    challenger_id: playerId(view, challenger),
    challenger_name: usernameOf(view, challenger),
    challenged_id: playerId(view, challenged),
    challenged_name: usernameOf(view, challenged),
    poi_id: poiId(view, view.rowOf(Poi, duel.poi)),
    max_side_size: duel.maxSideSize,
    expires_tick: duel.expiresTick,
  }
}

type DuelEvent = 'received' | 'accepted' | 'declined' | 'cancelled' | 'expired'

function tell(
  world: World,
  duel: Duel,
  event: DuelEvent,
  rows: readonly Eid[],
  battle: Row = 0,
): void {
  const more = battle === 0 ? {} : { battle_id: battleId(world, battle) }
  const payload = { event, ...renderDuel(world, duel), ...more }
  emit(world, arenaChallenge, payload, { kind: 'players', rows })
}

/** Ends a challenge that came to nothing, and tells who has to know. */
export function dropDuel(
  world: World,
  duel: Duel,
  event: 'declined' | 'cancelled' | 'expired',
): void {
  world.records(DUELS).delete(String(duel.number))
  const [challenger, challenged] = [duel.challenger, duel.challenged].map((number) =>
    world.rowOf(Player, number),
  )
  if (event === 'declined') tell(world, duel, event, [challenger])
  else if (event === 'cancelled') tell(world, duel, event, [challenged])
  else tell(world, duel, event, [challenger, challenged])
  if (event === 'cancelled') return
  const pair = pairOf(duel.challenger, duel.challenged)
  const rebuffs = world.records(REBUFFS)
  // ours: with no room for another pair, this one may go on asking
  if (!rebuffs.has(pair) && rebuffs.size >= REBUFFS.rowsMax) return
  const ticks = recent(world, rebuffs.get(pair))
  rebuffs.set(pair, [...ticks, world.tick].slice(-REBUFFS_MAX))
}

/** Begins the match that both have agreed on. Refusals: invalid_target, limit_reached. */
export function acceptDuel(world: World, duel: Duel): Outcome<Row> {
  const poi = world.rowOf(Poi, duel.poi)
  const [challenger, challenged] = [duel.challenger, duel.challenged].map((number) =>
    world.rowOf(Player, number),
  )
  if (!isReady(world, challenger, poi)) return fail('invalid_target', {}, 'Your rival has left.')
  const refused = refusesMatch(world, poi, 0)
  if (refused) return refused
  world.records(DUELS).delete(String(duel.number))
  const own = sideOf(world, challenger, duel.maxSideSize, challenged)
  const other = sideOf(world, challenged, duel.maxSideSize, challenger)
  const battle = beginMatch(world, poi, [own, other])
  tell(world, duel, 'accepted', [challenger], battle)
  return ok(battle)
}

/** Challenges whose time is over lapse, and old rebuffs are forgotten. */
export function lapse(world: World): void {
  for (const duel of duelsOf(world)) {
    if (duel.expiresTick <= world.tick) dropDuel(world, duel, 'expired')
  }
  if (world.tick % REBUFF_TICKS !== 0) return
  for (const [pair, ticks] of [...world.records(REBUFFS).entries()]) {
    if (recent(world, ticks).length === 0) world.records(REBUFFS).delete(pair)
  }
}
