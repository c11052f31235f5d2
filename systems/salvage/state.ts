/**
 * Wrecks: what is left of destroyed ships, creatures and bases, and the lines by which ships tow
 * them. Goods thrown overboard drift in the containers of systems/cargo.
 */
import { defineComponent, defineEntity, f64, ref, text, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Ship } from '../ship/state.ts'

/**
 * Values of a wreck's type (append only); containers adrift are listed beside wrecks, as
 * `container`. Source: salvage.md section 1.
 */
export const WRECK_TYPES = ['ship', 'carcass', 'debris'] as const
export type WreckType = (typeof WRECK_TYPES)[number]

export const Wreck = defineEntity('wreck', ROWS.wrecks, {
  type: u8('index into WRECK_TYPES'),
  poi: ref('poi', 'where it drifts; 0 while it is towed'),
  tug: ref('ship', 'ship that tows it; 0 none'),
  class: u16('of a ship: index into SHIP_CLASSES', { catalog: 'shipClasses' }),
  name: text('name of the ship, species or base; may be empty'),
  victimId: text('wire id of who flew it'),
  victimName: text('name of who flew it'),
  killerId: text('wire id of who destroyed it; may be empty'),
  killerName: text('name of who destroyed it; may be empty'),
  policyId: text('wire id of the policy that covered it; may be empty'),
  createdMs: f64('wall time of the loss, ms since 1970'),
  createdTick: u32('tick of the loss'),
  expireTick: u32('tick in which it is gone; 0 = never'),
  cargo: ref('container', 'goods in it'),
  firstModule: ref('module', 'head of its list of modules'),
  initialValue: u32('salvage value of the whole hulk, credits'),
  value: u32('salvage value left, credits'),
  trained: u8('1 once it has given experience, and from the start when it gives none'),
})

/** The line of a ship: what it tows, or what tows it. A ship has one line at most. */
export const Tow = defineComponent(Ship, 'tow', {
  wreck: ref('wreck', 'wreck it tows; 0 none'),
  ship: ref('ship', 'ship of the same owner that it tows; 0 none'),
  tug: ref('ship', 'ship that tows this one; 0 none'),
  pct: u8('speed lost to the tow, %'),
})

/** Ships with something on their line. Derived from `Tow`. */
export const TUGS = defineIndex('salvage.tugs', () => new Set<Eid>())

/** Wrecks by place, and by the tick in which they may decay. */
export const WRECKS = defineIndex('salvage.wrecks', () => ({
  at: new Map<Eid, Row[]>(),
  due: new Map<number, Row[]>(),
}))

/**
 * Rotation of the sites of derelicts: `hourly` counts those used in this hour, `first` is the index
 * in their order at which the hour began. Absent in older worlds.
 */
export const DERELICT_TURNS = defineRecords<number>('derelict_turns', 2)

/** Places where derelicts drift, in an order drawn by the seed; filled on first use. */
export const DERELICT_SITES = defineIndex('salvage.derelict-sites', () => [] as Eid[])
