/**
 * The lines of a side: what they name, whether somebody has it, and what it does to a hold.
 * Source: trade-storage.md section 2.
 */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { badFields, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { cargoUnits, findGood, refusesGiving, spaceOf } from '../cargo/rules.ts'
import {
  footprintOf,
  isPackageId,
  packageById,
  packageId,
  sealedById,
  standsIn,
} from '../package/rules.ts'
import { Ship } from '../ship/columns.ts'
import { activeShip } from '../ship/rules.ts'
import type { TradeLine } from './columns.ts'

/** A side of a trade by rows: goods with their units, and packages. */
export interface Side {
  readonly goods: readonly { readonly item: number; readonly units: number }[]
  /** 0 for a package that is gone. */
  readonly packages: readonly Row[]
}

/** One line as it is kept: by the id of what it names. */
function lineOf(view: WorldView, { item_id, quantity }: TradeLine): Outcome<TradeLine> {
  if (quantity < 1) return badFields({ field: 'quantity', expected: '1 or more' })
  if (isPackageId(item_id)) {
    const pkg = packageById(view, item_id)
    if (pkg === 0) return fail('insufficient_items', { item_id, need: quantity, have: 0 })
    if (quantity === 1) return ok({ item_id: packageId(view, pkg), quantity })
    return badFields({ field: 'quantity', expected: '1 package' })
  }
  const found = findGood(item_id)
  if (!found.ok) return found
  return refusesGiving(found.result) ?? ok({ item_id: GOODS[found.result].id, quantity })
}

/**
 * The lines of a side, those of one item summed. Refusals: invalid_payload, unknown_item,
 * insufficient_items (a package nobody knows), quest_item, not_tradeable.
 */
export function readLines(view: WorldView, asked: readonly TradeLine[]): Outcome<TradeLine[]> {
  const sums = new Map<string, number>()
  for (const row of asked) {
    const line = lineOf(view, row)
    if (!line.ok) return line
    const { item_id, quantity } = line.result
    const sum = isPackageId(item_id) ? 1 : (sums.get(item_id) ?? 0) + quantity
    sums.set(item_id, sum)
  }
  return ok([...sums].map(([item_id, quantity]) => ({ item_id, quantity })))
}

/** Sealed ones: notes may be on both sides. */
export const hasPackages = (view: WorldView, lines: readonly TradeLine[]): boolean =>
  lines.some(({ item_id }) => sealedById(view, item_id) !== 0)

export function sideOf(view: WorldView, lines: readonly TradeLine[]): Side {
  return {
    goods: lines
      .filter(({ item_id }) => !isPackageId(item_id))
      .map(({ item_id, quantity }) => ({ item: itemIndex(item_id), units: quantity })),
    packages: lines
      .filter(({ item_id }) => isPackageId(item_id))
      .map(({ item_id }) => packageById(view, item_id)),
  }
}

/** Refuses what is not in the hold of the ship a player flies. Refusal: insufficient_items. */
export function lacks(
  view: WorldView,
  player: Eid,
  { goods, packages }: Side,
): Failure | undefined {
  const ship = activeShip(view, player)
  for (const { item, units } of goods) {
    const have = cargoUnits(view, ship, item)
    if (have < units) {
      return fail('insufficient_items', { item_id: GOODS[item].id, need: units, have })
    }
  }
  const hold = view.read(Ship).hold[ship]
  const isMissing = packages.some((pkg) => pkg === 0 || !standsIn(view, hold, pkg))
  return isMissing ? fail('insufficient_items', { need: packages.length }) : undefined
}

/** True if a ship has room for what comes once what goes has gone: the sum of both at once. */
export function hasRoomFor(view: WorldView, ship: Eid, goes: Side, comes: Side): boolean {
  const deltas = new Map<number, number>()
  for (const { item, units } of goes.goods) deltas.set(item, -units)
  for (const { item, units } of comes.goods) deltas.set(item, (deltas.get(item) ?? 0) + units)
  const spaceFor = (packages: readonly Row[]): number =>
    packages.reduce((sum, pkg) => sum + footprintOf(view, pkg), 0)
  let space = spaceFor(comes.packages) - spaceFor(goes.packages)
  for (const [item, delta] of deltas) {
    const held = cargoUnits(view, ship, item)
    space += spaceOf(view, ship, item, held + delta) - spaceOf(view, ship, item, held)
  }
  const { cargoUsed, cargoCap } = view.read(Ship)
  return space <= 0 || cargoUsed[ship] + space <= cargoCap[ship]
}
