/**
 * Mending hulls: what a station asks, which kits are taken from the hold, whom one may mend. Plans
 * are pure; the command refuses by them and then applies one. Source: ships.md section 5.
 */
import { EMPIRES, findGoods, GOODS, type ItemRow, isModule } from '../../core/catalog/index.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { contentsOf } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import { addPercent, divCeil, divFloor } from '../../core/math.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { empireOfBase } from '../base/model.ts'
import { levelOf } from '../skill/model.ts'
import { isHost, REPAIR_CREDITS, repairPriceAt, serviceRefusal } from '../station/model.ts'
import { activeShip } from './model.ts'
import { Ship } from './state.ts'

/** Skill that gets more out of a kit. */
const FIELD_REPAIR_SKILL = 'outer_rim_survival'

export interface RepairParams {
  readonly item_id?: string
  readonly quantity?: number
  readonly target?: string
}

const missingHull = (view: WorldView, ship: Eid): number =>
  view.read(Ship).hullMax[ship] - view.read(Ship).hull[ship]

/**
 * Credits a point of hull. ours: a faction mends its members' ships at its own station for nothing;
 * what the dock is kept with it pays already.
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
 * What the station mends of the player's ship for the money there is. Refusals: `hull_full`,
 * `no_credits`, `service_restricted`.
 */
export function planStationRepair(
  view: WorldView,
  player: Eid,
  base: Eid,
): Outcome<StationRepair, 'hull_full' | 'no_credits' | 'service_restricted'> {
  const missing = missingHull(view, activeShip(view, player))
  if (missing === 0) return fail('hull_full')
  const barred = serviceRefusal(view, player, base, 'repair')
  if (barred) return barred
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

/** Points of hull one unit gives, 0 for what is no kit. */
function pointsOf(item: number): number {
  const row = GOODS[item]
  if (isModule(row)) return 0
  const { effect } = row as ItemRow
  return effect?.type === 'hull' ? (effect.amount ?? 0) : 0
}

/** Kits in the hold, cheapest first; of equals the one first in the catalogue. */
function kitsAboard(view: WorldView, ship: Eid): Kit[] {
  return contentsOf(view, view.read(Ship).hold[ship])
    .filter(({ item }) => pointsOf(item) > 0)
    .sort((a, b) => GOODS[a.item].base_value - GOODS[b.item].base_value || a.item - b.item)
}

/** The kind of kit asked for, or undefined for any. Refusals: `unknown_item`, `no_repair_kits`. */
function kitAsked(
  itemId: string | undefined,
): Outcome<number | undefined, 'no_repair_kits' | 'unknown_item'> {
  if (itemId === undefined) return ok(undefined)
  const found = findGoods(itemId)
  if (found.length !== 1) {
    return fail('unknown_item', { item_id: itemId, matches: found.map((item) => GOODS[item].id) })
  }
  if (pointsOf(found[0]) > 0) return ok(found[0])
  return fail('no_repair_kits', { item_id: GOODS[found[0]].id }, 'That item repairs no hull.')
}

/**
 * Which kits of the player's hold mend a ship, their own or another. `quantity` kits at most (1 if
 * absent), no more than the damage takes. Refusals: `unknown_item`, `hull_full`, `no_repair_kits`.
 */
export function planKitRepair(
  view: WorldView,
  player: Eid,
  mended: Eid,
  { item_id, quantity = 1 }: RepairParams,
): Outcome<KitRepair, 'hull_full' | 'no_repair_kits' | 'unknown_item'> {
  const asked = kitAsked(item_id)
  if (!asked.ok) return asked
  let missing = missingHull(view, mended)
  if (missing === 0) return fail('hull_full')
  const bonusPct = levelOf(view, player, FIELD_REPAIR_SKILL)
  const kits: Kit[] = []
  let wanted = quantity
  let points = 0
  for (const { item, units } of kitsAboard(view, activeShip(view, player))) {
    if (asked.result !== undefined && asked.result !== item) continue
    const each = addPercent(pointsOf(item), bonusPct)
    const used = Math.min(units, wanted, divCeil(missing, each))
    if (used === 0) break
    kits.push({ item, units: used })
    points += Math.min(missing, used * each)
    missing -= Math.min(missing, used * each)
    wanted -= used
  }
  return kits.length === 0 ? fail('no_repair_kits') : ok({ kits, points })
}
