/** Buffs of ships: the temporary effects of consumables. */
import { defineComponent, defineTable, f64, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { relation } from '../../core/relation.ts'
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Ship } from '../ship/state.ts'

/** What a buff can raise: by percent, but `scanner`, `cloak` and `accuracy` by points. */
export const BUFF_STATS = [
  'speed',
  'damage',
  'defense',
  'accuracy',
  'scanner',
  'cloak',
  'yield',
] as const

/** A temporary effect on one ship. */
export const Buff = defineTable('buff', ROWS.buffs, {
  number: f64('durable number: the order of use'),
  ship: ref('ship', 'the ship it works on'),
  next: ref('buff', 'next of that ship, by expiry, then number'),
  item: u16('index into GOODS', { catalog: 'goods' }),
  stat: u8('index into BUFF_STATS'),
  amount: u8('percent or points'),
  expireTick: u32('last tick in which it works'),
})

/** The buffs of a ship. */
export const Buffed = defineComponent(Ship, 'buffed', {
  first: ref('buff', 'head of its list'),
})

/** Buffs by the first tick in which they no longer work. */
export const BUFF_EXPIRIES = defineIndex('consumable.ending', () => new Map<number, Set<Row>>())

/** Buffs of a ship, by expiry, then by number. */
export const BUFFS_OF = relation('buffs of a ship', {
  many: Buff,
  via: 'ship',
  next: 'next',
  one: Buffed,
  head: 'first',
  order: { by: 'expireTick' },
  emptiesRemoved: true,
})
