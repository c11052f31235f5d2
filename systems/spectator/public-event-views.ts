/** Events as anybody may read them: with public names, and nothing about anonymous players. */
import { EMPIRES } from '../../core/catalog/index.ts'
import type { FeedData, FeedMessage, FeedType } from '../../core/public/events.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { factionOf, factionTag } from '../faction/model.ts'

/** An event before it has a time, with the players it names. */
export interface PublicEvent<T extends FeedType = FeedType> {
  readonly type: T
  readonly data: FeedData[T]
  readonly names: NonNullable<FeedMessage['player_info']>
}

/** Name shown for a pilot whose name is not public. */
export const UNKNOWN_PILOT = 'an unknown pilot'

/** Returns whether everybody may read the name of a player, wherever they are. */
const hasPublicName = (view: WorldView, player: Eid): boolean =>
  player !== 0 && view.read(Player).alive[player] === 1 && view.read(Player).anonymous[player] === 0

/** Returns the name of a player, or `UNKNOWN_PILOT` if it is not public. */
export const publicNameOf = (view: WorldView, player: Eid): string =>
  hasPublicName(view, player) ? usernameOf(view, player) : UNKNOWN_PILOT

/** Makes an event, with details about those of `players` whose names are public. */
export function publicEvent<T extends FeedType>(
  view: WorldView,
  type: T,
  data: FeedData[T],
  players: readonly Eid[] = [],
): PublicEvent<T> {
  const named = players.filter((player) => hasPublicName(view, player))
  const entries = named.map((player) => {
    const faction = factionOf(view, player)
    const empire = EMPIRES[view.read(Player).empire[player]].id
    const tag = faction === 0 ? {} : { faction_tag: factionTag(view, faction) }
    return [usernameOf(view, player), { empire, ...tag }] as const
  })
  return { type, data, names: Object.fromEntries(entries) }
}
