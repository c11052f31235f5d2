/** Battles: who fights whom, how it goes, and what becomes of the ships. */
import type { CommandDef } from '../../core/command.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { inBattle, rebuildBattles } from './battles.ts'
import { battlesAreFought, battlesAreSound, fightersAreListed, pilotsAreThere } from './checks.ts'
import { Ammo, Attack, Battle, Fighting, Lives, Mauling, Participant, Turn } from './columns.ts'
import { attack } from './commands.ts'
import { join } from './engage.ts'
import { rebuildCloaks, uncloak } from './escapes.ts'
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
} from './events.ts'
import { fate, report } from './fates.ts'
import { battleUpdate } from './feed.ts'
import { loadAmmo } from './fit.ts'
import { getBattleLog, getBattleSummary } from './history.ts'
import { logging, noting } from './log.ts'
import { mauling } from './maulings.ts'
import { battle, battleOrders } from './orders.ts'
import { expirePilotless, rebuildPilotless } from './pilotless.ts'
import { getBattleStatus } from './queries.ts'
import { reload } from './reload.ts'
import { ROLLS } from './roll.ts'
import { selfDestruct } from './self-destruct.ts'
import { firing, maneuvering, mending } from './systems.ts'
import { training } from './train.ts'

export const combatDomain: DomainDef = {
  name: 'combat',
  tables: [Battle, Participant, Mauling, Fighting, Lives, Turn, Attack, Ammo],
  records: [ROLLS],
  commands: [
    attack,
    battle,
    ...battleOrders,
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
  admission: refuseInBattle,
  systems: [
    uncloak,
    expirePilotless,
    join,
    maneuvering,
    firing,
    mauling,
    mending,
    training,
    noting,
    report,
    fate,
    logging,
  ],
  checks: [battlesAreSound, battlesAreFought, pilotsAreThere, fightersAreListed],
  rebuild(world) {
    loadAmmo(world)
    rebuildBattles(world)
    rebuildCloaks(world)
    rebuildPilotless(world)
  },
}

/** In a battle most mutations are refused at once. Source: combat.md section 17. */
function refuseInBattle(view: WorldView, player: Eid, def: CommandDef): Failure | undefined {
  const isAllowed = def.kind === 'mutation' && def.inBattle
  return !isAllowed && inBattle(view, player) ? fail('in_combat') : undefined
}
