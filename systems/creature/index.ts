/** Wild creatures: herds, their lives and deaths, and the hunt. */
import type { DomainDef } from '../../core/registry.ts'
import { creaturesLive } from './checks.ts'
import { Creature, Herd, Wild } from './columns.ts'
import { hunt } from './commands.ts'
import { roam } from './herds.ts'
import { rebuildCreatures } from './rules.ts'
import { populate } from './spawn.ts'
import { live, pounce } from './systems.ts'

export const creatureDomain: DomainDef = {
  name: 'creature',
  tables: [Herd, Creature, Wild],
  commands: [hunt],
  systems: [pounce, live, roam],
  checks: [creaturesLive],
  genesis: populate,
  rebuild: rebuildCreatures,
}
