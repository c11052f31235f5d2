/** Wrecks: what is left of ships. */
import type { DomainDef } from '../../core/registry.ts'
import { wrecksAreSound } from './checks.ts'
import { Wreck } from './columns.ts'
import { rebuildWrecks } from './rules.ts'

export const salvageDomain: DomainDef = {
  name: 'salvage',
  tables: [Wreck],
  checks: [wrecksAreSound],
  rebuild: rebuildWrecks,
}
