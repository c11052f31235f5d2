/** Watches, contacts, and what watchers have been sent of the places they watch. */
import { defineComponent, ref, u8 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import {
  bools,
  ints,
  list,
  named,
  obj,
  opt,
  type Static,
  strings,
  Type,
} from '../../core/params.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { type Followers, Player } from '../account/state.ts'
import type { creatureSchema } from '../creature/state.ts'
import type { empireNpcSchema, pirateSchema } from '../npc/state.ts'
import type { seenPrizeSchema } from '../prize/state.ts'
import type { nearbyPlayerSchema } from '../travel/nearby-state.ts'

export const Watch = defineComponent(Player, 'watch', {
  poi: ref('poi', 'place it watches; 0 = none'),
  channel: u8('channels that subscribed: bits of BOUND'),
  active: u8('1 while it sweeps for cloaked ships'),
  signature: u8('1 if the last notice to the watcher had an unknown signature'),
})

/** Cloaked ships that a player has detected. */
export interface Contacts {
  /** Number of the other player, and the last tick in which they can be targeted. */
  readonly seen: readonly (readonly [player: number, untilTick: number])[]
  /** Numbers of the players whose ships an active watch holds now. */
  readonly locked: readonly number[]
}

/** Contacts by the observer's number; absent while there are none. */
export const CONTACTS = defineRecords<Contacts>('contacts', ROWS.players)

/** Systems that a player has surveyed in a chart epoch: player number → system numbers. */
export const SURVEYED = defineRecords<readonly number[]>('surveyed', ROWS.players)
/** The chart epoch of those surveys: player number → epoch; absent in older worlds. */
export const CHART_EPOCHS = defineRecords<number>('chart_ages', ROWS.players)

export type Contact = Static<typeof contactSchema>

/** What a watcher's sweep of this tick changed among their contacts. */
interface Swept {
  readonly resolved: readonly Contact[]
  readonly lost: readonly string[]
}

/** Sweeps of this tick, from phase produce until settle, where they are sent. */
export const SWEPT = defineIndex('sensing.swept', () => new Map<Eid, Swept>())

/** Scans of each player in a tick, counted because only the first few are reported. */
export const SCANS_SENT = defineIndex('sensing.scans-told', () => ({
  tick: -1,
  counts: new Map<Eid, number>(),
}))

export const texts = list(Type.String())

/** A cloaked ship as a sweep or an active watch shows it. */
export const contactSchema = named('ScanContact', {
  ...strings('target_id'),
  revealed_info: texts,
  ...opt(strings('username', 'faction_id', 'ship_class', 'ship_name')),
  ...opt(ints('hull', 'shield')),
  ...opt(bools('cloaked')),
})

/** A ship of the server in an arena; its id is that of `arena_objective`. newer.md section 4. */
export const arenaNpcSchema = obj({
  ...strings('npc_id', 'name', 'ship_class'),
  ...ints('hull', 'max_hull', 'shield', 'max_shield'),
  ...bools('in_combat'),
})

/** How watchers know a ship: a list and an id in it. */
export type SeenKey = Pick<Seen, 'list' | 'id'>

/** What was sent, by place or system; a ship is in one of them at most. */
export interface SentState {
  readonly sent: Map<Eid, Map<Eid, SeenKey>>
  /** Place or system by ship. */
  readonly placeOf: Map<Eid, Eid>
  /** Fighters of arenas by ship, as they were last sent. */
  readonly fighters: Map<Eid, SentFighter>
  /** Match keys of fighters knocked out, by place and id: they depart when their match ends. */
  readonly fallen: Map<Eid, Map<string, string>>
}

/** A fighter of an arena, and the key of its match. */
interface SentFighter {
  readonly row: Rows['arena_npcs']
  readonly match: string
}

const noneSent = (): SentState => ({
  sent: new Map(),
  placeOf: new Map(),
  fighters: new Map(),
  fallen: new Map(),
})

export const SENT_PLACES = defineIndex('sensing.told-places', noneSent)
export const SENT_SYSTEMS = defineIndex('sensing.told-systems', noneSent)

export type Entry = Static<typeof nearbyPlayerSchema>

/** Rows of the lists of a place; `nearby` are players. Source: newer.md section 4. */
export interface Rows {
  readonly nearby: Entry
  readonly pirates: Static<typeof pirateSchema>
  readonly empire_npcs: Static<typeof empireNpcSchema>
  readonly creatures: Static<typeof creatureSchema>
  readonly prizes: Static<typeof seenPrizeSchema>
  readonly arena_npcs: Static<typeof arenaNpcSchema>
}
export type SeenList = keyof Rows

/** A row, its list, and its id there. */
export type Seen = {
  readonly [L in SeenList]: { readonly list: L; readonly id: string; readonly row: Rows[L] }
}[SeenList]

/** Watchers by place. */
export const WATCHERS = defineIndex('sensing.watchers', () => new Map() as Followers)
/** Ships changed since watchers were last sent changes; empty while there is no watcher. */
export const CHANGED = defineIndex('sensing.changed', () => new Set<Eid>())
