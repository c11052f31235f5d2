/** Builds the ticks of a battle that the world would publish, for the event battle_update. */
import type { PublishedEmission } from '../../../core/ports.ts'

const fixed = (place: number) => ({
  player_id: `0000-${place}`,
  username: `Pilot ${place} of the long list — é`,
  ship_class: 'prospector',
  padding: 'x'.repeat(60),
})

/**
 * Returns a tick of a battle of `count` participants for the players `to`. Tick 1 is a full list.
 */
export function battleTick(tick: number, count: number, to: readonly number[]): PublishedEmission {
  const isFull = tick === 1
  const places = Int32Array.from({ length: count }, (_, place) => place)
  const none = new Int32Array(0)
  const codes = Int32Array.from({ length: count }, (_, place) => (place * tick) % 101)
  return {
    type: 'battle_update',
    payload: { battle_id: 'b', tick },
    to,
    feed: {
      feed: 1,
      tick,
      isFull,
      ...(isFull
        ? { moves: { gone: none, added: places, codes, fixed: [...places].map(fixed) } }
        : {}),
      changed: isFull ? none : places,
      codes: isFull ? none : codes,
      heads: Int32Array.from(to.flatMap((player) => [player, player % count])),
    },
  }
}
