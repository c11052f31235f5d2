/** Lookups of petitions; writes only to its own columns. */
import { EMPIRES } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { divCeil } from '../../core/math.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { PETITIONED } from './state.ts'

const HOUR_MS = 3_600_000

export const keyOf = (view: WorldView, player: Eid): string => String(view.read(Player).seq[player])

/** Refuses a second petition to an empire within an hour: rate_limited. */
export function petitionRefusal(
  view: WorldView,
  player: Eid,
  empire: number,
): Failure<'rate_limited'> | undefined {
  const last = view.records(PETITIONED).get(keyOf(view, player))?.[empire] ?? 0
  const waitMs = last + HOUR_MS - view.wallMs
  // a clock set back lets the player write again
  if (last === 0 || waitMs <= 0 || waitMs > HOUR_MS) return undefined
  return fail(
    'rate_limited',
    { wait_seconds: Math.max(1, divCeil(waitMs, 1_000)) },
    `${EMPIRES[empire].name} hears one petition of yours an hour.`,
  )
}
