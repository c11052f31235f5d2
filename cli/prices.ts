/** `orrery prices`: prices at which an item was traded, hour by hour or day by day. */
import { Option } from 'commander'
import { GOODS, itemIndex } from '../core/catalog/index.ts'
import { DAY_TICKS, HOUR_TICKS } from '../core/time.ts'
import { readPrices } from '../storage/archive/prices.ts'
import { wholeFrom } from './command-line.ts'
import { reading } from './database.ts'
import { table } from './format.ts'
import { DATABASE, type ToolDef, ToolError } from './tool.ts'

/** Returns the item an operator names, by id or display name. */
function itemNamed(text: string): number {
  const index = itemIndex(text)
  if (index >= 0) return index
  const named = GOODS.findIndex(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (named >= 0) return named
  throw new ToolError(`There is no item "${text}". Name an item by id or name.`)
}

export const pricesTool: ToolDef = {
  usage: 'prices <item>',
  summary: 'trades of an item: units and mean price, hour by hour or day by day',
  help:
    'Shows hours for one day, days for more; those without a trade are left out. The current hour is\n' +
    'not shown, nor are trades of related players, of company stores, or above 10^12 credits.\n' +
    'Prices are kept for 90 days.',
  settings: DATABASE,
  options: [
    new Option('--base <id>', 'only trades at this base'),
    new Option('--days <days>', 'days back from the newest hour')
      .default(1)
      .argParser(wholeFrom(1)),
  ],
  run(tool, [name], options) {
    const item = GOODS[itemNamed(name)]
    const days = Number(options.days)
    const isByHour = days === 1
    const stepTicks = isByHour ? HOUR_TICKS : DAY_TICKS
    const base = options.base as string | undefined
    return reading(tool, async (sql) => {
      const prices = await readPrices(sql, { item: item.id, base, days, stepTicks })
      const step = isByHour ? 'hour' : 'day'
      const rows = prices.map(({ tick, units, mean }) => [
        ...[tick / stepTicks + 1, tick].map(String),
        units,
        mean,
      ])
      const where = base === undefined ? 'all bases' : base
      const text = [
        `${item.name}, ${where}`,
        prices.length === 0
          ? 'No trades.'
          : table([step, 'from tick', 'units', 'credits per unit'], rows),
      ].join('\n')
      return { data: { item_id: item.id, base_id: base ?? null, step, prices }, text }
    })
  },
}
