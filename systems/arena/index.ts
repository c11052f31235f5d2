/** The arena: matches between players and with the house, without consequences. */
import type { CommandDef } from '../../core/command.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { activeShip } from '../ship/rules.ts'
import { matchesAreSound } from './checks.ts'
import { Contest, DUELS, MATCHES, REBUFFS, STAKES, WINS } from './columns.ts'
import { arena, arenaActions } from './commands.ts'
import { arenaChallenge, arenaObjective } from './events.ts'
import { houseOrders, lapsing, waves } from './systems.ts'

/** Mutations of a pilot in the ring; `arena` itself says what is wrong with it there. */
const IN_THE_RING: ReadonlySet<string> = new Set([
  ...['attack', 'reload', 'use_item', 'scan', 'arena'],
  ...arenaActions.map(({ name }) => name),
])

/** In a match nearly nothing is left to a pilot. Source: combat.md section 14. */
function refuseInMatch(view: WorldView, player: Eid, def: CommandDef): Failure | undefined {
  if (view.read(Contest).match[activeShip(view, player)] === 0) return undefined
  return def.kind !== 'mutation' || IN_THE_RING.has(def.name) ? undefined : fail('in_combat')
}

export const arenaDomain: DomainDef = {
  name: 'arena',
  tables: [Contest],
  records: [MATCHES, STAKES, DUELS, REBUFFS, WINS],
  commands: [arena, ...arenaActions],
  events: [arenaChallenge, arenaObjective],
  systems: [lapsing, waves, houseOrders],
  checks: [matchesAreSound],
  admission: refuseInMatch,
}
