/**
 * The topics of the public feed besides `feed`, and their messages. Lists hold whole numbers in
 * rows of fixed width; places, stations and items are named by their index in the table of the
 * topic, which is its first message and is sent again when it changes. Source: WEB 2.
 */
import { ints, list, mapOf, named, opt, type Static, strings, Type } from '../params.ts'

/** How many topics a reader may have at most. */
export const TOPICS_MAX = 8

const numbers = list(Type.Integer())
const ids = list(Type.String())

export const TOPIC_EVENTS = {
  /** `map`: what the indexes of systems stand for. */
  map_table: named('TopicMapTable', { ...ints('tick'), systems: ids }),
  /** Absent fields have not changed. Lists have only the counts that changed; 0: none are left. */
  map: named('TopicMap', {
    ...ints('tick'),
    ...opt({
      /** [from, to, tick of departure, tick of arrival, ships] of jumps that began. */
      departures: numbers,
      /** [system, players online]. */
      online: numbers,
      /** [system, pirates and ships of empires]. */
      npc: numbers,
      /** [system, 0 to 100]. */
      heat: numbers,
      /** Id of the battle by id of the system; "" if it is over. */
      battles: mapOf(Type.String()),
    }),
  }),
  /** `market`: what the indexes stand for. */
  market_table: named('TopicMarketTable', { ...ints('tick'), stations: ids, items: ids }),
  market: named('TopicMarket', {
    ...ints('tick'),
    ...opt({
      /** [station, item, best bid, best ask, units bid, units asked]; 0: no order. */
      bests: numbers,
    }),
  }),
  /** `system:<id>`: what the indexes of places stand for. */
  system_table: named('TopicSystemTable', { ...ints('tick'), ...strings('system'), pois: ids }),
  system: named('TopicSystem', {
    ...ints('tick'),
    ...strings('system'),
    ...opt({
      /** [place, players online], for the places where it changed. */
      places: numbers,
      /** [from, to, tick of departure, tick of arrival, ships] of flights that began. */
      flights: numbers,
    }),
  }),
  /** `item:<station>/<item>`: the whole ladder, each time it changed. */
  item: named('TopicItem', {
    ...ints('tick'),
    ...strings('station', 'item'),
    /** [price, units], best first. */
    bids: numbers,
    asks: numbers,
  }),
  /** `battle:<id>`: a row of the log, shortened. Ships are named by their index in `ships`. */
  battle: named('TopicBattle', {
    ...ints('tick'),
    ...strings('battle_id'),
    ships: list(
      named('TopicShip', {
        ...strings('id', 'name'),
        ...ints('side'),
        ...opt(strings('ship_class', 'kind')),
      }),
    ),
    /** [ship, zone, hull, max hull, shield, max shield, damage dealt, kills]; -1: no zone. */
    states: numbers,
    /** [attacker, target, damage type, shots, hits, damage], for each pair and damage type. */
    attacks: numbers,
    /** [ship, zone before, zone now]. */
    moves: numbers,
    /** What the numbers of zones and of damage types stand for. */
    zones: ids,
    damage_types: ids,
    kills: list(named('TopicKill', strings('killer', 'victim', 'cause'))),
    ...opt({
      /** Number of ships that are not listed. */
      ...ints('more'),
      /** In the last row only. */
      ended: named('TopicBattleEnd', {
        ...strings('outcome'),
        ...opt(ints('winning_side')),
      }),
    }),
  }),
} as const

export type TopicType = keyof typeof TOPIC_EVENTS
export type TopicData = { readonly [T in TopicType]: Static<(typeof TOPIC_EVENTS)[T]> }

/** A message of a topic; its id is `<tick>.<n>`, as in the feed. */
export interface TopicMessage<T extends TopicType = TopicType> {
  readonly type: T
  readonly data: TopicData[T]
}

/** What a reader may subscribe to: `name` alone, or with its subject. */
export type Topic =
  | { readonly name: 'feed' | 'map' | 'market' | 'ops' }
  | { readonly name: 'system' | 'battle'; readonly id: string }
  | { readonly name: 'item'; readonly station: string; readonly item: string }

const WORD = /^[\w-]{1,64}$/
const PLAIN: ReadonlySet<string> = new Set(['feed', 'map', 'market', 'ops'])

/** Returns the topic that a text names; undefined if it names none. */
function parseTopic(text: string): Topic | undefined {
  if (PLAIN.has(text)) return { name: text as 'feed' }
  const index = text.indexOf(':')
  const [name, about] = [text.slice(0, index), text.slice(index + 1)]
  if ((name === 'system' || name === 'battle') && WORD.test(about)) return { name, id: about }
  const [station, item, ...more] = about.split('/')
  if (name !== 'item' || more.length > 0 || item === undefined) return undefined
  return WORD.test(station) && WORD.test(item) ? { name, station, item } : undefined
}

/** Returns the topics of a comma-separated list; undefined if one is unknown, or for too many. */
export function parseTopics(text: string): ReadonlyMap<string, Topic> | undefined {
  const topics = new Map<string, Topic>()
  for (const name of text.split(',')) {
    const topic = parseTopic(name)
    if (!topic) return undefined
    topics.set(name, topic)
  }
  return topics.size <= TOPICS_MAX ? topics : undefined
}
