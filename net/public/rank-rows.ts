/** Bodies of leaderboards. Boards of holdings are empty, since holdings are not public. WEB 1.5. */
import { ok } from '../../core/errors.ts'
import type { Board, BoardRow } from '../../core/public/frame.ts'
import {
  type AchievementRanksBody,
  achievementRanksBody,
  type FactionBody,
  type LeaderboardBody,
  leaderboardBody,
} from '../../core/public/world.ts'
import { isoTime } from '../../core/time.ts'
import type { PublicRow } from './row.ts'
import { docOf, type PublicState } from './state.ts'

/** Boards of players, factions and the exchange that are always empty. */
const WITHHELD = {
  players: ['total_wealth', 'ship_value', 'storage_value', 'facility_investment'],
  factions: ['total_wealth', 'facility_investment'],
  exchange: ['items_listed', 'active_orders', 'sell_order_value', 'escrow_value'],
} as const

const emptyBoards = (names: readonly string[]): Record<string, []> =>
  Object.fromEntries(names.map((name) => [name, []]))

interface ReadBoards {
  readonly change: number
  readonly boards: readonly (readonly [string, Board])[]
}

/** Cache of parsed boards: every player's page needs all of them. */
const readBoards = new WeakMap<PublicState, ReadBoards>()

/** Returns the boards of a kind as [name, board]. */
function boardsOf(state: PublicState, kind: 'players' | 'factions'): [string, Board][] {
  let read = readBoards.get(state)
  if (read?.change !== state.changes.boards) {
    const boards = [...state.docs.boards].map(
      ([key, text]) => [key, JSON.parse(text) as Board] as const,
    )
    read = { change: state.changes.boards, boards }
    readBoards.set(state, read)
  }
  return read.boards.flatMap(([key, board]) =>
    key.startsWith(`${kind} `) ? [[key.slice(kind.length + 1), board] as [string, Board]] : [],
  )
}

/** Returns the time of the latest board: each is rebuilt in its own tick of the hour. */
const madeAt = (state: PublicState, boards: readonly Board[]): string =>
  isoTime(boards.length === 0 ? state.wallMs : Math.max(...boards.map(({ madeMs }) => madeMs)))

function renderBoards(state: PublicState): LeaderboardBody {
  const players = boardsOf(state, 'players')
  const factions = boardsOf(state, 'factions')
  const rowsOf = <T>({ rows }: Board, render: (row: BoardRow) => T) =>
    rows.map((row, i) => ({ rank: i + 1, value: row.value, ...render(row) }))
  const ofPlayers = players.map(
    ([name, board]) =>
      [name, rowsOf(board, ({ name, of }) => ({ username: name, empire: of }))] as const,
  )
  const ofFactions = factions.map(
    ([name, board]) => [name, rowsOf(board, ({ name, of }) => ({ name, tag: of }))] as const,
  )
  return {
    generated_at: madeAt(
      state,
      [...players, ...factions].map(([, board]) => board),
    ),
    players: { ...Object.fromEntries(ofPlayers), ...emptyBoards(WITHHELD.players) },
    factions: { ...Object.fromEntries(ofFactions), ...emptyBoards(WITHHELD.factions) },
    exchange: emptyBoards(WITHHELD.exchange),
  }
}

function renderAchievers(state: PublicState): AchievementRanksBody {
  const players = docOf(state, 'boards', 'achievements players')
  const factions = docOf(state, 'boards', 'achievements factions')
  const boards = [players, factions].flatMap((board) => board ?? [])
  return {
    generated_at: madeAt(state, boards),
    players: (players?.rows ?? []).map(({ name, of, value, earned = 0 }) => ({
      name,
      empire: of,
      earned,
      points: value,
    })),
    factions: (factions?.rows ?? []).map(({ name, of, value, earned = 0 }) => ({
      name,
      tag: of,
      earned,
      points: value,
    })),
  }
}

/** Returns the title of a board from its name. */
const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words[0].toUpperCase() + words.slice(1)
}

/** Returns the places that a player (by name) or a faction (by tag) has on the boards. */
export function ranksOf(
  state: PublicState,
  kind: 'players' | 'factions',
  who: string,
): FactionBody['ranks'] {
  return boardsOf(state, kind).flatMap(([category, { rows }]) => {
    const index = rows.findIndex(({ name, of }) => (kind === 'players' ? name : of) === who)
    return index < 0
      ? []
      : [{ category, label: labelOf(category), rank: index + 1, value: rows[index].value }]
  })
}

/** Returns the time of the latest board of players; undefined if there is none. */
export function ranksMadeAt(state: PublicState): string | undefined {
  const boards = boardsOf(state, 'players').map(([, board]) => board)
  return boards.length === 0 ? undefined : madeAt(state, boards)
}

export const RANK_ROWS: readonly PublicRow[] = [
  {
    path: '/api/leaderboard',
    operationId: 'getLeaderboard',
    about: 'leaderboards of players and factions, updated every hour',
    cache: 'M',
    bucket: 'page',
    schema: leaderboardBody,
    source: 'frame',
    reads: ['boards'],
    body: (state) => ok(renderBoards(state)),
  },
  {
    path: '/api/leaderboard/achievements',
    operationId: 'getAchievementRanks',
    about: 'players and factions with the most achievement points',
    cache: 'M',
    bucket: 'page',
    schema: achievementRanksBody,
    source: 'frame',
    reads: ['boards'],
    body: (state) => ok(renderAchievers(state)),
  },
]
