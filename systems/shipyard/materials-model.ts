/** Lookups of materials (shipyards); writes only to its own columns. */
import { contentsOf, type Held, unitsIn } from '../../core/goods.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { billOf, lessThan } from './model.ts'
import { Commission, MATERIAL_SOURCES, type MaterialSource } from './state.ts'

export const slotOf = (row: Row, source: MaterialSource): number =>
  row * MATERIAL_SOURCES.length + MATERIAL_SOURCES.indexOf(source)

/** Container of the materials of a source; 0 if there are none. */
export const storeOf = (view: WorldView, row: Row, source: MaterialSource): Row =>
  view.read(Commission).goods[slotOf(row, source)]

/** Materials of a source, by good. */
export function materialsOf(view: WorldView, row: Row, source: MaterialSource): Held[] {
  const store = storeOf(view, row, source)
  return store === 0 ? [] : contentsOf(view, store)
}

export function wantedOf(view: WorldView, row: Row): Held[] {
  const columns = view.read(Commission)
  return billOf(columns.class[row], columns.bare[row] === 1)
}

/** Units gathered of a good, of all sources. */
export const gatheredUnits = (view: WorldView, row: Row, item: number): number =>
  MATERIAL_SOURCES.reduce((sum, source) => {
    const store = storeOf(view, row, source)
    return store === 0 ? sum : sum + unitsIn(view, store, item)
  }, 0)

/** What of the bill is gathered, by good. */
export const gatheredOf = (view: WorldView, row: Row): Held[] =>
  wantedOf(view, row).map(({ item }) => ({ item, units: gatheredUnits(view, row, item) }))

/** What of the bill is missing, by good. */
export const missingOf = (view: WorldView, row: Row): Held[] =>
  lessThan(wantedOf(view, row), gatheredOf(view, row))
