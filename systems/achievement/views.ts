/** Wire forms of the achievements of players and factions. */
import type { AchievementRow } from '../../core/catalog/index.ts'
import { counted } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { counterOf, earnedBy, hasEarned, type Kind, meets } from './model.ts'

/**
 * What is shown in place of a secret achievement not earned yet. Source: missions.md section 5.
 */
const SECRET = {
  id: '',
  name: '???',
  description: '???',
  category: 'secret',
  points: 0,
  earned: false,
  hidden: true,
} as const

/** Returns the progress: the counter of a single criterion, or how many of several are met. */
function progressOf(view: WorldView, kind: Kind, holder: Row, { criteria }: AchievementRow) {
  const [first] = criteria
  if (criteria.length === 1 && first[1] === '>=') {
    const [name, , target] = first
    return { current: Math.min(target, counterOf(view, kind, holder, name)), target }
  }
  const met = criteria.filter((criterion) => meets(view, kind, holder, criterion))
  return { current: met.length, target: criteria.length }
}

/** Renders the achievements of a player or a faction, in the order of the catalogue. */
export function renderAchievements(view: WorldView, kind: Kind, holder: Row) {
  const times = new Map(earnedBy(view, kind, holder))
  const earned = kind.book.rows.filter((row) => hasEarned(view, kind, holder, row.no))
  const earnedRows = new Set(earned)
  const achievements = kind.book.rows.map((row) => {
    const isEarned = earnedRows.has(row)
    if (row.secret && !isEarned) return SECRET
    const { id, name, description, category, points, no } = row
    return {
      id,
      name,
      description,
      category,
      points,
      earned: isEarned,
      hidden: false,
      ...(isEarned
        ? { earned_at: isoTime(times.get(no) ?? 0) }
        : { progress: progressOf(view, kind, holder, row) }),
    }
  })
  const points = earned.reduce((sum, row) => sum + row.points, 0)
  const total = kind.book.rows.length
  const message = `${earned.length} of ${total} earned, ${counted(points, 'point')}.`
  return { achievements, summary: { earned: earned.length, points, total }, message }
}
