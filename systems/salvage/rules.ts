/**
 * What other domains ask of wrecks and lines: how a wreck comes to be, what drones take out of
 * one, what has to be let go of. Sections: wrecks.ts, make.ts, tow.ts.
 */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { type Held, moveItems, namedContainer } from '../../core/goods.ts'
import { addPercent, divFloor } from '../../core/math.ts'
import type { Row, World } from '../../core/types.ts'
import { Wreck } from './state.ts'
import { removeIfSpent, takeGoods } from './wrecks-rules.ts'

/* Drones: no tow, no yard. Source: salvage.md section 5, drones.md section 3 */

const METAL = itemIndex('salvage_metal')
/** Of what a wreck was worth at first, taken by one action. */
const FIELD_PCT = 10

/**
 * Takes goods out of a wreck into a container, and the wreck off the map when that was the last of
 * it. The caller has seen to room, and gives goods that are there.
 */
export function lootInto(world: World, wreck: Row, to: Row, goods: readonly Held[]): void {
  for (const held of goods) takeGoods(world, wreck, to, held)
  removeIfSpent(world, wreck)
}

/**
 * One action of field salvage: takes a tenth of what the wreck was worth at first, as metal, raised
 * by `bonusPct`, at most `roomUnits` of it. Returns the units. Without room or value left it changes
 * nothing.
 */
export function salvageInField(
  world: World,
  wreck: Row,
  { to, roomUnits, bonusPct }: { to: Row; roomUnits: number; bonusPct: number },
): number {
  const { value, initialValue } = world.write(Wreck)
  const taken = Math.min(value[wreck], Math.max(1, divFloor(initialValue[wreck] * FIELD_PCT, 100)))
  const units = addPercent(divFloor(taken, GOODS[METAL].base_value), bonusPct)
  if (value[wreck] === 0 || roomUnits === 0) return 0
  const given = Math.min(units, roomUnits)
  moveItems(world, namedContainer('scrap'), to, METAL, given)
  value[wreck] -= taken
  removeIfSpent(world, wreck)
  return given
}
