/** docs/layout.md: the memory per row of each table, from the declarations of columns. */
import {
  type ColumnDef,
  columnsOf,
  layOut,
  rowsOf,
  stagedRowsOf,
  type TableDef,
  widthOf,
} from '../core/columns.ts'
import { MAX_ENTITIES_DEFAULT } from '../core/limits.ts'
import { FLOORS, ORDER } from '../systems/order.ts'

const MIB = 2 ** 20

const bytesOfColumn = (def: ColumnDef): number => widthOf(def.kind) * def.width

/** Returns the bytes per row of a table; those of a component exclude its parent table. */
export const bytesOfRow = (table: TableDef): number =>
  columnsOf(table).reduce((sum, [, def]) => sum + bytesOfColumn(def), 0)

interface Whole {
  readonly what: string
  /** The tables in which it has a row; their components are implied. */
  readonly tables: readonly string[]
}

const WHOLES: readonly Whole[] = [
  { what: 'a ship, with its hold', tables: ['ship', 'container'] },
  { what: 'a module fitted to it', tables: ['module'] },
  { what: 'a kind of item in a hold or locker', tables: ['stack'] },
  { what: 'a player, with the wallet', tables: ['player', 'account'] },
  { what: 'a battle participant', tables: ['participant'] },
  { what: 'an order', tables: ['order'] },
  { what: 'a lot of an order in a book', tables: ['lot'] },
]

function partsOf(tables: readonly TableDef[], { tables: names }: Whole): TableDef[] {
  return tables.filter((table) => names.includes(table.of?.name ?? table.name))
}

function wholesSection(tables: readonly TableDef[]): string[] {
  const rows = WHOLES.map((whole) => {
    const parts = partsOf(tables, whole)
    const bytes = parts.reduce((sum, table) => sum + bytesOfRow(table), 0)
    const shown = parts.map((table) => `${table.name} ${bytesOfRow(table)}`).join(', ')
    return `| ${whole.what} | ${bytes} | ${shown} |`
  })
  return ['| One | Bytes | Of them |', '|---|---|---|', ...rows]
}

function tableSection(table: TableDef): string[] {
  const columns = columnsOf(table).map(([name, def]) => {
    const kind = def.width === 1 ? def.kind : `${def.kind} × ${def.width}`
    const doc = def.doc.replaceAll('|', '\\|')
    return `| ${name} | ${kind} | ${bytesOfColumn(def)} | ${doc}${def.derived ? ' (derived)' : ''} |`
  })
  const rows = rowsOf(table, MAX_ENTITIES_DEFAULT).toLocaleString('en-US')
  const staged = stagedRowsOf(table, MAX_ENTITIES_DEFAULT).toLocaleString('en-US')
  const what = table.of ? `component of ${table.of.name}` : table.entity ? 'entity' : 'table'
  return [
    '',
    `## ${table.name}`,
    '',
    `${what}, ${bytesOfRow(table)} B a row, at most ${rows} rows${staged === '0' ? '' : ` and ${staged} staged`}`,
    '',
    '| Column | Kind | Bytes | Meaning |',
    '|---|---|---|---|',
    ...columns,
  ]
}

/** The floors of a domain and the order of domains, as test/tidy checks them. */
function houseSection(): string[] {
  const rows = FLOORS.map(
    ({ name, kinds, holds, mayImport }, i) =>
      `| ${i + 1} | ${name} | ${kinds.join(' ')} | ${holds} | ${mayImport} |`,
  )
  return [
    '## Floors and order of the game',
    '',
    'A file of a domain is called `<topic>-<kind>.ts` or `<kind>.ts`, and its kind says on which floor it is. An',
    'arrow goes down: to a lower floor, or on floors 3 to 6 to a domain that comes earlier. What would have to',
    'go up is an occurrence, a guard or a grant, which the lower domain declares and the upper one adds to.',
    '',
    '| Floor | | Kinds of files | Holds | Of other domains it imports |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    'Order of domains, the earliest first:',
    '',
    '```',
    ...wrapped(ORDER.join(' < ')),
    '```',
    '',
  ]
}

/** Wraps a text into lines of at most 100 columns. */
const wrapped = (text: string): string[] =>
  text.match(/.{1,98}(?= |$)/g)?.map((line) => line.trim()) ?? []

/** Returns the page; `tables` are in the order of their addresses in memory. */
export function layoutPage(tables: readonly TableDef[], note: string): string {
  const { bytes } = layOut(tables, MAX_ENTITIES_DEFAULT)
  const lines = [
    '# Layout',
    '',
    note,
    '',
    ...houseSection(),
    '## Memory',
    '',
    'All tables lie on one SharedArrayBuffer, a column after the other; row r of a table is index r of each of',
    'its columns, and of those of the components of its kind. Columns start at staggered offsets within a page',
    '(core/columns.ts). Memory is reserved for the most rows and used as rows are: at the default MAX_ENTITIES',
    `${(bytes / MIB).toFixed(0)} MiB are mapped. Beside its columns an entity takes 8 to 16 B of a hash table from durable numbers to`,
    'rows, and only rows with a tag are in bitecs (309 B of heap each). `npm run bench -- memory` measures',
    '1,000,000 ships.',
    '',
    ...wholesSection(tables),
  ]
  for (const table of [...tables].sort((a, b) => (a.name < b.name ? -1 : 1)))
    lines.push(...tableSection(table))
  return `${lines.join('\n')}\n`
}
