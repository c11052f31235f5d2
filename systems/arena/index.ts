/** The arena: matches between players and with the house, without consequences. */
import type { DomainDef } from '../../core/registry.ts'
import { arenaCommands, matchAdmission } from './commands.ts'
import { arenaChallenge, arenaObjective } from './schemas.ts'
import { DUELS, MATCHES, REBUFFS, ShipMatch, STAKES, WINS } from './state.ts'
import { houseOrders, lapsing, matchesAreSound, waves } from './systems.ts'

export const arenaDomain: DomainDef = {
  name: 'arena',
  tables: [ShipMatch],
  records: [MATCHES, STAKES, DUELS, REBUFFS, WINS],
  commands: arenaCommands,
  events: [arenaChallenge, arenaObjective],
  systems: [lapsing, waves, houseOrders],
  checks: [matchesAreSound],
  admission: matchAdmission,
}
