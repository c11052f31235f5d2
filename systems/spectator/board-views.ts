/**
 * Boards: the players and factions with the highest counters. There are none of holdings or orders:
 * they would reveal what is withheld. Source: WEB 1.5.
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

/** Boards of players: their names, and the counters they rank by. */
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

/** Rows, and records, read between two yields. */
const ROWS_PER_STEP = 4_096
const RECORDS_PER_STEP = 1_024

interface Ranking {
  add(row: Row, value: number): void
  /** Lists the rows with the highest figures; of equals the older first. */
  take(): Ranked[]
}

function createRanking(seq: ArrayLike<number>): Ranking {
  const ranked: Ranked[] = []
  /** The lowest value that can still be on the board. */
  let valueMin = 1
  const compare = (a: Ranked, b: Ranked) => b.value - a.value || seq[a.row] - seq[b.row]
  const cut = (): void => {
    ranked.sort(compare)
    if (ranked.length < PUBLIC_BOARD_ROWS_MAX) return
    ranked.length = PUBLIC_BOARD_ROWS_MAX
    valueMin = ranked[PUBLIC_BOARD_ROWS_MAX - 1].value
  }
  return {
    add(row, value) {
      if (value < valueMin) return
      ranked.push({ row, value })
      if (ranked.length >= 2 * PUBLIC_BOARD_ROWS_MAX) cut()
    },
    take() {
      cut()
      return ranked
    },
  }
}

/** Ranks the rows of a table by a figure; yields between steps. */
function* rankRows(
  rows: { readonly alive: ArrayLike<number>; readonly seq: ArrayLike<number> },
  high: number,
  figureOf: (row: Row) => number,
): Generator<void, Ranked[]> {
  const ranking = createRanking(rows.seq)
  for (let row = 1; row <= high; row++) {
    if (row % ROWS_PER_STEP === 0) yield
    if (rows.alive[row] === 1) ranking.add(row, figureOf(row))
  }
  return ranking.take()
}

const empireOf = (view: WorldView, player: Row): string =>
  EMPIRES[view.read(Player).empire[player]].id

/** Makes the rows of a board; yields between steps. */
type BoardSteps = Generator<void, BoardRow[]>

function* bestPlayers(view: WorldView, figureOf: (player: Row) => number): BoardSteps {
  const ranked = yield* rankRows(view.read(Player), view.highOf(Player), figureOf)
  return ranked.map(({ row, value }) => ({
    name: usernameOf(view, row),
    of: empireOf(view, row),
    value,
  }))
}

function* bestFactions(view: WorldView, figureOf: (faction: Row) => number): BoardSteps {
  const ranked = yield* rankRows(view.read(Faction), view.highOf(Faction), figureOf)
  return ranked.map(({ row, value }) => ({
    name: factionName(view, row),
    of: factionTag(view, row),
    value,
  }))
}

function statBoard(view: WorldView, stat: StatName): BoardSteps {
  const { values } = view.read(PlayerStats)
  const index = statIndex(stat)
  return bestPlayers(view, (player) => values[player * STATS_WIDTH + index])
}

/** Ranks players or factions by the points of their achievements; leaves out those without any. */
function* achieverBoard(view: WorldView, kind: typeof OF_PLAYERS): BoardSteps {
  const points: number[] = []
  for (const row of kind.book.rows) points[row.no] = row.points
  const isOfPlayers = kind === OF_PLAYERS
  const table = isOfPlayers ? Player : Faction
  const ranking = createRanking(view.read(table as typeof Player).seq)
  let recordsRead = 0
  for (const [key, earned] of view.records(kind.records).entries()) {
    if (++recordsRead % RECORDS_PER_STEP === 0) yield
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
export const BOARDS: readonly (readonly [string, (view: WorldView) => BoardSteps])[] = [
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
  make: (view: WorldView) => BoardSteps,
): Generator<void, Board> {
  return { madeMs: view.wallMs, rows: yield* make(view) }
}
