/** Battles: the active ones first, then the past; the filters are in the address. */

import type { BattleSummary, BattlesBody } from '../../core/public/past.ts'
import { battleHref } from '../hrefs.ts'
import type { KeyRow } from '../keys.ts'
import { formatInt, formatShort, plural } from '../parts/format.ts'
import { useListKeys } from '../parts/list-keys.ts'
import { Pager, pageIn } from '../parts/pager.tsx'
import { Empty, Stateful } from '../parts/state.tsx'
import { AsJson } from '../parts/table.tsx'
import { Chip } from '../parts/tabs.tsx'
import { Tick } from '../parts/time.tsx'
import { changeQuery, hrefOf, query } from '../router.ts'
import { useSlowBody } from '../slow-body.ts'
import { SideSign } from './battle-panels.tsx'

const PAGE_ROWS = 50
/** The server lists no battle after this many pages. */
const PAGES_MAX = 101
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

function Row({ battle }: { readonly battle: BattleSummary }) {
  const { ships_destroyed, ships_captured } = battle
  return (
    <li>
      <a data-row class="battle-row" href={battleHref(battle.battle_id)}>
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

const pageNumber = (): number => Math.min(pageIn(query.value.page, 1), PAGES_MAX)

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

function showNextStatus(): void {
  const values = STATUSES.map(([value]) => value as string)
  const next = values[(values.indexOf(query.peek().status ?? '') + 1) % values.length]
  changeQuery({ status: next || undefined, page: undefined }, 'push')
}

const KEYS: readonly KeyRow[] = [
  { key: 's', about: 'all, being fought, over', run: showNextStatus },
]

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

function List({ body }: { readonly body: BattlesBody }) {
  const live = body.battles.filter(isActive)
  const past = body.battles.filter((battle) => !isActive(battle))
  const { status, category, q } = query.value
  const isFiltered = Boolean(category || q)
  const isQuiet = live.length === 0 && status !== 'completed' && !isFiltered && pageNumber() === 1
  if (body.total === 0 && isFiltered) {
    return <Empty>No battle matches these filters.</Empty>
  }
  return (
    <>
      {isQuiet && <Quiet {...(past[0] ? { last: past[0] } : {})} />}
      {live.length > 0 && <h2>Being fought</h2>}
      <ol class="battles">
        {live.map((battle) => (
          <Row key={battle.battle_id} battle={battle} />
        ))}
      </ol>
      {past.length > 0 && <h2>Over</h2>}
      {past.length === 0 && status === 'completed' && <Empty>No battle is over yet.</Empty>}
      <ol class="battles">
        {past.map((battle) => (
          <Row key={battle.battle_id} battle={battle} />
        ))}
      </ol>
      <Pager
        page={pageNumber()}
        pages={Math.min(PAGES_MAX, Math.ceil(body.total / PAGE_ROWS))}
        first={1}
      />
    </>
  )
}

export function BattlesView() {
  useListKeys(KEYS)
  const path = addressOf()
  const body = useSlowBody<BattlesBody>(path, () => true)
  return (
    <div class="view">
      <header>
        <h1>Battles</h1>
        <span class="muted">{body.value.data ? plural(body.value.data.total, 'battle') : ''}</span>
        <AsJson path={path} />
      </header>
      <Filters />
      <Stateful path={path} body={body}>
        {(data) => <List body={data} />}
      </Stateful>
    </div>
  )
}
