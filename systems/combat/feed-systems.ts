/**
 * battle_update: the state of a battle after phase fight, to each of its pilots. Only what changed
 * leaves the world thread (core/wire/feed.ts).
 */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { bools, ints, list, obj, opt, type Static, strings } from '../../core/params.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { ABSENT, defineFeed, notifyFeed, packingOf } from '../../core/wire/feed.ts'
import { Player } from '../account/state.ts'
import { Ship } from '../ship/state.ts'
import { awardXp, trainAtPower, XP_WRITES } from '../skill/rules.ts'
import type { CappedSource } from '../skill/state.ts'
import { isOnAutopilot } from './damage-kernels.ts'
import { roomFor, SCAN, type Scan } from './feed-state.ts'
import {
  battleId,
  battles,
  participantsOf,
  percentOf,
  pilotOf,
  renderCombatant,
  sidesOf,
} from './model.ts'
import { boardingSchema, participantSchema, sideSchema } from './schemas.ts'
import {
  BATTLE_KINDS,
  Battle,
  GAINS,
  PARTICIPANT_KINDS,
  Participant,
  STANCES,
  Turn,
  ZONES,
} from './state.ts'

const BY_PLAYER = PARTICIPANT_KINDS.indexOf('player')

/** Source: spec, combat.md section 16. */
export const battleUpdate = defineFeed({
  type: 'battle_update',
  summary: 'The state of your battle after a tick.',
  queue: 'combat',
  channel: () => 'battle_ticker',
  fields: obj({
    ...strings('battle_id', 'your_zone', 'your_stance'),
    ...ints('tick', 'your_side_id'),
    ...opt(strings('your_target_id')),
    ...bools('auto_pilot'),
    sides: list(sideSchema),
    participants: list(participantSchema),
    ...opt({ boarding: list(boardingSchema) }),
  }),
  feed: {
    list: 'participants',
    key: 'player_id',
    moving: {
      side_id: { kind: 'number', max: BATTLE_SIDES_MAX },
      zone: { kind: 'words', words: ZONES },
      stance: { kind: 'words', words: STANCES },
      hull_pct: { kind: 'number', max: 100 },
      shield_pct: { kind: 'number', max: 100 },
    },
    head: {
      your_zone: { kind: 'words', words: ZONES },
      your_stance: { kind: 'words', words: STANCES },
      your_target_id: { kind: 'entry' },
      your_side_id: { kind: 'number', max: BATTLE_SIDES_MAX },
      auto_pilot: { kind: 'flag' },
    },
  },
})

const [SIDE, ZONE, STANCE, HULL, SHIELD] = packingOf(battleUpdate.feed).map(({ shift }) => shift)

/**
 * Tells a battle's pilots how it stands. To be called once a tick for each battle that goes on or
 * has just ended, when those who left it in this tick are off its list.
 */
export function notifyBattle(
  world: World,
  battle: Eid,
  boarding: readonly Static<typeof boardingSchema>[] = [],
): void {
  const scan = scanBattle(world, battle)
  const { rows, pilots } = scan
  if (pilots.length === 0) return
  const part = world.read(Participant)
  notifyFeed(world, battleUpdate, {
    feed: world.read(Battle).seq[battle],
    shared: {
      battle_id: battleId(world, battle),
      tick: world.tick,
      sides: sidesOf(scan.sides),
      ...(boarding.length > 0 ? { boarding } : {}),
    },
    list: {
      count: scan.count,
      ids: scan.ids,
      codes: scan.codes,
      fixed: (place) => renderCombatant(world, rows[place]),
    },
    heads: {
      players: pilots.map(({ player }) => player),
      head(i, codes, at) {
        const { row } = pilots[i]
        const target = part.target[row]
        codes[at] = part.ring[row]
        codes[at + 1] = part.stance[row]
        codes[at + 2] = target === 0 ? ABSENT : part.seq[target]
        codes[at + 3] = part.side[row]
        codes[at + 4] = isOnAutopilot(world.tick, part.orderTick[row]) ? 1 : 0
      },
    },
  })
}

function scanBattle(world: World, battle: Eid): Scan {
  const scan = world.index(SCAN)
  const { first, count } = world.read(Battle)
  if (scan.rows.length < count[battle]) Object.assign(scan, roomFor(2 * count[battle]))
  scan.pilots = []
  scan.sides.fill(0)
  const { rows, ids, codes, sides, pilots } = scan
  const { next, seq, kind, ship, side, ring, stance } = world.read(Participant)
  const { hull, hullMax, shield, shieldMax, owner } = world.read(Ship)
  const { bound } = world.read(Player)
  let place = 0
  for (let row = first[battle]; row !== 0; row = next[row]) {
    const at = ship[row]
    rows[place] = row
    ids[place] = seq[row]
    codes[place++] =
      (side[row] << SIDE) |
      (ring[row] << ZONE) |
      (stance[row] << STANCE) |
      (percentOf(hull[at], hullMax[at]) << HULL) |
      (percentOf(shield[at], shieldMax[at]) << SHIELD)
    sides[side[row]]++
    if (kind[row] === BY_PLAYER && bound[owner[at]] !== 0) pilots.push({ player: owner[at], row })
  }
  scan.count = place
  return scan
}

/*
 * What pilots learn from a tick of fighting: the kernels count, here it becomes experience, once a
 * skill. What does not make a whole point stays counted. Source: missions.md section 5.
 */

/** Points of damage an experience. */
const DEALT_A_POINT = 20
const SHIELD_A_POINT = 20
const HULL_A_POINT = 10
const ARENA = BATTLE_KINDS.indexOf('arena')

type Counted = 'xpDealt' | 'xpShield' | 'xpHull'

/** Whole points of what was counted; the rest stays. */
function whole(world: World, column: Counted, at: number, points: number): number {
  const counted = world.write(Participant)[column]
  const xp = divFloor(counted[at], points)
  counted[at] -= xp * points
  return xp
}

/** `duel`: 1 for what came of fighting players, which a day caps. */
function learn(world: World, player: Eid, row: Row, duel: 0 | 1): void {
  const at = 2 * row + duel
  const isArena = world.read(Battle).kind[world.read(Participant).battle[row]] === ARENA
  const source: CappedSource | undefined = isArena ? 'arena' : duel === 1 ? 'pvp' : undefined
  const { volleys, scores } = world.read(Turn)
  const award = (skill: string, xp: number): number =>
    xp === 0 ? 0 : awardXp(world, player, skill, xp, source)
  const gained = {
    weapons: award('weapons', whole(world, 'xpDealt', at, DEALT_A_POINT)),
    gunnery: award('gunnery', volleys[at]),
    tactics: award('tactics', scores[at]),
  }
  award('shields', whole(world, 'xpShield', at, SHIELD_A_POINT))
  award('armor', whole(world, 'xpHull', at, HULL_A_POINT))
  const entries = Object.entries(gained).filter(([, xp]) => xp > 0)
  if (entries.length > 0) addGains(world, row, entries)
}

function addGains(world: World, row: Row, entries: readonly [string, number][]): void {
  const gains = world.index(GAINS)
  const sum: Record<string, number> = { ...gains.get(row) }
  for (const [skill, xp] of entries) sum[skill] = (sum[skill] ?? 0) + xp
  gains.set(row, sum)
}

function train(world: World, row: Row): void {
  const player = pilotOf(world, row)
  if (player === 0) return
  learn(world, player, row, 0)
  learn(world, player, row, 1)
  const { volleys, scores } = world.write(Turn)
  volleys.fill(0, 2 * row, 2 * row + 2)
  scores.fill(0, 2 * row, 2 * row + 2)
  const { tier } = SHIP_CLASSES[world.read(Ship).class[world.read(Participant).ship[row]]]
  const isArena = world.read(Battle).kind[world.read(Participant).battle[row]] === ARENA
  awardXp(world, player, 'piloting', tier + 1, isArena ? 'arena' : undefined)
  if (!isArena) trainAtPower(world, player, 1)
}

export const training: SystemDef = {
  name: 'combat.train',
  phase: 'fight',
  writes: [...XP_WRITES, Participant, Turn],
  run(world) {
    world.index(GAINS).clear()
    for (const battle of battles(world)) {
      for (const row of participantsOf(world, battle)) train(world, row)
    }
  },
}
