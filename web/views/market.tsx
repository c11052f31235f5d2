/**
 * The exchange: bids and asks of each item, movers, profitable trips, and the tape of trades.
 * Filters are in the address. Source: WEB 4.
 */
import { useMemo, useRef } from 'preact/hooks'
import type { MarketBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { type KeyRow, useKeys } from '../keys.ts'
import { type Filter, filterRows, type ItemRow, itemRows } from '../market-model.ts'
import { formatId, formatInt, plural } from '../parts/format.ts'
import { Empty, Stateful } from '../parts/state.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { type Choice, choiceIn, QueryTabs } from '../parts/tabs.tsx'
import { changeQuery, query } from '../router.ts'
import { categoryColumn, ItemLink, Price, priceColumn, unitsColumn } from './market-cells.tsx'
import { Arbitrage, Movers } from './market-movers.tsx'
import { Tape } from './market-tape.tsx'

const PATH = '/api/market'
const TEXT_LETTERS_MAX = 64

const TABS: readonly Choice[] = [
  { value: 'items', title: 'Items' },
  { value: 'empires', title: 'By empire' },
  { value: 'movers', title: 'Movers' },
  { value: 'arbitrage', title: 'Arbitrage' },
  { value: 'trades', title: 'Trades' },
]

type Empires = MarketBody['empires']

const nameIn = (empires: Empires, id: string): string =>
  empires.find((empire) => empire.id === id)?.name || (id ? formatId(id) : 'independent')

const itemColumn: Column<ItemRow> = {
  name: 'item',
  title: 'Item',
  by: ({ name }) => name,
  cell: ({ id, name }) => <ItemLink id={id} name={name} />,
}

const Where = ({ name }: { readonly name: string }) => <span class="where muted">{name}</span>

const columnsFor = (empires: Empires): readonly Column<ItemRow>[] => [
  itemColumn,
  categoryColumn,
  { ...priceColumn('base', 'Base value', ({ base }) => base), isWide: true },
  {
    ...priceColumn('bid', 'Best bid', ({ bid }) => bid),
    cell: ({ bid, bidEmpire }) => (
      <>
        {bid > 0 && <Where name={nameIn(empires, bidEmpire)} />} <Price value={bid} />
      </>
    ),
  },
  {
    ...priceColumn('ask', 'Best ask', ({ ask }) => ask),
    cell: ({ ask, askEmpire }) => (
      <>
        {ask > 0 && <Where name={nameIn(empires, askEmpire)} />} <Price value={ask} />
      </>
    ),
  },
  unitsColumn('wanted', 'Wanted', ({ bidQuantity }) => bidQuantity),
  unitsColumn('offered', 'Offered', ({ askQuantity }) => askQuantity),
  {
    name: 'gain',
    title: 'Bid over ask',
    by: ({ gain }) => gain || undefined,
    isNumber: true,
    isWide: true,
    cell: ({ gain }) =>
      gain > 0 ? <span class="good">+{formatInt(gain)}</span> : <span class="muted">–</span>,
  },
]

/** Returns one column for each empire, with its best bid and best ask. */
const empireColumns = (empires: Empires): readonly Column<ItemRow>[] => [
  itemColumn,
  ...empires.map(
    ({ id, name }): Column<ItemRow> => ({
      name: id,
      title: name || 'Independent',
      isNumber: true,
      by: ({ quotes }) => quotes.get(id)?.best_bid || undefined,
      cell: ({ quotes }) => {
        const quote = quotes.get(id)
        return (
          <span class="pair">
            <Price value={quote?.best_bid ?? 0} />
            <Price value={quote?.best_ask ?? 0} />
          </span>
        )
      },
    }),
  ),
]

const filterNow = (): Filter => {
  const { q = '', category = '', empire = '', open = '' } = query.value
  return { text: q, category, empire, isOpen: open !== '' }
}

interface FiltersProps {
  readonly body: MarketBody
  readonly field: { current: HTMLInputElement | null }
}

function Filters({ body, field }: FiltersProps) {
  const { text, category, empire, isOpen } = filterNow()
  const set = (name: string) => (event: { currentTarget: { value: string } }) =>
    changeQuery({ [name]: event.currentTarget.value || undefined })
  return (
    <search class="filters">
      <input
        ref={field}
        type="search"
        value={text}
        maxLength={TEXT_LETTERS_MAX}
        placeholder="Filter items"
        aria-label="Filter items by name"
        aria-keyshortcuts="f"
        onInput={set('q')}
      />
      <label>
        <span class="hidden">Category</span>
        <select value={category} onChange={set('category')}>
          <option value="">All categories</option>
          {body.categories.map((one) => (
            <option key={one} value={one}>
              {formatId(one)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="hidden">Empire</span>
        <select value={empire} onChange={set('empire')}>
          <option value="">All empires</option>
          {body.empires
            .filter(({ id }) => id !== '')
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isOpen}
          onChange={(event) =>
            changeQuery({ open: event.currentTarget.checked ? 'yes' : undefined })
          }
        />
        With open orders
      </label>
    </search>
  )
}

/** Returns the rows with the best bids and asks of one empire; '' means all empires. */
const ofEmpire = (rows: readonly ItemRow[], empire: string): readonly ItemRow[] =>
  empire === '' ? rows : itemRows(rows.flatMap(({ quotes }) => quotes.get(empire) ?? []))

interface ItemsProps extends FiltersProps {
  readonly isByEmpire: boolean
}

function Items({ body, field, isByEmpire }: ItemsProps) {
  const all = useMemo(() => itemRows(body.items), [body])
  const filter = filterNow()
  const rows = filterRows(isByEmpire ? all : ofEmpire(all, filter.empire), filter)
  const shown = isByEmpire && filter.empire
  const empires = body.empires.filter(({ id }) => !shown || id === filter.empire)
  return (
    <>
      <Filters body={body} field={field} />
      {rows.length === 0 ? (
        <Empty>No item matches. Change the filters to see others.</Empty>
      ) : (
        <Table
          caption={plural(rows.length, 'item')}
          columns={isByEmpire ? empireColumns(empires) : columnsFor(body.empires)}
          rows={rows}
          keyOf={({ id }) => id}
          json={PATH}
        />
      )}
      {isByEmpire && rows.length > 0 && (
        <p class="muted">In each cell: the best bid, then the best ask.</p>
      )}
    </>
  )
}

export function MarketView() {
  const body = useBody<MarketBody>(PATH, 'T')
  const field = useRef<HTMLInputElement>(null)
  const tab = choiceIn(TABS, 'tab')
  const keys = useMemo(
    (): readonly KeyRow[] => [
      { key: 'f', about: 'filter items', run: () => field.current?.focus() },
    ],
    [],
  )
  useKeys(keys)
  return (
    <div class="view">
      <header>
        <h1>Exchange</h1>
        <span class="muted">prices in credits, all stations together</span>
      </header>
      <QueryTabs name="tab" label="The exchange" choices={TABS} />
      {tab === 'movers' && <Movers />}
      {tab === 'arbitrage' && <Arbitrage />}
      {tab === 'trades' && <Tape />}
      {(tab === 'items' || tab === 'empires') && (
        <Stateful
          path={PATH}
          body={body}
          isEmpty={({ items }) => items.length === 0}
          empty="No open order. The first will appear here in the tick it is placed."
        >
          {(data) => <Items body={data} field={field} isByEmpire={tab === 'empires'} />}
        </Stateful>
      )}
    </div>
  )
}
