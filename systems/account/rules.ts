/** Rules of players that reach other domains. */
import { assert } from '../../core/assert.ts'
import { MAX_SAFE } from '../../core/math.ts'
import type { Eid, World } from '../../core/types.ts'
import { recordStat } from '../achievement/rules.ts'
import { statIndex } from './model.ts'
import { Player, PlayerStats, STATS_WIDTH, type StatName } from './state.ts'

/** Records when a player was last active. Source: accounts.md section 12. */
export function recordCommand(world: World, player: Eid): void {
  world.write(Player).lastCommandMs[player] = world.wallMs
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
