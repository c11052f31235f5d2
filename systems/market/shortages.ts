/**
 * What facilities at the bases a trader has visited are short of: goods that they work up, and that
 * the exchange there hardly offered when last seen. Source: market.md section 8, level 50.
 */
import { FACILITIES, GOODS, itemIndex, RECIPES } from '../../core/catalog/index.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { baseName } from '../base/rules.ts'
import { Facility, OF_STATION, PUBLIC } from '../facility/columns.ts'
import { facilitiesAt, isRunning } from '../facility/rules.ts'
import { ASK } from './columns.ts'
import type { SeenExchange } from './sight-rules.ts'

/** Runs of the thirstiest recipe that an exchange should offer the goods for. */
const RUNS_STOCKED = 10

export interface Shortage {
  readonly item: number
  readonly message: string
  readonly weight: number
}

/** Most units of each good that a run of a type uses up; from the catalogue alone. */
const NEEDS: readonly ReadonlyMap<number, number>[] = FACILITIES.map((type) => {
  const { recipe_ids = [], recipe_categories = [], is_recycler = false } = type
  const needs = new Map<number, number>()
  if (is_recycler) return needs
  for (const { id, category, hidden = false, inputs } of RECIPES) {
    if (hidden || !(recipe_ids.includes(id) || recipe_categories.includes(category))) continue
    for (const { item_id, quantity } of inputs) {
      const item = itemIndex(item_id)
      needs.set(item, Math.max(needs.get(item) ?? 0, quantity))
    }
  }
  return needs
})

/** What running facilities that anybody may know of use at a base: how many of them, and units. */
function neededAt(view: WorldView, base: Eid): Map<number, { count: number; units: number }> {
  const { type, access, ownerKind } = view.read(Facility)
  const needed = new Map<number, { count: number; units: number }>()
  for (const row of facilitiesAt(view, base)) {
    const isOpen = ownerKind[row] === OF_STATION || access[row] === PUBLIC
    if (!isOpen || !isRunning(view, row)) continue
    for (const [item, units] of NEEDS[type[row]]) {
      const { count, units: most } = needed.get(item) ?? { count: 0, units: 0 }
      needed.set(item, { count: count + 1, units: Math.max(most, units * RUNS_STOCKED) })
    }
  }
  return needed
}

/** Shortages at exchanges as they were seen; those that stop more facilities weigh more. */
export function shortages(view: WorldView, exchanges: readonly SeenExchange[]): Shortage[] {
  return exchanges.flatMap(({ base, items }) => {
    const offered = new Map(items.map(({ item, units }) => [item, units[ASK]]))
    const needed = [...neededAt(view, base)].sort(([a], [b]) => a - b)
    return needed.flatMap(([item, { count, units }]): Shortage[] => {
      const there = offered.get(item) ?? 0
      if (there >= units) return []
      const users = count === 1 ? 'a facility uses it' : `${count} facilities use it`
      const message = `${GOODS[item].name}: ${users} at ${baseName(view, base)}, ${there} on offer there.`
      return [{ item, message, weight: count * units - there }]
    })
  })
}
