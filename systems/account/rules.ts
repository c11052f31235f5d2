/** Rules of players that reach other domains. */
import { assert } from '../../core/assert.ts'
import { MAX_SAFE } from '../../core/math.ts'
import type { Eid, World } from '../../core/types.ts'
import { recordStat } from '../achievement/rules.ts'
import { type DeclineRule, recent, statIndex } from './model.ts'
import { Player, PlayerStats, STATS_WIDTH, type StatName } from './state.ts'

/** Notes a refusal. ours: with no room for another pair, this one may go on asking. */
export function recordDecline(world: World, rule: DeclineRule, pair: string): void {
  const declines = world.records(rule.records)
  const ticks = recent(world, rule, declines.get(pair))
  declines.delete(pair)
  if (declines.size >= rule.records.rowsMax) return
  declines.set(pair, [...ticks, world.tick].slice(-rule.most))
}

/** Forgets refusals that no longer count. O(pairs forgotten). */
export function forgetDeclines(world: World, rule: DeclineRule): void {
  const old: string[] = []
  for (const [pair, ticks] of world.records(rule.records).entries()) {
    if (recent(world, rule, ticks).length > 0) break
    old.push(pair)
  }
  for (const pair of old) world.records(rule.records).delete(pair)
}

/** Notes the wall time of a player's command: "last seen". Source: accounts.md section 12. */
export function recordCommand(world: World, player: Eid): void {
  world.write(Player).lastCommandMs[player] = world.wallMs
}

/** Adds to a lifetime counter; it stops at 2^53-1. */
export function addStat(world: World, player: Eid, stat: StatName, n: number): void {
  assert(Number.isSafeInteger(n) && n >= 0, `counting ${n} ${stat}`)
  const values = world.write(PlayerStats).values
  const index = statIndex(stat)
  const at = player * STATS_WIDTH + index
  const before = values[at]
  values[at] = Math.min(MAX_SAFE, before + n)
  recordStat(world, player, index, before, values[at])
}
