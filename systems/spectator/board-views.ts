/**
 * Boards: who has most of what is counted. Those of holdings and orders are not made: they would
 * reveal what is withheld. Source: WEB 1.5.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { PUBLIC_BOARD_ROWS_MAX } from '../../core/limits.ts'
import type { Board, BoardRow } from '../../core/public/frame.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { statIndex, usernameOf } from '../account/model.ts'
import { Player, PlayerStats, STATS_WIDTH, type StatName } from '../account/state.ts'
import { earnedBy, factionValue, OF_FACTIONS, OF_PLAYERS } from '../achievement/model.ts'
import { FACTION_COUNTERS, type FactionCounter } from '../achievement/state.ts'
import { factionName, factionTag } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'

/** Figures of boards of players, by name. */
const PLAYER_BOARDS: readonly (readonly [string, StatName])[] = [
  ['credits_earned', 'credits_earned'],
  ['credits_spent', 'credits_spent'],
  ['exchange_credits_earned', 'exchange_credits_earned'],
  ['ships_destroyed', 'ships_destroyed'],
  ['ships_lost', 'times_destroyed'],
  ['damage_dealt', 'damage_dealt'],
  ['pirates_destroyed', 'pirates_destroyed'],
  ['items_crafted', 'items_crafted'],
  ['ore_mined', 'ore_mined'],
  ['facilities_built', 'facilities_built'],
  ['facility_items_produced', 'facility_items_produced'],
  ['trades_completed', 'trades_completed'],
  ['systems_explored', 'systems_visited'],
  ['distance_traveled', 'distance_traveled'],
  ['missions_completed', 'missions_completed'],
  ['wormholes_traversed', 'wormholes_traversed'],
  ['ships_commissioned', 'ships_commissioned'],
  ['refuels_given', 'refuels_given'],
  ['items_jettisoned', 'items_jettisoned'],
  ['customs_evaded', 'customs_evaded'],
  ['contraband_sold', 'contraband_sold'],
]

const FACTION_BOARDS: readonly FactionCounter[] = [
  'ships_destroyed',
  'damage_dealt',
  'ore_mined',
  'items_crafted',
  'missions_completed',
]

interface Ranked {
  readonly row: Row
  readonly value: number
}

/** Rows, and records, looked at between two yields. */
const ROWS_A_STEP = 4_096
const RECORDS_A_STEP = 1_024

interface Ranking {
  add(row: Row, value: number): void
  /** Lists the rows with the highest figures, the older first where they are alike. */
  take(): Ranked[]
}

function createRanking(seq: ArrayLike<number>): Ranking {
  const ranked: Ranked[] = []
  /** So many rows have as much that less is on no board. */
  let least = 1
  const isBefore = (a: Ranked, b: Ranked) => b.value - a.value || seq[a.row] - seq[b.row]
  const cut = (): void => {
    ranked.sort(isBefore)
    if (ranked.length < PUBLIC_BOARD_ROWS_MAX) return
    ranked.length = PUBLIC_BOARD_ROWS_MAX
    least = ranked[PUBLIC_BOARD_ROWS_MAX - 1].value
  }
  return {
    add(row, value) {
      if (value < least) return
      ranked.push({ row, value })
      if (ranked.length >= 2 * PUBLIC_BOARD_ROWS_MAX) cut()
    },
    take() {
      cut()
      return ranked
    },
  }
}

function* best(
  rows: { readonly alive: ArrayLike<number>; readonly seq: ArrayLike<number> },
  high: number,
  figureOf: (row: Row) => number,
): Generator<void, Ranked[]> {
  const ranking = createRanking(rows.seq)
  for (let row = 1; row <= high; row++) {
    if (row % ROWS_A_STEP === 0) yield
    if (rows.alive[row] === 1) ranking.add(row, figureOf(row))
  }
  return ranking.take()
}

const empireOf = (view: WorldView, player: Row): string =>
  EMPIRES[view.read(Player).empire[player]].id

type Making = Generator<void, BoardRow[]>

function* bestPlayers(view: WorldView, figureOf: (player: Row) => number): Making {
  const ranked = yield* best(view.read(Player), view.highOf(Player), figureOf)
  return ranked.map(({ row, value }) => ({
    name: usernameOf(view, row),
    of: empireOf(view, row),
    value,
  }))
}

function* bestFactions(view: WorldView, figureOf: (faction: Row) => number): Making {
  const ranked = yield* best(view.read(Faction), view.highOf(Faction), figureOf)
  return ranked.map(({ row, value }) => ({
    name: factionName(view, row),
    of: factionTag(view, row),
    value,
  }))
}

function statBoard(view: WorldView, stat: StatName): Making {
  const { values } = view.read(PlayerStats)
  const at = statIndex(stat)
  return bestPlayers(view, (player) => values[player * STATS_WIDTH + at])
}

/** Ranks by points; considers only those who have earned anything. */
function* achieverBoard(view: WorldView, kind: typeof OF_PLAYERS): Making {
  const points: number[] = []
  for (const row of kind.book.rows) points[row.no] = row.points
  const isOfPlayers = kind === OF_PLAYERS
  const table = isOfPlayers ? Player : Faction
  const ranking = createRanking(view.read(table as typeof Player).seq)
  let looked = 0
  for (const [key, earned] of view.records(kind.records).entries()) {
    if (++looked % RECORDS_A_STEP === 0) yield
    const row = view.rowOf(table, Number(key))
    if (row !== 0)
      ranking.add(
        row,
        earned.reduce((sum, [no]) => sum + (points[no] ?? 0), 0),
      )
  }
  return ranking.take().map(({ row, value }) => ({
    name: isOfPlayers ? usernameOf(view, row) : factionName(view, row),
    of: isOfPlayers ? empireOf(view, row) : factionTag(view, row),
    value,
    earned: earnedBy(view, kind, row).length,
  }))
}

/** Boards by their keys, each made in its own tick of the hour. */
export const BOARDS: readonly (readonly [string, (view: WorldView) => Making])[] = [
  ...PLAYER_BOARDS.map(
    ([name, stat]) => [`players ${name}`, (view: WorldView) => statBoard(view, stat)] as const,
  ),
  [
    'factions member_count',
    (view) => {
      const { members } = view.read(Faction)
      return bestFactions(view, (faction) => members[faction])
    },
  ],
  ...FACTION_BOARDS.map((name) => {
    const counter = FACTION_COUNTERS.indexOf(name)
    const make = (view: WorldView) =>
      bestFactions(view, (faction) => factionValue(view, faction, counter))
    return [`factions ${name}`, make] as const
  }),
  ['achievements players', (view) => achieverBoard(view, OF_PLAYERS)],
  ['achievements factions', (view) => achieverBoard(view, OF_FACTIONS)],
]

/** Makes a board; yields between steps. */
export function* renderBoard(
  view: WorldView,
  make: (view: WorldView) => Making,
): Generator<void, Board> {
  return { madeMs: view.wallMs, rows: yield* make(view) }
}
