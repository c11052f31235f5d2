/** Ranks: a board with bars, a search by name, and the reader's own rank while logged in. */

import { useMemo } from 'preact/hooks'
import type { AchievementRanksBody, LeaderboardBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { boardHref, factionHref, playerHref } from '../hrefs.ts'
import { useKeys } from '../keys.ts'
import { formatInt, plural } from '../parts/format.ts'
import { Empty, Stateful } from '../parts/state.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Chip, Meter } from '../parts/tabs.tsx'
import { When } from '../parts/time.tsx'
import { me } from '../play/me.ts'
import {
  achieversOf,
  type Board,
  type BoardKind,
  type BoardRow,
  boardBeside,
  boardsOf,
  isOfAchievements,
  KIND_TITLES,
  rowsNamed,
  rowsOf,
} from '../ranks-model.ts'
import { changeQuery, go, query } from '../router.ts'
import type { ViewProps } from '../view-rows.ts'

const PATH = '/api/leaderboard'
const ACHIEVEMENTS_PATH = '/api/leaderboard/achievements'
const DEFAULT = 'credits_earned'

export function RanksView({ params }: ViewProps) {
  const body = useBody<LeaderboardBody>(PATH, 'M')
  const boards = useMemo(
    () => (body.value.data ? boardsOf(body.value.data) : []),
    [body.value.data],
  )
  const board = boards.find(({ id }) => id === (params.board ?? DEFAULT)) ?? boards[0]
  const keys = useMemo(() => {
    const step = (by: 1 | -1) => () => {
      const next = board && boardBeside(boards, board.id, by)
      if (next) go(boardHref(next.id))
    }
    return [
      { key: 'ArrowLeft', about: 'previous board', run: step(-1) },
      { key: 'ArrowRight', about: 'next board', run: step(1) },
    ]
  }, [boards, board])
  useKeys(keys)
  return (
    <div class="view">
      <header>
        <h1>Ranks</h1>
        {body.value.data && (
          <span class="muted">
            updated once an hour, last <When at={body.value.data.generated_at} />
          </span>
        )}
      </header>
      <Stateful path={PATH} body={body}>
        {(data) => (
          <div class="split">
            <BoardChoice boards={boards} board={board} isNarrow />
            <section class="board">
              {board && isOfAchievements(board.id) ? (
                <Achievers board={board} />
              ) : (
                board && <Rows board={board} rows={rowsOf(data, board)} json={PATH} />
              )}
            </section>
            <BoardChoice boards={boards} board={board} />
          </div>
        )}
      </Stateful>
    </div>
  )
}

interface ChoiceProps {
  readonly boards: readonly Board[]
  readonly board?: Board
  readonly isNarrow?: boolean
}

const kindsOf = (boards: readonly Board[]): readonly BoardKind[] => [
  ...new Set(boards.map(({ kind }) => kind)),
]

/** Shows all boards as links, or as a select where the page is narrow. */
function BoardChoice({ boards, board, isNarrow }: ChoiceProps) {
  if (isNarrow)
    return (
      <label class="narrow-only field">
        <span>Board</span>
        <select value={board?.id} onChange={(event) => go(boardHref(event.currentTarget.value))}>
          {kindsOf(boards).map((kind) => (
            <optgroup key={kind} label={KIND_TITLES[kind]}>
              {boards
                .filter((one) => one.kind === kind)
                .map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
    )
  return (
    <nav class="wide-only boards" aria-label="Boards">
      {kindsOf(boards).map((kind) => (
        <div key={kind}>
          <h3>{KIND_TITLES[kind]}</h3>
          <ul>
            {boards
              .filter((one) => one.kind === kind)
              .map(({ id, title }) => (
                <li key={id}>
                  <a href={boardHref(id)} aria-current={id === board?.id ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function Achievers({ board }: { readonly board: Board }) {
  const body = useBody<AchievementRanksBody>(ACHIEVEMENTS_PATH, 'M')
  return (
    <Stateful path={ACHIEVEMENTS_PATH} body={body}>
      {(data) => (
        <Rows board={board} rows={achieversOf(data, board.kind)} json={ACHIEVEMENTS_PATH} />
      )}
    </Stateful>
  )
}

const nameCell = (kind: BoardKind) => (row: BoardRow) => {
  const { name, tag, npc } = row
  const isMine = name === me.value
  const href = kind === 'factions' ? factionHref(tag ?? '') : playerHref(name)
  return (
    <span class={isMine ? 'mine' : undefined}>
      {npc ? (
        <bdi class="name">{name}</bdi>
      ) : (
        <a href={href}>
          <bdi class="name">{name}</bdi>
        </a>
      )}{' '}
      {kind === 'factions' && tag && <span class="muted mono">{tag}</span>}
      {npc && <Chip>npc</Chip>}
      {isMine && <Chip tone="info">you</Chip>}
    </span>
  )
}

function Rows(props: {
  readonly board: Board
  readonly rows: readonly BoardRow[]
  readonly json: string
}) {
  const { board, rows, json } = props
  const { q = '' } = query.value
  const shown = rowsNamed(rows, q)
  const best = rows[0]?.value ?? 0
  const own = rows.find(({ name }) => board.kind !== 'factions' && name === me.value)
  const columns: readonly Column<BoardRow>[] = [
    { name: 'rank', title: 'Rank', isNumber: true, cell: ({ rank }) => formatInt(rank) },
    { name: 'name', title: 'Name', cell: nameCell(board.kind) },
    {
      name: 'bar',
      title: '',
      isWide: true,
      cell: ({ value }) => <Meter value={value} max={best} label={board.title} />,
    },
    {
      name: 'value',
      title: board.title,
      isNumber: true,
      cell: ({ value }) => (
        <>
          {formatInt(value)}
          {board.unit && <span class="unit">{board.unit}</span>}
        </>
      ),
    },
  ]
  if (rows.length === 0)
    return (
      <Empty>
        {board.title}: nobody is on this board. Counters are updated once an hour; in the first hour
        of a world all boards are empty.
      </Empty>
    )
  return (
    <>
      <div class="filters">
        <input
          type="search"
          aria-label="Find a name on this board"
          placeholder="Find a name"
          value={q}
          onInput={(event) => changeQuery({ q: event.currentTarget.value || undefined })}
        />
        <span class="muted">
          {q ? `${plural(shown.length, 'name')} of ${rows.length}` : plural(rows.length, 'name')}
        </span>
        {own && <a href={playerHref(own.name)}>You are number {formatInt(own.rank)}</a>}
        {me.value && !own && board.kind !== 'factions' && (
          <span class="muted">You are not among the first {rows.length}</span>
        )}
      </div>
      {shown.length === 0 ? (
        <Empty>No name on this board contains “{q}”.</Empty>
      ) : (
        <Table
          caption={board.title}
          columns={columns}
          rows={shown}
          keyOf={({ rank, name, tag }) => `${rank} ${name} ${tag}`}
          json={json}
        />
      )}
    </>
  )
}
