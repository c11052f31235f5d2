/**
 * The course of a match: how it begins, which waves are due, how it is decided, what is told of it.
 * Source: combat.md section 14, spec, arena NPC challenges.
 */
import { assert } from '../../core/assert.ts'
import type { ChallengeRow, Wave } from '../../core/catalog/arena-challenges.ts'
import { challengeById, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { rowsOf } from '../../core/columns.ts'
import { emit } from '../../core/event.ts'
import { TABLE_FILL_MAX_PCT } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { raiseCounter } from '../achievement/counter-rules.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { Battle, Participant } from '../combat/columns.ts'
import { addSide, makeHostile, openBattle } from '../combat/rules.ts'
import { battleId, participantsOf } from '../combat/views.ts'
import { Ship } from '../ship/columns.ts'
import { shipId } from '../ship/rules.ts'
import { Poi } from '../travel/columns.ts'
import { Contest, MATCHES, type Match, OTHER_SIDE, OWN_SIDE, WINS } from './columns.ts'
import { arenaObjective } from './events.ts'
import { enterRing, sendFighter } from './stakes.ts'

/** Every match ends after so many ticks. Source: combat.md section 14. */
export const MATCH_TICKS_MAX = 360
/** Ticks without an event after which a match without an objective is a draw. */
const STALEMATE_TICKS = 30
const OWN = 1 << (OWN_SIDE - 1)
const OTHER = 1 << (OTHER_SIDE - 1)

const matchKey = (view: WorldView, battle: Row): string => String(view.read(Battle).seq[battle])

/** The match that a battle is; undefined for other battles. */
export const matchIn = (view: WorldView, battle: Row): Match | undefined =>
  view.records(MATCHES).get(matchKey(view, battle))

/** Matches with their battles, in the order of their beginning. */
export function matchesOf(view: WorldView): { battle: Row; match: Match }[] {
  return [...view.records(MATCHES).entries()].map(([key, match]) => ({
    battle: view.rowOf(Battle, Number(key)),
    match,
  }))
}

/* Beginning */

/** True while the tables have room for a match with so many ships of the house. */
export function hasRoomFor(view: WorldView, fighters: number): boolean {
  const ships = divFloor(rowsOf(Ship, view.maxEntities) * TABLE_FILL_MAX_PCT, 100)
  return (
    !isNearlyFull(view, Battle) &&
    !isNearlyFull(view, Participant) &&
    view.countOf(Ship) + fighters <= ships
  )
}

/** Begins a match between these ships, or of the first with the house. Returns its battle. */
export function beginMatch(
  world: World,
  poi: Eid,
  sides: readonly (readonly Eid[])[],
  challenge?: ChallengeRow,
): Row {
  const [own, other] = sides
  assert(own.length > 0 && (challenge !== undefined) === (other.length === 0), 'an odd match')
  const battle = openBattle(world, own[0], 'arena')
  for (const _ of [OWN_SIDE, OTHER_SIDE]) addSide(world, battle)
  makeHostile(world, battle, OWN_SIDE, OTHER_SIDE)
  const { owner } = world.read(Ship)
  const { seq } = world.read(Player)
  world.records(MATCHES).set(matchKey(world, battle), {
    poi: world.read(Poi).seq[poi],
    challenge: challenge?.id ?? '',
    startTick: world.tick,
    players: [...own, ...other].map((ship) => seq[owner[ship]]),
    waves: 0,
    escaped: false,
  })
  for (const ship of own) enterRing(world, battle, ship, OWN_SIDE)
  for (const ship of other) enterRing(world, battle, ship, OTHER_SIDE)
  for (const enemy of challenge?.enemies ?? []) sendFighter(world, battle, poi, enemy)
  return battle
}

/* Waves */

/** Ships of the house in the ring. */
export function enemiesIn(view: WorldView, battle: Row): Eid[] {
  const { ship } = view.read(Participant)
  const { fighter } = view.read(Contest)
  return participantsOf(view, battle)
    .map((row) => ship[row])
    .filter((hull) => fighter[hull] !== 0)
}

const isPending = ({ waves }: Match, index: number): boolean => ((waves >>> index) & 1) === 0

/** Waves that have not come yet. */
export const wavesLeft = (match: Match): number =>
  challengeById(match.challenge)?.waves.filter((_, index) => isPending(match, index)).length ?? 0

function isDue(view: WorldView, match: Match, wave: Wave, enemies: number): boolean {
  const { afterTicks = 0, whenEnemiesRemaining = Number.POSITIVE_INFINITY } = wave
  return view.tick - match.startTick >= afterTicks && enemies <= whenEnemiesRemaining
}

/** Sends in the waves that are due, unless the world has no room just now. */
export function sendWaves(world: World, battle: Row, match: Match): void {
  const poi = world.rowOf(Poi, match.poi)
  const { waves = [] } = challengeById(match.challenge) ?? {}
  for (const [index, wave] of waves.entries()) {
    const now = matchIn(world, battle) ?? match
    const enemies = enemiesIn(world, battle).length
    if (!isPending(now, index) || !isDue(world, now, wave, enemies)) continue
    if (!hasRoomFor(world, wave.npcs.length)) return
    const waves = now.waves | (1 << index)
    world.records(MATCHES).set(matchKey(world, battle), { ...now, waves })
    const sent = wave.npcs.map((enemy) => sendFighter(world, battle, poi, enemy))
    const { ship } = world.read(Participant)
    tell(world, battle, {
      event: 'wave_arrived',
      wave_name: wave.name,
      enemies: sent.map((row) => renderEnemy(world, ship[row])),
      message: `${wave.name}: ${sent.length} more in the ring.`,
    })
  }
}

/* Telling */

const renderEnemy = (view: WorldView, ship: Eid) => ({
  npc_id: shipId(view, ship),
  name: view.texts.get(view.read(Ship).name[ship]),
  ship_class: SHIP_CLASSES[view.read(Ship).class[ship]].id,
  flees: view.read(Contest).flees[ship] === 1,
})

interface News {
  readonly event: 'wave_arrived' | 'objective_won' | 'objective_lost'
  readonly enemies: ReturnType<typeof renderEnemy>[]
  readonly message: string
  readonly wave_name?: string
  readonly objective?: 'survive_ticks' | 'time_limit' | 'enemy_escaped'
}

/** Tells every player who entered, knocked out or not. */
function tell(world: World, battle: Row, news: News): void {
  const match = matchIn(world, battle)
  assert(match && match.challenge !== '', 'a duel has no objective')
  const rows = match.players.map((number) => world.rowOf(Player, number)).filter(Boolean)
  const head = { battle_id: battleId(world, battle), challenge_id: match.challenge }
  emit(world, arenaObjective, { ...head, ...news }, { kind: 'players', rows })
}

/* Decision */

export interface Verdict {
  readonly reason: string
  readonly winner: number
  /** Why an objective was reached or missed, where that decided. */
  readonly objective?: 'survive_ticks' | 'time_limit' | 'enemy_escaped'
}

const WON: Verdict = { reason: 'victory', winner: OWN_SIDE }
const LOST: Verdict = { reason: 'victory', winner: OTHER_SIDE }
const DRAW: Verdict = { reason: 'stalemate', winner: -1 }
const NOBODY: Verdict = { reason: 'mutual_destruction', winner: -1 }

/** How a match against the house stands; undefined while it goes on. `manned`: bits of sides. */
function ofHouse(view: WorldView, match: Match, manned: number): Verdict | undefined {
  const challenge = challengeById(match.challenge)
  assert(challenge, `there is no challenge ${match.challenge}`)
  const { objective, objectiveTicks } = challenge
  const elapsed = view.tick - match.startTick + 1
  const isOpen = (manned & OTHER) !== 0 || wavesLeft(match) > 0
  const hasFled = match.escaped && objective === 'no_enemy_escape'
  if (hasFled) return { ...LOST, objective: 'enemy_escaped' }
  if ((manned & OWN) === 0) return isOpen ? LOST : NOBODY
  const isTime = objectiveTicks > 0 && elapsed >= objectiveTicks
  if (objective === 'survive_ticks') {
    return isTime ? { ...WON, objective: 'survive_ticks' } : undefined
  }
  if (!isOpen) return WON
  if (objective === 'time_limit' && isTime) return { ...LOST, objective: 'time_limit' }
  return undefined
}

const ofDuel = (manned: number): Verdict | undefined => {
  if (manned === (OWN | OTHER)) return undefined
  if (manned === 0) return NOBODY
  return manned === OWN ? WON : LOST
}

/** True while nothing happens that ends a match without an objective. */
function isStale(view: WorldView, battle: Row, match: Match): boolean {
  const objective = challengeById(match.challenge)?.objective ?? 'eliminate'
  const isQuiet = view.tick - view.read(Battle).eventTick[battle] >= STALEMATE_TICKS
  return isQuiet && objective === 'eliminate' && wavesLeft(match) === 0
}

/** How a match ends now, and who won; undefined while it goes on. `manned`: bits of sides. */
export function verdictOf(view: WorldView, battle: Row, manned: number): Verdict | undefined {
  const match = matchIn(view, battle)
  assert(match, `battle ${battle} is no match`)
  const isDuel = match.challenge === ''
  const verdict = isDuel ? ofDuel(manned) : ofHouse(view, match, manned)
  if (verdict) return verdict
  const isOver = view.tick - match.startTick + 1 >= MATCH_TICKS_MAX
  return isOver || isStale(view, battle, match) ? DRAW : undefined
}

/** Counts a win, tells how it went, and forgets the match; its ships are still in the ring. */
export function settleMatch(world: World, battle: Row, verdict: Verdict): void {
  const match = matchIn(world, battle)
  assert(match, `battle ${battle} is no match`)
  if (match.challenge !== '') {
    const isWon = verdict.winner === OWN_SIDE
    if (isWon) for (const player of match.players) countWin(world, player, match.challenge)
    tell(world, battle, {
      event: isWon ? 'objective_won' : 'objective_lost',
      enemies: enemiesIn(world, battle).map((ship) => renderEnemy(world, ship)),
      message: isWon ? 'The challenge is won.' : 'The challenge is lost.',
      ...(verdict.objective ? { objective: verdict.objective } : {}),
    })
  }
  world.records(MATCHES).delete(matchKey(world, battle))
}

function countWin(world: World, player: number, challenge: string): void {
  const wins = world.records(WINS).get(String(player)) ?? {}
  const sum = (wins[challenge] ?? 0) + 1
  const row = world.rowOf(Player, player)
  if (row !== 0) raiseCounter(world, row, 'arena_challenges_won')
  world.records(WINS).set(String(player), { ...wins, [challenge]: sum })
}
