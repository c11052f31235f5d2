/**
 * Where goods wait outside ships: lockers of players at bases, and containers adrift after a
 * jettison.
 */
import { defineTable, f64, ref, u16, u32 } from '../../core/columns.ts'
import { GIFTS_MAX, ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'

/** Personal storage of one player at one base; exists while it holds something, or is to. */
export const Locker = defineTable('locker', ROWS.lockers, {
  player: ref('player', 'owner'),
  base: ref('base', 'where it is'),
  container: ref('container', 'the goods'),
  reserved: u16('places kept for packages that jobs are making'),
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
  expireTick: u32('tick it is swept away in; each addition puts it off'),
})

export interface GiftShip {
  readonly ship_id: string
  readonly class_id: string
  readonly class_name: string
}

export interface GiftContents {
  /** Id of a good or package, and units. */
  readonly items: readonly (readonly [string, number])[]
  readonly credits: number
  readonly ships: readonly GiftShip[]
}

/** The notice of a gift, until its recipient has looked. Source: trade-storage.md section 3. */
export interface Gift extends GiftContents {
  /** Numbers of recipient and base, `player:base`. */
  readonly box: string
  /** Name and wire id, as the recipient may know them; of what was merged neither. */
  readonly sender: string
  readonly senderId: string
  readonly message: string
  /** Wall time, ms since 1970. */
  readonly ms: number
}

/** By number, in the order of giving. */
export const GIFTS = defineRecords<Gift>('gifts', GIFTS_MAX)
