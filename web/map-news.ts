/** What the topic `map` tells, applied to a body of the map's activity. Source: WEB 2. */
import type { TopicData } from '../core/public/topics.ts'
import type { ActivityBody } from '../core/public/world.ts'

export type News = TopicData['map']

/** Groups numbers that stand in rows of `width`. */
function* rowsOf(numbers: readonly number[] = [], width: number): Generator<readonly number[]> {
  for (let at = 0; at + width <= numbers.length; at += width) yield numbers.slice(at, at + width)
}

function changed(
  counts: Readonly<Record<string, number>>,
  pairs: readonly number[] | undefined,
  ids: readonly string[],
): Record<string, number> {
  const next = { ...counts }
  for (const [system, count] of rowsOf(pairs, 2)) {
    const id = ids[system]
    if (id === undefined) continue
    if (count > 0) next[id] = count
    else delete next[id]
  }
  return next
}

/** Returns the body as it is after the news of a tick. */
export function applyNews(body: ActivityBody, told: News, ids: readonly string[]): ActivityBody {
  const begun = [...rowsOf(told.departures, 5)].flatMap(([from, to, start, arrival, count]) =>
    ids[from] === undefined || ids[to] === undefined
      ? []
      : [
          {
            from_system: ids[from],
            to_system: ids[to],
            start_tick: start,
            arrival_tick: arrival,
            count,
          },
        ],
  )
  const battles = { ...body.battles, ...told.battles }
  for (const [system, battle] of Object.entries(battles)) if (battle === '') delete battles[system]
  return {
    ...body,
    current_tick: told.tick,
    online: changed(body.online, told.online, ids),
    npc: changed(body.npc, told.npc, ids),
    heat: changed(body.heat, told.heat, ids),
    battles,
    transits: [...body.transits.filter((jump) => jump.arrival_tick >= told.tick), ...begun],
  }
}
