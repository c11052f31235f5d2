/** Battles: who fights whom, how they proceed, and what happens to the ships. */
import { countGauge, type DomainDef } from '../../core/registry.ts'
import { rebuildBattles } from './battles-rules.ts'
import { battlesAreFought, battlesAreSound, fightersAreListed, pilotsAreThere } from './checks.ts'
import { attack, selfDestruct } from './commands.ts'
import { join } from './engage-systems.ts'
import { battleUpdate } from './feed-systems.ts'
import { loadAmmo } from './fit-rules.ts'
import { logging, recording } from './log-systems.ts'
import { battleAdmission } from './model.ts'
import { battleCommands } from './orders-commands.ts'
import { fate, report } from './outcomes-systems.ts'
import { getBattleLog, getBattleStatus, getBattleSummary } from './queries.ts'
import { reload } from './reload-commands.ts'
import { BATTLE_RECORDS } from './report-state.ts'
import { rebuildPilots } from './rules.ts'
import {
  battleAlert,
  battleDamage,
  battleEnded,
  battleJoined,
  battleLeft,
  battleStarted,
  pilotlessShip,
  playerDied,
  playerKill,
} from './schemas.ts'
import {
  Ammo,
  Attack,
  Battle,
  DamageClaim,
  PARTICIPANTS_OF,
  Participant,
  PlayerCombat,
  ShipCombat,
  Turn,
} from './state.ts'
import {
  claiming,
  expirePilotless,
  firing,
  maneuvering,
  mending,
  training,
  uncloak,
} from './systems.ts'

export const combatDomain: DomainDef = {
  name: 'combat',
  tables: [Battle, Participant, DamageClaim, ShipCombat, PlayerCombat, Turn, Attack, Ammo],
  relations: [PARTICIPANTS_OF],
  records: [BATTLE_RECORDS],
  commands: [
    attack,
    ...battleCommands,
    reload,
    selfDestruct,
    getBattleStatus,
    getBattleLog,
    getBattleSummary,
  ],
  events: [
    battleStarted,
    battleAlert,
    battleJoined,
    battleDamage,
    playerDied,
    playerKill,
    battleLeft,
    battleUpdate,
    battleEnded,
    pilotlessShip,
  ],
  admission: battleAdmission,
  systems: [
    uncloak,
    expirePilotless,
    join,
    maneuvering,
    firing,
    claiming,
    mending,
    training,
    recording,
    report,
    fate,
    logging,
  ],
  checks: [battlesAreSound, battlesAreFought, pilotsAreThere, fightersAreListed],
  gauges: [countGauge('battles', Battle, 'Battles in progress.')],
  rebuild(world) {
    loadAmmo(world)
    rebuildBattles(world)
    rebuildPilots(world)
  },
}
