/** Players: registration, presence, their own record, session commands. */
import { countGauge, type DomainDef } from '../../core/registry.ts'
import { channelsAreHeld, playersHaveShips, usernamesMatch } from './checks.ts'
import { getShip, getShipV2, getStatus, stateQueries } from './commands.ts'
import { GOVERNOR } from './governor-state.ts'
import { isBound } from './model.ts'
import {
  bind,
  boundPlayers,
  endLogins,
  raiseIdMarks,
  rebuildPresence,
  seeLogin,
  setAnonymous,
  unbind,
  unbindAll,
  unbindNode,
} from './presence-commands.ts'
import { boundNodes, isBoundAt } from './presence-model.ts'
import { register } from './registration-commands.ts'
import { recordCommand } from './rules.ts'
import { playerSection } from './schemas.ts'
import { sessionCommands } from './sessions-commands.ts'
import { Giving, Player, PlayerStats, POPULATION, PRESENCE, USERNAMES } from './state.ts'
import { renderPlayerSection } from './views.ts'

export const accountDomain: DomainDef = {
  name: 'account',
  tables: [Player, Giving, PlayerStats],
  records: [GOVERNOR, POPULATION, USERNAMES, PRESENCE],
  players: { table: Player, isBound, isBoundAt, boundNodes, recordActed: recordCommand },
  commands: [
    ...sessionCommands,
    register,
    bind,
    seeLogin,
    unbind,
    unbindAll,
    unbindNode,
    endLogins,
    raiseIdMarks,
    setAnonymous,
    getStatus,
    getShip,
    getShipV2,
    ...stateQueries,
  ],
  checks: [playersHaveShips, usernamesMatch, channelsAreHeld],
  gauges: [countGauge('players', Player, 'Players registered.')],
  rebuild: rebuildPresence,
  audiences: { all: (view) => boundPlayers(view) },
  sections: { player: renderPlayerSection },
  sectionSchemas: { player: playerSection },
}
