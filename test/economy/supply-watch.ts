/**
 * Checks supply at regular samples: essentials are on sale, shelves full, hulls on show, prices off
 * their clamps and managers solvent. Source: balance.md sections 4 and 11.
 */
import {
  EMPIRES,
  ESSENTIALS,
  GOODS,
  isModule,
  itemIndex,
  SHIP_CLASSES,
} from '../../core/catalog/index.ts'
import { balanceOf, NAMED_ACCOUNTS, namedAccount } from '../../core/ledger.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { capitalOf, empireOfBase } from '../../systems/base/model.ts'
import { Base } from '../../systems/base/state.ts'
import { citizenPool } from '../../systems/facility/model.ts'
import { bestPrice } from '../../systems/market/model.ts'
import { fillPct, managedAt, managedValue, midOf } from '../../systems/market/quote-model.ts'
import { ASK, Book, Managed, PARTS } from '../../systems/market/state.ts'
import { Ship } from '../../systems/ship/state.ts'
import { commissionsAt, listingsAt } from '../../systems/shipyard/model.ts'
import { ShipListing } from '../../systems/shipyard/state.ts'
import { isClamped, STAPLES } from './bot-economy.ts'

export const SAMPLE_TICKS = 30

/** Bounds of balance.md. */
const GAP_TICKS_MAX = 200
const SHELVES_PCT_MIN = 90
const HULLS_PER_HUNDRED = 15
const CLAMPED_TICKS_MAX = 2_160
const BROKE_TICKS_MAX = 200

/** Counts for how many ticks each fault has lasted, by name, and its longest spell. */
class Spells {
  readonly longest = new Map<string, number>()
  #now = new Map<string, number>()

  /** Extends the spells of the faults named by a sample; all others end. */
  sample(names: Iterable<string>): void {
    const next = new Map<string, number>()
    for (const name of names) {
      const ticks = (this.#now.get(name) ?? 0) + SAMPLE_TICKS
      next.set(name, ticks)
      this.longest.set(name, Math.max(ticks, this.longest.get(name) ?? 0))
    }
    this.#now = next
  }

  over(ticks: number): [string, number][] {
    return [...this.longest].filter(([, longest]) => longest > ticks).sort((a, b) => b[1] - a[1])
  }
}

const isMade = (item: number): boolean => {
  const row = GOODS[item]
  return isModule(row) || row.extracted_by === undefined
}

interface Shelf {
  readonly item: number
  readonly row: Row
  readonly fill: number
  readonly isOffered: boolean
}

function shelvesOf(world: World, base: Eid): Shelf[] {
  const { book, stock, target } = world.read(Managed)
  const { item } = world.read(Book)
  return managedAt(world, base).map((row) => ({
    item: item[book[row]],
    row,
    fill: fillPct(stock[row], target[row]),
    isOffered: bestPrice(world, book[row], ASK) > 0,
  }))
}

/** Counts the hulls of a tier on show at the yards of an empire. */
function hullsShown(world: World, empire: number, tier: number): number {
  const { alive } = world.read(Base)
  const { player, ship } = world.read(ShipListing)
  const { class: classOf } = world.read(Ship)
  let hulls = 0
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || empireOfBase(world, base) !== empire) continue
    for (const row of listingsAt(world, base)) {
      if (player[row] === 0 && SHIP_CLASSES[classOf[ship[row]]].tier === tier) hulls++
    }
  }
  return hulls
}

/** Counts the goods that stations export or import by their fill, in tenths of the target. */
function histogram(world: World, part: number): number[] {
  const { alive, part: parts, stock, target } = world.read(Managed)
  const tenths = Array.from({ length: 15 }, () => 0)
  for (let row = 1; row <= world.highOf(Managed); row++) {
    if (alive[row] === 0 || parts[row] !== part) continue
    tenths[Math.min(14, Math.floor(fillPct(stock[row], target[row]) / 10))]++
  }
  return tenths
}

function isShelfClamped(world: World, { row }: Shelf): boolean {
  const { stock, target } = world.read(Managed)
  const value = managedValue(world, row)
  return isClamped({ mid: midOf({ stock: stock[row], target: target[row], value }), value })
}

interface SupplyReport {
  readonly complaints: readonly string[]
  readonly shelvesPctLeast: number
  readonly hullsLeast: readonly number[]
  readonly gapLongest: number
  readonly gaps: Readonly<Record<string, number>>
  readonly exports: readonly number[]
  readonly imports: readonly number[]
  readonly credits: Readonly<Record<string, number>>
}

/** Watches the supply of a world in which this many players are active. */
export function watchSupply(world: World, players: number) {
  const capitals = EMPIRES.map((_, empire) => capitalOf(world, empire))
  const essentials = new Set(ESSENTIALS.map(itemIndex))
  const staples = new Set<number>(STAPLES.map(itemIndex))
  const [gaps, absences, clamps, broke] = [new Spells(), new Spells(), new Spells(), new Spells()]
  const shelves: number[] = capitals.map(() => 100)
  const hulls: number[] = capitals.map(() => Number.POSITIVE_INFINITY)
  const namedBalances = () =>
    Object.fromEntries(
      NAMED_ACCOUNTS.map((name) => [name, balanceOf(world, namedAccount(name))] as const),
    )
  const before = namedBalances()

  function sample(): void {
    const offered = new Set<number>()
    const missing: string[] = []
    const clamped: string[] = []
    const { id } = world.read(Base)
    for (const [empire, base] of capitals.entries()) {
      const here = shelvesOf(world, base)
      const made = here.filter(({ item }) => isMade(item))
      const sold = made.filter(({ isOffered }) => isOffered)
      shelves[empire] = Math.min(shelves[empire], Math.floor((100 * sold.length) / made.length))
      hulls[empire] = Math.min(hulls[empire], hullsShown(world, empire, 1))
      for (const shelf of here) {
        const name = `${GOODS[shelf.item].id} at ${world.texts.get(id[base])}`
        if (shelf.isOffered) offered.add(shelf.item)
        else if (essentials.has(shelf.item)) missing.push(name)
        if (staples.has(shelf.item) && isShelfClamped(world, shelf)) clamped.push(name)
      }
    }
    gaps.sample(missing)
    clamps.sample(clamped)
    const absent = [...essentials].filter((item) => !offered.has(item))
    absences.sample(absent.map((item) => GOODS[item].id))
    broke.sample(brokeManagers(world))
  }

  function report(): SupplyReport {
    const hullsWanted = Math.ceil((HULLS_PER_HUNDRED * players) / 100)
    const complaints = [
      ...absences.over(0).map(([name, ticks]) => `${name}: at no capital for ${ticks} ticks`),
      ...gaps.over(GAP_TICKS_MAX).map(([name, ticks]) => `${name}: no ask for ${ticks} ticks`),
      ...clamps.over(CLAMPED_TICKS_MAX).map(([name, ticks]) => `${name}: clamped ${ticks} ticks`),
      ...broke.over(BROKE_TICKS_MAX).map(([name, ticks]) => `${name}: no credits ${ticks} ticks`),
      ...shelves.flatMap((pct, empire) =>
        pct < SHELVES_PCT_MIN ? [`${EMPIRES[empire].id}: ${pct} % of the shelves on sale`] : [],
      ),
      ...hulls.flatMap((count, empire) =>
        count < hullsWanted ? [`${EMPIRES[empire].id}: ${count} hulls of tier 1 on show`] : [],
      ),
    ]
    const after = namedBalances()
    return {
      complaints,
      shelvesPctLeast: Math.min(...shelves),
      hullsLeast: hulls,
      gapLongest: Math.max(0, ...gaps.longest.values()),
      gaps: Object.fromEntries(gaps.over(0).slice(0, 20)),
      exports: histogram(world, PARTS.indexOf('export')),
      imports: histogram(world, PARTS.indexOf('import')),
      credits: {
        ...Object.fromEntries(
          NAMED_ACCOUNTS.map((name) => [name, after[name] - before[name]] as const).filter(
            ([, credits]) => credits !== 0,
          ),
        ),
        managers: sumOver(world, (base) => world.read(Base).manager[base]),
        citizens_hold: sumOver(world, (base) => citizenPool(world, base)),
        commissions_waiting: sumCommissions(world),
      },
    }
  }

  return { sample, report }
}

function sumOver(world: World, accountOf: (base: Eid) => Row): number {
  const { alive } = world.read(Base)
  let sum = 0
  for (let base = 1; base <= world.highOf(Base); base++) {
    const account = alive[base] === 1 ? accountOf(base) : 0
    if (account !== 0) sum += balanceOf(world, account)
  }
  return sum
}

function sumCommissions(world: World): number {
  let count = 0
  for (let base = 1; base <= world.highOf(Base); base++) count += commissionsAt(world, base).length
  return count
}

/** Lists stations that keep goods and have no credits at all: their production stands still. */
function brokeManagers(world: World): string[] {
  const { alive, manager, id } = world.read(Base)
  const names: string[] = []
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || managedAt(world, base).length === 0) continue
    if (balanceOf(world, manager[base]) <= 0) names.push(world.texts.get(id[base]))
  }
  return names
}
