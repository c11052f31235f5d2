/** Reference information: catalogue, inspection, guides, changelog, help, notification queue. */
import type { DomainDef } from '../../core/registry.ts'
import { getActions, getCommands, getNotifications, help } from './commands.ts'
import { inspect } from './inspect-queries.ts'
import { catalogReferences } from './model.ts'
import { catalog, getGuide, getVersion, internalCatalog } from './queries.ts'

export const infoDomain: DomainDef = {
  name: 'info',
  references: catalogReferences,
  commands: [
    catalog,
    internalCatalog,
    inspect,
    getVersion,
    getGuide,
    help,
    getCommands,
    getActions,
    getNotifications,
  ],
}
