/**
 * battle_update: sends each pilot the state of their battle after phase fight. Only changes leave
 * the world thread (core/wire/feed.ts).
 */
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import { bools, ints, list, obj, opt, type Static, strings } from '../../core/params.ts'
import type { Eid, World } from '../../core/types.ts'
import { ABSENT, defineFeed, notifyFeed, packingOf } from '../../core/wire/feed.ts'
import { Player } from '../account/state.ts'
import { Ship } from '../ship/state.ts'
import { isOnAutopilot } from './damage-kernels.ts'
import { battleId, percentOf, renderCombatant, sidesOf } from './model.ts'
import { SCAN, type Scan, scanArrays } from './report-state.ts'
import { boardingSchema, participantSchema, sideSchema } from './schemas.ts'
import { Battle, PARTICIPANT_KINDS, Participant, RINGS, STANCES } from './state.ts'

const PLAYER = PARTICIPANT_KINDS.indexOf('player')

/** Shows each player in a battle what a tick did to it. Source: spec, combat.md section 16. */
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
      zone: { kind: 'words', words: RINGS },
      stance: { kind: 'words', words: STANCES },
      hull_pct: { kind: 'number', max: 100 },
      shield_pct: { kind: 'number', max: 100 },
    },
    head: {
      your_zone: { kind: 'words', words: RINGS },
      your_stance: { kind: 'words', words: STANCES },
      your_target_id: { kind: 'entry' },
      your_side_id: { kind: 'number', max: BATTLE_SIDES_MAX },
      auto_pilot: { kind: 'flag' },
    },
  },
})

const [SIDE, ZONE, STANCE, HULL, SHIELD] = packingOf(battleUpdate.feed).map(({ shift }) => shift)

/**
 * Sends the state of a battle to its pilots: once a tick for each battle, after departures, even if
 * it is about to end.
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
      head(i, codes, from) {
        const { row } = pilots[i]
        const target = part.target[row]
        codes[from] = part.ring[row]
        codes[from + 1] = part.stance[row]
        codes[from + 2] = target === 0 ? ABSENT : part.seq[target]
        codes[from + 3] = part.side[row]
        codes[from + 4] = isOnAutopilot(world.tick, part.orderTick[row]) ? 1 : 0
      },
    },
  })
}

function scanBattle(world: World, battle: Eid): Scan {
  const scan = world.index(SCAN)
  const { first, count } = world.read(Battle)
  if (scan.rows.length < count[battle]) Object.assign(scan, scanArrays(2 * count[battle]))
  scan.pilots = []
  scan.sides.fill(0)
  const { rows, ids, codes, sides, pilots } = scan
  const { next, seq, kind, ship, side, ring, stance } = world.read(Participant)
  const { hull, hullMax, shield, shieldMax, owner } = world.read(Ship)
  const { bound } = world.read(Player)
  let place = 0
  for (let row = first[battle]; row !== 0; row = next[row]) {
    const hullRow = ship[row]
    rows[place] = row
    ids[place] = seq[row]
    codes[place++] =
      (side[row] << SIDE) |
      (ring[row] << ZONE) |
      (stance[row] << STANCE) |
      (percentOf(hull[hullRow], hullMax[hullRow]) << HULL) |
      (percentOf(shield[hullRow], shieldMax[hullRow]) << SHIELD)
    sides[side[row]]++
    const pilot = kind[row] === PLAYER ? owner[hullRow] : 0
    if (pilot !== 0 && bound[pilot] !== 0) pilots.push({ player: pilot, row })
  }
  scan.count = place
  return scan
}
