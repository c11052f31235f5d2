/**
 * The market model test: runs random operations of six owners in the real market and in the
 * independent model, and compares all state after each. The full count of market.md section 11 is
 * `node dist/test/property/market-random.js --count 300000 --seed 1`; CI runs a smaller one.
 */
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { createDice, type Dice } from '../../core/dice.ts'
import { compare, type Means, type Op, OWNERS, openStage, perform } from './market-oracle.ts'

const SIDES = ['ask', 'bid'] as const

/** What the traders of a book are like. */
interface Style {
  /** Operations on one book before the next book. */
  readonly ops: number
  readonly means: Means
  /** Prices are mostly around this. */
  readonly price: number
  readonly spread: number
  readonly units: number
  /** Percent of operations at any price at all, and of bids that the first owner piles up. */
  readonly anyPricePct: number
  readonly hoardPct: number
}

const STYLES: readonly Style[] = [
  // Owners run out of credits and goods.
  {
    ops: 2_000,
    means: { credits: 40_000, items: 400 },
    price: 50,
    spread: 21,
    units: 40,
    anyPricePct: 10,
    hoardPct: 25,
  },
  // Orders pile up to the bounds of lots and of orders.
  {
    ops: 5_000,
    means: { credits: 9_000_000, items: 50_000 },
    price: 600,
    spread: 900,
    units: 9,
    anyPricePct: 0,
    hoardPct: 10,
  },
  // Near the bounds of one order and of exact numbers.
  {
    ops: 2_000,
    means: { credits: 1_000_000_000_000_000, items: 1_000_000_000 },
    price: 400_000_000_000,
    spread: 21,
    units: 4_000,
    anyPricePct: 10,
    hoardPct: 10,
  },
]

function priceOf(dice: Dice, { price, spread, anyPricePct }: Style, side: 'ask' | 'bid'): number {
  if (dice.chance(anyPricePct)) {
    return dice.chance(50) ? 1 + dice.below(400) : dice.pick([1, 1_000_000_000, 1_000_000_000_000])
  }
  const off = dice.below(spread)
  if (spread <= price) return price + off
  // Wide books are deep on both sides and trade at the middle.
  return side === 'ask' ? price + off - 40 : price - (off % price)
}

function nextOp(dice: Dice, style: Style): Op {
  const owner = dice.below(OWNERS)
  const side = dice.pick(SIDES)
  const price = priceOf(dice, style, side)
  const isHuge = style.units > 1_000 && dice.chance(10)
  const units = 1 + dice.below(isHuge ? 1_000_000_000 : style.units)
  const kind = dice.below(12)
  if (dice.chance(style.hoardPct)) {
    return { kind: 'limit', owner: 0, side: 'bid', price: 7, units: 1 + dice.below(9) }
  }
  if (kind === 0) return { kind: 'cancel', pick: dice.below(1_000) }
  if (kind === 1) return { kind: 'modify', pick: dice.below(1_000), price }
  if (kind < 4) return { kind: 'instant', owner, side, units, autoList: dice.chance(50) }
  return { kind: 'limit', owner, side, price, units }
}

interface RandomRun {
  /** How often each kind of operation got each answer, by "kind code". */
  readonly seen: ReadonlyMap<string, number>
  /** Most lots of one order, and most orders at once. */
  readonly lotsMax: number
  readonly ordersMax: number
}

export async function runRandom(seed: number, count: number): Promise<RandomRun> {
  const seen = new Map<string, number>()
  let lotsMax = 0
  let ordersMax = 0
  for (let done = 0, book = 0; done < count; book++) {
    const dice = createDice(seed + book)
    const style = STYLES[book % STYLES.length]
    const stage = await openStage(style.means)
    for (let i = 0; i < style.ops && done < count; i++, done++) {
      const op = nextOp(dice, style)
      const [code] = perform(stage, op).split(':')
      compare(stage)
      seen.set(`${op.kind} ${code}`, (seen.get(`${op.kind} ${code}`) ?? 0) + 1)
      for (const { lots } of stage.model.orders) lotsMax = Math.max(lotsMax, lots.length)
      ordersMax = Math.max(ordersMax, stage.model.orders.length)
    }
    // A tick runs all checks of the world, those of its books among them.
    stage.small.ticks(1)
  }
  return { seen, lotsMax, ordersMax }
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const { count, seed } = newTool(
    'node dist/test/property/market-random.js',
    'Compares random market operations with a model of the market.',
  )
    .option('--count <n>', 'operations', wholeFrom(1), 300_000)
    .option('--seed <n>', 'seed of all random draws', wholeFrom(0), 1)
    .parse()
    .opts<{ count: number; seed: number }>()
  const { seen, lotsMax, ordersMax } = await runRandom(seed, count)
  for (const [answer, times] of [...seen].sort()) console.log(`${answer.padEnd(32)} ${times}`)
  console.log(`${count} operations agree; ${lotsMax} lots in an order, ${ordersMax} orders`)
}
