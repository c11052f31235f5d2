/**
 * Wild creatures: each is a hull without an owner and without a pilot, at home in a herd; herds are
 * made with the world and stay, whatever becomes of their members. Figures of a kind stand in the
 * catalogue.
 */
import { defineComponent, defineTable, f64, ref, u8 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { bools, ints, obj, opt, strings } from '../../core/params.ts'
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Ship } from '../ship/state.ts'

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

/* Lists: derived, in the order in which the creatures came to be */

/** Members by herd. */
export const MEMBERS = defineIndex('creature.members', () => new Map<Row, Row[]>())
/** Kinds that turn on ships by themselves. */
export const HUNTERS = defineIndex('creature.hunters', () => new Set<Row>())
/** Those in a battle or wounded: what a tick has to look at. */
export const ROUSED = defineIndex('creature.roused', () => new Set<Row>())
/** Those that have made up their minds to strike. */
export const STRIKING = defineIndex('creature.striking', () => [] as Row[])

/* Wire shapes of creatures. Source: contract, CreatureInfo and WildlifeSurvey. */

export const creatureSchema = obj({
  ...strings('creature_id', 'name', 'role', 'species'),
  ...ints('hull', 'max_hull'),
  ...bools('in_combat'),
  ...opt(strings('brand_faction', 'brand_ranch')),
  ...opt(bools('branded')),
})
