/** The news of the galaxy. */
import { type CommandDef, query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { NO_PARAMS } from '../../core/params.ts'
import { renderConvoys } from '../npc/convoy-views.ts'
import { newsResult } from './schemas.ts'
import { renderSeasons } from './views.ts'

export const getNews: CommandDef = query({
  name: 'get_news',
  v2: { tool: 'game', action: 'get_news' },
  summary:
    'What happens in the galaxy now: seasons, what they want and make cheap, and convoys of goods.',
  category: 'info',
  params: NO_PARAMS,
  result: newsResult,
  needs: [],
  errors: [],
  run(view) {
    const seasons = renderSeasons(view)
    const convoys = renderConvoys(view)
    const running = seasons.length === 0 ? [] : [`Seasons in progress: ${seasons.length}.`]
    const flying = convoys.length === 0 ? [] : [`Convoys on the way: ${convoys.length}.`]
    const message = [...running, ...flying].join(' ') || 'There is no news today.'
    return ok({ count: seasons.length, seasons, convoys, message })
  },
})
