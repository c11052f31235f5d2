/** Rules of the forum that reach other domains. */
import type { World } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { recentWrites } from './model.ts'
import { FORUM_USE, type ForumKind } from './state.ts'

export const SORTS = ['newest', 'hot', 'most_replies', 'most_upvotes'] as const

/** Counts a write that the archive has stored. `player`: durable number. */
export function countPost(world: World, player: number, kind: ForumKind): void {
  const row = world.rowOf(Player, player)
  const use = world.records(FORUM_USE)
  const times = [...recentWrites(world, row, kind), world.wallMs]
  use.set(String(player), { ...use.get(String(player)), [kind]: times })
}
