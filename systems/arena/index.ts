/** The arena: matches between players, or against the house, without consequences. */
import type { DomainDef } from '../../core/registry.ts'
import { arenaCommands, matchAdmission } from './commands.ts'
import { arenaChallenge, arenaObjective } from './schemas.ts'
import { DUELS, MATCHES, REBUFFS, SAVED_SHIPS, ShipMatch, WINS } from './state.ts'
import { challengeExpiry, houseOrders, matchesAreSound, waves } from './systems.ts'

export const arenaDomain: DomainDef = {
  name: 'arena',
  tables: [ShipMatch],
  records: [MATCHES, SAVED_SHIPS, DUELS, REBUFFS, WINS],
  commands: arenaCommands,
  events: [arenaChallenge, arenaObjective],
  systems: [challengeExpiry, waves, houseOrders],
  checks: [matchesAreSound],
  admission: matchAdmission,
}
