/**
 * Wild creatures: each is a hull without owner and pilot, most of them in a herd. Herds are created
 * with the world and remain, whatever happens to their members. Figures of a kind are in the
 * catalogue.
 */
import { defineComponent, defineTable, f64, ref, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { bools, ints, obj, opt, strings } from '../../core/params.ts'
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Ship } from '../ship/state.ts'

/** Members of one kind that live at one place. Rows are never released. */
export const Herd = defineTable(
  'herd',
  ROWS.herds,
  {
    system: ref('system', 'home system, which it never leaves'),
    poi: ref('poi', 'where it grazes now'),
    kind: u8('index into CREATURES'),
    size: u8('members when it thrives'),
    count: u8('members now'),
    hunger: u8('turns in a row without food'),
    breedTurns: u8('turns since the last birth'),
  },
  { fixed: true },
)

/** One wild creature. */
export const Creature = defineTable('creature', ROWS.creatures, {
  ship: ref('ship', 'its body, which has no owner'),
  kind: u8('index into CREATURES'),
  herd: ref('herd', '0 for a stray, which nothing replaces'),
  prey: f64('durable number of the ship it strikes at in the next tick; 0 = none'),
  flightTick: u32('tick in which it last began to flee; 0 = never'),
})

/** Makes a hull a creature's body. */
export const Wild = defineComponent(Ship, 'wild', {
  creature: ref('creature', '0 for a ship'),
})

/* Derived lists, in the order in which creatures were created */

/** Members by herd. */
export const MEMBERS = defineIndex('creature.members', () => new Map<Row, Row[]>())
/** Creatures that attack ships unprovoked. */
export const HUNTERS = defineIndex('creature.hunters', () => new Set<Row>())
/** Creatures in a battle or wounded, which are updated in each tick. */
export const ROUSED = defineIndex('creature.roused', () => new Set<Row>())
/** Creatures that strike in the next tick. */
export const STRIKING = defineIndex('creature.striking', () => [] as Row[])

/* Wire shapes of creatures. Source: contract, CreatureInfo and WildlifeSurvey. */

export const creatureSchema = obj({
  ...strings('creature_id', 'name', 'role', 'species'),
  ...ints('hull', 'max_hull'),
  ...bools('in_combat'),
  ...opt(strings('brand_faction', 'brand_ranch')),
  ...opt(bools('branded')),
})
