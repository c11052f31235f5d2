/** The world in numbers, for the public website data. */
import { VERSION } from '../../core/catalog/changelog.ts'
import { archive } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { ints, NO_PARAMS, obj, strings } from '../../core/params.ts'
import { Bound, Player } from '../account/columns.ts'
import { StarSystem } from '../travel/columns.ts'

/** The world counts players and systems, the archive the forum. Source: newer.md section 3. */
export const stats = archive({
  name: 'internal:stats',
  summary: 'Players, systems and forum in numbers, for the public website data.',
  category: 'internal',
  open: true,
  as: 'query',
  method: 'countForum',
  params: NO_PARAMS,
  result: obj({
    ...strings('version'),
    ...ints('online_players', 'total_players', 'total_systems', 'tick'),
    ...ints('forum_threads', 'forum_replies'),
  }),
  needs: [],
  errors: ['persist_timeout'],
  scope: (view) =>
    ok({
      version: VERSION,
      online_players: view.byId(Player, [Bound]).length,
      total_players: view.countOf(Player),
      total_systems: view.countOf(StarSystem),
      tick: view.tick,
    }),
})
