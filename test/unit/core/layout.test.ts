/** The figures of docs/layout.md agree with the layout of memory. */
import { expect, test } from 'vitest'
import { columnsOf, layOut, rowsOf, stagedRowsOf, type TableDef } from '../../../core/columns.ts'
import { MAX_ENTITIES_DEFAULT, MEMORY_PAGE_BYTES } from '../../../core/limits.ts'
import { createRegistry } from '../../../core/registry.ts'
import { bytesOfRow, layoutPage } from '../../../docs/layout.ts'
import { CORE_TABLES } from '../../../engine/start.ts'
import { DOMAINS } from '../../../systems/registry.ts'

const tables = [...CORE_TABLES, ...createRegistry(DOMAINS).tables]

test('the bytes of all rows add up to the mapped memory, but for the offsets of columns', () => {
  const rows = (name: string): number =>
    rowsOf(tables.find((table) => table.name === name) as never, MAX_ENTITIES_DEFAULT)
  const allRows = (table: TableDef): number =>
    rows(table.name) + stagedRowsOf(table, MAX_ENTITIES_DEFAULT)
  const bytes = tables.reduce((sum, table) => sum + bytesOfRow(table) * (allRows(table) + 1), 0)
  const columns = tables.reduce((sum, table) => sum + columnsOf(table).length, 0)
  const { bytes: mapped } = layOut(tables, MAX_ENTITIES_DEFAULT)
  expect(mapped).toBeGreaterThanOrEqual(bytes)
  expect(mapped).toBeLessThan(bytes + columns * 2 * MEMORY_PAGE_BYTES)
})

test('a ship counts with all its components and its hold', () => {
  const page = layoutPage(tables, '')
  const shipTables = tables
    .filter((table) => table.name === 'ship' || table.of?.name === 'ship')
    .concat(tables.filter(({ name }) => name === 'container'))
  const bytes = shipTables.reduce((sum, table) => sum + bytesOfRow(table), 0)
  expect(page).toContain(`| a ship, with its hold | ${bytes} |`)
  for (const { name } of shipTables)
    expect(page).toMatch(new RegExp(`with its hold .*\\b${name} \\d`))
})
