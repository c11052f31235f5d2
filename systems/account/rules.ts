/** Rules of players that reach other domains. */
import { assert } from '../../core/assert.ts'
import { MAX_SAFE } from '../../core/math.ts'
import type { Eid, World } from '../../core/types.ts'
import { recordStat } from '../achievement/rules.ts'
import { statIndex } from './model.ts'
import { Player, PlayerStats, STATS_WIDTH, type StatName } from './state.ts'

/**
 * Records when a player was last active; `isMutation`: by a command that took their slot of the
 * tick. Source: accounts.md section 12; balance.md section 1.
 */
export function recordCommand(world: World, player: Eid, isMutation: boolean): void {
  const columns = world.write(Player)
  columns.lastCommandMs[player] = world.wallMs
  if (isMutation) columns.lastActedTick[player] = world.tick
}

/** Adds to a lifetime counter; it stops at 2^53-1. */
export function addStat(world: World, player: Eid, stat: StatName, n: number): void {
  assert(Number.isSafeInteger(n) && n >= 0, `counting ${n} ${stat}`)
  const values = world.write(PlayerStats).values
  const index = statIndex(stat)
  const row = player * STATS_WIDTH + index
  const before = values[row]
  values[row] = Math.min(MAX_SAFE, before + n)
  recordStat(world, player, index, before, values[row])
}
