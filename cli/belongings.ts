/**
 * Finds what belongs to a player from the declarations of the tables: their own row, rows whose
 * columns refer to it, rows that refer to rows which a relation lists as theirs, rows that contain
 * their id, and their records (own-records.ts). Accounts and containers are read as their contents.
 */
import { GOODS } from '../core/catalog/index.ts'
import { type ColumnDef, columnsOf, type TableDef } from '../core/columns.ts'
import { idOf } from '../core/entity.ts'
import { Container, contentsOf } from '../core/goods.ts'
import { Account, balanceOf } from '../core/ledger.ts'
import { NAMED_ROWS } from '../core/limits.ts'
import type { Registry } from '../core/registry.ts'
import type { Eid, Row, World } from '../core/types.ts'
import { ownRecords } from './own-records.ts'

type Value = number | string
type Numbers = ArrayLike<number>

/** A row of the player, with its components; values by column, in readable form. */
interface Belonging {
  readonly table: string
  /** Identifies the row within its table: a name or a number. */
  readonly name: string
  /** The durable id; only entities have one. */
  readonly id?: string
  readonly values: ReadonlyMap<string, Value>
}

/** The belongings of a player, keyed by table, row and durable number. */
export type Belongings = ReadonlyMap<string, Belonging>

interface ValueChange {
  readonly column: string
  readonly before: Value | null
  readonly after: Value | null
}

export interface RowChange {
  readonly table: string
  readonly name: string
  readonly id?: string
  readonly change: 'added' | 'removed' | 'changed'
  readonly values: readonly ValueChange[]
}

interface ColumnRef {
  readonly table: TableDef
  readonly name: string
  readonly def: ColumnDef
}

/** The tables of the game, indexed for finding what belongs to a player. */
interface Shape {
  readonly kinds: ReadonlyMap<string, TableDef>
  /** Table and components of each kind, by its name. */
  readonly parts: ReadonlyMap<string, readonly TableDef[]>
  /** Columns that refer to rows of a kind, by its name. */
  readonly refs: ReadonlyMap<string, readonly ColumnRef[]>
  /** Text columns that hold a wire id. */
  readonly ids: readonly ColumnRef[]
  /** Kinds whose rows a relation lists as a player's. */
  readonly held: ReadonlySet<string>
}

const kindOf = (table: TableDef): TableDef => table.of ?? table

/** Columns that may refer to what another player owns, such as the container a package is in. */
const SHARED = new Set(['package.holder'])

function shapeOf({ tables, domains, players }: Registry): Shape {
  const kinds = new Map<string, TableDef>()
  const parts = new Map<string, TableDef[]>()
  const refs = new Map<string, ColumnRef[]>()
  const ids: ColumnRef[] = []
  for (const table of tables) {
    const kind = kindOf(table)
    kinds.set(kind.name, kind)
    parts.set(kind.name, [...(parts.get(kind.name) ?? []), table])
    for (const [name, def] of columnsOf(table)) {
      if (def.derived) continue
      const column = { table, name, def }
      if (def.ref !== undefined) refs.set(def.ref, [...(refs.get(def.ref) ?? []), column])
      if (def.text && name.endsWith('Id')) ids.push(column)
    }
  }
  const relations = domains.flatMap((domain) => domain.relations ?? [])
  const held = relations
    .filter(({ one }) => kindOf(one).name === players.table.name)
    .map(({ many }) => kindOf(many).name)
  return { kinds, parts, refs, ids, held: new Set(held) }
}

const columnOf = (world: World, { table, name }: Pick<ColumnRef, 'table' | 'name'>): Numbers =>
  (world.read(table) as unknown as Record<string, Numbers>)[name]

/** Lists the rows in use that have a value in this column which satisfies `matches`. */
function rowsWith(world: World, ref: ColumnRef, matches: (value: number) => boolean): Row[] {
  const column = columnOf(world, ref)
  const kind = kindOf(ref.table)
  const { alive } = world.read(kind)
  const { width } = ref.def
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(kind); row++) {
    if (alive[row] === 0) continue
    for (let i = 0; i < width; i++) {
      if (!matches(column[row * width + i])) continue
      rows.push(row)
      break
    }
  }
  return rows
}

/** Returns a function that finds and reads the belongings of a player in a world. */
export function createFinder(registry: Registry): (world: World, player: Eid) => Belongings {
  const shape = shapeOf(registry)
  const players = registry.players.table
  return (world, player) => {
    const belongings = read(world, shape, find(world, shape, players, player))
    for (const { table, key, values } of ownRecords(world, numberOf(world, players, player))) {
      belongings.set(`records ${table} ${key}`, { table, name: key, values })
    }
    return belongings
  }
}

/** Rows by the name of their kind. */
type Found = Map<string, Set<Row>>

function find(world: World, shape: Shape, players: TableDef, player: Eid): Found {
  const found: Found = new Map([[players.name, new Set([player])]])
  const add = (kind: string, rows: readonly Row[]): void => {
    // A reference from a component of another player belongs to that player.
    if (kind === players.name) return
    const known = found.get(kind) ?? new Set()
    for (const row of rows) known.add(row)
    if (known.size > 0) found.set(kind, known)
  }
  for (const ref of shape.refs.get(players.name) ?? []) {
    add(
      kindOf(ref.table).name,
      rowsWith(world, ref, (value) => value === player),
    )
  }
  for (const held of shape.held) {
    const rows = new Set(found.get(held))
    if (rows.size === 0) continue
    for (const ref of shape.refs.get(held) ?? []) {
      const kind = kindOf(ref.table).name
      if (shape.held.has(kind)) continue
      add(
        kind,
        rowsWith(world, ref, (value) => value !== 0 && rows.has(value)),
      )
    }
  }
  const id = idOf(world, players, player)
  for (const ref of shape.ids) {
    add(
      kindOf(ref.table).name,
      rowsWith(world, ref, (value) => world.texts.get(value) === id),
    )
  }
  return found
}

const NAMES = ['username', 'name', 'label', 'id'] as const

/** Returns the name of a row: its own name, else its durable number or row number. */
function nameOf(world: World, kind: TableDef, row: Row): string {
  for (const name of NAMES) {
    if (!kind.columns[name]?.text) continue
    const text = world.texts.get(columnOf(world, { table: kind, name })[row])
    if (text !== '') return `"${text}"`
  }
  const { columns } = kind
  for (const name of ['class', 'type', 'item']) {
    const text = columns[name]?.catalog && catalogText(world, columns[name], kind, name, row)
    if (text) return `${text} ${numberOf(world, kind, row)}`
  }
  return String(numberOf(world, kind, row))
}

const catalogText = (
  world: World,
  def: ColumnDef,
  kind: TableDef,
  name: string,
  row: Row,
): string => String(readValue(world, def, columnOf(world, { table: kind, name })[row * def.width]))

function numberOf(world: World, kind: TableDef, row: Row): number {
  const name = kind.entity ? 'seq' : kind.columns.number ? 'number' : undefined
  return name === undefined ? row : columnOf(world, { table: kind, name })[row]
}

/** Returns a value in readable form; a reference becomes the name of its row. */
function readValue(world: World, def: ColumnDef, value: number, shape?: Shape): Value {
  if (def.text) return world.texts.get(value)
  if (def.catalog) {
    const index = value - (def.catalogBase ?? 0)
    return index < 0 ? 'none' : (world.catalogs[def.catalog]?.[index]?.id ?? value)
  }
  if (def.ref === undefined) return value
  if (value === 0) return 'none'
  const kind = shape?.kinds.get(def.ref)
  return kind ? `${def.ref} ${nameOf(world, kind, value)}` : `${def.ref} row ${value}`
}

/** Returns whether a column only links the rows of a list. */
const isLink = (name: string, { ref }: ColumnDef): boolean =>
  ref !== undefined && /^(next|previous|first|last)/.test(name)

function readColumn(
  world: World,
  shape: Shape,
  { table, name, def }: ColumnRef,
  row: Row,
  into: Map<string, Value>,
): void {
  const column = columnOf(world, { table, name })
  for (let i = 0; i < def.width; i++) {
    const value = column[row * def.width + i]
    const label = def.width === 1 ? name : `${name}[${i}]`
    const isHolder = value > NAMED_ROWS && !SHARED.has(`${table.name}.${name}`)
    if (def.ref === Account.name) {
      if (isHolder) into.set(`${label} (credits)`, balanceOf(world, value))
    } else if (def.ref === Container.name) {
      const held = isHolder ? contentsOf(world, value) : []
      for (const { item, units } of held) into.set(`${label} ${GOODS[item].id}`, units)
    } else {
      into.set(label, readValue(world, def, value, shape))
    }
  }
}

function read(world: World, shape: Shape, found: Found): Map<string, Belonging> {
  const belongings = new Map<string, Belonging>()
  for (const [name, rows] of found) {
    const kind = shape.kinds.get(name)
    if (!kind) continue
    const columns = (shape.parts.get(name) ?? []).flatMap((table) =>
      columnsOf(table)
        .filter(([column, def]) => !def.derived && !isLink(column, def))
        .filter(([column]) => column !== 'alive' && column !== 'seq')
        .map(([column, def]): ColumnRef => ({ table, name: column, def })),
    )
    for (const row of rows) {
      const values = new Map<string, Value>()
      for (const column of columns) readColumn(world, shape, column, row, values)
      const key = `${name} ${row} ${numberOf(world, kind, row)}`
      const id = kind.entity ? { id: idOf(world, kind, row) } : {}
      belongings.set(key, { table: name, name: nameOf(world, kind, row), ...id, values })
    }
  }
  return belongings
}

/** Returns whether a column is a wall time or a usage counter, which every command changes. */
const isBookkeeping = (column: string): boolean =>
  column.endsWith('Ms') || column === 'lastActedTick' || column === 'personnelVersion'

function changesOf(was: Belonging | undefined, is: Belonging | undefined): ValueChange[] {
  const columns = new Set([...(was?.values.keys() ?? []), ...(is?.values.keys() ?? [])])
  const changes: ValueChange[] = []
  for (const column of columns) {
    const before = was?.values.get(column) ?? null
    const after = is?.values.get(column) ?? null
    // Unset columns of a new row are left out, and missing goods have no value.
    const isEmpty = (value: Value | null): boolean =>
      value === null || value === 0 || value === '' || value === 'none'
    if (before === after || (isEmpty(before) && isEmpty(after))) continue
    if (!isBookkeeping(column)) changes.push({ column, before, after })
  }
  return changes
}

/** Lists what changed in a player's rows, in the order of the tables. */
export function diffBelongings(before: Belongings, after: Belongings): RowChange[] {
  const changes: RowChange[] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)]
    const values = changesOf(was, is)
    const { table, name, id } = (is ?? was) as Belonging
    const change = !was ? 'added' : !is ? 'removed' : 'changed'
    if (change === 'changed' && values.length === 0) continue
    changes.push({ table, name, ...(id === undefined ? {} : { id }), change, values })
  }
  return changes
}

/** Lists the durable ids of a player's rows. */
export const idsOf = (belongings: Belongings): string[] =>
  [...belongings.values()].flatMap(({ id }) => id ?? [])
