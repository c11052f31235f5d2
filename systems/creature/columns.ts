/**
 * Wild creatures: each is a hull without an owner and without a pilot, at home in a herd; herds are
 * made with the world and stay, whatever becomes of their members. Figures of a kind stand in the
 * catalogue.
 */
import { defineComponent, defineTable, f64, ref, u8 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { Ship } from '../ship/columns.ts'

/** Members of one kind that live at one place. Rows are never given back. */
export const Herd = defineTable(
  'herd',
  ROWS.herds,
  {
    system: ref('system', 'home; it never leaves it'),
    poi: ref('poi', 'where it grazes now'),
    kind: u8('index into CREATURES'),
    size: u8('members when it thrives'),
    count: u8('members now'),
    hunger: u8('turns in a row without food'),
    breedTurns: u8('turns since the last birth'),
  },
  { fixed: true },
)

export const Creature = defineTable('creature', ROWS.creatures, {
  ship: ref('ship', 'its body; the owner of that is 0'),
  kind: u8('index into CREATURES'),
  herd: ref('herd', '0: a stray, that nothing replaces'),
  prey: f64('durable number of the ship it strikes at in the next tick; 0 = none'),
})

/** What a hull is when it is alive. */
export const Wild = defineComponent(Ship, 'wild', {
  creature: ref('creature', '0 for a ship'),
})
