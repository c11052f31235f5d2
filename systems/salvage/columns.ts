/** Wrecks: what is left of destroyed ships, at the places where they were lost. */
import { defineEntity, f64, ref, text, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'

/** Wire values of a wreck's type, in the order of the column value. Source: salvage.md section 1. */
export const WRECK_TYPES = ['ship'] as const

export const Wreck = defineEntity('wreck', ROWS.wrecks, {
  type: u8('index into WRECK_TYPES'),
  poi: ref('poi', 'where it drifts'),
  class: u16('index into SHIP_CLASSES', { catalog: 'shipClasses' }),
  name: text('given name of the ship; may be empty'),
  victimId: text('wire id of who flew it'),
  victimName: text('name of who flew it'),
  killerId: text('wire id of who destroyed it; may be empty'),
  killerName: text('name of who destroyed it; may be empty'),
  createdMs: f64('wall time of the loss, ms since 1970'),
  createdTick: u32('tick of the loss'),
  cargo: ref('container', 'goods in it'),
  firstModule: ref('module', 'head of its list of modules'),
  initialValue: u32('salvage value of the whole hulk, credits'),
  value: u32('what of it is left, credits'),
})
