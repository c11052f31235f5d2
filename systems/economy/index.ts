/** The economy as a whole: what comes into the world and what leaves it, day by day. */
import type { DomainDef } from '../../core/registry.ts'
import { closeBooks, countPlayers, creditSupply, faucetRatio, openBooks } from './systems.ts'

export const economyDomain: DomainDef = {
  name: 'economy',
  genesis: openBooks,
  systems: [countPlayers, closeBooks],
  gauges: [creditSupply, faucetRatio],
}
