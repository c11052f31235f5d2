/**
 * Challenges between players: made, answered, expired. The other party is notified each time.
 * Source: spec, States and transitions; combat.md section 14.
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
import { say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { mayPush } from '../chat/model.ts'
import { battleId, inBattle } from '../combat/model.ts'
import { buffsOf } from '../consumable/model.ts'
import { areFleetmates, fleetmatesOf } from '../fleet/model.ts'
import { sightOf } from '../sensing/model.ts'
import { activeShip, modulesOf, moduleTypeOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { AT_POI, Location, Poi } from '../travel/state.ts'
import { beginMatch, hasRoomFor } from './matches-systems.ts'
import { DUEL_KIND, duelsOf, renderDuel } from './model.ts'
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

/** Finds an open challenge by its id; undefined for none. */
export function duelById(view: WorldView, id: string): Duel | undefined {
  const number = seqOfWireId(view.seed, DUEL_KIND, id)
  return number === 0 ? undefined : view.records(DUELS).get(String(number))
}

/** Returns whether a player is undocked at the arena, online, and in no battle. */
function isReady(view: WorldView, player: Eid, poi: Eid): boolean {
  const ship = activeShip(view, player)
  const { state, poi: place } = view.read(Location)
  const isThere = state[ship] === AT_POI && place[ship] === poi
  return isBound(view, player) && isThere && !inBattle(view, player)
}

/**
 * Lists the ships of a side, the leader's first: then those of their fleet who are ready at the
 * place, up to the size of a side. ours: a leader whose rival is in the same fleet fights alone.
 */
export function sideOf(view: WorldView, leader: Eid, maxSideSize: number, rival: Eid = 0): Eid[] {
  const poi = view.read(Location).poi[activeShip(view, leader)]
  const fleetmates = areFleetmates(view, leader, rival)
    ? []
    : fleetmatesOf(view, leader).filter((mate) => mate !== rival && isReady(view, mate, poi))
  return [leader, ...fleetmates].slice(0, maxSideSize).map((pilot) => activeShip(view, pilot))
}

/**
 * Refuses a match for which an arena has no room; `fighters` is the number of ships that the arena
 * provides. Refusal: limit_reached.
 */
export function matchRefusal(
  view: WorldView,
  poi: Eid,
  fighters: number,
): Failure<'limit_reached'> | undefined {
  const arena = view.read(Poi).seq[poi]
  let here = 0
  for (const [, match] of view.records(MATCHES).entries()) if (match.poi === arena) here++
  const isFull = here >= MATCHES_PER_ARENA_MAX || !hasRoomFor(view, fighters)
  return isFull
    ? fail('limit_reached', { max: MATCHES_PER_ARENA_MAX, of: 'matches in an arena' })
    : undefined
}

const pairKey = (challenger: number, challenged: number): string => `${challenger}:${challenged}`

const recentTicks = (view: WorldView, ticks: readonly number[] = []): number[] =>
  ticks.filter((tick) => view.tick - tick < REBUFF_TICKS)

/** Refuses a challenge. Refusals: invalid_target, limit_reached, rate_limited. */
export function challengeRefusal(
  view: WorldView,
  player: Eid,
  other: Eid,
  poi: Eid,
): Failure<'invalid_target' | 'limit_reached' | 'rate_limited'> | undefined {
  const isUnseen = other === 0 || sightOf(view, player, other) === 'nothing'
  if (isUnseen || other === player || !isReady(view, other, poi)) return fail('invalid_target')
  const [own, theirs] = [playerNumber(view, player), playerNumber(view, other)]
  const open = duelsOf(view)
  if (open.some(({ challenger }) => challenger === own)) {
    const message = say`You have an open challenge already; {arena cancel} takes it back.`
    return fail('limit_reached', { max: 1, of: 'open challenge of yours' }, message)
  }
  const incoming = open.filter(({ challenged }) => challenged === theirs).length
  if (incoming >= DUELS_INCOMING_MAX)
    return fail('limit_reached', { max: DUELS_INCOMING_MAX, of: 'challenges waiting for a player' })
  const rebuffs = recentTicks(view, view.records(REBUFFS).get(pairKey(own, theirs)))
  if (rebuffs.length < REBUFFS_MAX) return undefined
  const ticks = REBUFF_TICKS - (view.tick - rebuffs[0])
  const message = 'They turned you down too often lately; challenge others, or wait.'
  return waitRefusal(view, ticks, message)
}

/** Makes a challenge and notifies the other player. */
export function challenge(
  world: World,
  player: Eid,
  other: Eid,
  { poi, maxSideSize }: { readonly poi: Eid; readonly maxSideSize: number },
): Duel {
  const duel: Duel = {
    number: world.nextNumber(DUEL_KIND),
    challenger: playerNumber(world, player),
    challenged: playerNumber(world, other),
    poi: world.read(Poi).seq[poi],
    maxSideSize,
    expiresTick: world.tick + DUEL_TICKS,
  }
  world.records(DUELS).set(String(duel.number), duel)
  if (mayPush(world, other, player)) notifyParty(world, duel, 'received', [other])
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
  const battleField = battle === 0 ? {} : { battle_id: battleId(world, battle) }
  const payload = { event, ...renderDuel(world, duel), ...battleField }
  emit(world, arenaChallenge, payload, { kind: 'players', rows })
}

/** Ends a challenge without a match, and notifies those of the two who did not end it. */
export function closeDuel(
  world: World,
  duel: Duel,
  event: 'declined' | 'cancelled' | 'expired',
): void {
  world.records(DUELS).delete(String(duel.number))
  const [challenger, challenged] = [duel.challenger, duel.challenged].map((number) =>
    world.rowOf(Player, number),
  )
  if (event === 'declined') notifyParty(world, duel, event, [challenger])
  else if (event === 'cancelled') {
    if (mayPush(world, challenged, challenger)) notifyParty(world, duel, event, [challenged])
  } else notifyParty(world, duel, event, [challenger, challenged])
  if (event === 'cancelled') return
  const pair = pairKey(duel.challenger, duel.challenged)
  const rebuffs = world.records(REBUFFS)
  // ours: while the table is full, declines of a new pair are not counted
  if (!rebuffs.has(pair) && rebuffs.size >= REBUFFS.rowsMax) return
  const ticks = recentTicks(world, rebuffs.get(pair))
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
  if (!isReady(world, challenger, poi)) {
    const hint =
      'Your rival has left the arena, is offline or in a battle; accept once they are back.'
    return fail('invalid_target', {}, hint)
  }
  const refused = matchRefusal(world, poi, 0)
  if (refused) return refused
  world.records(DUELS).delete(String(duel.number))
  const own = sideOf(world, challenger, duel.maxSideSize, challenged)
  const other = sideOf(world, challenged, duel.maxSideSize, challenger)
  const battle = beginMatch(world, poi, [own, other])
  notifyParty(world, duel, 'accepted', [challenger], battle)
  return ok(battle)
}

/** Ends the challenges that have expired, and forgets old rebuffs. */
export function expireDuels(world: World): void {
  for (const duel of duelsOf(world)) {
    if (duel.expiresTick <= world.tick) closeDuel(world, duel, 'expired')
  }
  if (world.tick % REBUFF_TICKS !== 0) return
  for (const [pair, ticks] of [...world.records(REBUFFS).entries()]) {
    if (recentTicks(world, ticks).length === 0) world.records(REBUFFS).delete(pair)
  }
}

/* Rules of challenges for the ships that accept them; each has an error code of its own. */

/** What the rules check of a ship. */
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
const isPositive = (value: number | undefined): boolean => (value ?? 0) > 0

const BREAKS: Readonly<Record<LoadoutRuleName, Breaks>> = {
  hull_tier: (loadout, rule) => exceeds(loadout.tier, rule),
  hull_scale: (loadout, rule) => exceeds(loadout.scale, rule),
  max_speed: (loadout, rule) => exceeds(loadout.speed, rule),
  max_weapons: (loadout, rule) => exceeds(weapons(loadout).length, rule),
  damage_type: (loadout, { type }) =>
    weapons(loadout).some((row) => isPositive(row.damage) && row.damage_type !== type),
  no_ammo_weapons: (loadout) => weapons(loadout).some((row) => isPositive(row.magazine_size)),
  no_drones: (loadout) => hasAny(loadout, (row) => isPositive(row.drone_capacity)),
  no_boosters: ({ boosters }) => boosters > 0,
  no_shield_modules: (loadout) =>
    hasAny(loadout, (row) => isPositive(row.shield_bonus) || isPositive(row.shield_recharge_bonus)),
  no_repair: (loadout) =>
    hasAny(
      loadout,
      (row) => isPositive(row.armor_repair_rate) || isPositive(row.remote_repair_power),
    ),
  no_tackle: (loadout) =>
    hasAny(
      loadout,
      (row) =>
        isPositive(row.disruptor_power) ||
        isPositive(row.scramble_power) ||
        isPositive(row.webify_strength),
    ),
  empty_hold: ({ cargoUsed }) => cargoUsed > 0,
  side_size: ({ sideSize }, rule) => exceeds(sideSize, rule),
}

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

/** Refuses a loadout by the first rule that it breaks: rule_<name>. */
export function ruleRefusal(
  loadout: Loadout,
  rules: readonly LoadoutRule[],
  fighter: { readonly pilot: string; readonly hull: string },
) {
  const broken = rules.find((rule) => breaks(loadout, rule))
  return broken && fail(`rule_${broken.rule}` as const, { ...fighter, ...broken })
}

/** Refuses a side by the first rule that one of its ships breaks: rule_<name>. */
export function loadoutRefusal(view: WorldView, { rules }: ChallengeRow, side: readonly Eid[]) {
  const { owner, class: shipClass } = view.read(Ship)
  for (const ship of side) {
    const fighter = { pilot: usernameOf(view, owner[ship]), hull: SHIP_CLASSES[shipClass[ship]].id }
    const refused = ruleRefusal(loadoutOf(view, ship, side.length), rules, fighter)
    if (refused) return refused
  }
  return undefined
}
