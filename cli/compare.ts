/** `orrery compare`: what differs between two worlds, in figures and by table and row. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { UsageError } from '../config.ts'
import type { Engine } from '../core/engine.ts'
import { captureWorld, createImageMemory } from '../core/image.ts'
import type { WorldImage } from '../core/ports.ts'
import type { Registry } from '../core/registry.ts'
import type { Store, World } from '../core/types.ts'
import { readExportedWorld } from '../storage/transfer-read.ts'
import { wholeFrom } from './command-line.ts'
import { isDatabaseUrl, reading, splitDatabaseUrl } from './database.ts'
import { diffText, diffWorlds, type WorldDiff } from './diff.ts'
import type { WorldFigures } from './figures.ts'
import { digits, table } from './format.ts'
import { worldAt } from './past.ts'
import { addTool, DATABASE, type Tool, type ToolDef, ToolError } from './tool.ts'
import { engineOf, loadGame, recover, replay } from './world.ts'

const ITEMS_SHOWN = 15

/** The two worlds that are compared. */
type Sides = readonly [Side, Side]

interface Side {
  readonly name: string
  readonly image: WorldImage
  readonly figures: WorldFigures
  /** Rows in use, by table. */
  readonly rows: ReadonlyMap<string, number>
}

const compareTool: ToolDef = {
  usage: 'compare <a> <b>',
  summary: 'what differs between two worlds: credits, prices, deaths, wealth, tables and rows',
  help:
    'A world is one of: a folder (DATA_DIR of a server), a database (postgres://…, its schema\n' +
    'after a #), a file that "snapshot export" wrote, or a tick of the world in the settings\n' +
    '(@1200; @now is its newest state). Servers may keep running; nothing is written.\n\n' +
    'compare @1200 ./fork          a fork and where it began\n' +
    'compare ./a ./b --table ship  and the rows of a table that differ\n\n' +
    'A price is the average of the mid prices at all stations that trade an item. Percentiles\n' +
    'refer to the credits in the wallets of players.',
  settings: DATABASE,
  options: [
    new Option('--items <count>', 'items shown, those whose price differs most')
      .default(ITEMS_SHOWN)
      .argParser(wholeFrom(0)),
    new Option('--rows <count>', 'with --table: rows shown').default(10).argParser(wholeFrom(0)),
    new Option('--table <name>', 'show the rows of this table or component that differ'),
  ],
  async run(tool, [a, b], options) {
    const sides: Sides = [
      await sideOf(withoutPassword(a), (await engineNamed(tool, a)).world),
      await sideOf(withoutPassword(b), (await engineNamed(tool, b)).world),
    ]
    const items = options.items as number
    return compareSides(sides, await loadGame(), {
      items,
      rowsMax: options.rows as number,
      only: options.table as string | undefined,
    })
  },
}

/** Removes passwords and parameters from a database URL, since reports are shown to others. */
const withoutPassword = (name: string): string =>
  isDatabaseUrl(name)
    ? name.replace(/^([a-z]+:\/\/[^:@/]*):.*@/, '$1@').replace(/\?[^#]*/, '')
    : name

interface ReportOptions {
  readonly items: number
  readonly rowsMax: number
  readonly only?: string
}

/** Compares two worlds; `only` names the table whose rows are listed. */
export function compareSides(sides: Sides, registry: Registry, options: ReportOptions) {
  const { items, rowsMax, only } = options
  const diff = diffWorlds(sides[0].image, sides[1].image, {
    registry,
    table: only,
    rowsMax: only === undefined ? 0 : rowsMax,
  })
  return { data: dataOf(sides, diff), text: textOf(sides, diff, items, only) }
}

/** Copies what is compared from a world, which may run on afterwards. */
export async function sideOf(name: string, world: World): Promise<Side> {
  const { figuresOf } = await import('./figures.ts')
  const own = [...world.stores.values()].filter((store: Store) => store.def.of === undefined)
  return {
    name,
    image: captureWorld(world, createImageMemory()),
    figures: figuresOf(world),
    rows: new Map(own.map((store) => [store.def.name, store.count])),
  }
}

function engineNamed(tool: Tool, name: string): Promise<Engine> {
  if (name.startsWith('@')) return engineOfTick(tool, name.slice(1))
  if (isDatabaseUrl(name)) {
    const { databaseUrl, schema } = splitDatabaseUrl(name)
    return newestOf(tool, { databaseUrl, ...(schema ? { databaseSchema: schema } : {}) })
  }
  const path = resolve(name)
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new ToolError(`${path} does not exist: name a folder, a file, a URL or @tick.`)
  if (found.isDirectory()) return newestOf(tool, { databaseUrl: undefined, dataDir: path })
  return engineOfFile(tool, path)
}

function engineOfTick(tool: Tool, text: string): Promise<Engine> {
  if (text === 'now') return newestOf(tool, {})
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`@${text} is not a tick: use a number, such as @1200, or @now.`)
  return reading(tool, (sql) => worldAt(tool, sql, Number(text)))
}

/** Returns the newest state of the world that `settings`, on top of those in force, point to. */
function newestOf(tool: Tool, settings: Partial<Tool['config']>): Promise<Engine> {
  const other: Tool = { ...tool, config: { ...tool.config, ...settings } }
  const named = Object.keys(settings).length === 0 ? {} : { namedBy: 'what is compared' }
  return reading(other, (sql) => recover(other, sql), named)
}

async function engineOfFile(tool: Tool, path: string): Promise<Engine> {
  let engine: Engine | undefined
  await readExportedWorld(path, {
    async begin(image) {
      engine = await engineOf(tool, image)
    },
    async row(row) {
      await replay(engine as Engine, row)
    },
    onProgress: tool.progress,
  })
  return engine as Engine
}

interface Pair {
  readonly a: number
  readonly b: number
}

const pairOf = (sides: Sides, read: (figures: WorldFigures) => number): Pair => ({
  a: read(sides[0].figures),
  b: read(sides[1].figures),
})

/** Orders names by the numbers in them: p5 comes before p10. */
const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

/** Pairs the entries of two records by name; what one of them lacks is 0 there. */
function pairsOf(
  sides: Sides,
  read: (figures: WorldFigures) => Readonly<Record<string, number>>,
): Record<string, Pair> {
  const [a, b] = sides.map(({ figures }) => read(figures))
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(byNumber)
  return Object.fromEntries(names.map((name) => [name, { a: a[name] ?? 0, b: b[name] ?? 0 }]))
}

/** Returns the change from a to b in percent, to one decimal place; null if a is 0. */
const changePct = ({ a, b }: Pair): number | null =>
  a === 0 ? null : Math.round((1000 * (b - a)) / a) / 10

function dataOf(sides: Sides, diff: WorldDiff) {
  const [a, b] = sides
  const names = [...new Set([...a.rows.keys(), ...b.rows.keys()])]
  return {
    worlds: sides.map(({ name, image: { tick, batch, hash, seed } }) => ({
      name,
      tick,
      batch,
      hash,
      seed,
    })),
    same: diff.same,
    players: pairOf(sides, ({ players }) => players),
    supply: pairOf(sides, ({ supply }) => supply),
    inWallets: pairOf(sides, ({ inWallets }) => inWallets),
    deaths: pairOf(sides, ({ deaths }) => deaths),
    wealth: pairsOf(sides, ({ wealth }) => wealth),
    accounts: pairsOf(sides, ({ accounts }) => accounts),
    prices: pairsOf(sides, ({ prices }) => prices),
    rows: Object.fromEntries(
      names.map((name) => [name, { a: a.rows.get(name) ?? 0, b: b.rows.get(name) ?? 0 }]),
    ),
    tables: diff.tables,
    records: diff.records,
    texts: diff.texts,
  }
}

type Compared = ReturnType<typeof dataOf>

const isDifferent = ({ a, b }: Pair): boolean => a !== b

const signed = (value: number): string => (value > 0 ? `+${digits(value)}` : digits(value))

/** Returns a line of a table: name, both values, and by how much they differ. */
function line(name: string, pair: Pair): (string | number)[] {
  const pct = changePct(pair)
  return [
    name,
    pair.a,
    pair.b,
    isDifferent(pair) ? signed(Math.round(100 * (pair.b - pair.a)) / 100) : '',
    pct === null || pct === 0 ? '' : `${signed(pct)} %`,
  ]
}

const linesOf = (pairs: Readonly<Record<string, Pair>>, prefix = '') =>
  Object.entries(pairs).map(([name, pair]) => line(`${prefix}${name}`, pair))

const priceShift = (pair: Pair): number => Math.abs(changePct(pair) ?? Number.POSITIVE_INFINITY)

/** Returns the items whose price differs, the largest change first. */
const shifted = ({ prices }: Compared): [string, Pair][] =>
  Object.entries(prices)
    .filter(([, pair]) => isDifferent(pair))
    .sort(([, x], [, y]) => priceShift(y) - priceShift(x))

function tablesOf({ rows, tables }: Compared): string {
  const lines = tables.map((one) => {
    const { a, b } = rows[one.table] ?? { a: '', b: '' }
    return [one.table, a, b, one.added, one.removed, one.changed]
  })
  return table(['table', 'rows in a', 'in b', 'only in b', 'only in a', 'changed'], lines)
}

function textOf(sides: Sides, diff: WorldDiff, items: number, only: string | undefined): string {
  const data = dataOf(sides, diff)
  const worlds = data.worlds.map(
    ({ name, tick, batch, hash }, i) =>
      `${'ab'[i]}: ${name}, tick ${tick} (batch ${batch}), ${hash}`,
  )
  if (data.same) return [...worlds, 'the same world'].join('\n')
  const head = (title: string): string[] => [title, 'a', 'b', 'b - a', '']
  const { players, supply, inWallets, deaths } = data
  const plain = { players, 'credits in circulation': supply, 'in wallets': inWallets, deaths }
  const accounts = Object.fromEntries(
    Object.entries(data.accounts).filter(([, one]) => isDifferent(one)),
  )
  const prices = shifted(data)
  const hidden = prices.length - items
  const parts = [
    worlds.join('\n'),
    table(head('figure'), [...linesOf(plain), ...linesOf(data.wealth, 'wealth ')]),
    ...(Object.keys(accounts).length === 0
      ? []
      : [table(head('source or sink'), linesOf(accounts))]),
    prices.length === 0
      ? 'Prices are the same.'
      : table(
          head('mean price'),
          prices.slice(0, items).map(([id, pair]) => line(id, pair)),
        ) + (hidden > 0 ? `\n… ${digits(hidden)} more (--items)` : ''),
    only === undefined ? tablesOf(data) : diffText(diff),
  ]
  return parts.join('\n\n')
}

export function addCompareTool(parent: Command): void {
  addTool(parent, compareTool)
}
