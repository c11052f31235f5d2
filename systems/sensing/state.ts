/** Tables of sensing. */
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
import { type Following, Player } from '../account/state.ts'
import type { creatureSchema } from '../creature/state.ts'
import type { empireNpcSchema, pirateSchema } from '../npc/state.ts'
import type { seenPrizeSchema } from '../prize/state.ts'
import type { nearbyPlayerSchema } from '../travel/state.ts'

export const Watch = defineComponent(Player, 'watch', {
  poi: ref('poi', 'place it watches; 0 = none'),
  channel: u8('bit of BOUND it was asked for on'),
  active: u8('1 while it sweeps for cloaked ships'),
  signature: u8('1 if the watcher was told of an unknown signature last'),
})

/** Cloaked ships that a player has made out. */
export interface Contacts {
  /** Number of the other player, and the last tick in which they can be targeted. */
  readonly seen: readonly (readonly [player: number, untilTick: number])[]
  /** Numbers of those that an active watch holds now. */
  readonly locked: readonly number[]
}

/** By the observer's number; there is none while nobody is made out. */
export const CONTACTS = defineRecords<Contacts>('contacts', ROWS.players)

export type Contact = Static<typeof contactSchema>

/* Sweeping while watching */

/** What a watcher's sweep of this tick changed in their sights. */
interface Swept {
  readonly resolved: readonly Contact[]
  readonly lost: readonly string[]
  /** The sweep is over. */
  readonly isOver: boolean
}

/** Between phase produce, where it is swept, and settle, where it is told. */
export const SWEPT = defineIndex('sensing.swept', () => new Map<Eid, Swept>())

/* Being scanned */

export const TOLD = defineIndex('sensing.scans-told', () => ({
  tick: -1,
  counts: new Map<Eid, number>(),
}))

export const texts = list(Type.String())

/** What a sweep or an active watch shows of a cloaked ship. */
export const contactSchema = named('ScanContact', {
  ...strings('target_id'),
  revealed_info: texts,
  ...opt(strings('username', 'faction_id', 'ship_class', 'ship_name')),
  ...opt(ints('hull', 'shield')),
  ...opt(bools('cloaked')),
})

/**
 * A ship of the house in an arena. Its id is called as in `arena_objective`. newer.md section 4.
 */
export const arenaNpcSchema = obj({
  ...strings('npc_id', 'name', 'ship_class'),
  ...ints('hull', 'max_hull', 'shield', 'max_shield'),
  ...bools('in_combat'),
})

/** By what a ship was told: a list and an id in it. */
export type Name = Pick<Seen, 'list' | 'id'>
type Told = Map<Eid, Name>

/** Lists of one kind, and in which of them each ship stands: never in two. */
export interface Lists {
  readonly told: Map<Eid, Told>
  readonly standsIn: Map<Eid, Eid>
}

function newLists(): Lists {
  return { told: new Map(), standsIn: new Map() }
}

export const PLACES = defineIndex('sensing.told-places', newLists)
export const SYSTEMS = defineIndex('sensing.told-systems', newLists)

export type Entry = Static<typeof nearbyPlayerSchema>

/**
 * What stands in the lists of a place, by list; `nearby` are players. Source: newer.md section 4.
 */
export interface Rows {
  readonly nearby: Entry
  readonly pirates: Static<typeof pirateSchema>
  readonly empire_npcs: Static<typeof empireNpcSchema>
  readonly creatures: Static<typeof creatureSchema>
  readonly prizes: Static<typeof seenPrizeSchema>
  readonly arena_npcs: Static<typeof arenaNpcSchema>
}
export type SeenList = keyof Rows

/** A row, the list it stands in, and the id by which it is told there. */
export type Seen = {
  readonly [L in SeenList]: { readonly list: L; readonly id: string; readonly row: Rows[L] }
}[SeenList]

/** Watchers by place. */
export const WATCHERS = defineIndex('sensing.watchers', () => new Map() as Following)
/** Ships changed since watchers were told last. Empty while nobody watches anything. */
export const CHANGED = defineIndex('sensing.changed', () => new Set<Eid>())
