/**
 * Plans repairs: what a station charges, and which repair kits are used from the hold. Planning
 * changes nothing: a command either returns the refusal of its plan or carries the plan out.
 * Source: ships.md section 5.
 */
import { EMPIRES, findGoods, GOODS, isModule } from '../../core/catalog/index.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { contentsOf } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import { addPercent, divCeil, divFloor } from '../../core/math.ts'
import { listed } from '../../core/say.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { empireOfBase } from '../base/model.ts'
import { levelOf } from '../skill/model.ts'
import { isHost, REPAIR_CREDITS, repairPriceAt, serviceRefusal } from '../station/model.ts'
import { activeShip } from './model.ts'
import { Ship } from './state.ts'

/** Skill whose level is added to what a kit restores, in percent. */
const FIELD_REPAIR_SKILL = 'outer_rim_survival'

export interface RepairParams {
  readonly item_id?: string
  readonly quantity?: number
  readonly target?: string
}

const missingHull = (view: WorldView, ship: Eid): number =>
  view.read(Ship).hullMax[ship] - view.read(Ship).hull[ship]

/**
 * Returns what a station charges a player for a point of hull, in credits. ours: a faction repairs
 * its members' ships free of charge at its own station, since it already pays for the upkeep of the
 * dock.
 */
function repairPrice(view: WorldView, player: Eid, base: Eid): number {
  if (isHost(view, player, base)) return 0
  const empire = empireOfBase(view, base)
  if (empire >= 0) return EMPIRES[empire].policy.repair_cost_per_hull
  return repairPriceAt(view, base) || REPAIR_CREDITS
}

interface StationRepair {
  readonly points: number
  readonly credits: number
}

/**
 * Plans the repair of a player's ship at a station: all of the damage, or as many points of hull as
 * they can pay for. Refusals: hull_full, no_credits, service_restricted.
 */
export function planStationRepair(
  view: WorldView,
  player: Eid,
  base: Eid,
): Outcome<StationRepair, 'hull_full' | 'no_credits' | 'service_restricted'> {
  const missing = missingHull(view, activeShip(view, player))
  if (missing === 0) return fail('hull_full')
  const refusal = serviceRefusal(view, player, base, 'repair')
  if (refusal) return refusal
  const price = repairPrice(view, player, base)
  const have = balanceOf(view, walletOf(view, player))
  const points = price === 0 ? missing : Math.min(missing, divFloor(have, price))
  if (points === 0) return fail('no_credits', { need: price, have })
  return ok({ points, credits: points * price })
}

interface Kit {
  /** Index into GOODS. */
  readonly item: number
  readonly units: number
}

export interface KitRepair {
  readonly kits: readonly Kit[]
  readonly points: number
}

/** Returns the points of hull that a unit of an item restores; 0 when it is not a repair kit. */
function hullPointsOf(item: number): number {
  const row = GOODS[item]
  if (isModule(row)) return 0
  const { effect } = row
  return effect?.type === 'hull' ? (effect.amount ?? 0) : 0
}

/** Lists the repair kits in the hold of a ship, cheapest first, then in the catalogue's order. */
function kitsAboard(view: WorldView, ship: Eid): Kit[] {
  return contentsOf(view, view.read(Ship).hold[ship])
    .filter(({ item }) => hullPointsOf(item) > 0)
    .sort((a, b) => GOODS[a.item].base_value - GOODS[b.item].base_value || a.item - b.item)
}

/** Lists the kits of a repair: `1 Hull Patch and 2 Repair Kit`. */
export const kitsText = ({ kits }: KitRepair): string =>
  listed(kits.map(({ item, units }) => `${units} ${GOODS[item].name}`))

/**
 * Finds the repair kit that was requested by id; undefined when any will do. Refusals:
 * unknown_item, no_repair_kits.
 */
function requestedKit(
  itemId: string | undefined,
): Outcome<number | undefined, 'no_repair_kits' | 'unknown_item'> {
  if (itemId === undefined) return ok(undefined)
  const found = findGoods(itemId)
  if (found.length !== 1) {
    return fail('unknown_item', { item_id: itemId, matches: found.map((item) => GOODS[item].id) })
  }
  if (hullPointsOf(found[0]) > 0) return ok(found[0])
  return fail('no_repair_kits', { item_id: GOODS[found[0]].id }, 'That item does not repair hulls.')
}

/**
 * Plans the repair of a ship, the player's own or another one, with kits from the hold of the
 * player's ship: at most `quantity` of them, and no more than the damage needs. Refusals:
 * unknown_item, hull_full, no_repair_kits.
 */
export function planKitRepair(
  view: WorldView,
  player: Eid,
  target: Eid,
  { item_id, quantity = 1 }: RepairParams,
): Outcome<KitRepair, 'hull_full' | 'no_repair_kits' | 'unknown_item'> {
  const requested = requestedKit(item_id)
  if (!requested.ok) return requested
  let missing = missingHull(view, target)
  if (missing === 0) return fail('hull_full')
  const bonusPct = levelOf(view, player, FIELD_REPAIR_SKILL)
  const kits: Kit[] = []
  let kitsLeft = quantity
  let points = 0
  for (const { item, units } of kitsAboard(view, activeShip(view, player))) {
    if (requested.result !== undefined && requested.result !== item) continue
    const pointsEach = addPercent(hullPointsOf(item), bonusPct)
    const used = Math.min(units, kitsLeft, divCeil(missing, pointsEach))
    if (used === 0) break
    kits.push({ item, units: used })
    const repaired = Math.min(missing, used * pointsEach)
    points += repaired
    missing -= repaired
    kitsLeft -= used
  }
  return kits.length === 0 ? fail('no_repair_kits') : ok({ kits, points })
}
