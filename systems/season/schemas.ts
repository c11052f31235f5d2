/** Wire shapes of the news. */
import { ints, list, obj, strings, Type } from '../../core/params.ts'
import { convoySchema } from '../npc/schemas.ts'

export const newsResult = obj({
  ...strings('message'),
  ...ints('count'),
  seasons: list(
    obj({
      ...strings('id', 'title', 'region', 'text'),
      wanted: list(Type.String()),
      plentiful: list(Type.String()),
      ...ints('started_at_tick', 'ends_in_ticks'),
    }),
  ),
  convoys: list(convoySchema),
})
