/** Wire shapes of the news. */
import { ints, list, obj, strings, Type } from '../../core/params.ts'

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
})
