/** Wire forms of deposits as seen from a ship. Source: mining.md section 1. */
import { GOODS } from '../../core/catalog/index.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { FAMILIES, Ship } from '../ship/state.ts'
import { isTooSparse, lockMinimumStock, supportedPower } from './kernels.ts'
import { depletionPercent, depositsOf, remainingDisplay, unitsRemaining } from './model.ts'
import type { depositSchema, locationResourceSchema, poiResourceSchema } from './schemas.ts'
import { Deposit } from './state.ts'

/** Renders a deposit as seen from a ship; without a rig for it, the rig fields are left out. */
function renderDeposit(view: WorldView, ship: Eid, row: Row): Static<typeof depositSchema> {
  const deposit = view.read(Deposit)
  const good = GOODS[deposit.item[row]]
  const remaining = unitsRemaining(view, row)
  const entry: Static<typeof depositSchema> = {
    resource_id: good.id,
    name: good.name,
    richness: deposit.richness[row],
    remaining,
    remaining_display: remainingDisplay(remaining),
  }
  if (remaining < 0) return entry
  entry.max_remaining = deposit.max[row]
  if (remaining < deposit.max[row]) {
    entry.depletion_percent = depletionPercent(remaining, deposit.max[row])
  }
  return { ...entry, ...rigFields(view, ship, row, remaining) }
}

/** Returns the rig with which a ship can mine a deposit; undefined if it has none. */
function rigFor(view: WorldView, ship: Eid, row: Row) {
  const { minePower, mineFine } = view.read(Ship)
  const index = ship * FAMILIES.length + view.read(Deposit).family[row]
  if (ship === 0 || minePower[index] === 0) return undefined
  return { power: minePower[index], fine: mineFine[index] }
}

function rigFields(view: WorldView, ship: Eid, row: Row, remaining: number) {
  const { max, deepCore } = view.read(Deposit)
  const rig = rigFor(view, ship, row)
  if (!rig) return {}
  const stock = lockMinimumStock(rig.power, rig.fine)
  return {
    supported_power: supportedPower(remaining, rig.fine),
    ...(stock > 0 ? { lock_minimum_stock: stock } : {}),
    ...(isTooSparse(rig, remaining, max[row], deepCore[row] === 1) ? { too_sparse: true } : {}),
  }
}

/** Renders the deposits of a place in full. */
export const renderDeposits = (view: WorldView, ship: Eid, poi: Eid) =>
  depositsOf(view, poi).map((row) => renderDeposit(view, ship, row))

/** Renders the deposits of a place for the wire form of the place. */
export function renderPoiResources(
  view: WorldView,
  ship: Eid,
  poi: Eid,
): Static<typeof poiResourceSchema>[] {
  return renderDeposits(view, ship, poi).map((entry) => ({
    resource_id: entry.resource_id,
    name: entry.name,
    richness: String(entry.richness),
    remaining: entry.remaining,
    remaining_display: entry.remaining_display,
  }))
}

/** Renders the deposits of a place for the v2 section `location`. */
export function renderLocationResources(
  view: WorldView,
  ship: Eid,
  poi: Eid,
): Static<typeof locationResourceSchema>[] {
  const { item, richness } = view.read(Deposit)
  return depositsOf(view, poi).map((row) => {
    const good = GOODS[item[row]]
    const remaining = unitsRemaining(view, row)
    const entry = {
      item_id: good.id,
      item_name: good.name,
      richness: richness[row],
      remaining,
    }
    const rig = remaining < 0 ? undefined : rigFor(view, ship, row)
    return rig ? { supported_power: supportedPower(remaining, rig.fine), ...entry } : entry
  })
}
