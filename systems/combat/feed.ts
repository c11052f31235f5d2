/**
 * battle_update: the state of a battle after phase fight, to each of its pilots. Only what changed
 * leaves the world thread (core/wire/feed.ts).
 */
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import { bools, ints, list, obj, opt, type Static, strings } from '../../core/params.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { ABSENT, defineFeed, packingOf, tellFeed } from '../../core/wire/feed.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Battle, PARTICIPANT_KINDS, Participant, STANCES, ZONES } from './columns.ts'
import { isOnAutopilot } from './damage.ts'
import {
  battleId,
  boardingSchema,
  participantSchema,
  percentOf,
  renderCombatant,
  sideSchema,
  sidesOf,
} from './views.ts'

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
export function tellBattle(
  world: World,
  battle: Eid,
  boarding: readonly Static<typeof boardingSchema>[] = [],
): void {
  const scan = scanBattle(world, battle)
  const { rows, pilots } = scan
  if (pilots.length === 0) return
  const part = world.read(Participant)
  tellFeed(world, battleUpdate, {
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

/** What there is to tell of a battle, read in one walk. Arrays have room for more. */
interface Scan {
  count: number
  rows: Int32Array
  ids: Int32Array
  codes: Int32Array
  /** Participants by side. */
  readonly sides: Uint32Array
  /** Pilots who are online, with what their ships are in the battle. */
  pilots: { readonly player: Eid; readonly row: Row }[]
}

/** Used for one battle after the other. */
const SCAN = defineIndex(
  'combat.scan',
  (): Scan => ({
    ...roomFor(0),
    count: 0,
    sides: new Uint32Array(BATTLE_SIDES_MAX + 1),
    pilots: [],
  }),
)

const roomFor = (count: number): Pick<Scan, 'rows' | 'ids' | 'codes'> => ({
  rows: new Int32Array(count),
  ids: new Int32Array(count),
  codes: new Int32Array(count),
})

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
