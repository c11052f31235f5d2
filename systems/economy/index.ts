/** The economy as a whole: what comes into the world and what leaves it, day by day. */
import type { DomainDef } from '../../core/registry.ts'
import { closeBooks, creditSupply } from './systems.ts'

export const economyDomain: DomainDef = {
  name: 'economy',
  systems: [closeBooks],
  gauges: [creditSupply],
}
