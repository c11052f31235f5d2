/**
 * battle_update: the state of a battle after phase fight, to each of its pilots. Only what changed
 * leaves the world thread (core/feed.ts).
 */
import { ABSENT, defineFeed, tellFeed } from '../../core/feed.ts'
import { bools, ints, list, obj, opt, type Static, strings } from '../../core/params.ts'
import type { Eid, Row, World } from '../../core/world.ts'
import { isBound } from '../account/rules.ts'
import { Ship } from '../ship/columns.ts'
import { activeShip } from '../ship/rules.ts'
import { Battle, Fighting, Participant, STANCES, ZONES } from './columns.ts'
import {
  battleId,
  boardingSchema,
  participantSchema,
  participantsOf,
  percentOf,
  pilotOf,
  renderCombatant,
  renderSides,
  sideSchema,
} from './views.ts'

/** Ticks after an order of the pilot in which the autopilot is off. Source: combat.md section 2. */
export const AUTOPILOT_AFTER_TICKS = 10

const NUMBER = { kind: 'number' } as const

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
      side_id: NUMBER,
      zone: { kind: 'words', words: ZONES },
      stance: { kind: 'words', words: STANCES },
      hull_pct: NUMBER,
      shield_pct: NUMBER,
    },
    head: {
      your_zone: { kind: 'words', words: ZONES },
      your_stance: { kind: 'words', words: STANCES },
      your_target_id: { kind: 'entry' },
      your_side_id: NUMBER,
      auto_pilot: { kind: 'flag' },
    },
  },
})

/**
 * Tells a battle's pilots how it stands. To be called once a tick for each battle that goes on or
 * has just ended, when those who left it in this tick are off its list.
 */
export function tellBattle(
  world: World,
  battle: Eid,
  boarding: readonly Static<typeof boardingSchema>[] = [],
): void {
  const rows = participantsOf(world, battle)
  const participant = world.read(Participant)
  const { hull, hullMax, shield, shieldMax } = world.read(Ship)
  tellFeed(world, battleUpdate, {
    feed: world.read(Battle).seq[battle],
    shared: {
      battle_id: battleId(world, battle),
      tick: world.tick,
      sides: renderSides(world, rows),
      ...(boarding.length > 0 ? { boarding } : {}),
    },
    list: {
      rows,
      id: (row) => participant.seq[row],
      moving(row, codes, at) {
        const ship = participant.ship[row]
        codes[at] = participant.side[row]
        codes[at + 1] = participant.ring[row]
        codes[at + 2] = participant.stance[row]
        codes[at + 3] = percentOf(hull[ship], hullMax[ship])
        codes[at + 4] = percentOf(shield[ship], shieldMax[ship])
      },
      fixed: (row) => renderCombatant(world, row),
    },
    heads: {
      players: boundPilots(world, rows),
      head: (player, codes, at) => head(world, player, codes, at),
    },
  })
}

function boundPilots(world: World, rows: readonly Row[]): Eid[] {
  const pilots: Eid[] = []
  for (const row of rows) {
    const pilot = pilotOf(world, row)
    if (pilot !== 0 && isBound(world, pilot)) pilots.push(pilot)
  }
  return pilots
}

function head(world: World, player: Eid, codes: Int32Array, at: number): void {
  const { seq, ring, stance, side, target, orderTick } = world.read(Participant)
  const row = world.read(Fighting).participant[activeShip(world, player)]
  codes[at] = ring[row]
  codes[at + 1] = stance[row]
  codes[at + 2] = target[row] === 0 ? ABSENT : seq[target[row]]
  codes[at + 3] = side[row]
  codes[at + 4] = isOnAutopilot(world.tick, orderTick[row]) ? 1 : 0
}

/** True until the pilot's first order, and again some ticks after each. `orderTick` 0: none yet. */
export const isOnAutopilot = (tick: number, orderTick: number): boolean =>
  orderTick === 0 || tick > orderTick + AUTOPILOT_AFTER_TICKS
