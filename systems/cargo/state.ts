/** Lockers, containers adrift after a jettison, notices of gifts, and packages. */
import { defineEntity, defineTable, f64, ref, text, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineOccurrence } from '../../core/occurrence.ts'
import { defineRecords } from '../../core/records.ts'
import type { ReferenceDef } from '../../core/reference.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { isNoteId } from '../note/state.ts'

/** Space of a note in a hold. */
export const NOTE_SIZE = 1

/* Gifts (trade-storage.md 3) */
/** Most unseen notices of gifts, of all players and of one player at one base. */
export const GIFTS_MAX = 200_000
export const GIFTS_PER_BOX_MAX = 100
/** Most kinds of goods, and most ships, that one notice names. */
export const GIFT_LINES_MAX = 50
export const GIFT_MESSAGE_CHARACTERS_MAX = 500
/** Most ships a player may have and still be given another. */
export const SHIPS_BEFORE_GIFT_MAX = 49

export const PACKAGE_LABEL_CHARACTERS_MAX = 255
/** Most packages of one owner at one base, by the level of its storage service. */
export const PACKAGES_BY_LEVEL = [1_000, 2_000, 3_000, 5_000] as const

/**
 * Container row by place and player, and by its number; rows by place, in the order of creation,
 * and by the tick in which they may expire. Every change is O(1), however crowded a place is.
 */
export const ADRIFT = defineIndex('cargo.adrift', () => ({
  byKey: new Map<number, Row>(),
  byNumber: new Map<number, Row>(),
  at: new Map<Eid, Set<Row>>(),
  due: new Map<number, Row[]>(),
}))

/** Personal storage of one player at one base; exists while it is in use or has reserved places. */
export const Locker = defineTable('locker', ROWS.lockers, {
  player: ref('player', 'owner'),
  base: ref('base', 'where it is'),
  container: ref('container', 'the goods'),
  reserved: u16('places reserved for packages that jobs are making'),
})

/**
 * A jettison container: one for each place and jettisoning player. Source: trade-storage.md section
 * 4, Jettison.
 */
export const JettisonContainer = defineTable('jettison_container', ROWS.jettisonContainers, {
  number: f64('durable number: its wire id is a function of it'),
  poi: ref('poi', 'where it drifts'),
  player: ref('player', 'who jettisoned'),
  container: ref('container', 'the goods'),
  createdMs: f64('wall time of the first jettison, ms since 1970'),
  createdTick: u32('tick of the first jettison'),
  expireTick: u32('tick in which it is removed; each addition postpones it'),
})

/** A ship that was given, as its notice names it. */
export interface GiftShip {
  readonly ship_id: string
  readonly class_id: string
  readonly class_name: string
}

/** What a gift consists of. */
export interface GiftContents {
  /** Id of a good or package, and units. */
  readonly items: readonly (readonly [string, number])[]
  readonly credits: number
  readonly ships: readonly GiftShip[]
}

/** The notice of a gift, until its recipient has seen it. Source: trade-storage.md section 3. */
export interface Gift extends GiftContents {
  /** Numbers of recipient and base, `player:base`. */
  readonly box: string
  /** Name and wire id as the recipient may know them; neither if gifts of several were merged. */
  readonly sender: string
  readonly senderId: string
  readonly message: string
  /** Wall time, ms since 1970. */
  readonly ms: number
}

/** Unseen gifts by number, in the order of giving. */
export const GIFTS = defineRecords<Gift>('gifts', GIFTS_MAX)

/** Numbers of gifts by box, the oldest first. */
export const BOXES = defineIndex('cargo.gift-boxes', () => new Map<string, number[]>())
/** Gifts of this tick, by recipient: their event is sent at the end of the tick. */
export const UNSENT_GIFTS = defineIndex('cargo.gifts-told', () => new Map<Eid, UnsentGift>())

interface UnsentGift {
  readonly from: Eid
  readonly base: Eid
  gift: Gift
}

/** Container row of a locker by owner and base. */
export const LOCKERS = defineIndex('cargo.lockers', () => new Map<number, Row>())

/*
 * Packages: goods sealed under one label. A package is in one container of goods (a hold, a
 * locker, a store, an escrow, a wreck) next to its stacks; its manifest is a container of its own.
 * Notes are stored, move and are lost in the same way, each in a row of this table without a
 * manifest.
 */

/** Kinds of place (append only): index is the value of `kind`. Source: trade-storage.md 1, 5. */
export const PACKAGE_PLACES = [
  'cargo',
  'locker',
  'store',
  'escrow',
  'wreck',
  'adrift',
  'shipment',
] as const
export type PackagePlace = (typeof PACKAGE_PLACES)[number]

/** A sealed package of goods, or a note. */
export const Package = defineEntity('package', ROWS.packages, {
  manifest: ref('container', 'what is sealed in it; 0 for a note'),
  note: ref('note', 'the note it is; 0 for a package of goods'),
  holder: ref('container', 'where it is'),
  kind: u8('index into PACKAGE_PLACES'),
  ship: ref('ship', 'the ship whose hold it is in; 0 elsewhere'),
  base: ref('base', 'the base of the locker or store it is in; 0 elsewhere'),
  player: ref('player', 'owner, or the last where the place has none; 0 for a faction or nobody'),
  factionSeq: f64('number of the faction that owns it; 0 for a player or nobody'),
  creator: ref('player', 'who packed it; 0 nobody'),
  label: text('what its packer wrote on it'),
  createdMs: f64('wall time of its packing, ms since 1970'),
  size: u8('space of its contents, at most 100'),
})

/** Raised after a package has moved to another place. */
export const packageMoved = defineOccurrence<{ pkg: Row }>('package moved')
/** Raised before a package is opened or destroyed, while it is still in its place. */
export const packageGone = defineOccurrence<{ pkg: Row; how: 'opened' | 'destroyed' }>(
  'package gone',
)

export const PACKAGE_ID_PREFIX = 'package:'

export const isSealedId = (id: string): boolean => id.toLowerCase().startsWith(PACKAGE_ID_PREFIX)

/** Returns true for a text that can only mean a package. */
export const isPackageId = (id: string): boolean => isSealedId(id) || isNoteId(id)

/* References to packages are by id alone: labels are not unique. */

export const packages: ReferenceDef = {
  kind: 'package',
  byId: (_view, _player, text) => (isPackageId(text) ? text : undefined),
  names: () => [],
  unknown: ['unknown_item'],
}

/* Finding */

/** Packages by the container they are in. */
export const PLACED = defineIndex('package.placed', () => new Map<Row, Set<Row>>())
