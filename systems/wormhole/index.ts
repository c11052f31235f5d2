/** Wormholes: paths that open, are found, flown and shared, and collapse. */
import type { DomainDef } from '../../core/registry.ts'
import { FACTION_PATHS, KNOWN_PATHS, Mouth, Wormhole } from './state.ts'
import { forgetPaths, openWormholes, pathsHold, wormholeLife } from './systems.ts'

export const wormholeDomain: DomainDef = {
  name: 'wormhole',
  tables: [Wormhole, Mouth],
  records: [KNOWN_PATHS, FACTION_PATHS],
  commands: [],
  systems: [wormholeLife],
  observers: [forgetPaths],
  checks: [pathsHold],
  gauges: [openWormholes],
}
