/** Packages: goods sealed under one label, moved, traded and shipped as one. */
import type { DomainDef } from '../../core/registry.ts'
import { packagesAreSound } from './checks.ts'
import { Package } from './columns.ts'
import { packages } from './references.ts'
import { rebuildPackages } from './rules.ts'

export const packageDomain: DomainDef = {
  name: 'package',
  tables: [Package],
  references: [packages],
  checks: [packagesAreSound],
  rebuild: rebuildPackages,
}
