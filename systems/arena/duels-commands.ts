/**
 * Challenges between players: made, answered, lapsed. Each is told to the other party. Source:
 * spec, States and transitions; combat.md section 14.
 */

import type {
  ChallengeRow,
  LoadoutRule,
  LoadoutRuleName,
} from '../../core/catalog/arena-challenges.ts'
import { type ModuleRow, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { seqOfWireId } from '../../core/entity.ts'
import { type Failure, fail, type Outcome, ok, waitRefusal } from '../../core/errors.ts'
import { emit } from '../../core/event.ts'
import { playerNumber } from '../../core/pending.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { battleId, inBattle } from '../combat/model.ts'
import { buffsOf } from '../consumable/model.ts'
import { areFleetmates, fleetmatesOf } from '../fleet/model.ts'
import { activeShip, modulesOf, moduleTypeOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { AT_POI, Location, Poi } from '../travel/state.ts'
import { beginMatch, hasRoomFor } from './matches-systems.ts'
import { duelsOf, KIND, renderDuel } from './model.ts'
import { arenaChallenge } from './schemas.ts'
import {
  DUEL_TICKS,
  DUELS,
  DUELS_INCOMING_MAX,
  type Duel,
  MATCHES,
  MATCHES_PER_ARENA_MAX,
  REBUFF_TICKS,
  REBUFFS,
  REBUFFS_MAX,
} from './state.ts'

/** An open challenge by its id; undefined for none. */
export function duelById(view: WorldView, id: string): Duel | undefined {
  const number = seqOfWireId(view.seed, KIND, id)
  return number === 0 ? undefined : view.records(DUELS).get(String(number))
}

/** In the open at an arena, online, and in no battle. */
function isReady(view: WorldView, player: Eid, poi: Eid): boolean {
  const ship = activeShip(view, player)
  const { state, poi: at } = view.read(Location)
  return (
    isBound(view, player) && state[ship] === AT_POI && at[ship] === poi && !inBattle(view, player)
  )
}

/**
 * Ships that fight beside a leader, themselves first: those of their fleet at the place who are
 * ready, as far as the side may be large. ours: where their rival is of the fleet, they fight
 * alone.
 */
export function sideOf(view: WorldView, leader: Eid, maxSideSize: number, rival: Eid = 0): Eid[] {
  const poi = view.read(Location).poi[activeShip(view, leader)]
  const mates = areFleetmates(view, leader, rival)
    ? []
    : fleetmatesOf(view, leader).filter((mate) => mate !== rival && isReady(view, mate, poi))
  return [leader, ...mates].slice(0, maxSideSize).map((pilot) => activeShip(view, pilot))
}

/** Why no further match may begin at an arena; undefined where one may. */
export function matchRefusal(
  view: WorldView,
  poi: Eid,
  fighters: number,
): Failure<'limit_reached'> | undefined {
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
export function challengeRefusal(
  view: WorldView,
  player: Eid,
  other: Eid,
  poi: Eid,
): Failure<'invalid_target' | 'limit_reached' | 'rate_limited'> | undefined {
  if (other === 0 || other === player || !isReady(view, other, poi)) return fail('invalid_target')
  const [own, theirs] = [playerNumber(view, player), playerNumber(view, other)]
  const open = duelsOf(view)
  if (open.some(({ challenger }) => challenger === own))
    return fail('limit_reached', { max: 1, of: 'open challenge of yours' })
  const incoming = open.filter(({ challenged }) => challenged === theirs).length
  if (incoming >= DUELS_INCOMING_MAX)
    return fail('limit_reached', { max: DUELS_INCOMING_MAX, of: 'challenges waiting for a player' })
  const rebuffs = recent(view, view.records(REBUFFS).get(pairOf(own, theirs)))
  if (rebuffs.length < REBUFFS_MAX) return undefined
  const ticks = REBUFF_TICKS - (view.tick - rebuffs[0])
  return waitRefusal(view, ticks)
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
    challenger: playerNumber(world, player),
    challenged: playerNumber(world, other),
    poi: world.read(Poi).seq[poi],
    maxSideSize,
    expiresTick: world.tick + DUEL_TICKS,
  }
  world.records(DUELS).set(String(duel.number), duel)
  notifyParty(world, duel, 'received', [other])
  return duel
}

type DuelEvent = 'received' | 'accepted' | 'declined' | 'cancelled' | 'expired'

function notifyParty(
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
  if (event === 'declined') notifyParty(world, duel, event, [challenger])
  else if (event === 'cancelled') notifyParty(world, duel, event, [challenged])
  else notifyParty(world, duel, event, [challenger, challenged])
  if (event === 'cancelled') return
  const pair = pairOf(duel.challenger, duel.challenged)
  const rebuffs = world.records(REBUFFS)
  // ours: with no room for another pair, this one may go on asking
  if (!rebuffs.has(pair) && rebuffs.size >= REBUFFS.rowsMax) return
  const ticks = recent(world, rebuffs.get(pair))
  rebuffs.set(pair, [...ticks, world.tick].slice(-REBUFFS_MAX))
}

/** Begins the match that both have agreed on. Refusals: invalid_target, limit_reached. */
export function acceptDuel(
  world: World,
  duel: Duel,
): Outcome<Row, 'invalid_target' | 'limit_reached'> {
  const poi = world.rowOf(Poi, duel.poi)
  const [challenger, challenged] = [duel.challenger, duel.challenged].map((number) =>
    world.rowOf(Player, number),
  )
  if (!isReady(world, challenger, poi)) return fail('invalid_target', {}, 'Your rival has left.')
  const refused = matchRefusal(world, poi, 0)
  if (refused) return refused
  world.records(DUELS).delete(String(duel.number))
  const own = sideOf(world, challenger, duel.maxSideSize, challenged)
  const other = sideOf(world, challenged, duel.maxSideSize, challenger)
  const battle = beginMatch(world, poi, [own, other])
  notifyParty(world, duel, 'accepted', [challenger], battle)
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

/* What a challenge asks of the ships that take it up: a rule and its error code each. */

/** What of a ship the rules look at. */
export interface Loadout {
  readonly tier: number
  readonly scale: number
  /** AU a tick. */
  readonly speed: number
  readonly fit: readonly ModuleRow[]
  readonly boosters: number
  readonly cargoUsed: number
  /** Ships of its side. */
  readonly sideSize: number
}

type Breaks = (loadout: Loadout, rule: LoadoutRule) => boolean

const exceeds = (value: number, { max = 0 }: LoadoutRule): boolean => value > max
const hasAny = ({ fit }: Loadout, test: (row: ModuleRow) => boolean): boolean => fit.some(test)
const weapons = ({ fit }: Loadout): ModuleRow[] => fit.filter(({ slot }) => slot === 'weapon')
const above = (value: number | undefined): boolean => (value ?? 0) > 0

const BREAKS: Readonly<Record<LoadoutRuleName, Breaks>> = {
  hull_tier: (loadout, rule) => exceeds(loadout.tier, rule),
  hull_scale: (loadout, rule) => exceeds(loadout.scale, rule),
  max_speed: (loadout, rule) => exceeds(loadout.speed, rule),
  max_weapons: (loadout, rule) => exceeds(weapons(loadout).length, rule),
  damage_type: (loadout, { type }) =>
    weapons(loadout).some((row) => above(row.damage) && row.damage_type !== type),
  no_ammo_weapons: (loadout) => weapons(loadout).some((row) => above(row.magazine_size)),
  no_drones: (loadout) => hasAny(loadout, (row) => above(row.drone_capacity)),
  no_boosters: ({ boosters }) => boosters > 0,
  no_shield_modules: (loadout) =>
    hasAny(loadout, (row) => above(row.shield_bonus) || above(row.shield_recharge_bonus)),
  no_repair: (loadout) =>
    hasAny(loadout, (row) => above(row.armor_repair_rate) || above(row.remote_repair_power)),
  no_tackle: (loadout) =>
    hasAny(
      loadout,
      (row) =>
        above(row.disruptor_power) || above(row.scramble_power) || above(row.webify_strength),
    ),
  empty_hold: ({ cargoUsed }) => cargoUsed > 0,
  side_size: ({ sideSize }, rule) => exceeds(sideSize, rule),
}

/** True when a ship breaks a rule. */
const breaks = (loadout: Loadout, rule: LoadoutRule): boolean => BREAKS[rule.rule](loadout, rule)

function loadoutOf(view: WorldView, ship: Eid, sideSize: number): Loadout {
  const { class: shipClass, scale, speed, cargoUsed } = view.read(Ship)
  return {
    tier: SHIP_CLASSES[shipClass[ship]].tier,
    scale: scale[ship],
    speed: speed[ship],
    fit: modulesOf(view, ship).map((row) => moduleTypeOf(view, row)),
    boosters: buffsOf(view, ship).length,
    cargoUsed: cargoUsed[ship],
    sideSize,
  }
}

/** The first rule that a loadout breaks, as a refusal: rule_<name>. */
export function fitRefusal(
  loadout: Loadout,
  rules: readonly LoadoutRule[],
  of: { readonly pilot: string; readonly hull: string },
) {
  const broken = rules.find((rule) => breaks(loadout, rule))
  return broken && fail(`rule_${broken.rule}` as const, { ...of, ...broken })
}

/** The first rule that a ship of the side breaks, as a refusal for all of it. */
export function loadoutRefusal(view: WorldView, { rules }: ChallengeRow, side: readonly Eid[]) {
  const { owner, class: shipClass } = view.read(Ship)
  for (const ship of side) {
    const of = { pilot: usernameOf(view, owner[ship]), hull: SHIP_CLASSES[shipClass[ship]].id }
    const refused = fitRefusal(loadoutOf(view, ship, side.length), rules, of)
    if (refused) return refused
  }
  return undefined
}
