/** Pages of what a faction knows, and who it comes from. */
import { divFloor } from '../../core/math.ts'
import { int, optional, pageSize } from '../../core/params.ts'
import type { WorldView } from '../../core/types.ts'
import { submitterOf } from './views.ts'

export const pageParams = (max: number) => ({
  limit: optional(pageSize(max)),
  offset: optional(int('Rows to leave out.', { min: 0, example: 0 })),
})

export interface Paging {
  readonly limit?: number
  readonly offset?: number
}

/** The page asked for, and its bounds. */
export function pageOf<T>(rows: readonly T[], asked: Paging, bounds: readonly [number, number]) {
  const [usual, most] = bounds
  const limit = Math.min(asked.limit ?? usual, most)
  const offset = asked.offset ?? 0
  return { limit, offset, page: rows.slice(offset, offset + limit) }
}

/** Share in percent, with one decimal. */
export const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : divFloor(part * 1_000, whole) / 10

/** Something a member contributed. */
export interface Contribution {
  /** Number of the member. */
  readonly by: number
  readonly tick: number
}

/** Who contributed most and when last; of equals the one who came first. */
export function renderContributions(view: WorldView, all: readonly Contribution[]) {
  const counts = new Map<number, number>()
  for (const { by } of all) counts.set(by, (counts.get(by) ?? 0) + 1)
  if (counts.size === 0) return { contributors: 0 }
  const [[top, most]] = [...counts].sort(([a, m], [b, n]) => n - m || a - b)
  return {
    contributors: counts.size,
    most_recent_tick: Math.max(...all.map(({ tick }) => tick)),
    top_contributor: submitterOf(view, top).submitter_name,
    top_contributions: most,
  }
}
