/**
 * The domain of looking things up: catalogue, single things, guides, changelog, help, the
 * notification queue.
 */
import type { DomainDef } from '../../core/registry.ts'
import { catalog, internalCatalog } from './catalog.ts'
import { inspect } from './inspect.ts'
import { getGuide, getVersion } from './queries.ts'
import { catalogReferences } from './references.ts'
import { getActions, getCommands, getNotifications, help } from './sessions.ts'
import { stats } from './stats.ts'

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
    stats,
  ],
}
