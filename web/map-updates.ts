/** Applies updates of the topic `map` to a body of the activity. Source: WEB 2. */
import type { TopicData } from '../core/public/topics.ts'
import type { ActivityBody } from '../core/public/world.ts'

export type MapUpdate = TopicData['map']

/** Splits a list of numbers into rows of `width`. */
function* rowsOf(numbers: readonly number[] = [], width: number): Generator<readonly number[]> {
  for (let index = 0; index + width <= numbers.length; index += width)
    yield numbers.slice(index, index + width)
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

/** Returns the body after an update; `ids` are the ids of systems by number. */
export function applyUpdate(
  body: ActivityBody,
  update: MapUpdate,
  ids: readonly string[],
): ActivityBody {
  const begun = [...rowsOf(update.departures, 5)].flatMap(([from, to, start, arrival, count]) =>
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
  const battles = { ...body.battles, ...update.battles }
  for (const [system, battle] of Object.entries(battles)) if (battle === '') delete battles[system]
  return {
    ...body,
    current_tick: update.tick,
    online: changed(body.online, update.online, ids),
    npc: changed(body.npc, update.npc, ids),
    heat: changed(body.heat, update.heat, ids),
    battles,
    transits: [...body.transits.filter((jump) => jump.arrival_tick >= update.tick), ...begun],
  }
}
