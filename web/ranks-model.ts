/**
 * The boards of the leaderboard, with their titles and units. Boards of holdings, which the server
 * withholds, are left out. Source: WEB 1.5.
 */

import type { AchievementRanksBody, LeaderboardBody } from '../core/public/world.ts'
import { formatId } from './parts/format.ts'

export type BoardKind = 'players' | 'factions' | 'exchange'

export interface BoardRow {
  readonly rank: number
  readonly name: string
  readonly value: number
  readonly empire?: string
  readonly tag?: string
  readonly npc?: boolean
}

export interface Board {
  /** Its part of the address: `ore_mined`, `factions.ore_mined`. */
  readonly id: string
  readonly kind: BoardKind
  readonly title: string
  readonly unit: string
}

const WITHHELD: ReadonlySet<string> = new Set([
  'total_wealth',
  'ship_value',
  'storage_value',
  'facility_investment',
  'items_listed',
  'active_orders',
  'sell_order_value',
  'escrow_value',
])

const KINDS: readonly BoardKind[] = ['players', 'factions', 'exchange']
export const KIND_TITLES: Readonly<Record<BoardKind, string>> = {
  players: 'Players',
  factions: 'Factions',
  exchange: 'Exchange',
}

const CREDITS = /credits|sold/
const ACHIEVEMENTS = 'achievements'

const idOf = (kind: BoardKind, name: string): string =>
  kind === 'players' ? name : `${kind}.${name}`

const boardOf = (kind: BoardKind, name: string): Board => ({
  id: idOf(kind, name),
  kind,
  title: formatId(name),
  unit: name === ACHIEVEMENTS ? 'points' : CREDITS.test(name) ? 'cr' : '',
})

/** Returns the available boards by kind, in the order of the server. */
export function boardsOf(body: LeaderboardBody): readonly Board[] {
  return KINDS.flatMap((kind) => {
    const names = Object.keys(body[kind]).filter((name) => !WITHHELD.has(name))
    if (kind !== 'exchange') names.push(ACHIEVEMENTS)
    return names.map((name) => boardOf(kind, name))
  })
}

/** Returns whether a board is in the body of achievements. */
export const isOfAchievements = (id: string): boolean =>
  id === ACHIEVEMENTS || id === idOf('factions', ACHIEVEMENTS)

const nameIn = ({ id, kind }: Board): string =>
  kind === 'players' ? id : id.slice(kind.length + 1)

/** Returns the rows of a board of counters. */
export function rowsOf(body: LeaderboardBody, board: Board): readonly BoardRow[] {
  const { kind } = board
  const name = nameIn(board)
  if (kind === 'factions')
    return (body.factions[name] ?? []).map(({ rank, name, tag, value }) => ({
      rank,
      name,
      tag,
      value,
    }))
  return (body[kind][name] ?? []).map(({ username, ...row }) => ({ ...row, name: username }))
}

/** Returns the rows of a board of achievements; those of equal points share a rank. */
export function achieversOf(body: AchievementRanksBody, kind: BoardKind): readonly BoardRow[] {
  const rows = kind === 'factions' ? body.factions : body.players
  let rank = 0
  return rows.map(({ name, points, empire, tag }, index) => {
    if (index === 0 || rows[index - 1].points !== points) rank = index + 1
    return { rank, name, value: points, empire, tag }
  })
}

/** Returns the next or previous board, with wrap-around. */
export function boardBeside(boards: readonly Board[], id: string, by: 1 | -1): Board | undefined {
  const index = boards.findIndex((board) => board.id === id)
  return boards[(index + by + boards.length) % boards.length]
}

/** Returns the rows whose name or tag contains a text. */
export function rowsNamed(rows: readonly BoardRow[], text: string): readonly BoardRow[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return rows
  return rows.filter(({ name, tag = '' }) => `${name}\n${tag}`.toLowerCase().includes(wanted))
}
