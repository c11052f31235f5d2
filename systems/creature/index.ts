/** Wild creatures: herds, their lives and deaths, and the hunt. */
import type { DomainDef } from '../../core/registry.ts'
import { hunt } from './commands.ts'
import { roam } from './herds-systems.ts'
import { rebuildCreatures } from './rules.ts'
import { Creature, Herd, Wild } from './state.ts'
import { creaturesLive, live, populate, pounce } from './systems.ts'

export const creatureDomain: DomainDef = {
  name: 'creature',
  tables: [Herd, Creature, Wild],
  commands: [hunt],
  systems: [pounce, live, roam],
  checks: [creaturesLive],
  genesis: populate,
  rebuild: rebuildCreatures,
}
