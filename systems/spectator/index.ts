/** What strangers may read of the world: it has no state, and only looks. */
import type { DomainDef } from '../../core/registry.ts'
import { createProjection } from './frame-views.ts'

export const spectatorDomain: DomainDef = {
  name: 'spectator',
  projection: createProjection,
}
