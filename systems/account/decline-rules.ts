/**
 * Who declined whom of late: whoever was declined often by one player waits before asking again.
 * Pairs are kept in the order of their newest refusal, so what is forgotten stands first.
 */
import type { RecordsDef } from '../../core/records.ts'
import type { World, WorldView } from '../../core/types.ts'

export interface DeclineRule {
  /** Latest ticks of refusals, by pair. */
  readonly records: RecordsDef<readonly number[]>
  /** Refusals within so many ticks count. */
  readonly ticks: number
  /** So many of them make a pair wait. */
  readonly most: number
}

/** Key of who asks and who is asked, by their durable numbers. */
export const pairOf = (asking: number, asked: number): string => `${asking}:${asked}`

const recent = (view: WorldView, rule: DeclineRule, ticks: readonly number[] = []): number[] =>
  ticks.filter((tick) => view.tick - tick < rule.ticks)

/** Ticks until one may ask the other again; 0 at once. */
export function declineWaitOf(view: WorldView, rule: DeclineRule, pair: string): number {
  const declines = recent(view, rule, view.records(rule.records).get(pair))
  return declines.length < rule.most ? 0 : rule.ticks - (view.tick - declines[0])
}

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
