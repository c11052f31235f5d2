/** The tick's end of achievements. */
import { Account } from '../../core/ledger.ts'
import type { SystemDef } from '../../core/system.ts'
import { PlayerStats } from '../account/columns.ts'
import { Faction } from '../faction/columns.ts'
import { Ship } from '../ship/columns.ts'
import { PlayerSkills } from '../skill/columns.ts'
import { FactionFeats, PlayerFeats } from './columns.ts'
import { unlockAll } from './unlock.ts'

/** The last of its phase, after all that counts. Source: missions.md section 9. */
export const unlock: SystemDef = {
  name: 'achievement.unlock',
  phase: 'settle',
  reads: [PlayerStats, Faction],
  writes: [PlayerFeats, FactionFeats, PlayerSkills, Ship, Account],
  run: unlockAll,
}
