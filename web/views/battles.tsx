/** Battles: the active ones first, then the past; the filters are in the address. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { BattleSummary, BattlesBody } from '../../core/public/past.ts'
import { type KeyRow, useKeys } from '../keys.ts'
import { formatInt, formatShort, plural } from '../parts/format.ts'
import { Empty, Stateful } from '../parts/state.tsx'
import { AsJson } from '../parts/table.tsx'
import { Chip } from '../parts/tabs.tsx'
import { Tick } from '../parts/time.tsx'
import { changeQuery, go, hrefOf, query } from '../router.ts'
import { useSlowBody } from '../slow-body.ts'
import { SideSign } from './battle-panels.tsx'

const PAGE_ROWS = 50
const OFFSET_MAX = 5_000
const SEARCH_LETTERS_MIN = 2
const SEARCH_LETTERS_MAX = 64
const SIDES_SHOWN_MAX = 4
const NAMES_SHOWN_MAX = 4

const STATUSES = [
  ['', 'All'],
  ['active', 'Being fought'],
  ['completed', 'Over'],
] as const
const CATEGORIES = ['pvp', 'pirate', 'police', 'wildlife', 'pve', 'npc', 'arena']

const isActive = ({ status }: BattleSummary): boolean => status === 'active'

/** Shows the sides of a battle with the known names of their participants. */
function SideBars({ battle }: { readonly battle: BattleSummary }) {
  const { sides, winning_side } = battle
  const shown = sides.slice(0, SIDES_SHOWN_MAX)
  return (
    <span class="side-bars">
      {shown.map(({ side_id, faction_tag, participants = [] }) => {
        const names = participants.slice(0, NAMES_SHOWN_MAX).map((name) => name || 'unknown')
        const rest = participants.length - names.length
        return (
          <span key={side_id} class={winning_side === side_id ? 'won' : undefined}>
            <SideSign side={side_id} />
            <span class="name">
              {faction_tag && <b>{faction_tag} </b>}
              {names.join(', ') || `side ${side_id}`}
              {rest > 0 && ` and ${formatInt(rest)} more`}
              {winning_side === side_id && <span class="good"> won</span>}
            </span>
          </span>
        )
      })}
      {sides.length > shown.length && (
        <span class="muted">and {sides.length - shown.length} more sides</span>
      )}
    </span>
  )
}

function Row({ battle, isAt }: { readonly battle: BattleSummary; readonly isAt: boolean }) {
  const { ships_destroyed, ships_captured } = battle
  return (
    <li data-at={isAt ? '' : undefined}>
      <a class="battle-row" href={`/battles/${encodeURIComponent(battle.battle_id)}`}>
        <span class="where">
          <b>{battle.system_name}</b>
          <Chip>{battle.category}</Chip>
          {isActive(battle) && <Chip tone="warn">being fought</Chip>}
        </span>
        <SideBars battle={battle} />
        <span class="losses">
          <b class={ships_destroyed > 0 ? 'bad' : 'muted'}>{formatInt(ships_destroyed)} lost</b>
          {ships_captured > 0 && <span class="warn">, {ships_captured} captured</span>}
          <span class="muted"> · {formatShort(battle.total_damage)} damage</span>
        </span>
        <span class="when-line muted">
          <Tick tick={battle.start_tick} isShort /> · {plural(battle.duration_ticks, 'tick')} ·{' '}
          {plural(battle.participant_count, 'ship')}
        </span>
      </a>
    </li>
  )
}

function Filters() {
  const { status = '', category = '', q = '' } = query.value
  const set = (name: string) => (event: { currentTarget: { value: string } }) =>
    changeQuery({ [name]: event.currentTarget.value || undefined, page: undefined }, 'push')
  return (
    <search class="filters">
      <label>
        <span class="hidden">State</span>
        <select value={status} aria-keyshortcuts="s" onChange={set('status')}>
          {STATUSES.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="hidden">Kind</span>
        <select value={category} onChange={set('category')}>
          <option value="">All kinds</option>
          {CATEGORIES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <input
        type="search"
        value={q}
        maxLength={SEARCH_LETTERS_MAX}
        placeholder="Who took part"
        aria-label="Who took part: the start of a name, two letters at least"
        onChange={set('q')}
      />
    </search>
  )
}

function pageNumber(): number {
  const page = Number(query.value.page ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? Math.min(page, OFFSET_MAX / PAGE_ROWS + 1) : 1
}

function addressOf(): string {
  const { status, category, q } = query.value
  const offset = (pageNumber() - 1) * PAGE_ROWS
  return hrefOf('/api/battles', {
    status,
    category,
    search: q && q.length >= SEARCH_LETTERS_MIN ? q : undefined,
    limit: String(PAGE_ROWS),
    offset: offset > 0 ? String(offset) : undefined,
  })
}

/** Adds the keys of the list: j and k move along the rows, Enter opens, s changes the state. */
function useListKeys(count: () => number, open: (at: number) => void) {
  const at = useSignal(-1)
  const keys = useMemo((): readonly KeyRow[] => {
    const move = (by: number) => () => {
      at.value = Math.max(0, Math.min(count() - 1, at.peek() + by))
      const row = document.querySelectorAll<HTMLElement>('.battle-row')[at.peek()]
      row?.focus()
      row?.scrollIntoView({ block: 'nearest' })
    }
    const nextStatus = () => {
      const values = STATUSES.map(([value]) => value as string)
      const next = values[(values.indexOf(query.peek().status ?? '') + 1) % values.length]
      changeQuery({ status: next || undefined, page: undefined }, 'push')
    }
    return [
      { key: 'j', about: 'next battle', run: move(1) },
      { key: 'k', about: 'previous battle', run: move(-1) },
      { key: 'Enter', about: 'open it', run: () => open(at.peek()) },
      { key: 's', about: 'all, being fought, over', run: nextStatus },
    ]
  }, [])
  useKeys(keys)
  return at
}

function Pages({ hasMore }: { readonly hasMore: boolean }) {
  const page = pageNumber()
  if (page === 1 && !hasMore) return null
  const to = (next: number) => changeQuery({ page: next > 1 ? String(next) : undefined }, 'push')
  return (
    <nav class="filters" aria-label="Pages">
      <button type="button" disabled={page === 1} onClick={() => to(page - 1)}>
        Newer
      </button>
      <span class="muted">page {page}</span>
      <button type="button" disabled={!hasMore} onClick={() => to(page + 1)}>
        Older
      </button>
    </nav>
  )
}

/** Shows that no battle is active, and which was the last. */
function Quiet({ last }: { readonly last?: BattleSummary }) {
  return (
    <Empty>
      No battle is being fought
      {last ? (
        <>
          ; the last, in {last.system_name}, began <Tick tick={last.start_tick} />.
        </>
      ) : (
        '. The first one will appear here.'
      )}
    </Empty>
  )
}

function List({ body, at }: { readonly body: BattlesBody; readonly at: number }) {
  const live = body.battles.filter(isActive)
  const past = body.battles.filter((battle) => !isActive(battle))
  const { status, category, q } = query.value
  const isFiltered = Boolean(category || q)
  const isQuiet = live.length === 0 && status !== 'completed' && !isFiltered && pageNumber() === 1
  if (body.battles.length === 0 && isFiltered) {
    return <Empty>No battle matches these filters.</Empty>
  }
  return (
    <>
      {isQuiet && <Quiet {...(past[0] ? { last: past[0] } : {})} />}
      {live.length > 0 && <h2>Being fought</h2>}
      <ol class="battles">
        {live.map((battle, index) => (
          <Row key={battle.battle_id} battle={battle} isAt={index === at} />
        ))}
      </ol>
      {past.length > 0 && <h2>Over</h2>}
      {past.length === 0 && status === 'completed' && <Empty>No battle is over yet.</Empty>}
      <ol class="battles">
        {past.map((battle, index) => (
          <Row key={battle.battle_id} battle={battle} isAt={live.length + index === at} />
        ))}
      </ol>
      <Pages hasMore={body.has_more} />
    </>
  )
}

export function BattlesView() {
  const path = addressOf()
  const body = useSlowBody<BattlesBody>(path, () => true)
  const battles = () => body.peek().data?.battles ?? []
  const at = useListKeys(
    () => document.querySelectorAll('.battle-row').length,
    (index) => {
      const row = document.querySelectorAll<HTMLAnchorElement>('.battle-row')[index]
      if (row && battles().length > 0) go(row.pathname)
    },
  )
  return (
    <div class="view">
      <header>
        <h1>Battles</h1>
        <span class="muted">{body.value.data ? plural(body.value.data.total, 'battle') : ''}</span>
        <AsJson path={path} />
      </header>
      <Filters />
      <Stateful path={path} body={body}>
        {(data) => <List body={data} at={at.value} />}
      </Stateful>
    </div>
  )
}
