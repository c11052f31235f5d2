/** Players: registration, presence, the own record, session commands. */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import type { DomainDef } from '../../core/registry.ts'
import { playersHaveShips, usernamesMatch } from './checks.ts'
import { EMPIRES_WIDTH, Player, PlayerStats, STATS, STATS_WIDTH, USERNAMES } from './columns.ts'
import {
  bind,
  boundPlayers,
  raise,
  rebuildPresence,
  setAnonymous,
  unbind,
  unbindAll,
} from './presence.ts'
import { getShip, getShipV2, getStatus, stateQueries } from './queries.ts'
import { register } from './register.ts'
import { isBound, noteCommand } from './rules.ts'
import { sessionCommands } from './sessions.ts'
import { playerSection, renderPlayerSection } from './views.ts'

assert(STATS.length <= STATS_WIDTH, 'the column of counters is too narrow')
assert(EMPIRES.length <= EMPIRES_WIDTH, 'the columns by empire are too narrow')

export const accountDomain: DomainDef = {
  name: 'account',
  tables: [Player, PlayerStats],
  records: [USERNAMES],
  players: { table: Player, isBound, acted: noteCommand },
  commands: [
    ...sessionCommands,
    register,
    bind,
    unbind,
    unbindAll,
    raise,
    setAnonymous,
    getStatus,
    getShip,
    getShipV2,
    ...stateQueries,
  ],
  checks: [playersHaveShips, usernamesMatch],
  rebuild: rebuildPresence,
  audiences: { all: (view) => boundPlayers(view) },
  sections: { player: renderPlayerSection },
  sectionSchemas: { player: playerSection },
}
