/** The news of the galaxy. */
import { type CommandDef, query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { NO_PARAMS } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import { newsResult } from './schemas.ts'
import { renderSeasons } from './views.ts'

export const getNews: CommandDef = query({
  name: 'get_news',
  v2: { tool: 'game', action: 'get_news' },
  summary: 'What happens in the galaxy now: seasons, what they want and what they make cheap.',
  category: 'info',
  params: NO_PARAMS,
  result: newsResult,
  needs: [],
  errors: [],
  run(view) {
    const seasons = renderSeasons(view)
    const message =
      seasons.length === 0 ? 'A quiet day everywhere.' : `${counted(seasons.length, 'season')} run.`
    return ok({ count: seasons.length, seasons, message })
  },
})
