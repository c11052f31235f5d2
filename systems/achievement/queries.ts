/** The queries of achievements. */
import { query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { NO_PARAMS } from '../../core/params.ts'
import { factionOf } from '../faction/model.ts'
import { OF_FACTIONS, OF_PLAYERS } from './model.ts'
import { achievementsResult } from './schemas.ts'
import { renderAchievements } from './views.ts'

const base = {
  category: 'status',
  params: NO_PARAMS,
  result: achievementsResult,
  needs: [],
  errors: [],
} as const

export const getAchievements = query({
  ...base,
  name: 'get_achievements',
  v2: { tool: 'game', action: 'get_achievements' },
  summary: 'Your achievements: those earned, and progress on the others; secret ones show as ???.',
  run: (view, player) => ok(renderAchievements(view, OF_PLAYERS, player)),
})

export const getFactionAchievements = query({
  ...base,
  name: 'get_faction_achievements',
  v2: { tool: 'game', action: 'get_faction_achievements' },
  summary: 'The achievements of your faction; an empty list if you are in none.',
  run(view, player) {
    const faction = factionOf(view, player)
    if (faction !== 0) return ok(renderAchievements(view, OF_FACTIONS, faction))
    const summary = { earned: 0, points: 0, total: 0 }
    return ok({ achievements: [], summary, message: 'You are in no faction.' })
  },
})
