/** What strangers may read of the world. The domain has no state and writes nothing. */
import type { DomainDef } from '../../core/registry.ts'
import { createProjection } from './frame-views.ts'

export const spectatorDomain: DomainDef = {
  name: 'spectator',
  projection: createProjection,
}
